"""Benchmark protocols: each way of breaking them gives one message at one place."""

from pathlib import Path

import pytest
from builders import Check, Edit, assert_refused, edit

from site_build.checks.protocols import protocols_are_whole, rows_refer_to_lists, scores_print

BENCHMARKS = "ledger/benchmarks.yaml"
SETTING = "  - id: loud\n    dimension: sound\n    text: {en: 'Loud.', zh: '响。'}\n"


@pytest.mark.parametrize(
    ("check", "edits", "want"),
    [
        pytest.param(
            rows_refer_to_lists,
            [edit(BENCHMARKS, "ours: {number", "theirs: {number")],
            (
                "ledger/benchmarks.yaml:25:15: flatness.scores.theirs: expected a contender that is there, "
                "got theirs. Correct the id, or add the record."
            ),
            id="rows-refer-to-lists-contender",
        ),
        pytest.param(
            rows_refer_to_lists,
            [edit(BENCHMARKS, "group: floors", "group: walls")],
            (
                "ledger/benchmarks.yaml:23:12: flatness.group: expected a group that is there, got walls. "
                "Correct the id, or add the record."
            ),
            id="rows-refer-to-lists-group",
        ),
        pytest.param(
            rows_refer_to_lists,
            [edit(BENCHMARKS, "table: T1", "table: T2")],
            (
                "ledger/benchmarks.yaml:22:12: flatness.table: expected a table that is there, got T2. "
                "Correct the id, or add the record."
            ),
            id="rows-refer-to-lists-table",
        ),
        pytest.param(
            rows_refer_to_lists,
            [edit(BENCHMARKS, "settings:\n", f"settings:\n{SETTING}")],
            (
                "ledger/benchmarks.yaml:14:16: loud.dimension: expected a dimension that is there, "
                "got sound. Correct the id, or add the record."
            ),
            id="rows-refer-to-lists-dimension-of-a-setting",
        ),
        pytest.param(
            protocols_are_whole,
            [edit(BENCHMARKS, "[judge]", "[judge, tools]")],
            (
                "ledger/benchmarks.yaml:26:15: flatness.protocol: expected each dimension once, got tools. "
                "Keep one setting, or take it off the silent list."
            ),
            id="protocols-are-whole-twice",
        ),
        pytest.param(
            protocols_are_whole,
            [edit(BENCHMARKS, "    silent: [judge]\n", "")],
            (
                "ledger/benchmarks.yaml:26:15: flatness.protocol: expected every dimension set or silent, "
                "got judge. Add a setting, or list the dimension as silent."
            ),
            id="protocols-are-whole-missing",
        ),
        pytest.param(
            scores_print,
            [edit(BENCHMARKS, "{number: 81.5}", "{status: confirmed}")],
            (
                "ledger/benchmarks.yaml:25:13: flatness.scores.ours: expected a number, since its status "
                "is confirmed, got none. Write it, or set the status to not-reported."
            ),
            id="scores-print-no-number",
        ),
        pytest.param(
            scores_print,
            [edit(BENCHMARKS, "{number: 81.5}", "{number: 81.256}")],
            (
                "ledger/benchmarks.yaml:25:13: flatness.scores.ours: expected a print that still says "
                "81.256, got 81.3. Use a format with more digits."
            ),
            id="scores-print-rounded",
        ),
        pytest.param(
            scores_print,
            [edit(BENCHMARKS, "{number: 81.5}", "{number: 81.5, display: '%f'}")],
            (
                "ledger/benchmarks.yaml:25:13: flatness.scores.ours: expected a format such as {:,} or "
                "{:.2f}, got %f. Write the format in quotes."
            ),
            id="scores-print-format",
        ),
    ],
)
def test_check_refuses(tmp_path: Path, check: Check, edits: list[Edit], want: str) -> None:
    """A ledger with one fault gives one message, from this check."""
    assert_refused(tmp_path, check, edits, want)
