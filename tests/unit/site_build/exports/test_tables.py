"""The database and the tables: whole, joined by keys that hold, and safe to open."""

import csv
import io
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from builders import REPOSITORY, TESTS, edit, ledger_of, project
from released_worlds import QUESTION, release

from site_build.exports import Edition, api_files
from site_build.exports.database import csv_text
from site_build.model import Ledger
from site_build.views import API, CSV_TABLES

WORLDS = {"k3": REPOSITORY, "mini": TESTS / "mini_ledger", "tiny": TESTS / "tiny_ledger"}


def files_of(ledger: Ledger) -> dict[str, bytes]:
    """Every file by its name below the folder of the data."""
    files = api_files(Edition(ledger, "https://data.example/", "0123456789ab"))
    return {path.removeprefix(f"{API}/"): content for path, content in files.items()}


def opened(content: bytes) -> sqlite3.Connection:
    """A database in memory."""
    connection = sqlite3.connect(":memory:")
    connection.deserialize(content)
    return connection


@pytest.fixture(scope="module", params=WORLDS)
def world(request: pytest.FixtureRequest) -> Iterator[tuple[Ledger, dict[str, bytes], sqlite3.Connection]]:
    """A ledger, what is published of it, and its database."""
    ledger = ledger_of(WORLDS[request.param])
    files = files_of(ledger)
    with closing(opened(files["ledger.sqlite"])) as connection:
        yield ledger, files, connection


type World = tuple[Ledger, dict[str, bytes], sqlite3.Connection]


def test_the_database_is_whole(world: World) -> None:
    """SQLite itself finds no damage, and no key that names a row which is not there."""
    _, files, connection = world
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert files["ledger.sqlite"].startswith(b"SQLite format 3\0")


def test_keys_are_kept_by_sqlite(world: World) -> None:
    """Every key that names another table has an index, and SQLite refuses one that leads nowhere."""
    _, _, connection = world
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    keyed = 0
    for table in tables:
        keys = {row[0]: row[3] for row in connection.execute(f"PRAGMA foreign_key_list({table})") if row[1] == 0}
        first = {
            connection.execute(f"PRAGMA index_info({index[1]})").fetchone()[2]
            for index in connection.execute(f"PRAGMA index_list({table})").fetchall()
        }
        assert set(keys.values()) <= first, table
        keyed += len(keys)
    assert keyed > 20
    connection.execute("PRAGMA foreign_keys = ON")
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute("UPDATE claim SET grade = 'A'")
    connection.rollback()


def test_rows_are_the_records(world: World) -> None:
    """As many claims, values, nodes and records as the ledger has, and the same grades, numbers and boundaries."""
    ledger, _, connection = world
    language = ledger.info.languages[0]
    claims = {f"{question.id}.{claim.id}": (claim.grade, question.id) for question, _, claim in ledger.claims()}
    found = connection.execute("SELECT reference, grade, question FROM claim").fetchall()
    assert {reference: rest for reference, *rest in found} == {key: [*value] for key, value in claims.items()}
    assert dict(connection.execute("SELECT id, number FROM value")) == {
        value.id: value.number for value in ledger.values.values()
    }
    assert {id_ for (id_,) in connection.execute("SELECT id FROM node")} == set(ledger.nodes)
    records = sum(len(found) for kind, found in ledger.records.items() if kind != "ledger")
    assert connection.execute("SELECT count(*) FROM record").fetchone() == (records,)
    without = connection.execute(f"SELECT count(*) FROM claim WHERE coalesce(boundary_{language}, '') = ''")
    assert without.fetchone() == (0,)


def test_questions_can_be_asked(world: World) -> None:
    """A join over the keys finds which claims rest on which section of which source."""
    ledger, _, connection = world
    joined = connection.execute(
        "SELECT claim.reference, locator.locator FROM claim JOIN locator ON locator.claim = claim.reference "
        "JOIN source ON source.id = locator.source ORDER BY claim.rowid, locator.rowid"
    ).fetchall()
    wanted = [
        (f"{question.id}.{claim.id}", text)
        for question, _, claim in ledger.claims()
        for text in claim.locators
        if text.split()[0] in ledger.sources
    ]
    assert joined == wanted


@pytest.mark.parametrize("name", CSV_TABLES)
def test_tables_are_read_as_they_were_written(world: World, name: str) -> None:
    """Each table is UTF-8 with lines that end in CRLF; a strict reader finds one row a record and no cell too many."""
    ledger, files, _ = world
    text = files[f"{name}.csv"].decode("utf-8")
    assert not text.startswith("\ufeff")
    head, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    wanted = {
        "questions": len(ledger.questions),
        "claims": len([*ledger.claims()]),
        "values": len(ledger.values),
        "nodes": len(ledger.nodes),
        "scores": sum(len(row.scores) for row in ledger.benchmarks.rows),
        "corrections": len(ledger.corrections),
        "redlines": len(ledger.redlines),
        "glossary": len(ledger.terms),
    }
    assert len(rows) == wanted[name]
    assert len(set(head)) == len(head)
    assert {len(row) for row in rows} <= {len(head)}
    assert text.count("\r\n") >= len(rows) + 1
    assert text.endswith("\r\n")


@pytest.mark.parametrize(
    ("cell", "want"),
    [
        pytest.param("=1+1", "'=1+1", id="formula"),
        pytest.param("@SUM(A1)", "'@SUM(A1)", id="at"),
        pytest.param("+1 more", "'+1 more", id="plus"),
        pytest.param("-x", "'-x", id="minus"),
        pytest.param("＝1", "'＝1", id="wide"),
        pytest.param("-1.5e-3", "-1.5e-3", id="number"),
        pytest.param(-2, "-2", id="negative"),
        pytest.param("a=b", "a=b", id="inside"),
        pytest.param('a "b", c', 'a "b", c', id="quotes"),
        pytest.param("a\r\nb", "a\r\nb", id="lines"),
        pytest.param(None, "", id="empty"),
    ],
)
def test_no_cell_is_a_formula(cell: str | int | None, want: str) -> None:
    """A text that a spreadsheet would compute begins with an apostrophe; everything else comes back as it was."""
    rows = list(csv.reader(io.StringIO(csv_text(["name", "next"], [(cell, "x")]), newline=""), strict=True))
    assert rows == [["name", "next"], [want, "x"]]


def test_a_formula_in_the_ledger_is_no_formula_in_the_table(tmp_path: Path) -> None:
    """The way through the whole project: a claim that begins like a formula."""
    root = project(tmp_path, edit(QUESTION, "'A model floor.'", "'=HYPERLINK(1) is no link.'"))
    rows = csv.DictReader(io.StringIO(files_of(ledger_of(root))["claims.csv"].decode(), newline=""))
    assert [row["text_en"] for row in rows][3] == "'=HYPERLINK(1) is no link."


def test_releases_are_rows(tmp_path: Path) -> None:
    """What a release said can be asked for beside what stands today."""
    root = tmp_path / "tiny"
    release(root, "2026.1.0")
    release(root, "2026.2.0", edit(QUESTION, "'A leaflet agrees.'", "'Two leaflets agree.'"))
    files = files_of(ledger_of(root))
    with closing(opened(files["ledger.sqlite"])) as connection:
        said = connection.execute("SELECT release, text_en, hash FROM released_claim WHERE claim = 'Q1.c3'").fetchall()
        now = connection.execute("SELECT hash FROM claim WHERE reference = 'Q1.c3'").fetchone()
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    hashes = [json.loads(files[f"releases/{version}.json"])["hashes"]["Q1.c3"] for version in ("2026.1.0", "2026.2.0")]
    assert said == [
        ("2026.1.0", "A leaflet agrees.", hashes[0]),
        ("2026.2.0", "Two leaflets agree.", hashes[1]),
    ]
    assert now == (hashes[1],)


def test_the_file_does_not_name_the_program_that_wrote_it() -> None:
    """The same ledger gives the same bytes, whichever version of SQLite is at hand."""
    ledger = ledger_of(WORLDS["tiny"])
    first, second = (files_of(ledger)["ledger.sqlite"] for _ in range(2))
    assert first == second
    assert first[96:100] == bytes(4)
