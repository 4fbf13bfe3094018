"""Vega-Lite to SVG at build time: every colour a variable of the page, so that one picture serves both themes."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import escape
from importlib.metadata import version
from typing import Any

import vl_convert

from site_build.memory import keep, name_of, recall

VEGA_LITE = "6.4"
SERIES = ("var(--rl-r)", "var(--rl-p)", "var(--rl-d)", "var(--rl-t)", "var(--rl-ink)", "var(--rl-muted)")
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 4], [1, 3])
_TEXT = {"labelColor": "var(--rl-muted)", "titleColor": "var(--rl-ink)", "labelFontSize": 12, "titleFontSize": 13}
CHART_CONFIG: dict[str, Any] = {
    "background": "transparent",
    "font": "var(--rl-sans)",
    "view": {"stroke": "var(--rl-rule)"},
    # a mark's own name is an expression into which Vega-Lite writes titles unquoted; the picture has one name for all
    "mark": {"aria": False},
    "axis": {**_TEXT, "gridColor": "var(--rl-rule)", "domainColor": "var(--rl-muted)", "tickColor": "var(--rl-muted)"},
    "axisY": {
        "titleAngle": 0,
        "titleAlign": "left",
        "titleAnchor": "end",
        "titleBaseline": "bottom",
        "titleX": 0,
        "titleY": -7,
    },
    "legend": {
        **_TEXT,
        "symbolStrokeWidth": 2,
        "symbolBaseStrokeColor": "var(--rl-ink)",
        "orient": "top",
        "offset": 24,
        "direction": "vertical",
        "labelLimit": 320,
        "titleLimit": 320,
    },
    "title": {"color": "var(--rl-ink)", "fontSize": 14, "anchor": "start"},
    "header": {"labelColor": "var(--rl-ink)", "titleColor": "var(--rl-ink)", "labelFontSize": 12},
    "line": {"color": SERIES[0], "strokeWidth": 2},
    "point": {"color": SERIES[0], "filled": True, "size": 60},
    "bar": {"color": SERIES[0]},
    "rule": {"color": "var(--rl-red)", "strokeDash": [4, 3]},
    "text": {"color": "var(--rl-ink)", "fontSize": 12},
    "area": {"color": SERIES[0], "opacity": 0.12},
    "range": {"category": list(SERIES), "ordinal": list(SERIES)},
}
_LITERAL_COLOUR = re.compile(r'(?:fill|stroke)="(#[0-9a-fA-F]{3,8}|rgba?\([^"]+\)|black|white|gray|grey)"')
_PART_ROLE = re.compile(r' (?:role="graphics-[a-z]+"|aria-roledescription="[^"]*"|aria-label="[^"]*")')
_FONT_SIZE = re.compile(r'font-size="([\d.]+)px"')
LEGIBLE = 11.0
"""Pixels below which words in a picture are too small."""
_SIZE = re.compile(r'<svg ([^>]*?)width="([\d.]+)" height="([\d.]+)"')

_EMBED = "export { vegaEmbed };"
_DRAWN_BY = version("vl-convert-python")


class ChartError(ValueError):
    """A specification that does not become a picture, with the reason in one line."""


def chart_svg(spec: Mapping[str, Any], points: Sequence[Mapping[str, Any]], *, title: str, description: str) -> str:
    """Draw a chart with its name and description.

    Raises:
        ChartError: the specification does not compile, or a colour in it is no variable of the page.
    """
    filled = sized(spec) | {"data": {"values": list(points)}}
    svg = _compile(json.dumps(filled, sort_keys=True, ensure_ascii=False))
    head = f'<svg role="img" aria-label="{escape(title)}" '
    least = LEGIBLE / min(map(float, _FONT_SIZE.findall(svg)), default=LEGIBLE)
    svg = _SIZE.sub(lambda found: f'{head}{found[1]}style="{_width(float(found[2]), least)}"', svg, count=1)
    first = svg.index(">") + 1
    # the whole picture has one name; parts of it that call themselves pictures would each need one too
    inner = _PART_ROLE.sub("", svg[first:])
    return f"{svg[:first]}<title>{escape(title)}</title><desc>{escape(description)}</desc>{inner}"


def _width(natural: float, least: float) -> str:
    """As wide as drawn; on a phone as much narrower as its smallest words stay legible."""
    if least >= 1:
        return f"width:{natural:g}px"
    return f"width:min({natural:g}px,max(var(--rl-room),{math.ceil(natural * least)}px))"


def sized(spec: Mapping[str, Any]) -> dict[str, Any]:
    """A specification with the size that it does not give itself."""
    return {"width": 560, "height": 280, **spec}


@lru_cache(maxsize=1)
def chart_script() -> bytes:
    """A module with the very library that draws here, for pages that draw themselves; it exports `vegaEmbed`."""
    name = name_of(_DRAWN_BY, VEGA_LITE, _EMBED)
    if (script := recall("chart-script", name)) is None:
        script = str(vl_convert.javascript_bundle(_EMBED, vl_version=VEGA_LITE))
        keep("chart-script", name, script)
    return bytes(script, "utf-8")


@lru_cache(maxsize=256)
def _compile(spec: str) -> str:
    name = name_of(_DRAWN_BY, VEGA_LITE, json.dumps(CHART_CONFIG), spec)
    if isinstance(kept := recall("charts", name), str):
        return kept
    svg = _draw(spec)
    keep("charts", name, svg)
    return svg


def _draw(spec: str) -> str:
    try:
        svg = vl_convert.vegalite_to_svg(json.loads(spec), vl_version=VEGA_LITE, config=CHART_CONFIG)
    except ValueError as error:
        lines = [line for line in str(error).splitlines() if line.strip()]
        raise ChartError(lines[1] if len(lines) > 1 else lines[0]) from None
    if found := _LITERAL_COLOUR.search(svg):
        raise ChartError(f"colour {found[1]} is no variable of the page")
    return svg


def svg_png(svg: str) -> bytes:
    """A picture as PNG, drawn with the fonts of this machine."""
    png: bytes = vl_convert.svg_to_png(svg, 1.0)
    return png
