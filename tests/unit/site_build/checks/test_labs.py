"""Lab contracts: each way of breaking them gives one message at one place."""

import math
from pathlib import Path
from typing import Any

import pytest
from builders import TINY, Check, Edit, assert_refused, edit, project, reading_of, write

from site_build.checks.labs import at_path, fits, labs_match_contracts, same_result
from site_build.model import LabInput, Text

LAB = "ledger/labs/A.yaml"
NUMERICS = "tiny_numerics.py"


@pytest.mark.parametrize(
    ("check", "edits", "want"),
    [
        pytest.param(
            labs_match_contracts,
            [edit(LAB, "'tiny.floor'", "'tiny.wall'")],
            (
                "ledger/labs/A.yaml:4:11: A.function: expected a lab of tiny_numerics, got tiny.wall. "
                "Correct the name, or add the function to the registry."
            ),
            id="labs-match-contracts-function",
        ),
        pytest.param(
            labs_match_contracts,
            [edit(LAB, "  - id: rows", "  - id: lines"), edit(LAB, "{rows: 4, shape", "{lines: 4, shape")],
            (
                "ledger/labs/A.yaml:6:3: A.inputs: expected the function's parameters: rows, shape, got "
                "lines, shape. Make contract and function agree."
            ),
            id="labs-match-contracts-inputs",
        ),
        pytest.param(
            labs_match_contracts,
            [edit(LAB, "default: 3", "default: 12")],
            (
                "ledger/labs/A.yaml:12:14: A.inputs[0].default: expected integer 1..9, got 12. Choose a "
                "value that the input allows."
            ),
            id="labs-match-contracts-default",
        ),
        pytest.param(
            labs_match_contracts,
            [edit(LAB, "{rows: 4, shape", "{lines: 4, shape")],
            (
                "ledger/labs/A.yaml:36:21: A.examples[0].inputs.lines: expected one of rows, shape, got "
                "lines. Correct the name."
            ),
            id="labs-match-contracts-example-input",
        ),
        pytest.param(
            labs_match_contracts,
            [edit(LAB, "shape: long}", "shape: round}")],
            (
                "ledger/labs/A.yaml:36:30: A.examples[0].inputs.shape: expected square | long, got round. "
                "Choose a value that the input allows."
            ),
            id="labs-match-contracts-example-choice",
        ),
        pytest.param(
            labs_match_contracts,
            [edit(LAB, "  - id: edge.ratio", "  - id: edge.share"), edit(LAB, ", edge.ratio: 0.25", "")],
            (
                "ledger/labs/A.yaml:28:9: A.outputs[1].id: expected a part of the result: tiles, edge, got "
                "edge.share. Correct the id."
            ),
            id="labs-match-contracts-output",
        ),
        pytest.param(
            labs_match_contracts,
            [edit(NUMERICS, '"edge"', '"extra": 1, "edge"')],
            (
                "ledger/labs/A.yaml:23:3: A.outputs: expected every part of the result listed, got extra. "
                "Describe this output in the contract."
            ),
            id="labs-match-contracts-unlisted-output",
        ),
        pytest.param(
            labs_match_contracts,
            [edit(LAB, "tiles: 32", "tiles: 31")],
            (
                "ledger/labs/A.yaml:37:22: A.examples[0].outputs.tiles: expected 32, from the function, "
                "got 31. Correct the example, or the function."
            ),
            id="labs-match-contracts-example",
        ),
        pytest.param(
            labs_match_contracts,
            [edit(NUMERICS, '"edge": {"ratio": 1 / rows}', '"edge": {"ratio": 1 / (rows - 3)}')],
            (
                "ledger/labs/A.yaml:4:11: A.function: expected a result, got ZeroDivisionError: division "
                "by zero. Mend the function or its inputs."
            ),
            id="labs-match-contracts-function-fails",
        ),
        pytest.param(
            labs_match_contracts,
            [edit(NUMERICS, '"edge": {"ratio": 1 / rows}', '"edge": {"ratio": 1 / (rows - 4)}')],
            (
                "ledger/labs/A.yaml:35:5: A.examples[0]: expected a result, got ZeroDivisionError: "
                "division by zero. Mend the function or its inputs."
            ),
            id="labs-match-contracts-example-fails",
        ),
    ],
)
def test_check_refuses(tmp_path: Path, check: Check, edits: list[Edit], want: str) -> None:
    """A ledger with one fault gives one message, from this check."""
    assert_refused(tmp_path, check, edits, want)


@pytest.mark.parametrize(
    ("path", "want"),
    [
        pytest.param("rows.0.n", 1, id="one-entry"),
        pytest.param("rows.n", [1, 2], id="every-entry"),
        pytest.param("rows.2.n", None, id="no-entry"),
        pytest.param("rows.m", None, id="no-name"),
    ],
)
def test_path_into_a_list(path: str, want: object) -> None:
    """A number picks an entry of a list; a name reads it from every entry."""
    assert at_path({"rows": [{"n": 1}, {"n": 2}]}, path) == want


def test_one_lab_without_a_function_hides_no_other(tmp_path: Path) -> None:
    """The labs after it are compared all the same."""
    other = (TINY / LAB).read_text("utf-8").replace("id: A\n", "id: B\n").replace("default: 3", "default: 12")
    root = project(tmp_path, edit(LAB, "'tiny.floor'", "'tiny.wall'"), write("ledger/labs/B.yaml", other))
    reading = reading_of(root)
    assert reading.ledger is not None
    found = [problem.code for problem in labs_match_contracts(reading.ledger, reading.numerics)]
    assert found == ["lab-function-unknown", "lab-input-range"]


@pytest.mark.parametrize(
    ("limits", "value", "want"),
    [
        pytest.param({}, -1e300, True, id="no-limit"),
        pytest.param({"minimum": 1}, 1, True, id="least"),
        pytest.param({"minimum": 1}, 0.5, False, id="below"),
        pytest.param({"minimum": 1}, 1e300, True, id="no-greatest"),
        pytest.param({"maximum": 1}, 1, True, id="greatest"),
        pytest.param({"maximum": 1}, 1.5, False, id="above"),
        pytest.param({"maximum": 1}, -1e300, True, id="no-least"),
        pytest.param({}, True, False, id="truth"),
        pytest.param({}, "1", False, id="text"),
    ],
)
def test_a_number_fits_between_the_limits_that_are_given(limits: dict[str, Any], value: object, want: bool) -> None:
    """Each limit is allowed itself, and one that is not given limits nothing."""
    given = LabInput(id="rows", name=Text(en="Rows"), type="number", default=0, **limits)
    assert fits(given, value) is want


@pytest.mark.parametrize(
    ("expected", "computed", "ulp", "want"),
    [
        pytest.param([1, 2], [1, 2], 0, True, id="list"),
        pytest.param([1, 2], [1, 3], 0, False, id="list-differs"),
        pytest.param([1], [1, 2], 0, False, id="list-longer"),
        pytest.param([1, 2], [1], 0, False, id="list-shorter"),
        pytest.param([], [], 0, True, id="nothing"),
        pytest.param({"a": [1.0]}, {"a": [1.0]}, 0, True, id="record"),
        pytest.param({"a": 1}, {"a": 2}, 0, False, id="record-differs"),
        pytest.param({"a": 1}, {"a": 1, "b": 1}, 0, False, id="record-has-more"),
        pytest.param({}, [], 0, False, id="record-for-list"),
        pytest.param(1.0, math.nextafter(1.0, 2.0), 1, True, id="one-unit"),
        pytest.param(1.0, 1.0 + 2 * math.ulp(1.0), 1, False, id="two-units"),
        pytest.param(1, 1.0, 0, True, id="whole-number-as-float"),
        pytest.param(1, True, 5, False, id="number-for-truth"),
        pytest.param(True, 1, 5, False, id="truth-for-number"),
        pytest.param(1, "1", 5, False, id="number-for-text"),
        pytest.param("a", "a", 0, True, id="text"),
        pytest.param(None, 0, 5, False, id="none-for-zero"),
    ],
)
def test_results_are_equal_part_by_part(expected: object, computed: object, ulp: int, want: bool) -> None:
    """Lists and records have the same parts, floats may differ by the units that the contract allows, kinds may not."""
    assert same_result(expected, computed, ulp) is want
