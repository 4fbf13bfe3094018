"""The ledger as one SQLite file, and tables for spreadsheets read from it."""

import csv
import io
import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing

from site_build.exports.edition import Edition
from site_build.exports.relations import joined_tables
from site_build.exports.tables import Cell, Table, plain_tables
from site_build.views import CSV_TABLES

PAGE_SIZE = 1024
"""Small pages: most tables of a ledger are short."""
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?", re.IGNORECASE)
_FOREIGN_KEY = re.compile(r"FOREIGN KEY \(([\w, ]+)\)")
_FORMULA = "=+-@＝＋－＠\t\r"
"""First signs that make a spreadsheet compute a cell."""

_OF_RECORD = "(SELECT group_concat(locator, '; ') FROM locator WHERE kind = '{0}' AND locator.id = {0}.id) AS locators"
_OF_CLAIM = "(SELECT group_concat(locator, '; ') FROM locator WHERE locator.claim = claim.reference) AS locators"
_QUERIES = {
    "questions": ("question", "question.*"),
    "claims": ("claim", f"claim.*, {_OF_CLAIM}"),
    "values": ("value", f"value.*, {_OF_RECORD.format('value')}"),
    "nodes": ("node", "node.*"),
    "scores": (
        "score JOIN benchmark ON benchmark.id = benchmark JOIN contender ON contender.id = contender",
        "benchmark.table_id, benchmark.name AS benchmark_name, contender.name AS contender_name, score.*",
    ),
    "corrections": ("correction", f"correction.*, {_OF_RECORD.format('correction')}"),
    "redlines": ("redline", f"redline.*, {_OF_RECORD.format('redline')}"),
    "glossary": ("term", "term.*"),
}
"""For each table of `CSV_TABLES`: the tables that it joins, whose first gives the order, and its columns."""


def database(edition: Edition) -> tuple[bytes, dict[str, bytes]]:
    """The whole ledger as an SQLite file, and its tables as CSV, by name; the same bytes for the same ledger."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
        connection.execute("BEGIN")
        for table in sorted((*plain_tables(edition), *joined_tables(edition)), key=lambda table: table.name):
            _write(connection, table)
        connection.execute("COMMIT")
        connection.execute("VACUUM")
        # from memory, SQLite does not note its own version in what it gives: the bytes are the ledger's alone
        return connection.serialize(), {name: _csv(connection, name) for name in CSV_TABLES}


def _write(connection: sqlite3.Connection, table: Table) -> None:
    parts = ", ".join((*table.columns, *table.rules))
    connection.execute(f"CREATE TABLE {table.name} ({parts})")
    named = [column.split()[0] for column in table.columns if " REFERENCES " in column]
    named += [rule[1] for rule in map(_FOREIGN_KEY.match, table.rules) if rule]
    for columns in named:
        connection.execute(f"CREATE INDEX {table.name}_{columns.replace(', ', '_')} ON {table.name} ({columns})")
    places = ", ".join("?" * len(table.columns))
    connection.executemany(f"INSERT INTO {table.name} VALUES ({places})", table.rows)


def _csv(connection: sqlite3.Connection, name: str) -> bytes:
    joined, columns = _QUERIES[name]
    found = connection.execute(f"SELECT {columns} FROM {joined} ORDER BY {joined.split()[0]}.rowid")
    return csv_text([column[0] for column in found.description], found).encode()


def csv_text(names: Iterable[str], rows: Iterable[Iterable[Cell]]) -> str:
    """A table as RFC 4180 has it: lines end in CRLF, quotes only where they are needed.

    A text that a spreadsheet would take for a formula begins with an apostrophe; numbers stay numbers.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(names)
    writer.writerows([_safe(cell) for cell in row] for row in rows)
    return text.getvalue()


def _safe(cell: Cell) -> Cell:
    if isinstance(cell, str) and cell.startswith(tuple(_FORMULA)) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell
