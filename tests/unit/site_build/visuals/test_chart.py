"""A chart is drawn once for all screens: on a phone it shrinks as far as its words stay legible, and no further."""

import re
from html import unescape

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


@pytest.mark.parametrize("title", ['\\" + datum.name + \\"', "C:\\x\\u", "one\u2028two"])
def test_a_title_is_text(title: str) -> None:
    """Nothing in a title is taken for an expression, or stops the drawing: it stands in the picture as it was typed."""
    encoding = {"x": {"field": "value", "type": "quantitative", "title": title}, "y": {"field": "name", "title": "t"}}
    svg = chart_svg({"mark": "point", "encoding": encoding}, [{"name": "n", "value": 1}], title="T", description="D")
    assert unescape(svg).count(f">{title}</text>") == 1
