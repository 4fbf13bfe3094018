"""The list of checks: complete, proved red one by one, and green for good ledgers."""

import ast
from pathlib import Path

import pytest
from builders import REPOSITORY, edit, problems_of, project, reading_of
from generated import generate

from site_build.checks import CHECKS, NUMERIC_CHECKS, find_problems

HERE = Path(__file__).parent
SITE_CHECKS = REPOSITORY / "site_build" / "checks"


def test_the_tiny_project_is_green(tmp_path: Path) -> None:
    """The world that every other test breaks is whole."""
    assert problems_of(project(tmp_path)) == []


def test_a_generated_project_is_green(tmp_path: Path) -> None:
    """The worlds of any size that benchmarks measure are whole."""
    assert problems_of(generate(tmp_path, 20)) == []


def proved_checks(text: str) -> set[str]:
    """Names of the checks that a test file has a row for."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    rows = [call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "param"]
    return {first.id for row in rows for first in row.args[:1] if isinstance(first, ast.Name)}


def test_every_check_has_a_row_that_turns_it_red() -> None:
    """A new check comes with a ledger that it refuses."""
    proved = set().union(*(proved_checks(path.read_text(encoding="utf-8")) for path in HERE.glob("test_*.py")))
    assert proved == {check.__name__ for check in (*CHECKS, *NUMERIC_CHECKS)}


def test_every_check_is_listed() -> None:
    """A public generator of problems in `checks` runs: lists, not discovery, but complete ones."""
    written = {
        node.name
        for path in SITE_CHECKS.glob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
        and not node.name.startswith("_")
        and node.returns is not None
        and ast.unparse(node.returns) == "Iterator[Problem]"
    }
    assert written == {check.__name__ for check in (*CHECKS, *NUMERIC_CHECKS)} | {"reviews_are_recent"}


@pytest.mark.parametrize(
    ("today", "severities"),
    [
        pytest.param("", ["warning"], id="against-the-ledger's-date"),
        pytest.param("2025-12-31", [], id="not-yet"),
        pytest.param("2026-02-01", ["warning"], id="today"),
    ],
)
def test_reviews_fall_due_as_warnings(tmp_path: Path, today: str, severities: list[str]) -> None:
    """A review that is due warns and breaks nothing."""
    change = edit(
        "ledger/questions/Q1.yaml", "reviewed: '2026-01-02'\n", "reviewed: '2026-01-02'\nreview_by: '2026-01-01'\n"
    )
    found = find_problems(reading_of(project(tmp_path, change)), today)
    assert [problem.severity for problem in found] == severities
    assert [(str(problem.place), problem.code) for problem in found] == [
        ("ledger/questions/Q1.yaml:42:12", "review-due")
    ] * len(severities)


def test_all_checks_run_in_one_pass(tmp_path: Path) -> None:
    """One fault does not hide another: faults of reading and of several checks come sorted in one run."""
    root = project(
        tmp_path,
        edit("ledger/values.yaml", "  number: 6", "  number: 7"),
        edit("ledger/figures/F1.yaml", "A floor.", "A slab."),
        edit("ledger/grades.yaml", "id: T", "id: X"),
        edit("ledger/ledger.yaml", "  figures: 1", "  figures: 3"),
    )
    assert [line.split(" ")[0] for line in problems_of(root)] == [
        "ledger/figures/F1.yaml:3:13:",
        "ledger/grades.yaml:13:7:",
        "ledger/ledger.yaml:10:12:",
        "ledger/values.yaml:18:11:",
    ]


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        pytest.param("ledger/sources.yaml", "kind: report", "kinds: report", id="source"),
        pytest.param("ledger/values.yaml", "  number: 2", "  number: two", id="value"),
        pytest.param("ledger/specs.yaml", "    cells:", "    cell:", id="row"),
        pytest.param("ledger/figures/F1.yaml", "shows:", "show:", id="figure"),
        pytest.param("ledger/reading/nodes.yaml", "stage: first", "stage: First", id="node"),
    ],
)
def test_a_broken_record_is_reported_where_it_is_broken_only(tmp_path: Path, file: str, old: str, new: str) -> None:
    """What names a broken record is not blamed for it."""
    assert {line.partition(":")[0] for line in problems_of(project(tmp_path, edit(file, old, new)))} == {file}
