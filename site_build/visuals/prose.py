"""Texts of the ledger and pages: taken apart into pieces, and rendered from a small safe subset of Markdown.

Two things need the pieces: checks look at the words only, and rendering puts formulas and markers aside so that no
Markdown reader can touch them.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Literal

from markdown_it import MarkdownIt

from site_build.model import Marker, find_markers
from site_build.visuals.mathml import FormulaError, to_mathml

LONG_FORMULA = 32
"""Characters of LaTeX above which a formula may be wider than a phone."""

PieceKind = Literal["words", "code", "math", "display-math", "marker", "target"]

_PIECE = re.compile(
    r"(?P<fence>^(?P<bar>```+|~~~+)[^\n]*\n.*?^(?P=bar)[ \t]*$)"
    r"|(?P<code>(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))"
    r"|(?P<escape>\\[\\`*_{}\[\]()#+.!:$-])"
    r"|(?P<display>\$\$.+?\$\$)"
    r"|(?P<math>\$(?! )(?:\\.|[^$\\\n])+\$)"
    r"|(?P<target>(?<=\])\([^()\s]+\))",
    re.DOTALL | re.MULTILINE,
)
_MARK_UP = re.compile(r"[*`\[\]]|(?<![^\W_])_+(?=[^\W_])|(?<=[^\W_])_+(?![^\W_])")
_HELD = re.compile("\ue000(\\d+)\ue001([.,;:!?)，。、；：！？）]*)")
_SHORT = '<span class="rl-math">'
_DATE = re.compile(r"(?<!\]\()(?<![\w/.=#?&-])\d{4}-\d{2}-\d{2}(?![\w/-])")
_MARKS = re.compile("[\ue000\ue001]")
"""What placeholders are made of; typed by an editor, it would put in something else."""
_LINK = re.compile(r"^(?:https?://|[^:/?#]*(?:[/?#]|$))", re.IGNORECASE)
_OTHER_HOST = re.compile(r"\s*(?:\\|/\s*[/\\])")
"""Browsers read a backslash as a slash, skip tabs, and take two slashes for a host."""


@dataclass(frozen=True)
class Piece:
    """A part of a text that is all of one kind."""

    kind: PieceKind
    text: str
    """The part as it is read: a formula without its dollars, an escaped character without its backslash."""
    offset: int
    """Where it starts in the text."""
    source: str
    """The part as written."""
    marker: Marker | None = None


@lru_cache(maxsize=16384)
def pieces(text: str) -> tuple[Piece, ...]:
    """Take a text apart; the sources of all pieces, joined, are the text."""
    return tuple(_pieces(text))


def _pieces(text: str) -> Iterator[Piece]:
    position = 0
    for found in _PIECE.finditer(text):
        yield from _words(text[position : found.start()], position)
        source, start = found[0], found.start()
        if found["fence"] or found["code"]:
            yield Piece("code", source, start, source)
        elif found["escape"]:
            yield Piece("words", source[1:], start, source)
        elif found["display"]:
            yield Piece("display-math", source[2:-2].strip(), start, source)
        elif found["math"]:
            yield Piece("math", source[1:-1], start, source)
        else:
            yield Piece("target", source[1:-1], start, source)
        position = found.end()
    yield from _words(text[position:], position)


def _words(text: str, offset: int) -> Iterator[Piece]:
    position = 0
    for marker in find_markers(text):
        if marker.start > position:
            words = text[position : marker.start]
            yield Piece("words", words, offset + position, words)
        yield Piece("marker", marker.source, offset + marker.start, marker.source, marker)
        position = marker.end
    if position < len(text):
        yield Piece("words", text[position:], offset + position, text[position:])


def hold(text: str, marker_html: Callable[[Marker], str]) -> tuple[str, list[str]]:
    """Put formulas and markers aside: the text with placeholders, and the HTML to put back."""
    held: list[str] = []
    out: list[str] = []
    for piece in pieces(_MARKS.sub("", text)):
        if piece.marker is not None:
            held.append(marker_html(piece.marker))
        elif piece.kind in {"math", "display-math"}:
            held.append(_formula(piece))
        else:
            out.append(piece.source)
            continue
        out.append(f"\ue000{len(held) - 1}\ue001")
    return "".join(out), held


def _formula(piece: Piece) -> str:
    """A formula; a long one may scroll on a phone, so a keyboard can reach it."""
    try:
        mathml = to_mathml(piece.text, display=piece.kind == "display-math")
    except FormulaError:  # a check reports it; a preview shows it as typed
        return f'<code class="rl-broken">{escape(piece.text)}</code>'
    reach = ' tabindex="0"' if len(piece.text) > LONG_FORMULA else ""
    return f'<span class="rl-math"{reach}>{mathml}</span>'


def _hold_dates(source: str, held: list[str]) -> str:
    """Put dates aside too: a line would break at their hyphens."""

    def aside(found: re.Match[str]) -> str:
        held.append(f'<span class="rl-unbroken">{found[0]}</span>')
        return f"\ue000{len(held) - 1}\ue001"

    return _DATE.sub(aside, source)


def put_back(html: str, held: list[str]) -> str:
    """Replace placeholders by what was put aside; one alone in a paragraph takes the paragraph's place."""
    html = re.sub("<p>(\ue000\\d+\ue001)</p>", lambda found: _alone(found[1], held), html)
    return _HELD.sub(lambda found: _with_mark(held[int(found[1])], found[2]), html)


def _with_mark(html: str, mark: str) -> str:
    """Keep the mark behind a formula on its line: browsers break between the two, and a line would begin with it."""
    return f'<span class="rl-unbroken">{html}{mark}</span>' if mark and html.startswith(_SHORT) else html + mark


def _alone(placeholder: str, held: list[str]) -> str:
    html = held[int(placeholder[1:-1])]
    return html if html.startswith(("<section", "<div", "<figure", "<table", "<article")) else f"<p>{html}</p>"


def _small_markdown() -> MarkdownIt:
    reader = MarkdownIt("zero", {"html": False}).enable(["escape", "backticks", "emphasis", "link", "newline", "list"])
    reader.validateLink = is_safe_link  # type: ignore[method-assign]
    return reader


def is_safe_link(url: str) -> bool:
    """Whether a link goes to http(s) or to a relative address."""
    return bool(_LINK.match(url)) and not _OTHER_HOST.match(url)


_MARKDOWN = _small_markdown()


def render_text(text: str, marker_html: Callable[[Marker], str]) -> str:
    """Render a ledger text of one or more paragraphs to HTML."""
    source, held = hold(text, marker_html)
    return put_back(str(_MARKDOWN.render(_hold_dates(source, held))).strip(), held)


def render_line(text: str, marker_html: Callable[[Marker], str]) -> str:
    """Render a ledger text to HTML without a paragraph around it."""
    source, held = hold(" ".join(text.split("\n")), marker_html)
    return put_back(str(_MARKDOWN.renderInline(_hold_dates(source, held))).strip(), held)


def plain_words(text: str, marker_words: Callable[[Marker], str]) -> str:
    """The text as a reader would say it: no mark-up, markers as what they print, formulas as written."""
    out = (
        marker_words(piece.marker) if piece.marker else _bare(piece) for piece in pieces(text) if piece.kind != "target"
    )
    return "".join(out)


def _bare(piece: Piece) -> str:
    """A piece without its mark-up; an escaped character is no mark-up."""
    return _without_mark_up(piece.text) if piece.source == piece.text else piece.text


@lru_cache(maxsize=16384)
def _without_mark_up(text: str) -> str:
    return _MARK_UP.sub("", text)
