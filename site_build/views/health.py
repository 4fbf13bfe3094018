"""What a browser found on its last way through the whole site, suite by suite."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from site_build.views.pages import Page
from site_build.views.scope import Scope


@dataclass(frozen=True)
class SuiteRow:
    """A suite: how many cases it had, and how they ended."""

    name: str
    about: str
    cases: int
    flaky: int
    verdict: str
    good: bool


@dataclass(frozen=True)
class HealthFault:
    """One case that was not right at the first try."""

    where: str
    lines: tuple[str, ...]
    again: bool
    """Whether it was right at the second."""


@dataclass(frozen=True)
class HealthView:
    """A run as tables; no rows where there was none."""

    lines: tuple[str, ...]
    """When and where it ran, in sentences."""
    rows: tuple[SuiteRow, ...]
    faults: tuple[HealthFault, ...]


def health_page(scope: Scope) -> Page:
    """The page of health; what has not run says so."""
    found, labels = scope.results.health, scope.labels
    view = _view(scope, found) if found else HealthView((labels["health_not_run"],), (), ())
    return Page(scope.here, "health", labels["health"], labels["lead_health"], view)


def _view(scope: Scope, found: Mapping[str, Any]) -> HealthView:
    labels, suites = scope.labels, found["suites"]
    cases = sum(suite["cases"] for suite in suites.values())
    facts = {**found, "seconds": round(found["seconds"]), "same": scope.which_build(found["build"]), "cases": cases}
    lines = [labels["health_run"].format_map(facts)]
    if found.get("address"):
        lines.append(labels["health_address"].format(address=found["address"]))
    faults = tuple(
        HealthFault(f"{fault['suite']}: {fault['case']}", tuple(fault["faults"]), fault["state"] == "flaky")
        for fault in found["faults"]
    )
    return HealthView(tuple(lines), tuple(_row(scope, name, suite) for name, suite in suites.items()), faults)


def _row(scope: Scope, name: str, suite: Mapping[str, Any]) -> SuiteRow:
    labels = scope.labels
    verdict = labels["health_right"] if suite["cases"] else labels["health_nothing"]
    if suite["failed"]:
        verdict = labels["health_failed"].format(failed=suite["failed"])
    about = labels.get(f"suite_{name}", "")
    return SuiteRow(name, about, suite["cases"], suite["flaky"], verdict, not suite["failed"])
