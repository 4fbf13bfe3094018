"""What the HTML of a page says, read without a browser."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from html.parser import HTMLParser

_POINTERS = frozenset(
    {"alternate", "next", "prev", "license", "author", "cite-as", "describedby", "item", "type", "service-desc"}
)
"""Relations of links that no browser follows by itself."""
_WORD = re.compile(r"[!-~]+")
_STYLE_URL = re.compile(r"""(?:url\(|@import\s*)["']?(?!data:)([^"')]+)""")


@dataclass
class Markup(HTMLParser):
    """What a page says in its elements and attributes, read without a browser."""

    language: str = ""
    canonical: str = ""
    ids: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    """Every `href`, `src` and `action`, but the canonical one."""
    metas: dict[str, str] = field(default_factory=dict)
    twins: list[tuple[str, str]] = field(default_factory=list)
    """Language and address of each link to the other language."""
    alternates: dict[str, str] = field(default_factory=dict)
    """What the head tells search engines of the languages."""
    order: list[str] = field(default_factory=list)
    """The elements in order."""
    text: str = ""
    """All text, but for scripts and styles."""
    loads: list[str] = field(default_factory=list)
    """What a browser fetches on its own account for this page."""
    longest_word: int = 0

    def __post_init__(self) -> None:
        super().__init__()
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect what an element says."""
        said = {name: value or "" for name, value in attrs}
        self.order.append(tag)
        self._inside = tag
        self.ids.update(said[name] for name in ("id", "name") if name in said and (name == "id" or tag == "a"))
        self.loads += [
            said[name] for name in ("src", "srcset", "data", "poster", "action", "background") if name in said
        ]
        self.loads += _STYLE_URL.findall(said.get("style", ""))
        if tag == "html":
            self.language = said.get("lang", "")
        elif tag == "meta":
            self.metas[said.get("http-equiv") or said.get("name", "")] = said.get("content", "")
        elif tag == "link":
            self._link(said)
        elif "hreflang" in said:
            self.twins.append((said["hreflang"], said["href"]))
        if tag != "link":
            self.links.extend(said[name] for name in ("href", "src", "action") if name in said)

    def _link(self, said: dict[str, str]) -> None:
        kind = said.get("rel", "").strip()
        if kind == "canonical":
            self.canonical = said["href"]
        elif kind == "alternate" and "hreflang" in said:
            self.alternates[said["hreflang"]] = said["href"]
        else:
            self.links.append(said["href"])
            # a reader decides whether to follow them
            self.loads += [said["href"]] * (kind not in _POINTERS)

    def handle_endtag(self, tag: str) -> None:
        """Leave scripts and styles."""
        self._inside = self._inside if self._inside != tag else ""

    def handle_data(self, data: str) -> None:
        """Collect text, and what a style fetches."""
        if self._inside == "style":
            self.loads += _STYLE_URL.findall(data)
        elif self._inside != "script":
            self.text += data
            self.longest_word = max([self.longest_word, *(len(word) for word in _WORD.findall(data))])


def read_markup(html: str) -> Markup:
    """Read a page."""
    markup = Markup()
    markup.feed(html)
    return markup


def style_links(style: str) -> list[str]:
    """Every address that a style sheet names, but for data that it holds itself."""
    return _STYLE_URL.findall(style)


def squeezed(text: str) -> str:
    """Text without white space and inkless signs, for comparisons between engines that break lines differently."""
    return re.sub(r"[\s\u200b\u2061-\u2064]+", "", unicodedata.normalize("NFKC", text))


def listed(faults: Iterable[str]) -> str:
    """Faults as lines, for a message."""
    return "\n".join(sorted(faults))
