"""The benchmark tables: result, protocol and risk together, and the data that the protocol auditor compares."""

from dataclasses import dataclass

from site_build.model import Benchmark, Score, print_number
from site_build.views.pages import Page
from site_build.views.scope import Html, Scope

AUDIT_WORDS = (
    *("agree", "differ", "silent", "comparable", "not_comparable", "differ_in", "silent_on"),
    *("pick", "against", "contender"),
)
"""What the auditor says in the page, among the labels."""


@dataclass(frozen=True)
class ScoreView:
    """One printed cell."""

    text: str
    mark: str
    """`best`, `second` or nothing, as the source marks it."""
    status: str
    note: Html


@dataclass(frozen=True)
class SettingView:
    """One dimension of a row's protocol."""

    dimension: str
    text: Html
    state: str
    """`stated`, `open` where the source leaves it open, or `silent`."""


@dataclass(frozen=True)
class RowView:
    """A row with its protocol."""

    id: str
    name: str
    variant: Html
    what: Html
    weak: bool
    scores: tuple[ScoreView, ...]
    protocol: tuple[SettingView, ...]
    notes: tuple[Html, ...]
    locators: tuple[Html, ...]


@dataclass(frozen=True)
class TableView:
    """The rows of one table of the source, by group."""

    id: str
    title: Html
    link: str
    columns: tuple[tuple[str, Html], ...]
    """Name and setting of each contender."""
    groups: tuple[tuple[str, tuple[RowView, ...]], ...]


@dataclass(frozen=True)
class BenchmarksView:
    """All tables, and what the auditor needs."""

    title: str
    lead: str
    tables: tuple[TableView, ...]
    audit: dict[str, object]


def benchmarks_page(scope: Scope) -> Page:
    """The page of all benchmark rows."""
    title, lead = scope.labels["benchmarks"], scope.labels["lead_benchmarks"]
    ids = list(dict.fromkeys(row.table for row in scope.ledger.benchmarks.rows))
    view = BenchmarksView(title, lead, tuple(_table(scope, id_) for id_ in ids), audit_data(scope))
    return Page("benchmarks", "benchmarks", title, lead, view, kind="wide", meta={"kind": "benchmark"})


def _table(scope: Scope, table_id: str) -> TableView:
    ledger = scope.ledger
    rows = [row for row in ledger.benchmarks.rows if row.table == table_id]
    columns = [
        contender for contender in ledger.benchmarks.contenders if any(contender.id in row.scores for row in rows)
    ]
    ids = [contender.id for contender in columns]
    groups = [
        (scope.say(group.name), tuple(_row(scope, row, ids) for row in rows if row.group == group.id))
        for group in ledger.benchmarks.groups
    ]
    table = ledger.tables.get(table_id)
    return TableView(
        id=table_id,
        title=scope.line(table.title) if table else Html(table_id),
        link=scope.link("table", table_id),
        columns=tuple((contender.name, scope.line(contender.setting)) for contender in columns),
        groups=tuple(group for group in groups if group[1]),
    )


def _row(scope: Scope, row: Benchmark, contenders: list[str]) -> RowView:
    return RowView(
        id=row.id,
        name=row.name,
        variant=scope.line(row.variant),
        what=scope.line(row.what),
        weak=row.weak,
        scores=tuple(_score(scope, row, row.scores.get(contender)) for contender in contenders),
        protocol=_protocol(scope, row),
        notes=tuple(scope.line(note) for note in row.notes),
        locators=scope.locators(row.locators),
    )


def _score(scope: Scope, row: Benchmark, score: Score | None) -> ScoreView:
    if score is None or score.number is None:
        return ScoreView(scope.labels["not_reported"], "", "not-reported", scope.line(score.note if score else None))
    printed = scope.printed(score.number, score.display, row.unit)
    return ScoreView(printed, score.mark or "", score.status, scope.line(score.note))


def _protocol(scope: Scope, row: Benchmark) -> tuple[SettingView, ...]:
    settings = {setting.id: setting for setting in scope.ledger.benchmarks.settings}
    chosen = {settings[name].dimension: settings[name] for name in row.protocol if name in settings}
    found = []
    for dimension in scope.ledger.benchmarks.dimensions:
        setting = chosen.get(dimension.id)
        text = scope.line(setting.text) if setting else Html(scope.labels["silent"])
        state = "silent" if setting is None else "stated" if setting.stated else "open"
        found.append(SettingView(scope.say(dimension.name), text, state))
    return tuple(found)


def audit_data(scope: Scope) -> dict[str, object]:
    """Rows and contenders as the auditor's script reads them."""
    benchmarks = scope.ledger.benchmarks
    settings = {setting.id: setting for setting in benchmarks.settings}
    rows = {}
    for row in benchmarks.rows:
        chosen = {settings[name].dimension: settings[name] for name in row.protocol if name in settings}
        rows[row.id] = {
            "name": " ".join(part for part in (row.name, scope.words(row.variant)) if part),
            "table": row.table,
            "scores": {
                contender: print_number(score.number, score.display) if score.number is not None else None
                for contender, score in row.scores.items()
            },
            "protocol": {
                dimension: {"id": setting.id, "text": scope.words(setting.text), "stated": setting.stated}
                for dimension, setting in chosen.items()
            },
        }
    return {
        "rows": rows,
        "contenders": {
            contender.id: {"name": contender.name, "setting": scope.words(contender.setting)}
            for contender in benchmarks.contenders
        },
        "dimensions": {dimension.id: scope.say(dimension.name) for dimension in benchmarks.dimensions},
        "words": {name: scope.labels[f"audit_{name}"] for name in AUDIT_WORDS} | {"comma": scope.labels["list_comma"]},
    }
