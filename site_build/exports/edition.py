"""A ledger as one build publishes it: its texts in words, its addresses, its hashes."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from site_build.history import claim_hash
from site_build.model import Language, Ledger, Release, ReleasedClaim, Text, version_of
from site_build.views import FOLDERS, RELEASES, Scope, record_file, released

LICENCE = "https://creativecommons.org/licenses/by/4.0/"
"""Of text and data, as the foot of every page says."""


@dataclass(frozen=True)
class Edition:
    """A ledger, where it is published, and by which build."""

    ledger: Ledger
    address: str
    """The site's root, with a slash at its end."""
    build: str
    """The build's id."""

    @property
    def first(self) -> Language:
        """The language at the site's root."""
        return self.ledger.info.languages[0]

    @cached_property
    def scopes(self) -> Mapping[Language, Scope]:
        """The home page of each language, seen from which links and words are made."""
        return {language: Scope(self.ledger, language, "") for language in self.ledger.info.languages}

    @cached_property
    def _places(self) -> dict[tuple[str, str], str]:
        return {}

    @cached_property
    def version(self) -> str:
        """The release that this build is; empty for a state that is not released."""
        return version_of(self.ledger.releases, self.build)

    @cached_property
    def state(self) -> Release:
        """Every claim complete in itself."""
        return released(self.ledger, self.version, self.build)

    @cached_property
    def hashes(self) -> Mapping[str, str]:
        """By reference, the whole hash of each claim."""
        return {reference: claim_hash(reference, claim) for reference, claim in self.state.claims.items()}

    def root(self, language: Language) -> str:
        """Where a language begins."""
        return self.address if language == self.first else f"{self.address}{language}/"

    def page(self, language: Language, path: str, anchor: str = "") -> str:
        """The address of a page, from its path below the language's root."""
        return f"{self.root(language)}{path + '/' if path else ''}{'#' + anchor if anchor else ''}"

    def addresses(self, kind: str, target: str) -> dict[Language, str]:
        """Where a record or claim can be read, by language."""
        place = self._places.get((kind, target))
        if place is None:
            # seen from the home page, a link is the path itself
            place = self._places[kind, target] = self.scopes[self.first].link(kind, target).removeprefix("./")
        return {language: self.root(language) + place for language in self.scopes}

    def identity(self, kind: str, target: str) -> str:
        """What a record or claim is called, whatever the language: its address in the first one."""
        return self.addresses(kind, target)[self.first]

    def file(self, path: str) -> str:
        """The address of a published file."""
        return f"{self.address}{path}"

    def record_address(self, kind: str, id_: str) -> str:
        """The address of the file that holds a record."""
        return self.file(record_file(kind, id_))

    def said(self, text: Text | None) -> dict[Language, str]:
        """A text in plain words, by language; languages without one are left out."""
        if text is None:
            return {}
        return {language: scope.words(text) for language, scope in self.scopes.items() if text.in_language(language)}

    def title(self, kind: str, id_: str) -> dict[Language, str]:
        """A record's name, by language."""
        return {language: scope.title_of(kind, id_) for language, scope in self.scopes.items()}

    @cached_property
    def unchanged(self) -> frozenset[str]:
        """Questions whose claims stand as the last release had them."""
        if not self.ledger.releases:
            return frozenset()
        last, now = _by_question(self.ledger.releases[-1]), _by_question(self.state)
        return frozenset(question for question, claims in last.items() if now.get(question) == claims)

    @cached_property
    def pinned(self) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
        """By release and question, the hash of each claim as the release had it, by reference."""
        return {
            one.version: {
                question: {reference: claim_hash(reference, claim) for reference, claim in claims.items()}
                for question, claims in _by_question(one).items()
            }
            for one in self.ledger.releases
        }

    @cached_property
    def published(self) -> Mapping[str, str]:
        """By reference, the date of the first release that had the claim."""
        return {reference: one.date for one in reversed(self.ledger.releases) for reference in one.claims}

    def citable(self, language: Language, path: str) -> str:
        """The address to cite a page by: of a question that reads as the last release had it, its page there."""
        folder, _, id_ = path.partition("/")
        if folder == FOLDERS["question"] and id_ in self.unchanged:
            return self.page(language, f"{RELEASES}/{self.ledger.releases[-1].version}/{id_}")
        return self.page(language, path)


def _by_question(release: Release) -> dict[str, dict[str, ReleasedClaim]]:
    found: dict[str, dict[str, ReleasedClaim]] = defaultdict(dict)
    for reference, claim in release.claims.items():
        found[reference.partition(".")[0]][reference] = claim
    return found
