"""Derivations, prints and units: each way of breaking them gives one message at one place."""

from pathlib import Path

import pytest
from builders import Check, Edit, assert_refused, edit

from site_build.checks.labs import labs_match_contracts
from site_build.checks.numbers import derivations_hold, prints_hold, units_are_known
from site_build.source import time_limit

VALUES = "ledger/values.yaml"
LEDGER = "ledger/ledger.yaml"
SPECS = "ledger/specs.yaml"
LAB = "ledger/labs/A.yaml"
BENCHMARKS = "ledger/benchmarks.yaml"
NUMERICS = "tiny_numerics.py"


@pytest.mark.parametrize(
    ("check", "edits", "want"),
    [
        pytest.param(
            derivations_hold,
            [edit(LEDGER, "'tiny_numerics'", "'tiny_missing'")],
            (
                "ledger/ledger.yaml:7:11: ledger.numerics: expected a module that can be imported, got "
                "tiny_missing. Mend it: ModuleNotFoundError: No module named 'tiny_missing'."
            ),
            id="derivations-hold-module",
        ),
        pytest.param(
            derivations_hold,
            [edit(VALUES, "'tiny.product'", "'tiny.sum'")],
            (
                "ledger/values.yaml:22:15: area.derivation.function: expected a function of tiny_numerics, "
                "got tiny.sum. Correct the name, or add the function to the registry."
            ),
            id="derivations-hold-function",
        ),
        pytest.param(
            derivations_hold,
            [edit(VALUES, "      second: {value: columns}", "      third: {value: columns}")],
            (
                "ledger/values.yaml:22:5: area.derivation: expected a number from tiny.product(first=2, "
                "third=3), got TypeError: product() got an unexpected keyword argument 'third'. Give the "
                "inputs that the function asks for."
            ),
            id="derivations-hold-inputs",
        ),
        pytest.param(
            derivations_hold,
            [edit(VALUES, "{value: columns}", "{value: lines}")],
            (
                "ledger/values.yaml:25:23: area.derivation.inputs.second.value: expected a value that is "
                "there, got lines. Correct the id, or add the record."
            ),
            id="derivations-hold-input-value",
        ),
        pytest.param(
            derivations_hold,
            [edit(VALUES, "  number: 6", "  number: 7")],
            (
                "ledger/values.yaml:18:11: area.number: expected 6, from tiny.product(first=2, second=3), "
                "got 7. Correct the number or its inputs."
            ),
            id="derivations-hold-number",
        ),
        pytest.param(
            derivations_hold,
            [
                edit(
                    VALUES,
                    "  number: 6\n  unit: 'tiles'\n  display: '{:,}'",
                    "  number: 6.0\n  unit: 'tiles'\n  display: '{:,.1f}'",
                )
            ],
            (
                "ledger/values.yaml:18:11: area.number: expected 6, from tiny.product(first=2, second=3), "
                "got 6.0. Correct the number or its inputs."
            ),
            id="derivations-hold-whole-number-as-decimal",
        ),
        pytest.param(
            derivations_hold,
            [edit(NUMERICS, "return first * second", "return str(first)")],
            (
                "ledger/values.yaml:22:15: area.derivation.function: expected a number from "
                "tiny.product(first=2, second=3), got str. Choose a function that returns one number."
            ),
            id="derivations-hold-result-of-another-kind",
        ),
        pytest.param(
            derivations_hold,
            [edit(NUMERICS, "return first * second", "return first < second")],
            (
                "ledger/values.yaml:22:15: area.derivation.function: expected a number from "
                "tiny.product(first=2, second=3), got bool. Choose a function that returns one number."
            ),
            id="derivations-hold-truth-is-no-number",
        ),
        pytest.param(
            derivations_hold,
            [edit(NUMERICS, "DERIVATIONS", "FORMULAS")],
            (
                "ledger/ledger.yaml:7:11: ledger.numerics: expected a module that can be imported, got "
                "tiny_numerics. Mend it: no DERIVATIONS and LABS."
            ),
            id="derivations-hold-registry-without-lists",
        ),
        pytest.param(
            derivations_hold,
            [edit(NUMERICS, "return first * second", "raise ValueError('first: expected less')")],
            (
                "ledger/values.yaml:22:5: area.derivation: expected a number from tiny.product(first=2, "
                "second=3), got ValueError: first: expected less. Give the inputs that the function asks "
                "for."
            ),
            id="derivations-hold-function-raises",
        ),
        pytest.param(
            prints_hold,
            [edit(VALUES, "{:.3f}", "{:.1f}")],
            (
                "ledger/values.yaml:30:12: ratio.display: expected a print that still says 0.6667, got "
                "0.7. Use a format with more digits."
            ),
            id="prints-hold-float",
        ),
        pytest.param(
            prints_hold,
            [edit(VALUES, "{:.3f}", "{.3f}")],
            (
                "ledger/values.yaml:30:12: ratio.display: expected a format such as {:,} or {:.2f}, got "
                "{.3f}. Write the format in quotes."
            ),
            id="prints-hold-format",
        ),
        pytest.param(
            prints_hold,
            [edit(SPECS, "        display: '{:,}'\n", "")],
            (
                "ledger/specs.yaml:9:9: side.cells.now: expected a number with its display, or a text, got "
                "both or neither. Keep one of number and text; a number needs display."
            ),
            id="prints-hold-cell-without-display",
        ),
        pytest.param(
            prints_hold,
            [edit(SPECS, "        display: '{:,}'\n", "        display: '{:,}'\n        text: {en: 'x', zh: '无'}\n")],
            (
                "ledger/specs.yaml:9:9: side.cells.now: expected a number with its display, or a text, got "
                "both or neither. Keep one of number and text; a number needs display."
            ),
            id="prints-hold-cell-with-both",
        ),
        pytest.param(
            prints_hold,
            [edit(SPECS, "{:,}", "{:.1e}")],
            (
                "ledger/specs.yaml:10:18: side.cells.now.display: expected a print that still says 1234, "
                "got 1.2e+03. Use a format with more digits."
            ),
            id="prints-hold-cell-rounded",
        ),
        pytest.param(
            units_are_known,
            [edit(VALUES, "  number: 2\n  unit: 'tiles'", "  number: 2\n  unit: 'slabs'")],
            (
                "ledger/values.yaml:6:9: rows.unit: expected one of units: tiles, got slabs. Correct it, "
                "or add it to that list."
            ),
            id="units-are-known-value",
        ),
        pytest.param(
            units_are_known,
            [edit(SPECS, "unit: 'tiles'", "unit: 'rows'")],
            (
                "ledger/specs.yaml:11:15: side.cells.now.unit: expected one of units: tiles, got rows. "
                "Correct it, or add it to that list."
            ),
            id="units-are-known-cell",
        ),
        pytest.param(
            units_are_known,
            [edit(LAB, "    label: exact\n    unit: 'tiles'", "    label: exact\n    unit: 'slabs'")],
            (
                "ledger/labs/A.yaml:27:11: A.outputs[0].unit: expected one of units: tiles, got slabs. "
                "Correct it, or add it to that list."
            ),
            id="units-are-known-lab-output",
        ),
        pytest.param(
            units_are_known,
            [edit(BENCHMARKS, "    group: floors\n", "    group: floors\n    unit: 'points'\n")],
            (
                "ledger/benchmarks.yaml:24:11: flatness.unit: expected one of units: tiles, got points. "
                "Correct it, or add it to that list."
            ),
            id="units-are-known-benchmark",
        ),
    ],
)
def test_check_refuses(tmp_path: Path, check: Check, edits: list[Edit], want: str) -> None:
    """A ledger with one fault gives one message, from this check."""
    assert_refused(tmp_path, check, edits, want)


_ENDLESS = """
    while True:
        try:
            first = 1
        except Exception:
            pass
"""


def test_a_derivation_that_never_ends_is_one_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run goes on after the limit, whatever the function catches, and nobody waits twice."""
    monkeypatch.setattr(time_limit, "LIMIT", 0.2)
    endless = edit(NUMERICS, "    return first * second\n", _ENDLESS)
    want = (
        "ledger/values.yaml:22:5: area.derivation: expected a number from tiny.product(first=2, second=3) within 10 s, "
        "got none. Mend the function or its inputs: it may never end."
    )
    assert_refused(tmp_path, derivations_hold, [endless], want)


def test_a_lab_that_never_ends_is_one_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lab's function is held to the same limit."""
    monkeypatch.setattr(time_limit, "LIMIT", 0.2)
    head = "def lab_floor(rows: int, shape: str) -> dict[str, object]:\n"
    endless = edit(NUMERICS, head, f"{head}{_ENDLESS}")
    want = (
        "ledger/labs/A.yaml:4:11: A.function: expected a result, got nothing within 10 s. "
        "Mend the function or its inputs."
    )
    assert_refused(tmp_path, labs_match_contracts, [endless], want)
