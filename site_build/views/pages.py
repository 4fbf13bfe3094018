"""A page before it is rendered, and the small pieces that most pages share."""

from dataclasses import dataclass, field
from typing import Any

from site_build.problems import Place
from site_build.views.claim import Badge, badge
from site_build.views.scope import FOLDERS, Html, Scope, shown_id


@dataclass(frozen=True)
class Page:
    """One page of one language."""

    path: str
    """From the language's root: `questions/Q04`; empty for the home page."""
    template: str
    """Name of the template that prints `view`."""
    title: str
    description: str
    view: Any
    kind: str = "list"
    """The kind of record the page shows, or `list`, `home`, `prose`."""
    meta: dict[str, str] = field(default_factory=dict)
    origin: Place | None = None
    """Where an editor changes what the page shows."""


@dataclass(frozen=True)
class Entry:
    """A record as a line in a list or at the end of a page."""

    kind: str
    id: str
    title: str
    link: str
    note: str = ""
    badges: tuple[Badge, ...] = ()
    facets: dict[str, str] = field(default_factory=dict)
    """What a filter can ask for."""


def entry(scope: Scope, kind: str, id_: str, note: str = "") -> Entry:
    """A record as a line."""
    return Entry(
        kind, shown_id(kind, id_), scope.title_of(kind, id_), scope.link(kind, id_), note, grades(scope, kind, id_)
    )


def grades(scope: Scope, kind: str, id_: str) -> tuple[Badge, ...]:
    """The grades of a question's claims, or of a value, each once."""
    ledger = scope.ledger
    if kind == "question" and id_ in ledger.questions:
        letters = {claim.grade for claim in ledger.questions[id_].claims}
        return tuple(badge(scope, letter) for letter in ("R", "P", "D", "T") if letter in letters)
    if kind == "value" and id_ in ledger.values:
        return (badge(scope, ledger.values[id_].grade),)
    return ()


def named_by(scope: Scope, kind: str, id_: str) -> tuple[Entry, ...]:
    """The records that name this one."""
    users = scope.ledger.backlinks.get((kind, id_), ())
    return tuple(entry(scope, user_kind, user) for user_kind, user in users if user_kind in {*FOLDERS, "value"})


@dataclass(frozen=True)
class Pair:
    """A label and what belongs to it."""

    label: str
    text: Html
