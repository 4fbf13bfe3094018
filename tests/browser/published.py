"""A built site as files: its pages, their kinds, and what their HTML says."""

import os
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from site_build.regress.markup import Markup, read_markup

MISSING = "404.html"
GLANCES = 40
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
        has_records = inner and any((path / "index.html").is_file() for path in self.file(page).parent.iterdir())
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

    def read(self, page: str) -> Markup:
        """What the HTML of a page says."""
        return _read_file(self.file(page))


@lru_cache(maxsize=2048)
def _read_file(path: Path) -> Markup:
    return read_markup(path.read_text(encoding="utf-8"))
