"""The kinds of records that share one page, each at an anchor."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from site_build.model import Cell, Grade, Source, SpecRow, Term, Value
from site_build.views.claim import Badge, DerivationView, badge, derivation_view
from site_build.views.claim_record import LEVELS, TRAITS
from site_build.views.pages import Entry, Page, named_by
from site_build.views.scope import LISTS, Html, Scope


@dataclass(frozen=True)
class ValueRow:
    """A number with its evidence."""

    id: str
    name: Html
    printed: str
    exact: str
    badge: Badge
    locators: tuple[Html, ...]
    derivations: tuple[DerivationView, ...]
    note: Html
    named_by: tuple[Entry, ...]


@dataclass(frozen=True)
class SpecCell:
    """An entry of the specifications."""

    text: str
    number: bool
    locators: tuple[Html, ...]


@dataclass(frozen=True)
class SpecLine:
    """A row of the specifications."""

    id: str
    name: Html
    cells: tuple[SpecCell, ...]
    note: Html


@dataclass(frozen=True)
class SpecTable:
    """Specification rows under the names of their columns."""

    columns: tuple[str, ...]
    rows: tuple[SpecLine, ...]


@dataclass(frozen=True)
class TermRow:
    """A glossary entry."""

    id: str
    name: str
    other_name: str
    definition: Html
    locator: Html


@dataclass(frozen=True)
class SourceRow:
    """A source that locators point into."""

    id: str
    title: str
    kind: str
    url: str
    version: Html
    date: str
    note: Html
    outline: tuple[tuple[str, str, str], ...]
    """Number, title, checked address."""
    paths: tuple[str, ...]


@dataclass(frozen=True)
class GradeRow:
    """A grade and what it promises."""

    badge: Badge
    meaning: Html
    needs: Html
    claims: int


@dataclass(frozen=True)
class ListView[Row]:
    """A page of records that share it."""

    title: str
    lead: str
    rows: tuple[Row, ...]


def _list_page[Row](scope: Scope, kind: str, rows: Iterable[Row]) -> Page:
    name = LISTS[kind]
    title, lead = scope.labels[name], scope.labels[f"lead_{name}"]
    return Page(name, name, title, lead, ListView(title, lead, tuple(rows)), meta={"kind": kind})


def values_page(scope: Scope) -> Page:
    """All values."""
    return _list_page(scope, "value", (_value_row(scope, value) for value in scope.ledger.values.values()))


def _value_row(scope: Scope, value: Value) -> ValueRow:
    return ValueRow(
        id=value.id,
        name=scope.line(value.name),
        printed=scope.printed(value.number, value.display, value.unit),
        exact=scope.exact(value.number),
        badge=badge(scope, value.grade),
        locators=scope.locators(value.locators),
        derivations=derivation_view(scope, value),
        note=scope.line(value.note),
        named_by=named_by(scope, "value", value.id),
    )


def specs_page(scope: Scope) -> Page:
    """All specification rows."""
    table = spec_table(scope, tuple(row.id for row in scope.ledger.specs.rows))
    title, lead = scope.labels["specs"], scope.labels["lead_specs"]
    return Page("specs", "specs", title, lead, (title, lead, table), meta={"kind": "spec"})


def spec_table(scope: Scope, ids: tuple[str, ...], shown: tuple[str, ...] = ()) -> SpecTable:
    """The rows with these ids, in this order, with the columns shown, or all."""
    columns = [column for column in scope.ledger.specs.columns if not shown or column.id in shown]
    rows = [row for id_ in ids if (row := scope.ledger.spec(id_))]
    return SpecTable(
        tuple(scope.say(column.name) for column in columns),
        tuple(_spec_line(scope, row, tuple(column.id for column in columns)) for row in rows),
    )


def _spec_line(scope: Scope, row: SpecRow, columns: tuple[str, ...]) -> SpecLine:
    cells = tuple(_spec_cell(scope, row.cells.get(column)) for column in columns)
    return SpecLine(row.id, scope.line(row.name), cells, scope.line(row.note))


def _spec_cell(scope: Scope, cell: Cell | None) -> SpecCell:
    if cell is None:
        return SpecCell(scope.labels["not_given"], number=False, locators=())
    locators = scope.locators(cell.locators)
    return SpecCell(scope.cell_words(cell), cell.number is not None, locators)


def glossary_page(scope: Scope) -> Page:
    """All terms."""
    by_name: Callable[[Term], str] = lambda term: scope.say(term.name).casefold()  # noqa: E731 - a key with a type
    return _list_page(
        scope, "term", (_term_row(scope, term) for term in sorted(scope.ledger.terms.values(), key=by_name))
    )


def _term_row(scope: Scope, term: Term) -> TermRow:
    others = [term.name.in_language(language) for language in scope.ledger.info.languages if language != scope.language]
    other = others[0] if others else ""
    return TermRow(term.id, scope.say(term.name), other, scope.line(term.definition), scope.locator(term.locator))


def sources_page(scope: Scope) -> Page:
    """All sources with their outlines."""
    return _list_page(scope, "source", (_source_row(scope, source) for source in scope.ledger.sources.values()))


def _source_row(scope: Scope, source: Source) -> SourceRow:
    outline = tuple((section.number, section.title, section.url or "") for section in source.outline)
    return SourceRow(
        id=source.id,
        title=source.title,
        kind=scope.labels[f"kind_{source.kind}"],
        url=source.url or "",
        version=scope.line(source.version),
        date=source.date,
        note=scope.line(source.note),
        outline=outline,
        paths=source.paths,
    )


@dataclass(frozen=True)
class TraitRow:
    """A trait of a claim's evidence, and what each of its words means."""

    id: str
    name: str
    about: str
    levels: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class GradesView(ListView[GradeRow]):
    """The grades, and the traits of evidence within them."""

    traits: tuple[TraitRow, ...]


def grades_page(scope: Scope) -> Page:
    """What each letter promises, and what the words beside each claim mean."""
    labels = scope.labels
    rows = tuple(_grade_row(scope, grade) for grade in scope.ledger.grades.values())
    traits = tuple(
        TraitRow(
            name,
            labels[f"profile_{name}"],
            labels[f"about_{name}"],
            tuple((labels[f"{name}_{level}"], labels[f"means_{level}"]) for level in LEVELS.get(name, ())),
        )
        for name in TRAITS
    )
    view = GradesView(labels["grades"], labels["lead_grades"], rows, traits)
    return Page("grades", "grades", view.title, view.lead, view, meta={"kind": "grade"})


def _grade_row(scope: Scope, grade: Grade) -> GradeRow:
    count = sum(claim.grade == grade.id for _, _, claim in scope.ledger.claims())
    return GradeRow(badge(scope, grade.id), scope.block(grade.meaning), scope.block(grade.needs), count)


@dataclass(frozen=True)
class ItemRow:
    """A promise of the ledger about itself."""

    id: str
    statement: Html
    shown_by: str
    state: str


def checklist_page(scope: Scope) -> Page:
    """What the ledger claims of itself."""
    items = scope.ledger.checklist.values()
    return _list_page(
        scope, "item", (ItemRow(item.id, scope.line(item.statement), item.shown_by, item.state) for item in items)
    )
