"""The page of the data: every published file, what stays, and under which licence."""

import posixpath
from dataclasses import dataclass

from site_build.views.pages import Page
from site_build.views.resources import (
    API,
    CSV_TABLES,
    FEED,
    NAMES,
    OUTLINE,
    SCHEMAS,
    WHOLE,
    csv_file,
    list_file,
    public_kind,
    record_file,
    release_file,
    schema_file,
)
from site_build.views.scope import FOLDERS, Scope

HERE = "api"


@dataclass(frozen=True)
class FileLine:
    """A published file: its name below the folder of the data, its address, and what it holds."""

    name: str
    link: str
    text: str


@dataclass(frozen=True)
class KindLine:
    """A kind of record with its files."""

    name: str
    all: FileLine
    one: FileLine | None
    """An example; None for kinds whose records share a file."""
    schema: FileLine


@dataclass(frozen=True)
class ApiView:
    """Everything that is published for programs."""

    root: str
    """The address of the folder of the data, where the ledger says it stands."""
    example: str
    """A record's file, below that folder."""
    whole: tuple[FileLine, ...]
    kinds: tuple[KindLine, ...]
    schemas: tuple[FileLine, ...]
    """Those that belong to no kind."""
    tables: tuple[FileLine, ...]
    more: tuple[FileLine, ...]
    releases: tuple[FileLine, ...]


def api_page(scope: Scope) -> Page:
    """The page of the data."""
    labels, ledger = scope.labels, scope.ledger
    own = {"": labels["api_whole_json"], "index": labels["api_index"], "release": labels["api_release"]}
    questions = list(ledger.questions)
    view = ApiView(
        root=(scope.results.address or ledger.info.address) + API,
        example=f"{FOLDERS['question']}/{questions[0] if questions else 'Q1'}.json",
        whole=tuple(_line(scope, one.path, labels[one.label]) for one in WHOLE),
        kinds=tuple(_kind(scope, kind) for kind in NAMES),
        schemas=tuple(_line(scope, schema_file(name), own.get(name, own[""])) for name in SCHEMAS[len(NAMES) :]),
        tables=tuple(_line(scope, csv_file(name), "") for name in CSV_TABLES),
        more=(
            FileLine(FEED, f"../{FEED}", labels["api_feed"]),
            FileLine(OUTLINE, f"../{OUTLINE}", labels["api_outline"]),
        ),
        releases=tuple(_line(scope, release_file(one.version), "") for one in ledger.releases),
    )
    return Page(HERE, "api", labels["api"], labels["lead_api"], view)


def _kind(scope: Scope, kind: str) -> KindLine:
    first = next(iter(scope.ledger.records[kind]), "")
    return KindLine(
        name=scope.labels[f"api_kind_{public_kind(kind)}"],
        all=_line(scope, list_file(kind), ""),
        one=_line(scope, record_file(kind, first), "") if kind in FOLDERS and first else None,
        schema=_line(scope, schema_file(public_kind(kind)), ""),
    )


def _line(scope: Scope, path: str, text: str) -> FileLine:
    """A file of the data, which stands below the root of the first language."""
    here = scope.here if scope.language == scope.ledger.info.languages[0] else f"{scope.language}/{scope.here}"
    return FileLine(path.removeprefix(f"{API}/"), posixpath.relpath(path, here), text)
