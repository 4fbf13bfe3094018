"""What a site says of itself, read over HTTP before a browser looks: its languages, pages, labs and search indexes.

Everything that a suite expects comes from here: from the site's own sitemaps, heads and data files.
"""

import json
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from http.client import HTTPException
from pathlib import PurePosixPath
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, unquote, urldefrag, urljoin
from urllib.request import Request, urlopen

from site_build.regress.markup import Markup, read_markup

PATIENCE_S = 30.0
"""How long one file may take."""
READERS = 4
EVERYWHERE = ("home", "questions")
"""Kinds of page at which every language is looked, whatever else takes turns."""
_LOCATION = re.compile(r"<loc>(.*?)</loc>")


class UnreadableError(Exception):
    """An address at which there is no site of this generator; says so in a line."""


@dataclass(frozen=True)
class Answer:
    """What a server gave for an address."""

    status: int
    """0 where it gave nothing at all."""
    content: bytes
    headers: Mapping[str, str]
    """By name in lower case."""
    seconds: float
    why: str = ""
    """Why there is no answer."""

    @property
    def ok(self) -> bool:
        """Whether the file is there."""
        return self.status == 200

    @cached_property
    def text(self) -> str:
        """The content as text."""
        return self.content.decode("utf-8", "replace")

    @cached_property
    def markup(self) -> Markup:
        """The content as a page."""
        return read_markup(self.text)


def fetch(url: str, headers: Mapping[str, str] | None = None) -> Answer:
    """Ask for a file; whatever happens is an answer."""
    begin = time.monotonic()
    status, content, found, why = 0, b"", {}, ""
    try:
        with urlopen(Request(url, headers=dict(headers or {})), timeout=PATIENCE_S) as reply:
            status, content, found = reply.status, reply.read(), dict(reply.headers.items())
    except HTTPError as refusal:
        with refusal:
            status, content, found = refusal.code, refusal.read(), dict(refusal.headers.items())
    except (OSError, HTTPException, ValueError) as fault:
        why = " ".join(str(getattr(fault, "reason", fault)).split()) or type(fault).__name__
    lower = {name.lower(): value for name, value in found.items()}
    return Answer(status, content, lower, time.monotonic() - begin, why)


def fetch_all(urls: Iterable[str]) -> dict[str, Answer]:
    """Ask for several files at a time."""
    wanted = list(dict.fromkeys(urls))
    with ThreadPoolExecutor(READERS) as readers:
        return dict(zip(wanted, readers.map(fetch, wanted), strict=True))


@dataclass(frozen=True)
class Survey:
    """A site as it describes itself."""

    base: str
    """Where it stands, with a slash at its end."""
    built_for: str
    """The address that its home page gives as its own."""
    build: str
    homes: Mapping[str, str]
    """By language, where it begins, from the base; the first is the site's own."""
    pages: Mapping[str, tuple[str, ...]]
    """By language, every page that its sitemap names, as a path from the base."""
    answers: Mapping[str, Answer]
    """By path, every page of the sitemaps as it was answered."""
    lost: Mapping[str, Answer]
    """By path, sitemaps that are not there."""
    remote: bool = False
    """Whether the site was given as an address."""
    cache: dict[str, Answer] = field(default_factory=dict)
    """Other files that were asked for."""

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages, the site's own first."""
        return tuple(self.homes)

    def there(self, language: str) -> list[str]:
        """The pages of a language that can be read."""
        return [page for page in self.pages[language] if self.answers[page].ok]

    def markup(self, page: str) -> Markup:
        """What a page says."""
        return self.answers[page].markup

    def inner(self, language: str, page: str) -> str:
        """A page's path from its language's home."""
        return page.removeprefix(self.homes[language])

    def kind(self, language: str, page: str) -> str:
        """`questions` for a question, `index` for a list of pages, else the page's own name."""
        inner = self.inner(language, page).strip("/")
        if "/" in inner:
            return inner.partition("/")[0]
        return "index" if inner and page in self._parents else inner or "home"

    @cached_property
    def _parents(self) -> set[str]:
        """Pages below which others stand."""
        every = (PurePosixPath(page) for pages in self.pages.values() for page in pages)
        return {f"{parent}/" for page in every for parent in page.parents}

    def of_kind(self, language: str, kind: str) -> list[str]:
        """The pages of a kind that can be read."""
        return [page for page in self.there(language) if self.kind(language, page) == kind]

    def kinds(self, language: str) -> dict[str, str]:
        """One page of each kind, the largest."""
        largest: dict[str, str] = {}
        for page in sorted(self.there(language), key=lambda page: (len(self.answers[page].content), page)):
            largest[self.kind(language, page)] = page
        return largest

    def in_turn(self, language: str) -> list[str]:
        """The pages of `kinds` that fall to a language where the languages take turns: they are built alike."""
        kinds = self.kinds(language)
        turn = sorted(kinds)[self.languages.index(language) :: len(self.languages)]
        return [path for kind, path in kinds.items() if kind in {*turn, *EVERYWHERE}]

    def file(self, path: str) -> Answer:
        """Any file of the site, asked for once."""
        if path in self.answers:
            return self.answers[path]
        if path not in self.cache:
            self.cache[path] = fetch(self.base + quote(path, safe="/%#?=&"))
        return self.cache[path]

    def data(self, path: str) -> Any:
        """A JSON file of the site; None where it cannot be read."""
        answer = self.file(path)
        try:
            return json.loads(answer.content) if answer.ok else None
        except ValueError:
            return None

    def lab_folder(self) -> str:
        """Where the files of the labs are, from the base; empty where no lab can run in the page."""
        for page in (page for language in self.languages for page in self.of_kind(language, "labs")):
            found = re.search(r'data-folder="([^"]+)"', self.answers[page].text)
            if found:
                return self.path_of(self.base + page, found[1]) or ""
        return ""

    def lab_files(self) -> dict[str, dict[str, Any]]:
        """Size and SHA-256 of every file that the labs run on, by path, as their own list says."""
        folder = self.lab_folder()
        listed = self.data(f"{folder}integrity.json") if folder else None
        named = listed.get("files", {}) if isinstance(listed, dict) else {}
        return {self.path_of(self.base, resolved(self.base + folder, name)) or name: named[name] for name in named}

    def path_of(self, here: str, link: str) -> str | None:
        """A link as a path from the base; None where it leads elsewhere."""
        target = resolved(here, link)
        return unquote(target.removeprefix(self.base)) if target.startswith(self.base) else None


def resolved(here: str, link: str) -> str:
    """Where a link leads, without its fragment."""
    return urldefrag(urljoin(here, link)).url


def read_survey(base: str, *, remote: bool = False) -> Survey:
    """Read a site's own description and all its pages.

    Raises:
        UnreadableError: there is no home page, or it is not one of this generator.
    """
    home = fetch(base)
    if not home.ok:
        raise UnreadableError(f"{base}: expected a home page, got {home.status or home.why}.")
    markup = home.markup
    build = markup.metas.get("ledger-build", "")
    if not build or not markup.language:
        raise UnreadableError(f"{base}: expected a site that k3 build made, got a page without a build id.")
    built_for = markup.canonical or base
    others = {code: address.removeprefix(built_for) for code, address in markup.alternates.items()}
    homes = {markup.language: "", **{code: path for code, path in others.items() if code != markup.language}}
    pages, lost = {}, {}
    for language, path in homes.items():
        sitemap = fetch(f"{base}{path}sitemap.xml")
        pages[language] = tuple(_named(sitemap, built_for))
        if not sitemap.ok:
            lost[f"{path}sitemap.xml"] = sitemap
    every = [page for paths in pages.values() for page in paths]
    found = fetch_all(base + page for page in every)
    answers = {page: found[base + page] for page in every}
    return Survey(base, built_for, build, homes, pages, answers, lost, remote)


def _named(sitemap: Answer, built_for: str) -> Iterator[str]:
    """The pages of a sitemap, as paths from the base."""
    for place in _LOCATION.findall(sitemap.text if sitemap.ok else ""):
        yield place.removeprefix(built_for)
