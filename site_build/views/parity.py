"""How far the engines of the labs agree, as the last comparison found it."""

from collections.abc import Mapping, Sequence
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
class KernelCell:
    """What a mechanism's kernels did at one level."""

    text: str
    within: bool


@dataclass(frozen=True)
class KernelRow:
    """A mechanism at each level, as the columns stand."""

    name: str
    cells: tuple[KernelCell, ...]


@dataclass(frozen=True)
class ParityView:
    """The comparison as tables."""

    build: str
    same: str
    """Whether that is this build, in words."""
    numerics: str
    engines: tuple[EngineRow, ...]
    rows: tuple[ParityRow, ...]
    levels: tuple[EngineRow, ...]
    """Each level at which kernels were run, with its build and versions."""
    kernels: tuple[KernelRow, ...]


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
    runs = list(found.get("kernels", ()))
    levels, kernels = _levels(scope, runs), _kernels(scope, runs)
    view = ParityView(
        found["build"], scope.which_build(found["build"]), numerics, tuple(engines), tuple(rows), levels, kernels
    )
    return Page(scope.here, "parity", labels["parity"], labels["lead_parity"], view)


def _row(scope: Scope, lab: str, result: Mapping[str, Any]) -> ParityRow:
    """One lab's line."""
    worst = scope.labels["parity_other"] if result["worst_ulp"] is None else f"{result['worst_ulp']:g}"
    place = f" ({result['worst_output']})" if result["worst_output"] else ""
    return ParityRow(
        entry(scope, "lab", lab), result["runs"], result["outputs"], worst + place, bool(result["within_limits"])
    )


def _levels(scope: Scope, runs: Sequence[Mapping[str, Any]]) -> tuple[EngineRow, ...]:
    """The levels that were run, and hardware in any case: it is said where it was not."""
    labels = scope.labels
    rows = []
    for run in runs:
        name = " ".join([labels[f"parity_{run['level']}"], *([run["device"]] if "device" in run else [])])
        versions = ", ".join(f"{key} {value}" for key, value in sorted(run["versions"].items()))
        rows.append(
            EngineRow(
                name, f"{labels['parity_level_build']} {run['build']} ({scope.which_build(run['build'])}), {versions}"
            )
        )
    if runs and not _on_hardware(runs):
        rows.append(EngineRow(labels["parity_hardware"], labels["parity_not_run"]))
    return tuple(rows)


def _kernels(scope: Scope, runs: Sequence[Mapping[str, Any]]) -> tuple[KernelRow, ...]:
    """A row for each mechanism, a cell for each level."""
    names = dict.fromkeys(name for run in runs for name in run["mechanisms"])
    absent = KernelCell(scope.labels["parity_not_run"], within=True)
    return tuple(
        KernelRow(
            name,
            (
                *(_cell(scope, run["mechanisms"][name]) if name in run["mechanisms"] else absent for run in runs),
                *(() if _on_hardware(runs) else (absent,)),
            ),
        )
        for name in names
    )


def _cell(scope: Scope, result: Mapping[str, Any]) -> KernelCell:
    within = not result["faults"]
    if "most" in result:
        return KernelCell(scope.labels["parity_needs"].format(**result["most"]), within)
    error = "-" if result["worst_error"] is None else f"{result['worst_error']:.1e}"
    return KernelCell(scope.labels["parity_cases"].format(cases=result["cases"], error=error), within)


def _on_hardware(runs: Sequence[Mapping[str, Any]]) -> bool:
    return any(run["level"] == "hardware" for run in runs)
