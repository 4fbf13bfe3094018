"""New records: readable at once, with what is still to be written, and nothing overwritten."""

from collections.abc import Callable
from pathlib import Path

import pytest
from builders import Edit, edit, ledger_of, problems_of, project, reading_of, remove, write

from site_build.checks import find_problems
from site_build.edit import (
    Written,
    format_files,
    new_claim,
    new_correction,
    new_node,
    new_question,
    new_redline,
    new_value,
)
from site_build.model import Question
from site_build.problems import Faults
from site_build.source import read_bibliography

WRITERS: dict[str, Callable[[Path], Written]] = {
    "question": new_question,
    "claim": lambda root: new_claim(root, "Q1"),
    "value": lambda root: new_value(root, "fresh"),
    "correction": new_correction,
    "redline": new_redline,
    "node": lambda root: new_node(root, "fresh"),
}
WHERE = {
    "question": "ledger/questions/Q2.yaml",
    "claim": "ledger/questions/Q1.yaml",
    "value": "ledger/values.yaml",
    "correction": "ledger/corrections.yaml",
    "redline": "ledger/redlines.yaml",
    "node": "ledger/reading/nodes.yaml",
}
MODELINE = "# yaml-language-server: $schema=../schema/question.json"
STILL_TO_DO = {
    "question": {"text-unwritten", "grade-without-locator"},
    "claim": {"text-unwritten", "grade-without-locator"},
    "value": {"text-unwritten", "grade-without-locator", "display-format"},
    "correction": {"text-unwritten", "locator-form"},
    "redline": {"text-unwritten", "locator-form", "redline-examples"},
    "node": {"text-unwritten", "node-without-entry"},
}
EXPORT = "@misc{x-2025,\n  title = {T},\n  author = {A, B},\n  year = {2025},\n  url = {https://x.example/t}\n}\n"


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """A BibTeX file beside the project."""
    path = tmp_path / "export.bib"
    path.write_text(EXPORT, encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", WRITERS)
def test_a_new_record_asks_for_what_is_missing_and_nothing_else(tmp_path: Path, kind: str) -> None:
    """The check reads it, reports the placeholders inside the lines just written, and finds no other fault."""
    root = project(tmp_path)
    written = WRITERS[kind](root)
    reading = reading_of(root)
    assert reading.ledger is not None
    assert reading.ledger.unread == ()
    problems = find_problems(reading)
    assert {problem.code for problem in problems} == STILL_TO_DO[kind]
    assert len({problem.place for problem in problems}) == len(problems)
    assert {problem.place.file for problem in problems} == {written.place.file}
    assert all(written.place.line <= problem.place.line <= written.last_line for problem in problems)


@pytest.mark.parametrize("kind", WRITERS)
def test_a_new_record_is_in_form(tmp_path: Path, kind: str) -> None:
    """A file in form stays in form, and keeps every line that it had."""
    root = project(tmp_path)
    format_files(root, [WHERE[kind]])
    path = root / WHERE[kind]
    before = path.read_text(encoding="utf-8").splitlines() if path.exists() else [MODELINE]
    written = WRITERS[kind](root)
    assert written.place.file == WHERE[kind]
    assert format_files(root, [WHERE[kind]], check=True).problems == ()
    lines = path.read_text(encoding="utf-8").splitlines()
    del lines[written.place.line - 1 : written.last_line]
    assert lines == before


@pytest.mark.parametrize("kind", WRITERS)
def test_every_field_is_explained(tmp_path: Path, kind: str) -> None:
    """Each field of the record stands there, or is named as optional; lists of this ledger are written out."""
    root = project(tmp_path)
    written = WRITERS[kind](root)
    lines = (root / written.place.file).read_text(encoding="utf-8").splitlines()
    text = "\n".join(lines[written.place.line - 1 : written.last_line])
    fields = {"claim": ("derivation", "boundary"), "question": tuple(Question.model_fields)}.get(kind, ())
    assert [name for name in fields if f"{name}:" not in text and f"{name} (optional)" not in text] == []
    assert text.count("# ") >= 5
    assert {"question": "One of: sums.", "node": "One of: first.", "value": "One of: tiles."}.get(kind, "") in text


@pytest.mark.parametrize("kind", WRITERS)
def test_one_language_is_enough(tmp_path: Path, kind: str) -> None:
    """A ledger in one language gets texts in that language."""
    root = project(tmp_path, edit("ledger/ledger.yaml", "languages: [en, zh]", "languages: [zh]"))
    written = WRITERS[kind](root)
    text = (root / written.place.file).read_text(encoding="utf-8")
    added = "\n".join(text.splitlines()[written.place.line - 1 : written.last_line])
    assert "zh: '待写'" in added
    assert "en:" not in added


@pytest.mark.parametrize("kind", ["correction", "redline", "node", "value"])
def test_a_missing_file_is_made(tmp_path: Path, kind: str) -> None:
    """The first record of its kind brings the file and its modeline."""
    root = project(tmp_path, remove(WHERE[kind]))
    written = WRITERS[kind](root)
    text = (root / written.place.file).read_text(encoding="utf-8")
    assert text.startswith("# yaml-language-server: $schema=")
    assert (written.place.line, text.count("- id: ")) == (2, 1)


def test_ids_follow_what_is_there(tmp_path: Path) -> None:
    """Questions fill the free numbers, lists count on, claims count within their question and its history."""
    history = "history:\n  - {release: '1', claim: c9, was: R, now: P, why: {en: 'W.', zh: '因。'}}\nreviewed:"
    root = project(tmp_path, edit("ledger/questions/Q1.yaml", "reviewed:", history))
    made = [writer(root).place.field for writer in (new_question, new_question, new_correction, new_redline)]
    assert made == ["Q2", "Q3", "C2", "RL2"]
    assert new_claim(root, "Q1").place.field == "Q1.c10"
    assert [claim.id for claim in ledger_of(root).questions["Q1"].claims] == ["c1", "c2", "c3", "c4", "c10"]


def test_a_promised_question_is_promised(tmp_path: Path) -> None:
    """While questions are missing, a new one counts among the promised."""
    root = project(tmp_path, edit("ledger/ledger.yaml", "questions: 1", "questions: 2"))
    new_question(root)
    new_question(root)
    questions = ledger_of(root).questions
    assert [questions[id_].promised for id_ in ("Q1", "Q2", "Q3")] == [True, True, False]


def test_a_filled_claim_is_published(tmp_path: Path) -> None:
    """Once the placeholders are replaced, the check finds nothing."""
    root = project(tmp_path)
    new_claim(root, "Q1")
    path = root / "ledger/questions/Q1.yaml"
    text = path.read_text(encoding="utf-8").replace("'TO WRITE'", "'A second row.'").replace("'待写'", "'第二行。'")
    path.write_text(text.replace("locators: []", "locators: ['report §1']"), encoding="utf-8")
    assert problems_of(root) == []


def refused(root: Path, write_record: Callable[[], object]) -> list[str]:
    """The codes with which a record is refused; the project is as it was."""
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    with pytest.raises(Faults) as raised:
        write_record()
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before
    return [problem.code for problem in raised.value.problems]


ALL_TAKEN = edit("ledger/ledger.yaml", "'^Q[1-9]$'", "'^Q1$'")
NO_ID = edit("ledger/questions/Q1.yaml", "id: Q1\n", "idd: Q1\n")
FLOW = write("ledger/values.yaml", "[]\n")


@pytest.mark.parametrize(
    ("edits", "writer", "want"),
    [
        pytest.param([], lambda root: new_value(root, "rows"), ["new-exists"], id="value-there"),
        pytest.param([], lambda root: new_node(root, "smith-2020"), ["new-exists"], id="node-there"),
        pytest.param([], lambda root: new_value(root, "Rows"), ["id-pattern"], id="pattern-of-the-ledger"),
        pytest.param([], lambda root: new_node(root, "X Y"), ["field-pattern"], id="pattern-of-the-record"),
        pytest.param([], lambda root: new_claim(root, "Q9"), ["reference-unknown"], id="no-such-question"),
        pytest.param([NO_ID], lambda root: new_claim(root, "Q1"), ["field-misspelt"], id="unreadable"),
        pytest.param([ALL_TAKEN], new_question, ["new-none-free"], id="all-taken"),
        pytest.param([edit("ledger/ledger.yaml", "'^Q[1-9]$'", "'('")], new_question, ["pattern-broken"], id="pattern"),
        pytest.param([remove("ledger/ledger.yaml")], new_question, ["file-unreadable"], id="no-ledger"),
        pytest.param([FLOW], lambda root: new_value(root, "fresh"), ["new-not-inserted"], id="list-in-brackets"),
        pytest.param([edit("ledger/values.yaml", "number: 6", "number: no")],
                     lambda root: new_value(root, "fresh"), ["yaml-trap-word"], id="faulty-file"),
    ],
)  # fmt: skip
def test_what_cannot_be_written_is_refused(
    tmp_path: Path, edits: list[Edit], writer: Callable[[Path], Written], want: list[str]
) -> None:
    """The reason is a problem with a place, and no file has changed."""
    root = project(tmp_path, *edits)
    assert refused(root, lambda: writer(root)) == want


def test_a_question_never_overwrites_a_file(tmp_path: Path) -> None:
    """A file of the next number's name, whatever it holds, stays."""
    root = project(tmp_path, write("ledger/questions/Q2.yaml", "id: Q7\n"))
    assert refused(root, lambda: new_question(root)) == ["new-exists"]


def test_a_node_comes_with_its_entry(tmp_path: Path, export: Path) -> None:
    """Node and entry are written together, and only the reason to read it is missing."""
    root = project(tmp_path / "p")
    written = new_node(root, "", export)
    ledger = ledger_of(root)
    assert (written.place.field, ledger.publications["x-2025"].title, ledger.nodes["x-2025"].kind) == (
        "x-2025",
        "T",
        "paper",
    )
    assert {problem.split(": ")[1] for problem in problems_of(root)} == {"x-2025.why.en", "x-2025.why.zh"}


@pytest.mark.parametrize(
    "old",
    [
        pytest.param(EXPORT.replace("x-2025", "same-work"), id="same-address"),
        pytest.param(EXPORT.replace("{T}", "{Other}"), id="same-key"),
    ],
)
def test_a_work_is_not_entered_twice(tmp_path: Path, export: Path, old: str) -> None:
    """The same key, address or arXiv number is refused, under whatever name."""
    root = project(tmp_path / "p")
    bibliography = root / "ledger/reading/references.bib"
    bibliography.write_text(bibliography.read_text(encoding="utf-8") + "\n" + old, encoding="utf-8")
    assert refused(root, lambda: new_node(root, "", export)) == ["new-exists"]


def test_an_entry_without_its_node_gets_it(tmp_path: Path, export: Path) -> None:
    """After a kill between the two files, the same command brings what is missing."""
    root = project(tmp_path / "p")
    new_node(root, "", export)
    (root / "ledger/reading/nodes.yaml").write_text("- id: smith-2020\n  stage: first\n", encoding="utf-8")
    bibliography = (root / "ledger/reading/references.bib").read_bytes()
    new_node(root, "", export)
    assert (root / "ledger/reading/references.bib").read_bytes() == bibliography
    assert set(ledger_of(root).nodes) == {"x-2025"}


def test_entry_and_node_or_neither(tmp_path: Path, export: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If one of the two files cannot take its place, both stay as they were."""
    root = project(tmp_path / "p")
    real = Path.replace

    def replace(path: Path, target: Path) -> Path:
        if target.name == "nodes.yaml":
            raise PermissionError(13, "Permission denied", str(target))
        return real(path, target)

    monkeypatch.setattr(Path, "replace", replace)
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    with pytest.raises(PermissionError):
        new_node(root, "", export)
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before
    assert "x-2025" not in read_bibliography(root, "ledger/reading/references.bib").lines
