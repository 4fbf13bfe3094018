"""How far the engines of the labs agree, as the last comparison found it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from site_build.views.pages import Entry, Page, entry
from site_build.views.scope import Scope


@dataclass(frozen=True)
class EngineRow:
    """An engine and its versions."""

    name: str
    versions: str


@dataclass(frozen=True)
class ParityRow:
    """A lab in the engines."""

    lab: Entry
    runs: int
    outputs: int
    worst: str
    within: bool


@dataclass(frozen=True)
class ParityView:
    """The comparison as tables."""

    build: str
    numerics: str
    engines: tuple[EngineRow, ...]
    rows: tuple[ParityRow, ...]


def parity_page(scope: Scope) -> Page:
    """The page of engines."""
    found, labels = scope.results.parity or {}, scope.labels
    engines = [
        EngineRow(name, ", ".join(f"{key} {value}" for key, value in sorted(engine.items())))
        if engine
        else EngineRow(name, labels["parity_not_run"])
        for name, engine in found["engines"].items()
    ]
    rows = [_row(scope, lab, result) for lab, result in found["labs"].items() if lab in scope.ledger.labs]
    numerics = f"{found['numerics']['name']} {found['numerics']['version']}"
    view = ParityView(found["build"], numerics, tuple(engines), tuple(rows))
    return Page(scope.here, "parity", labels["parity"], labels["lead_parity"], view)


def _row(scope: Scope, lab: str, result: Mapping[str, Any]) -> ParityRow:
    """One lab's line."""
    worst = scope.labels["parity_other"] if result["worst_ulp"] is None else f"{result['worst_ulp']:g}"
    place = f" ({result['worst_output']})" if result["worst_output"] else ""
    return ParityRow(
        entry(scope, "lab", lab), result["runs"], result["outputs"], worst + place, bool(result["within_limits"])
    )
