"""A chart is drawn once for all screens: on a phone it shrinks as far as its words stay legible, and no further."""

import re

import pytest

from site_build.visuals import chart_svg


@pytest.mark.parametrize(
    ("size", "want"),
    [
        pytest.param(22, r"width:min\((\d+)px,max\(var\(--rl-room\),(\d+)px\)\)", id="large-words"),
        pytest.param(11, r"width:\d+px$", id="smallest-words"),
    ],
)
def test_words_bound_how_far_a_chart_shrinks(size: int, want: str) -> None:
    """Words of 22 px may halve; words that are as small as they may be keep the chart at its width."""
    spec = {"width": 300, "mark": {"type": "text", "fontSize": size, "text": "word"}}
    svg = chart_svg(spec, [{}], title="A chart", description="A word.")
    style = re.search(r'style="([^"]*)"', svg)
    assert style is not None
    found = re.match(want, style[1])
    assert found, style[1]
    widths = [int(width) for width in found.groups()]
    assert not widths or widths[1] == (widths[0] + 1) // 2
