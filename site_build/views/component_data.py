"""The data of a component for other programs: what is drawn, as plain words and numbers."""

import posixpath
from collections.abc import Mapping
from typing import Any

from site_build.checks import in_language, strip_pieces
from site_build.model import Body, Chart, Component, Model, SpecTable, Strip, Text
from site_build.views.scope import Scope

_HOW_TO_DRAW: dict[str, Any] = {"spec": {}, "series": {}, "points": (), "scores": None}


def data_path(component: Component) -> str:
    """Where the data of a component stands, from a language's root."""
    return f"components/{component.id}.json"


def data_link(scope: Scope, component: Component) -> str:
    """Its address, relative to the page."""
    return posixpath.relpath(data_path(component), scope.here or ".")


def component_data(scope: Scope, component: Component) -> dict[str, Any]:
    """What a component shows, in one language; of a chart its points, not how they are drawn."""
    points = scope.results.points.get(component.id, ())
    words: dict[str, Any] = _plain(scope, component.model_copy(update={"bodies": ()}))
    drawings = [
        _drawing(scope, body, points[index] if index < len(points) else ())
        for index, body in enumerate(component.drawings)
    ]
    return {"language": scope.language, "build": scope.results.build, **words, "drawings": drawings}


def _drawing(scope: Scope, body: Body, points: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    drawn: dict[str, Any]
    if isinstance(body, Chart):
        drawn = _plain(scope, body.model_copy(update=_HOW_TO_DRAW))
        return {**drawn, "points": in_language(points, scope.language)}
    drawn = _plain(scope, body)
    if isinstance(body, Strip):
        return {**drawn, "pieces": list(strip_pieces(scope.ledger, body))}
    if isinstance(body, SpecTable):
        return {**drawn, "rows": [_plain(scope, scope.ledger.spec(row)) for row in body.rows]}
    return drawn


def _plain(scope: Scope, item: Any) -> Any:
    """A record as data: texts as words of one language, and nothing that says nothing."""
    if isinstance(item, Text):
        return scope.words(item)
    if isinstance(item, Model):
        item = dict(item)
    if isinstance(item, Mapping):
        return {name: _plain(scope, value) for name, value in item.items() if value not in (None, (), {})}
    return [_plain(scope, part) for part in item] if isinstance(item, tuple) else item
