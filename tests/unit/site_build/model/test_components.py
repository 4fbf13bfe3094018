"""Charts of a walk: one specification, and inputs and points for each setting."""

import json

from site_build.model import Chart, Component

TEXT = {"en": "word", "zh": "词"}
WHOLE = {"kind": "chart", "spec": {"mark": "bar"}, "lab": "A", "series": {"x": "out"}, "columns": {"x": TEXT}}
COMPONENT = {"id": "walk", "title": TEXT, "caption": TEXT, "basis": "teaching", "twin": TEXT}


def test_chart_is_drawn_as_the_one_before_it() -> None:
    """A chart without a specification keeps inputs, points and heading, and takes the rest from the chart before."""
    table = {"kind": "table", "columns": [TEXT], "rows": [[TEXT]]}
    second = {"kind": "chart", "step": True, "heading": TEXT, "inputs": {"n": 2}, "points": [{"x": 1}]}
    component = Component.model_validate_json(
        json.dumps({**COMPONENT, "bodies": [WHOLE, table, second, {"kind": "chart"}]})
    )
    first, between, *others = component.drawings
    assert (first, between) == component.bodies[:2]
    for drawn in others:
        assert isinstance(drawn, Chart)
        assert isinstance(first, Chart)
        assert (drawn.spec, drawn.lab, drawn.series, drawn.columns) == (first.spec, "A", first.series, first.columns)
    assert isinstance(others[0], Chart)
    assert (others[0].inputs, others[0].points, others[0].step) == ({"n": 2}, ({"x": 1},), True)


def test_first_chart_has_nothing_to_repeat() -> None:
    """A chart that comes first stays as it is written."""
    component = Component.model_validate_json(json.dumps({**COMPONENT, "bodies": [{"kind": "chart"}]}))
    assert component.drawings == component.bodies
