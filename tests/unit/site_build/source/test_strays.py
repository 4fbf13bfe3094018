"""A file of the ledger's folder that nothing reads is reported with the nearest place that is read."""

from pathlib import Path

import pytest
from builders import problems_of, project, write

READ = (
    "ledger.yaml, grades.yaml, sources.yaml, values.yaml, specs.yaml, redlines.yaml, corrections.yaml, glossary.yaml, "
    "reading/nodes.yaml, benchmarks.yaml, checklist.yaml, questions, figures, tables, labs, components"
)


@pytest.mark.parametrize(
    ("file", "nearest"),
    [
        pytest.param("ledger/questions/N1.yml", "ledger/questions/N1.yaml", id="other-ending"),
        pytest.param("ledger/questions/N1.txt", "ledger/questions/N1.yaml", id="ending-of-no-data"),
        pytest.param("ledger/questions/new/Q2.yaml", "ledger/questions/Q2.yaml", id="folder-in-a-folder"),
        pytest.param("ledger/question/Q2.yaml", "ledger/questions/Q2.yaml", id="misspelt-folder"),
        pytest.param("ledger/values.yml", "ledger/values.yaml", id="list-with-other-ending"),
        pytest.param("ledger/vaules.yaml", "ledger/values.yaml", id="misspelt-list"),
        pytest.param("ledger/nodes.yaml", "ledger/reading/nodes.yaml", id="list-of-a-folder"),
        pytest.param("ledger/references.bib", "ledger/reading/references.bib", id="bibliography"),
        pytest.param("ledger/Q2.yaml", "ledger/questions/Q2.yaml", id="by-its-id"),
    ],
)
def test_a_misplaced_file_is_sent_to_its_place(tmp_path: Path, file: str, nearest: str) -> None:
    """The message names the place that is meant."""
    assert problems_of(project(tmp_path, write(file, "id: Q2\n"))) == [
        f"{file}:1:1: expected {nearest}, which is read, got {file}. Move it there; nothing reads this file."
    ]


def test_a_file_that_is_like_no_other_is_named(tmp_path: Path) -> None:
    """Where nothing is near, the message lists what is read and suggests nothing."""
    (line,) = problems_of(project(tmp_path, write("ledger/foo.yaml", "a: 1\n")))
    assert line == (
        f"ledger/foo.yaml:1:1: expected one of {READ}, got ledger/foo.yaml. "
        "Move its records there, or the file out of ledger/."
    )


@pytest.mark.parametrize(
    "file",
    [
        pytest.param("ledger/README.md", id="remarks"),
        pytest.param("ledger/questions/.Q1.yaml.swp", id="hidden"),
        pytest.param("ledger/questions/Q1.yaml~", id="backup"),
        pytest.param("ledger/schema/question.json", id="schema"),
    ],
)
def test_what_holds_no_record_is_left_alone(tmp_path: Path, file: str) -> None:
    """Editors and people leave files that are nobody's records."""
    assert problems_of(project(tmp_path, write(file, "{}\n"))) == []
