"""Lab contracts: each way of breaking them gives one message at one place."""

from pathlib import Path

import pytest
from builders import Check, Edit, assert_refused, edit

from site_build.checks.labs import at_path, labs_match_contracts

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
