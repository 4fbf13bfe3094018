"""Finished pieces of a page from plain data. This is the package's door."""

from site_build.visuals.badge import Badge, badge_height, badge_svg
from site_build.visuals.card import can_draw, card_png
from site_build.visuals.chart import CHART_CONFIG, ChartError, chart_script, chart_svg, sized
from site_build.visuals.mathml import FormulaError, to_mathml
from site_build.visuals.prose import (
    Piece,
    hold,
    is_safe_link,
    pieces,
    plain_words,
    put_back,
    render_line,
    render_text,
)

__all__ = [
    "CHART_CONFIG",
    "Badge",
    "ChartError",
    "FormulaError",
    "Piece",
    "badge_height",
    "badge_svg",
    "can_draw",
    "card_png",
    "chart_script",
    "chart_svg",
    "hold",
    "is_safe_link",
    "pieces",
    "plain_words",
    "put_back",
    "render_line",
    "render_text",
    "sized",
    "to_mathml",
]
