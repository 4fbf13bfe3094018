"""A built site as files: its pages, their kinds, and what their HTML says."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path

MISSING = "404.html"
MANY = 40
LANGUAGES = ("en", "zh")


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
        """Every page, parted: the first are worth a long look, the rest are very much like some of them.

        Of a kind with many pages a dozen from the shortest to the longest are among the first.
        """
        kinds: dict[str, list[str]] = {}
        for page in self.every(language):
            kinds.setdefault(self.kind(language, page), []).append(page)
        whole = {page for pages in kinds.values() for page in (pages if len(pages) <= MANY else self._spread(pages))}
        return sorted(whole), [page for page in self.every(language) if page not in whole]

    def _spread(self, pages: list[str], wanted: int = 12) -> list[str]:
        by_size = sorted(pages, key=lambda page: self.file(page).stat().st_size)
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
    order: list[str] = field(default_factory=list)
    """The elements in order."""
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect."""
        said = {name: value or "" for name, value in attrs}
        self.order.append(tag)
        self.ids.update(said[name] for name in ("id", "name") if name in said and (name == "id" or tag == "a"))
        if tag == "html":
            self.language = said.get("lang", "")
        elif tag == "meta":
            self.metas[said.get("http-equiv") or said.get("name", "")] = said.get("content", "")
        elif said.get("rel") == "canonical":
            self.canonical = said["href"]
            return
        elif "hreflang" in said:
            self.twins.append((said["hreflang"], said["href"]))
        self.links.extend(said[name] for name in ("href", "src", "action") if name in said)

    def handle_data(self, data: str) -> None:
        """Collect."""
        self.text += data


def read_markup(html: str) -> Markup:
    """Read a page."""
    markup = Markup()
    markup.feed(html)
    return markup


@lru_cache(maxsize=2048)
def _read_file(path: Path) -> Markup:
    return read_markup(path.read_text(encoding="utf-8"))


def squeezed(text: str) -> str:
    """Text without white space, for comparisons between engines that break lines differently."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text))


def listed(faults: Iterable[str]) -> str:
    """Faults as lines, for a message."""
    return "\n".join(sorted(faults))
