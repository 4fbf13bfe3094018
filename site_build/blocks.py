"""Markers on pages of prose: in a sentence a link or a number, alone on a line the whole record."""

from collections.abc import Callable

from site_build.model import Marker
from site_build.render import render_template
from site_build.views import Html, Scope, claim_view, component_view, entry


def page_marker(scope: Scope) -> Callable[[Marker], str]:
    """What markers become on a page of prose."""

    def marker_html(marker: Marker) -> str:
        return embedded(scope, marker) if marker.block else scope.marker(marker)

    return marker_html


def embedded(scope: Scope, marker: Marker) -> Html:
    """A record as a block: a claim whole, another record as its summary."""
    if marker.kind == "claim" and (found := scope.ledger.claim(marker.target)):
        return render_template("block_claim", scope.language, view=claim_view(scope, *found))
    if marker.kind == "component" and (component := scope.ledger.components.get(marker.target)):
        return render_template("block_component", scope.language, view=component_view(scope, component))
    record = scope.ledger.records.get(marker.kind, {}).get(marker.target)
    text = next(
        (getattr(record, name) for name in ("answer", "shows", "right", "why", "definition") if hasattr(record, name)),
        None,
    )
    summary = scope.block(text) if text else Html("")
    return render_template(
        "block_entry", scope.language, view=entry(scope, marker.kind, marker.target), summary=summary
    )
