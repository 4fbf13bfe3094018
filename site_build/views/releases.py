"""The list of releases: when, from which build, under which digest, with each question as it stood then."""

from dataclasses import dataclass

from site_build.views.pages import Page
from site_build.views.scope import Scope

FOLDER = "r"


@dataclass(frozen=True)
class ReleaseLine:
    """A release, with its questions."""

    version: str
    date: str
    build: str
    is_this: bool
    """Whether the page itself is part of it: then it cannot hold its own digest."""
    digest: str
    """SHA-256 of its manifest; empty where none was kept."""
    questions: tuple[tuple[str, str, str], ...]
    """Id, title and address of each."""


@dataclass(frozen=True)
class ReleasesView:
    """All releases, the newest first."""

    title: str
    lead: str
    releases: tuple[ReleaseLine, ...]


def releases_page(scope: Scope) -> Page:
    """The list of releases, each with its questions; digests of earlier ones only."""
    lines = tuple(
        ReleaseLine(
            release.version,
            release.date,
            release.build,
            release.version == scope.results.version,
            scope.results.digests.get(release.version, ""),
            tuple(
                (id_, titles.get(scope.language, id_), scope.to(f"{FOLDER}/{release.version}/{id_}"))
                for id_, titles in release.questions.items()
            ),
        )
        for release in reversed(scope.ledger.releases)
    )
    title, lead = scope.labels["releases"], scope.labels["lead_releases"]
    return Page(FOLDER, "releases", title, lead, ReleasesView(title, lead, lines))
