"""Records are read whole or refused field by field, each fault at its place, and what is broken stays visible."""

import sys
from pathlib import Path

import pytest
from builders import TINY, Edit, edit, ledger_of, problems_of, project, reading_of, write

from site_build.model import Question
from site_build.source import Numerics
from site_build.source.numerics import load_numerics

QUESTION = "ledger/questions/Q1.yaml"
VALUES = "ledger/values.yaml"
TWO = "  number: 2\n"
DIGITS = "Write it with digits, without quotes."


@pytest.mark.parametrize(
    ("change", "want"),
    [
        pytest.param(
            edit(QUESTION, "\nreviewed: '2026-01-02'", ""),
            "Q1.yaml:1:1: Q1.reviewed: expected the field reviewed, got none. Add it.",
            id="missing",
        ),
        pytest.param(
            edit(QUESTION, "state: planned", "state: planned\n  colour: red"),
            "Q1.yaml:35:11: Q1.acceptance.colour: expected one of statement, component, selector, state, got colour. "
            "Correct the name, or remove the field.",
            id="unknown",
        ),
        pytest.param(
            edit(QUESTION, "zh: '地面'", "de: 'Boden', zh: '地面'"),
            "Q1.yaml:4:27: Q1.object.de: expected one of en, zh, got de. Correct the name, or remove the field.",
            id="unknown-language",
        ),
        pytest.param(
            edit(QUESTION, "figures: [F1]", "figures: F1"),
            "Q1.yaml:35:10: Q1.figures: expected a list, got 'F1'. Put each entry on a line of its own after a hyphen.",
            id="not-a-list",
        ),
        pytest.param(
            edit(QUESTION, "en: 'Floor'", "en: 7"),
            "Q1.yaml:4:14: Q1.object.en: expected text, got 7. Put it in quotes.",
            id="number-for-text",
        ),
        pytest.param(
            edit(QUESTION, "object: {en: 'Floor', zh: '地面'}", "object: 'Floor'"),
            "Q1.yaml:4:9: Q1.object: expected fields with names, got 'Floor'. Write `name: value` lines, indented.",
            id="text-for-fields",
        ),
        pytest.param(
            edit(QUESTION, "en: 'Floor'", "en: ''"),
            "Q1.yaml:4:14: Q1.object.en: expected something here, got ''. Write it, or remove an optional field.",
            id="empty",
        ),
        pytest.param(
            edit(QUESTION, "id: Q1\n", "id: Q1\npromised: 'true'\n"),
            "Q1.yaml:2:11: Q1.promised: expected true or false, got 'true'. Write one of these, without quotes.",
            id="quoted-truth",
        ),
        pytest.param(
            edit(QUESTION, "id: c4", "id: d4"),
            "Q1.yaml:22:9: Q1.claims[3].id: expected the form ^c[1-9]\\d*$, got 'd4'. Follow the pattern.",
            id="pattern",
        ),
        pytest.param(
            edit(QUESTION, "\nreviewed: '2026-01-02'", "\nreviewed: '2026-02-30'"),
            "Q1.yaml:41:11: Q1.reviewed: expected a date such as 2026-11-29, got '2026-02-30'. Correct the value.",
            id="no-such-day",
        ),
        pytest.param(
            edit("ledger/questions/Q1.yaml", "en: 'Floor'", "en: '  '"),
            "Q1.yaml:4:14: Q1.object.en: expected something here, got ' '. Write it, or remove an optional field.",
            id="spaces-only",
        ),
        pytest.param(
            edit("ledger/questions/Q1.yaml", "en: 'Floor'", "en: '\u200b'"),
            "Q1.yaml:4:14: object.en: expected printable text, got U+200B. "
            "Remove it; where double quotes in YAML made it of \\b, use single quotes or a block.",
            id="unseen-space-only",
        ),
        pytest.param(
            edit("ledger/questions/Q1.yaml", "status: answered", "status: no"),
            "Q1.yaml:3:9: status: expected true, false or a text, got no. "
            "Write 'no' in quotes: YAML would read it as yes or no.",
            id="no-for-a-status",
        ),
        pytest.param(
            edit("ledger/questions/Q1.yaml", "topic: sums", "topik: sums"),
            f"Q1.yaml:2:8: Q1.topik: expected one of {', '.join(Question.model_fields)}, got topik. "
            "Did you mean topic?",
            id="misspelt-required",
        ),
        pytest.param(
            edit("ledger/ledger.yaml", "[en, zh]", "[zh, zh]"),
            "ledger.yaml:5:12: ledger.languages: expected each language once, got [zh, zh]. Correct the value.",
            id="language-twice",
        ),
        pytest.param(
            edit(VALUES, "grade: T", "grade: A"),
            "values.yaml:28:10: ratio.grade: expected 'R', 'P', 'D' or 'T', got 'A'. Choose one of these.",
            id="grade",
        ),
        pytest.param(
            edit(VALUES, TWO, "  number: '2'\n"),
            f"values.yaml:5:11: rows.number: expected a number, got '2'. {DIGITS}",
            id="quoted-number",
        ),
        pytest.param(
            edit(VALUES, TWO, "  number: true\n"),
            f"values.yaml:5:11: rows.number: expected a number, got true. {DIGITS}",
            id="truth-for-a-number",
        ),
        pytest.param(
            edit(VALUES, TWO, "  number: 1.5e999\n"),
            "values.yaml:5:11: rows.number: expected a finite number, got inf. Correct the value.",
            id="infinite",
        ),
        pytest.param(
            edit(VALUES, "{value: rows}", "[1]"),
            f"values.yaml:24:14: area.derivation.inputs.first: expected a number, got a list. {DIGITS}",
            id="list-for-an-input",
        ),
        pytest.param(
            edit(VALUES, "- id: ratio", "- id: area"),
            "values.yaml:26:7: area.id: expected an id used once (first at ledger/values.yaml:14:7), got area. "
            "Give one of them the next free id.",
            id="id-twice",
        ),
    ],
)
def test_each_fault_of_a_record_is_one_message_at_its_place(tmp_path: Path, change: Edit, want: str) -> None:
    """What is wrong, what stands there and what to do, for the very field."""
    (line,) = problems_of(project(tmp_path, change))
    assert line in {f"ledger/{want}", f"ledger/questions/{want}"}


@pytest.mark.parametrize("file", sorted(path.relative_to(TINY).as_posix() for path in TINY.glob("ledger/**/*.yaml")))
def test_a_file_that_cannot_be_read_is_one_fault(tmp_path: Path, file: str) -> None:
    """What refers to the records of a broken file is not blamed for it."""
    assert [line.partition(":")[0] for line in problems_of(project(tmp_path, write(file, "a: [\n")))] == [file]


def test_a_tab_is_called_a_tab(tmp_path: Path) -> None:
    """The parser's word for it, a character that cannot start any token, helps nobody."""
    change = edit("ledger/questions/Q1.yaml", "    grade: R", "  \tgrade: R")
    place = "ledger/questions/Q1.yaml:16:3"
    assert problems_of(project(tmp_path, change)) == [
        f"{place}: expected spaces before the text, got a tab. Indent with spaces; YAML refuses tabs there."
    ]
    assert problems_of(tmp_path, "zh") == [
        f"{place}: 应为行首用空格，实为制表符。改用空格缩进；YAML 不接受行首的制表符。"
    ]


def test_a_broken_record_stays_visible(tmp_path: Path) -> None:
    """A record that cannot be read keeps its id, file and faults, and the others are read."""
    ledger = ledger_of(project(tmp_path, edit(VALUES, "grade: T", "grade: A")))
    assert sorted(ledger.values) == ["area", "columns", "rows"]
    ((kind, id_, file, codes),) = [
        (record.kind, record.id, record.file, [problem.code for problem in record.problems]) for record in ledger.unread
    ]
    assert (kind, id_, file, codes) == ("value", "ratio", VALUES, ["field-not-allowed"])
    assert ledger.knows("value", "ratio")


def test_all_faults_of_a_record_are_found_at_once(tmp_path: Path) -> None:
    """Three faults in one record are three messages."""
    root = project(
        tmp_path,
        edit(VALUES, "grade: T", "grade: A"),
        edit(VALUES, "0.6667", "'x'"),
        edit(VALUES, "{en: 'Ratio',", "{en: 1,"),
    )
    assert [line.split(": ")[1] for line in problems_of(root)] == ["ratio.name.en", "ratio.grade", "ratio.number"]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        pytest.param("---\nid: about\ntitle: About\n---\n\n:value[gone]\n", 6, 1, id="front-matter"),
        pytest.param("---\nid: about\ntitle: About\nquestion: Why?\n---\nA\nB :value[gone]\n", 7, 3, id="longer"),
        pytest.param("---\r\nid: about\r\ntitle: About\r\n---\r\n\r\n:value[gone]\r\n", 6, 1, id="windows-lines"),
    ],
)
def test_markers_of_prose_are_placed_in_the_file(tmp_path: Path, text: str, line: int, column: int) -> None:
    """Lines are counted from the top of the file, front matter included."""
    root = project(tmp_path)
    (root / "content" / "about.en.md").write_bytes(text.encode())
    (found,) = problems_of(root)
    assert found.startswith(f"content/about.en.md:{line}:{column}: expected a value that is there, got :value[gone]. ")


@pytest.mark.parametrize(
    ("file", "text", "want"),
    [
        pytest.param(
            "content/a.en.md",
            "Words.\n",
            "content/a.en.md:2:1: expected the field id in the front matter, got none. "
            "Begin the file with it between --- lines.",
            id="no-front-matter",
        ),
        pytest.param(
            "content/a.en.md",
            "---\nid: a\ntitle:\n---\nWords.\n",
            "content/a.en.md:3:7: title: expected a value, got nothing. Write it, or remove the field.",
            id="empty-field",
        ),
        pytest.param(
            "content/a.en.md",
            "---\nid: a\ntitel: A\n---\nWords.\n",
            "content/a.en.md:3:8: a.titel: expected one of id, title, question, needs, got titel. Did you mean title?",
            id="misspelt-field",
        ),
        pytest.param(
            "content/a.md",
            "Words.\n",
            "content/a.md:1:1: expected a name like method.en.md, got a.md. Put the language before the ending.",
            id="no-language",
        ),
    ],
)  # fmt: skip
def test_prose_says_what_it_lacks(tmp_path: Path, file: str, text: str, want: str) -> None:
    """A page needs a language in its name and a head."""
    assert want in problems_of(project(tmp_path, write(file, text)))


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("DERIVATIONS = {}\nLABS = {}\n", "", id="good"),
        pytest.param("DERIVATIONS = []\nLABS = {}\n", "no DERIVATIONS and LABS", id="not-a-mapping"),
        pytest.param("raise RuntimeError('no')\n", "RuntimeError: no", id="raises"),
        pytest.param("import nothing\n", "ModuleNotFoundError: No module named 'nothing'", id="import"),
    ],
)
def test_numerics_are_loaded_or_said_to_be_unusable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, want: str
) -> None:
    """Whatever a registry does at import, the reader gets an answer and the search path stays as it was."""
    (tmp_path / "odd_numerics.py").write_text(text, encoding="utf-8")
    monkeypatch.delitem(sys.modules, "odd_numerics", raising=False)
    before = list(sys.path)
    found = load_numerics(tmp_path, "odd_numerics")
    sys.modules.pop("odd_numerics", None)
    assert isinstance(found, Numerics)
    assert (found.fault, sys.path) == (want, before)


def test_reading_says_where_it_read(tmp_path: Path) -> None:
    """Every record of the tiny project has a place in one of its files, at the line where it begins."""
    root = project(tmp_path)
    reading = reading_of(root)
    assert reading.ledger is not None
    for kind, records in reading.ledger.records.items():
        for id_ in records:
            place = reading.ledger.place(kind, id_)
            assert (root / place.file).is_file(), (kind, id_)
            first = (root / place.file).read_text(encoding="utf-8").splitlines()[place.line - 1][place.column - 1 :]
            assert first.startswith(("id: ", "title: ")), (kind, id_, first)


def test_a_page_with_a_byte_order_mark_and_windows_line_ends_is_read(tmp_path: Path) -> None:
    """What Windows editors put into a file is no fault of the page."""
    root = project(tmp_path)
    page = root / "content/about.en.md"
    page.write_bytes(b"\xef\xbb\xbf" + page.read_bytes().replace(b"\n", b"\r\n"))
    assert problems_of(root) == []


@pytest.mark.parametrize(
    ("typed", "want"),
    [
        pytest.param(b"caf\xe9", "content/about.en.md:{line}:4: expected UTF-8, got byte 0xe9.", id="latin-1"),
        pytest.param(
            "a\u202eb".encode(), "content/about.en.md:{line}:2: expected printable text, got U+202E.", id="turned"
        ),
        pytest.param(b"a\x00b", "content/about.en.md:{line}:2: expected printable text, got U+0000.", id="nul"),
    ],
)
def test_a_page_is_refused_at_the_character(tmp_path: Path, typed: bytes, want: str) -> None:
    """Characters that no reader would see are named where they stand, as in YAML."""
    root = project(tmp_path)
    page = root / "content/about.en.md"
    before = page.read_bytes()
    page.write_bytes(before + typed)
    assert [line for line in problems_of(root) if line.startswith(want.format(line=before.count(b"\n") + 1))]


def test_a_folder_in_place_of_a_page_is_named(tmp_path: Path) -> None:
    """The system's own words come without its number."""
    root = project(tmp_path)
    (root / "content/about.en.md").unlink()
    (root / "content/about.en.md").mkdir()
    assert (
        "content/about.en.md:1:1: expected a file that can be read, got Is a directory. Check its name and permissions."
    ) in problems_of(root)


def test_one_wrong_word_gives_one_line(tmp_path: Path) -> None:
    """What the YAML reader refuses is not refused again by the record, with another way to mend it."""
    root = project(tmp_path, edit(VALUES, TWO, "  number: 1e-5\n"))
    assert len([line for line in problems_of(root) if ".number: " in line]) == 1


def test_numerics_that_leave_are_a_fault_of_the_ledger(tmp_path: Path) -> None:
    """A module that ends the process while it is imported does not end the command."""
    (tmp_path / "leaving_numerics.py").write_text("raise SystemExit(3)", encoding="utf-8")
    assert load_numerics(tmp_path, "leaving_numerics").fault == "SystemExit: 3"


def test_a_page_stands_once_in_its_section(tmp_path: Path) -> None:
    """Reading order that names a page twice is refused at the second place."""
    root = project(
        tmp_path,
        edit(
            "ledger/ledger.yaml",
            "\ntopics:",
            "\nsections:\n  - id: way\n    name: {en: 'Way', zh: '路'}\n"
            "    lead: {en: 'Go.', zh: '走。'}\n    pages: [one, one]\ntopics:",
        ),
        write("content/way/one.en.md", "---\nid: one\ntitle: One\n---\n\nOne.\n"),
        write("content/way/one.zh.md", "---\nid: one\ntitle: 一\n---\n\n一。\n"),
    )
    found = problems_of(root)
    assert len(found) == 1
    assert "sections[0].pages[1]: expected a page named once (first at ledger/ledger.yaml:" in found[0]
