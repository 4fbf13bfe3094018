"""Points of a chart, from values and from a lab that the build runs."""

from pathlib import Path
from typing import Any

import pytest
from builders import project, reading_of

from site_build.checks.components import chart_points
from site_build.model.components import Chart

SERIES = {"tiles": "tiles", "share": "edge.ratio"}


@pytest.mark.parametrize(
    ("body", "want"),
    [
        pytest.param({"lab": "A", "series": SERIES}, ({"tiles": 9, "share": 1 / 3},), id="defaults"),
        pytest.param(
            {"lab": "A", "series": SERIES, "inputs": {"rows": 2}}, ({"tiles": 4, "share": 0.5},), id="one-input"
        ),
        pytest.param(
            {"lab": "A", "series": {"tiles": "tiles"}, "points": ({"tiles": "area"},)},
            ({"tiles": 6}, {"tiles": 9}),
            id="after-those-written",
        ),
        pytest.param({"lab": "B", "series": SERIES}, "no lab B", id="no-lab"),
        pytest.param({}, "no points", id="nothing"),
    ],
)
def test_points_come_from_where_the_chart_says(tmp_path: Path, body: dict[str, Any], want: object) -> None:
    """A lab runs with its defaults but for the inputs given; a chart that has no points says why."""
    reading = reading_of(project(tmp_path))
    assert reading.ledger is not None
    assert chart_points(reading.ledger, reading.numerics, Chart(kind="chart", **body)) == want
