"""A built site as files: its pages, their kinds, and what their HTML says."""

import os
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path

MISSING = "404.html"
GLANCES = 40
LANGUAGES = ("en", "zh")

_WORD = re.compile(r"[!-~]+")
_STYLE_URL = re.compile(r"""(?:url\(|@import\s*)["']?(?!data:)([^"')]+)""")


def home_of(language: str) -> str:
    """Where a language begins: the first at the root, the other below its code."""
    return "" if language == LANGUAGES[0] else f"{language}/"


@dataclass(frozen=True)
class Published:
    """A built site."""

    folder: Path
    build_id: str
    """As `k3 build` printed it."""

    def pages(self, language: str) -> list[str]:
        """Every page that the language's sitemap names, as a path from the root."""
        sitemap = (self.folder / home_of(language) / "sitemap.xml").read_text(encoding="utf-8")
        base = self.base
        return [place.removeprefix(base) for place in re.findall(r"<loc>(.*?)</loc>", sitemap)]

    @property
    def base(self) -> str:
        """The address the site was built for."""
        return self.read("").canonical

    def kinds(self, language: str) -> dict[str, str]:
        """One page of each kind, the largest; records have a kind of their own, indexes share one template."""
        largest: dict[str, str] = {}
        for page in sorted(self.pages(language), key=lambda page: self.file(page).stat().st_size):
            largest[self.kind(language, page)] = page
        return largest | {"missing": home_of(language) + MISSING}

    def kind(self, language: str, page: str) -> str:
        """`questions` for a question, `index` for a list of pages, else the page's own name."""
        inner = page.removeprefix(home_of(language)).strip("/")
        if "/" in inner:
            return inner.partition("/")[0]
        has_records = inner and any(path.is_dir() for path in self.file(page).parent.iterdir())
        return "index" if has_records else inner or "home"

    def every(self, language: str) -> list[str]:
        """Every page and the page of a missing address."""
        return [*self.pages(language), home_of(language) + MISSING]

    def walk(self, language: str) -> tuple[list[str], list[str]]:
        """The pages of a walk, parted in those worth a long look and those to glance at.

        A long look goes to a dozen of each kind, from the shortest to the longest; a glance to the others whose words
        are hardest to break, or with `K3_EVERY_PAGE=1` in the environment to all others, which takes minutes.
        """
        kinds: dict[str, list[str]] = {}
        for page in self.every(language):
            kinds.setdefault(self.kind(language, page), []).append(page)
        long = {page for pages in kinds.values() for page in self._spread(pages)}
        rest = [page for page in self.every(language) if page not in long]
        rest.sort(key=lambda page: -self.read(page).longest_word)
        return sorted(long), rest if os.environ.get("K3_EVERY_PAGE") else rest[:GLANCES]

    def _spread(self, pages: list[str], wanted: int = 12) -> list[str]:
        by_size = sorted(pages, key=lambda page: (self.file(page).stat().st_size, page))
        if len(pages) <= wanted:
            return by_size
        return [by_size[round(place * (len(pages) - 1) / (wanted - 1))] for place in range(wanted)]

    def questions(self, language: str) -> list[str]:
        """The pages of questions."""
        return [page for page in self.pages(language) if self.kind(language, page) == "questions"]

    def file(self, page: str) -> Path:
        """The file of a page."""
        return self.folder / (page if page.endswith(".html") else f"{page}index.html")

    def read(self, page: str) -> "Markup":
        """What the HTML of a page says."""
        return _read_file(self.file(page))


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
            # what only points elsewhere is no load: a reader decides
            self.loads += [said["href"]] * (kind not in ("alternate", "next", "prev", "license", "author"))

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


@lru_cache(maxsize=2048)
def _read_file(path: Path) -> Markup:
    return read_markup(path.read_text(encoding="utf-8"))


def squeezed(text: str) -> str:
    """Text without white space and inkless signs, for comparisons between engines that break lines differently."""
    return re.sub(r"[\s\u200b\u2061-\u2064]+", "", unicodedata.normalize("NFKC", text))


def listed(faults: Iterable[str]) -> str:
    """Faults as lines, for a message."""
    return "\n".join(sorted(faults))
