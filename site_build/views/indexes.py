"""Section indexes: records in groups, filters where there is something to filter, a picture of the reading path."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from site_build.model import Ledger, Node
from site_build.views.pages import Entry, Page, entry
from site_build.views.question import list_name
from site_build.views.scope import FOLDERS, Scope

YEARS_SHOWN = 8
"""The latest years, each with a column of its own."""


@dataclass(frozen=True)
class Group:
    """Entries under one heading."""

    title: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Filter:
    """A choice that hides entries without a page load."""

    name: str
    label: str
    options: tuple[tuple[str, str], ...]
    """Value and words."""


@dataclass(frozen=True)
class YearRow:
    """A stage of the reading path: how many works of each year."""

    stage: str
    counts: tuple[int, ...]


@dataclass(frozen=True)
class IndexView:
    """An index of records with pages of their own."""

    title: str
    lead: str
    groups: tuple[Group, ...]
    filters: tuple[Filter, ...] = ()
    years: tuple[str, ...] = ()
    year_rows: tuple[YearRow, ...] = ()
    """Works of the path by stage and year; the years head the columns."""


def index_page(scope: Scope, kind: str) -> Page:
    """The index of a kind."""
    title, lead = scope.labels[FOLDERS[kind]], scope.labels[f"lead_{FOLDERS[kind]}"]
    view = IndexView(title, lead, tuple(_groups(scope, kind)))
    if kind == "question":
        view = replace(view, filters=_question_filters(scope))
    elif kind == "cite":
        years, rows = _by_year(scope)
        view = replace(view, filters=_node_filters(scope), years=years, year_rows=rows)
    return Page(FOLDERS[kind], "index", title, lead, view)


def _groups(scope: Scope, kind: str) -> Iterator[Group]:
    if kind == "question":
        yield from _questions(scope)
    elif kind == "cite":
        yield from _nodes(scope)
    else:
        yield Group("", tuple(entry(scope, kind, id_) for id_ in scope.ledger.records[kind]))


def _questions(scope: Scope) -> Iterator[Group]:
    for topic in scope.ledger.info.topics:
        entries = []
        for question in scope.ledger.questions.values():
            if question.topic == topic.id:
                grades = " ".join(sorted({claim.grade for claim in question.claims}))
                facets = {"topic": question.topic, "status": question.status, "grade": grades}
                note = list_name(scope, "statuses", question.status)
                entries.append(replace(entry(scope, "question", question.id, note), facets=facets))
        if entries:
            yield Group(scope.say(topic.name), tuple(entries))


def _nodes(scope: Scope) -> Iterator[Group]:
    ledger = scope.ledger
    for stage in ledger.info.stages:
        entries = []
        for node in ledger.nodes.values():
            if node.stage == stage.id and node.id in ledger.publications:
                kinds = ["path"] * node.in_path + ["supplement"] * (not node.cited) + ["cross"] * node.cross_entry
                facets = {"stage": node.stage, "kind": node.kind, "role": " ".join(kinds)}
                entries.append(replace(entry(scope, "cite", node.id, scope.short_citation(node.id)), facets=facets))
        if entries:
            yield Group(scope.say(stage.name), tuple(entries))


def _question_filters(scope: Scope) -> tuple[Filter, ...]:
    info, labels = scope.ledger.info, scope.labels
    grades = tuple((grade.id, f"{grade.id} {scope.say(grade.name)}") for grade in scope.ledger.grades.values())
    return (
        Filter("grade", labels["grade"], grades),
        Filter("topic", labels["topic"], tuple((topic.id, scope.say(topic.name)) for topic in info.topics)),
        Filter("status", labels["status"], tuple((status.id, scope.say(status.name)) for status in info.statuses)),
    )


def _node_filters(scope: Scope) -> tuple[Filter, ...]:
    labels = scope.labels
    kinds = sorted({node.kind for node in scope.ledger.nodes.values()})
    roles = (("path", labels["on_path"]), ("supplement", labels["supplement"]), ("cross", labels["cross_entry"]))
    stages = tuple((stage.id, scope.say(stage.name)) for stage in scope.ledger.info.stages)
    return (
        Filter("stage", labels["stage"], stages),
        Filter("role", labels["role"], roles),
        Filter("kind", labels["kind"], tuple((kind, labels.get(f"node_{kind}", kind)) for kind in kinds)),
    )


def _by_year(scope: Scope) -> tuple[tuple[str, ...], tuple[YearRow, ...]]:
    """How many works of the path each stage has from each year; early years share a column."""
    ledger = scope.ledger
    years = sorted({publication.year for publication in ledger.publications.values()})
    shown = years[-YEARS_SHOWN:]
    early = f"≤ {shown[0] - 1}" if len(years) > len(shown) else ""
    rows = []
    for stage in ledger.info.stages:
        found = [ledger.publications[node.id].year for node in _path(ledger, stage.id)]
        counts = [found.count(year) for year in shown]
        if early:
            counts.insert(0, len(found) - sum(counts))
        if found:
            rows.append(YearRow(scope.say(stage.name), tuple(counts)))
    return (*([early] if early else []), *map(str, shown)), tuple(rows)


def _path(ledger: Ledger, stage: str) -> Iterator[Node]:
    for node in ledger.nodes.values():
        if node.in_path and node.stage == stage and node.id in ledger.publications:
            yield node
