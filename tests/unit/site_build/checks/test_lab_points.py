"""Points of charts from results, and pictures of labs that cannot be drawn."""

from pathlib import Path
from typing import Any

import pytest
from builders import Check, edit, reading_of
from live_ledger import live_project

from site_build.checks.lab_points import pictures_can_be_drawn, series_points

RESULT = {"n": 3, "steps": [{"row": 1, "load": [4, 5]}, {"row": 2, "load": [6, 7]}], "short": [1]}


@pytest.mark.parametrize(
    ("series", "want"),
    [
        pytest.param({"n": "n"}, ({"n": 3},), id="single"),
        pytest.param(
            {"row": "steps.row", "load": "steps.load"},
            ({"row": 1, "load": [4, 5]}, {"row": 2, "load": [6, 7]}),
            id="below-a-list",
        ),
        pytest.param(
            {"row": "steps.row", "short": "short"}, "lists of equal length, got {'row': 2, 'short': 1}", id="uneven"
        ),
        pytest.param(
            {"row": "steps.column", "n": "n"}, "lists of equal length, got {'row': -1, 'n': -1}", id="not-there"
        ),
    ],
)
def test_points(series: dict[str, str], want: Any) -> None:
    """Lists are read in parallel, single values make one point."""
    assert series_points(RESULT, series) == want


@pytest.mark.parametrize(
    ("check", "change", "want"),
    [
        pytest.param(pictures_can_be_drawn, ("mark: bar", "mark: bar"), [], id="right"),
        pytest.param(
            pictures_can_be_drawn, ("laid: laid.laid", "laid: laid.other"), ["component-points"], id="no-such-column"
        ),
        pytest.param(
            pictures_can_be_drawn,
            ("mark: bar", "mark: {type: bar, color: '#ff0000'}"),
            ["component-chart"],
            id="literal-colour",
        ),
    ],
)
def test_pictures(tmp_path: Path, check: Check, change: tuple[str, str], want: list[str]) -> None:
    """Each fault is named once, whatever the number of languages."""
    reading = reading_of(live_project(tmp_path, edit("ledger/labs/A.yaml", *change)))
    assert reading.ledger is not None
    assert [problem.code for problem in check(reading.ledger, reading.numerics)] == want
