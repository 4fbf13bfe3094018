"""All pages of one language, in order, and the navigation."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from site_build.model import Language, Ledger
from site_build.views.api import api_page
from site_build.views.benchmarks import benchmarks_page
from site_build.views.chapters import section_page
from site_build.views.citing import citing_index, citing_page
from site_build.views.health import health_page
from site_build.views.home import coverage_page, home_page, prose_path
from site_build.views.indexes import index_page
from site_build.views.labs import lab_page
from site_build.views.lists import (
    checklist_page,
    glossary_page,
    grades_page,
    sources_page,
    specs_page,
    values_page,
)
from site_build.views.pages import Page
from site_build.views.parity import parity_page
from site_build.views.pinned import pinned_page
from site_build.views.question import question_page
from site_build.views.records import contract_page, correction_page, node_page, redline_page
from site_build.views.reference import reference_page
from site_build.views.released import released
from site_build.views.releases import FOLDER as RELEASES
from site_build.views.releases import releases_page
from site_build.views.scope import CITING, FOLDERS, Results, Scope
from site_build.views.state import state_page

_SHARED: dict[str, Callable[[Scope], Page]] = {
    "values": values_page,
    "specs": specs_page,
    "glossary": glossary_page,
    "sources": sources_page,
    "grades": grades_page,
    "coverage": coverage_page,
    "benchmarks": benchmarks_page,
    "checklist": checklist_page,
    "state": state_page,
    "parity": parity_page,
    "health": health_page,
    "reference": reference_page,
    "api": api_page,
}
NAVIGATION = {
    "group_read": ("questions", "figures", "tables", "benchmarks", "specs", "labs", "nodes"),
    "group_check": (
        "grades",
        "values",
        "sources",
        "glossary",
        "corrections",
        "redlines",
        "coverage",
        "state",
        "parity",
        "health",
        "checklist",
        "reference",
        CITING,
        RELEASES,
        "api",
    ),
}
"""Section indexes by group; sections of prose follow, then prose that belongs to none."""


@dataclass(frozen=True)
class NavGroup:
    """A group of the navigation: a title and the paths below it."""

    title: str
    paths: tuple[str, ...]


def pages(ledger: Ledger, language: Language, results: Results) -> Iterator[Page]:
    """Every page that the ledger itself makes, labs with the results of their defaults; prose comes from `content/`."""
    yield home_page(Scope(ledger, language, "", results))
    for kind, folder in FOLDERS.items():
        if ledger.records[kind]:
            yield index_page(Scope(ledger, language, folder, results), kind)
            for id_ in ledger.records[kind]:
                for page in record_page(Scope(ledger, language, f"{folder}/{id_}", results), kind, id_):
                    yield replace(page, origin=ledger.place(kind, id_))
    yield from _citations(ledger, language, results)
    yield from _releases(ledger, language, results)
    for section in ledger.info.sections:
        yield section_page(Scope(ledger, language, section.id, results), section)
    for name, make in _SHARED.items():
        made = {"reference": bool(results.reference), "parity": results.parity is not None}.get(name, True)
        if made and name not in absent(ledger):
            yield make(Scope(ledger, language, name, results))


def _citations(ledger: Ledger, language: Language, results: Results) -> Iterator[Page]:
    """The claims of each question in every form, and the way there."""
    if results.citations:
        yield citing_index(Scope(ledger, language, CITING, results))
        for question in ledger.questions.values():
            yield citing_page(Scope(ledger, language, f"{CITING}/{question.id}", results), question)


def _releases(ledger: Ledger, language: Language, results: Results) -> Iterator[Page]:
    """The list of releases, and each question as each release had it."""
    if not ledger.releases:
        return
    yield releases_page(Scope(ledger, language, RELEASES, results))
    current = released(ledger)
    for release in ledger.releases:
        for question in release.questions:
            scope = Scope(ledger, language, f"{RELEASES}/{release.version}/{question}", results)
            yield pinned_page(scope, release, current, question)


def record_page(scope: Scope, kind: str, id_: str) -> Iterator[Page]:
    """The page of one record; none for a node whose publication could not be read."""
    ledger = scope.ledger
    if kind == "question":
        yield question_page(scope, ledger.questions[id_])
    elif kind == "figure":
        yield contract_page(scope, kind, ledger.figures[id_])
    elif kind == "table":
        yield contract_page(scope, kind, ledger.tables[id_])
    elif kind == "lab":
        yield lab_page(scope, ledger.labs[id_], scope.results.labs.get(id_, {}))
    elif kind == "redline":
        yield redline_page(scope, ledger.redlines[id_])
    elif kind == "correction":
        yield correction_page(scope, ledger.corrections[id_])
    elif id_ in ledger.publications:
        yield node_page(scope, ledger.nodes[id_], ledger.publications[id_])


def absent(ledger: Ledger) -> set[str]:
    """Paths of sections that this ledger has no records for."""
    kinds = {**FOLDERS, "benchmark": "benchmarks", "item": "checklist"}
    unreleased = set() if ledger.releases else {RELEASES}
    return unreleased | {path for kind, path in kinds.items() if not ledger.records[kind]}


def navigation(ledger: Ledger, language: Language) -> tuple[NavGroup, ...]:
    """Section indexes and chapters only: with every record in it, a build is quadratic."""
    scope = Scope(ledger, language, "")
    empty = absent(ledger)
    groups = [
        NavGroup(scope.labels[group], tuple(path for path in paths if path not in empty))
        for group, paths in NAVIGATION.items()
    ]
    for section in ledger.info.sections:
        paths = (section.id, *(f"{section.id}/{id_}" for id_ in section.pages))
        groups.append(NavGroup(scope.words(section.name), paths))
    root = tuple(prose_path(prose) for prose in ledger.prose if prose.language == language and not prose.section)
    return (*groups, NavGroup(scope.labels["group_about"], root)) if root else tuple(groups)
