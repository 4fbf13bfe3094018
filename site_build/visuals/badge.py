"""A claim as a small picture: statement, grade and boundary, whole, for pages that show no frames."""

from dataclasses import dataclass
from functools import lru_cache
from html import escape

from site_build.visuals.card import folded

WIDTH = 360
_MARGIN, _INDENT = 14, 46
_SIZE, _LEADING = 13, 19
_SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'PingFang SC', 'Noto Sans CJK SC', 'Source Han Sans SC',"
_SANS += " 'Microsoft YaHei', 'WenQuanYi Micro Hei', sans-serif"
_STYLE = """
.back { fill: #ffffff; stroke: #d9d5cb } .ink { fill: #1d2126 } .muted { fill: #565c64 } .red { fill: #b3261e }
.tile { fill: none; stroke-width: 1.5 } .rule { fill: #d9d5cb }
.R { stroke: #1b5bb5 } .P { stroke: #0a6e6a } .D { stroke: #855400 } .T { stroke: #7a3b99; stroke-dasharray: 4 3 }
.tR { fill: #1b5bb5 } .tP { fill: #0a6e6a } .tD { fill: #855400 } .tT { fill: #7a3b99 }
@media (prefers-color-scheme: dark) {
.back { fill: #14171a; stroke: #3a4048 } .ink { fill: #e8e6e1 } .muted { fill: #a7adb5 } .red { fill: #ff9b92 }
.rule { fill: #3a4048 }
.R { stroke: #8ab8f7 } .P { stroke: #6fd3c8 } .D { stroke: #f0c15a } .T { stroke: #d2aaf2 }
.tR { fill: #8ab8f7 } .tP { fill: #6fd3c8 } .tD { fill: #f0c15a } .tT { fill: #d2aaf2 }
}
"""


@dataclass(frozen=True)
class Badge:
    """What the picture says, in plain words of one language."""

    language: str
    reference: str
    pin: str
    """Reference and hash."""
    text: str
    grade: str
    """The letter."""
    grade_word: str
    boundary_word: str
    boundary: str
    withdrawn_word: str
    withdrawn: str
    """Why the claim no longer stands; empty while it does."""
    site: str
    width: int = WIDTH

    @property
    def colon(self) -> str:
        """As the language writes it."""
        return "：" if self.language == "zh" else ": "

    @property
    def stop(self) -> str:
        """The same of a full stop."""
        return "。" if self.language == "zh" else ". "

    @property
    def title(self) -> str:
        """The picture in a line."""
        stopped = f"{self.withdrawn_word}{self.colon}{self.withdrawn} " if self.withdrawn else ""
        return f"{stopped}{self.reference}{self.colon}{self.text}"

    @property
    def description(self) -> str:
        """What no quotation may lose."""
        return f"{self.grade_word}{self.stop}{self.boundary_word}{self.colon}{self.boundary}"


@lru_cache(maxsize=32768)
def _blocks(badge: Badge) -> list[tuple[str, int, str]]:
    """Lines of text from above: class, indent and words; an empty line is half a line of space."""
    lines: list[tuple[str, int, str]] = []
    if badge.withdrawn:
        lines += _folded("red", _MARGIN, f"{badge.withdrawn_word}{badge.colon}{badge.withdrawn}")
        lines.append(("", 0, ""))
    lines += _folded("ink", _INDENT, badge.text)
    lines += _folded(f"t{badge.grade}", _INDENT, badge.grade_word)
    lines.append(("", 0, ""))
    lines += _folded("muted", _INDENT, f"{badge.boundary_word}{badge.colon}{badge.boundary}")
    lines.append(("", 0, ""))
    return lines + _folded("muted", _INDENT, f"{badge.pin} · {badge.site}")


def _folded(name: str, indent: int, text: str) -> list[tuple[str, int, str]]:
    return [(name, indent, line) for line in folded(text, _SIZE, WIDTH - indent - _MARGIN)]


def badge_height(badge: Badge) -> int:
    """Pixels from top to bottom."""
    return 2 * _MARGIN + sum(_LEADING if words else _LEADING // 2 for _, _, words in _blocks(badge))


def badge_svg(badge: Badge) -> str:
    """The picture; it follows the reader's choice of light or dark and holds no address."""
    height, y, tile, body = badge_height(badge), _MARGIN, 0, []
    for name, indent, words in _blocks(badge):
        if name == "ink" and not tile:
            tile = y
        y += _LEADING if words else _LEADING // 2
        if words:
            body.append(f'<text class="{name}" x="{indent}" y="{y - 5}">{escape(words)}</text>')
    letter = escape(badge.grade)
    mark = [
        f'<rect class="tile {letter}" x="{_MARGIN}" y="{tile + 1}" width="22" height="20" rx="4"/>',
        f'<text class="t{letter}" x="{_MARGIN + 11}" y="{tile + 16}" text-anchor="middle" font-weight="700">',
        f"{letter}</text>",
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
        f' role="img" aria-labelledby="t d" lang="{badge.language}" font-family="{_SANS}" font-size="{_SIZE}">'
        f'<title id="t">{escape(badge.title)}</title><desc id="d">{escape(badge.description)}</desc>'
        f"<style>{_STYLE}</style>"
        f'<rect class="back" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="4"/>'
        + "".join([*mark, *body])
        + "</svg>\n"
    )
