"""The picture that a shared link shows: site, section, what it is about, and the marks of the grades."""

import re
from html import escape
from importlib.metadata import version

from site_build.memory import keep, name_of, recall
from site_build.visuals.chart import svg_png

WIDTH, HEIGHT = 1200, 630
_MARGIN = 80
_SANS = "'PingFang SC', 'Noto Sans CJK SC', 'Source Han Sans SC', 'WenQuanYi Micro Hei', sans-serif"
_GRADES = (("R", "#1b5bb5"), ("P", "#0a6e6a"), ("D", "#855400"), ("T", "#7a3b99"))
_WIDE, _NARROW = 1.0, 0.53
"""Widths of a Chinese sign and of a Latin letter, as parts of the size of the type: rather too wide than too narrow."""
_WORD = re.compile(r"[^ ]+ *|^ +")
_MISSING = "\U000f0000"
"""A sign that no font has."""


def card_png(site: str, title: str, text: str) -> bytes:
    """Draw a card of 1200 x 630 pixels; a long text ends in an ellipsis after three lines."""
    name = name_of(version("vl-convert-python"), card_svg(site, title, text))
    if isinstance(kept := recall("cards", name), bytes):
        return kept
    png = svg_png(card_svg(site, title, text))
    keep("cards", name, png)
    return png


def can_draw(text: str) -> bool:
    """Whether the fonts of this machine have the first sign of a text."""
    return svg_png(_svg(_line(text[:1], 100, 48))) != svg_png(_svg(_line(_MISSING, 100, 48)))


def card_svg(site: str, title: str, text: str) -> str:
    """The card as SVG: a rule at the left, three texts from above, four marks below."""
    titles = wrapped(title, 68, 2)
    top = 215
    parts = [
        f'<rect width="18" height="{HEIGHT}" fill="{_GRADES[0][1]}"/>',
        _line(wrapped(site, 32, 1)[0], 120, 32, "#565c64"),
    ]
    parts += [_line(line, top + index * 82, 68) for index, line in enumerate(titles)]
    below = top + len(titles) * 82
    parts += [_line(line, below + index * 48, 32, "#565c64") for index, line in enumerate(wrapped(text, 32, 3))]
    for index, (letter, colour) in enumerate(_GRADES):
        x = _MARGIN + index * 76
        parts.append(f'<rect x="{x}" y="520" width="52" height="52" rx="4" fill="none" stroke="{colour}"'
                     f' stroke-width="3"{" stroke-dasharray='8 5'" if letter == "T" else ""}/>')  # fmt: skip
        parts.append(f'<text x="{x + 26}" y="557" text-anchor="middle" font-family="{_SANS}" font-size="32"'
                     f' fill="{colour}">{letter}</text>')  # fmt: skip
    return _svg("".join(parts))


def wrapped(text: str, size: int, most: int) -> list[str]:
    """A text in lines that fit the card, the last one cut where there are more than `most`."""
    lines = folded(text, size, WIDTH - 2 * _MARGIN)
    return [*lines[: most - 1], lines[most - 1][:-1] + "…"] if len(lines) > most else lines


def folded(text: str, size: int, room: int) -> list[str]:
    """A text in lines of `room` pixels: Chinese breaks anywhere, other words at spaces, longer ones where they must."""
    lines, used = [""], 0.0
    for word in _words(text):
        if lines[-1] and (used + _width(word.rstrip())) * size > room:
            lines.append("")
            used = 0.0
        if word.isascii() and lines[-1] and (used + _width(word)) * size <= room:
            lines[-1] += word
            used += _width(word)
            continue
        for sign in word if lines[-1] else word.lstrip():
            wide = _width(sign)
            if (used + wide) * size > room and sign != " ":
                lines.append("")
                used = 0.0
            lines[-1] += sign
            used += wide
    return [line.rstrip() for line in lines]


def _words(text: str) -> list[str]:
    if text.isascii():
        return _WORD.findall(text)
    words: list[str] = []
    for sign in text:
        starts = not words or words[-1][-1] == " " or _is_wide(sign) or _is_wide(words[-1][-1])
        # no line begins with a mark of punctuation
        if starts and not (words and sign in " ，。、；：？！）》”"):
            words.append(sign)
        else:
            words[-1] += sign
    return words


def _width(text: str) -> float:
    if text.isascii():
        return len(text) * _NARROW
    return sum(_WIDE if _is_wide(sign) else _NARROW for sign in text)


def _is_wide(sign: str) -> bool:
    return sign >= "\u2e80"


def _line(text: str, y: int, size: int, colour: str = "#1d2126") -> str:
    return f'<text x="{_MARGIN}" y="{y}" font-family="{_SANS}" font-size="{size}" fill="{colour}">{escape(text)}</text>'


def _svg(inside: str) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}">'
    return f'{head}<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>{inside}</svg>'
