"""The ledger as tables, row by row in its own order: records whose fields are columns, one table a kind."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from site_build.exports.edition import Edition
from site_build.model import Text

type Cell = str | int | float | None
type Row = tuple[Cell, ...]


@dataclass(frozen=True)
class Table:
    """A table with its rows."""

    name: str
    columns: tuple[str, ...]
    """As SQL defines them: `grade TEXT NOT NULL REFERENCES grade (id)`."""
    rows: tuple[Row, ...]
    rules: tuple[str, ...] = ()
    """What SQL demands of whole rows, and which columns of other tables they name."""


_LISTS = ("topic", "status", "stage", "unit")
_PLAIN: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("grade", "grade", ("name*", "meaning*", "needs*")),
    (
        "source",
        "source",
        ("kind TEXT NOT NULL", "title TEXT NOT NULL", "url TEXT", "date TEXT NOT NULL", "version*", "note*"),
    ),
    (
        "question",
        "question",
        (
            "topic TEXT NOT NULL REFERENCES topic (id)",
            "status TEXT NOT NULL REFERENCES status (id)",
            *("object*", "title*", "answer*", "boundary*", "would_change*"),
            "reviewed TEXT NOT NULL",
            "review_by TEXT",
        ),
    ),
    ("figure", "figure", ("title*", "shows*", "picture*")),
    ("source_table", "table", ("title*", "shows*", "picture*")),
    ("lab", "lab", ("title*", "question*", "function TEXT NOT NULL", "exact*", "boundary*")),
    ("redline", "redline", ("statement*", "right*")),
    ("correction", "correction", ("title*", "who*", "says*", "right*")),
    ("spec_row", "spec", ("name*", "note*")),
    ("spec_column", "column", ("name*",)),
    ("contender", "contender", ("name TEXT NOT NULL", "setting*")),
    ("dimension", "dimension", ("name*", "meaning*")),
    (
        "setting",
        "setting",
        ("dimension TEXT NOT NULL REFERENCES dimension (id)", "text*", "stated INTEGER NOT NULL"),
    ),
    ("benchmark_group", "group", ("name*",)),
    (
        "benchmark",
        "benchmark",
        (
            "name TEXT NOT NULL",
            "variant*",
            "table_id TEXT NOT NULL REFERENCES source_table (id)",
            "group_id TEXT NOT NULL REFERENCES benchmark_group (id)",
            "unit TEXT REFERENCES unit (id)",
            "what*",
            "weak INTEGER NOT NULL",
        ),
    ),
    ("term", "term", ("name*", "definition*", "locator TEXT NOT NULL")),
    ("checklist_item", "item", ("statement*", "shown_by TEXT NOT NULL", "state TEXT NOT NULL")),
    ("component", "component", ("title*", "caption*", "basis TEXT NOT NULL", "twin*")),
)
"""Table, kind of record, and columns: a star stands for a text with a column a language; words that SQL keeps for
itself take `_id` as their end."""


def plain_tables(edition: Edition) -> Iterator[Table]:
    """Kinds whose records are rows as they stand."""
    info = edition.ledger.info
    for name, entries in zip(_LISTS, (info.topics, info.statuses, info.stages, info.units), strict=True):
        yield _plain(edition, name, entries, ("name*",))
    for name, kind, columns in _PLAIN:
        yield _plain(edition, name, edition.ledger.records[kind].values(), columns)


def _plain(edition: Edition, name: str, records: Iterable[Any], columns: tuple[str, ...]) -> Table:
    defined = [part for column in columns for part in text_columns(edition, column)]
    rows = tuple(
        (record.id, *(cell for column in columns for cell in _cells(edition, record, column))) for record in records
    )
    return Table(name, ("id TEXT PRIMARY KEY", *defined), rows)


def text_columns(edition: Edition, column: str) -> tuple[str, ...]:
    """A column as SQL defines it; for a text, one a language."""
    if not column.endswith("*"):
        return (column,)
    return tuple(f"{column[:-1]}_{language} TEXT" for language in edition.scopes)


def texts(edition: Edition, text: Text | None) -> Row:
    """A text's cells, one a language."""
    said = edition.said(text)
    return tuple(said.get(language) for language in edition.scopes)


def _cells(edition: Edition, record: Any, column: str) -> Row:
    if column.endswith("*"):
        return texts(edition, getattr(record, column[:-1]))
    value = getattr(record, column.split(maxsplit=1)[0].removesuffix("_id"))
    return (int(value) if isinstance(value, bool) else value,)
