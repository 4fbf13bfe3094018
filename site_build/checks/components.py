"""Components are drawn from what the ledger holds: counts add up, marks are explained, charts compile."""

import hashlib
from collections.abc import Iterator
from typing import Any

from site_build.checks.lab_points import Points, in_language, series_points
from site_build.checks.labs import as_json, run_lab
from site_build.checks.score_points import score_points
from site_build.model import Body, Chart, Component, Composer, Ledger, Matrix, SpecTable, Strip, TablePart
from site_build.problems import Problem
from site_build.source import Numerics
from site_build.visuals import ChartError, chart_svg

type Path = tuple[str | int, ...]


def components_hold(ledger: Ledger, numerics: Numerics) -> Iterator[Problem]:
    """Every component can be drawn, and says what it counts."""
    for component in ledger.components.values():
        marks = {mark.id for mark in component.marks}
        for index, body in enumerate(component.drawings):
            place = ("bodies", index)
            if isinstance(body, Chart):
                yield from _chart_compiles(ledger, numerics, component, body, place)
            else:
                yield from _marks_known(ledger, component, body, place, marks)
                yield from _shape_holds(ledger, component, body, place)


def _shape_holds(ledger: Ledger, component: Component, body: Body, place: Path) -> Iterator[Problem]:
    """Rows and columns fit, counts add up, rows named are there."""
    if isinstance(body, Strip):
        yield from _strip_adds_up(ledger, component, body, place)
    elif isinstance(body, Matrix):
        wide = {len(row) for row in body.cells}
        if wide != {len(body.columns)} or len(body.cells) != len(body.rows):
            wanted = f"{len(body.rows)} rows of {len(body.columns)}"
            got = f"{len(body.cells)} rows of {sorted(wide)}"
            yield _fault(ledger, component, (*place, "cells"), "component-shape", got, wanted=wanted)
    elif isinstance(body, TablePart | Composer):
        yield from _rows_fit(ledger, component, body, place)
    elif isinstance(body, SpecTable):
        for position, row_id in enumerate(body.rows):
            if ledger.spec(row_id) is None and not ledger.knows("spec", row_id):
                yield _fault(ledger, component, (*place, "rows", position), "reference-unknown", row_id, kind="spec")
        for position, column in enumerate(body.columns):
            if not ledger.knows("column", column):
                yield _fault(
                    ledger, component, (*place, "columns", position), "reference-unknown", column, kind="column"
                )


def _rows_fit(ledger: Ledger, component: Component, body: TablePart | Composer, place: Path) -> Iterator[Problem]:
    if isinstance(body, TablePart):
        field, wide = "rows", {len(row) for row in body.rows}
    else:
        field, wide = "groups", {len(option.texts) for group in body.groups for option in group.options}
    if wide != {len(body.columns)}:
        wanted = f"rows of {len(body.columns)}"
        yield _fault(ledger, component, (*place, field), "component-shape", str(sorted(wide)), wanted=wanted)


def _fault(ledger: Ledger, component: Component, path: Path, code: str, got: str, **facts: object) -> Problem:
    return Problem.at(ledger.place("component", component.id, *path), code, got, **facts)


def _marks_known(ledger: Ledger, component: Component, body: object, place: Path, marks: set[str]) -> Iterator[Problem]:
    used: set[str] = set()
    if isinstance(body, Strip):
        used = {part for run in body.runs for part in run.parts} | {swap.mark for swap in body.instead}
    else:
        data = body.model_dump() if hasattr(body, "model_dump") else {}
        used = {value for value in _named(data, "mark") if value}
    for name in sorted(used - marks):
        yield _fault(ledger, component, place, "component-mark", name, known=", ".join(sorted(marks)) or "none")


def _named(data: Any, name: str) -> Iterator[str]:
    if isinstance(data, dict):
        for key, value in data.items():
            if key == name and isinstance(value, str):
                yield value
            else:
                yield from _named(value, name)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from _named(value, name)


def _strip_adds_up(ledger: Ledger, component: Component, body: Strip, place: Path) -> Iterator[Problem]:
    """The number of pieces is the value that the strip says it draws, and every value named is a count."""
    named: list[tuple[Path, str | None]] = [
        (("runs", index, "times"), run.times) for index, run in enumerate(body.runs)
    ]
    for index, swap in enumerate(body.instead):
        named += [(("instead", index, "at"), swap.at), (("instead", index, "count"), swap.count)]
    named += [(("group",), body.group), (("total",), body.total)]
    missing = [(path, id_) for path, id_ in named if id_ is not None and strip_count(ledger, id_) is None]
    for path, id_ in missing:
        if id_ not in ledger.values and ledger.knows("value", id_):
            continue  # its own faults are reported
        yield _fault(ledger, component, (*place, *path), "reference-unknown", id_, kind="value")
    count = len(strip_pieces(ledger, body))
    if not missing and body.total is not None and (total := strip_count(ledger, body.total)) != count:
        yield _fault(ledger, component, (*place, "total"), "component-count", str(count), total=total)


def strip_count(ledger: Ledger, value_id: str) -> int | None:
    """The whole number above zero that a value holds."""
    value = ledger.values.get(value_id)
    return int(value.number) if value and value.number == int(value.number) and value.number > 0 else None


def strip_pieces(ledger: Ledger, body: Strip) -> tuple[str, ...]:
    """The marks of all pieces of a strip, in order."""
    marks: list[str] = []
    for run in body.runs:
        marks += list(run.parts) * ((strip_count(ledger, run.times) or 0) if run.times else 1)
    for swap in body.instead:
        at = strip_count(ledger, swap.at) if swap.at else None
        places = [at - 1] if at else scattered(len(marks), strip_count(ledger, swap.count or "") or 0)
        for position in places:
            if position < len(marks):
                marks[position] = swap.mark
    return tuple(marks)


def scattered(among: int, count: int) -> list[int]:
    """Places without a pattern, the same in every build."""
    return sorted(range(among), key=lambda place: hashlib.sha256(str(place).encode()).digest())[:count]


def _chart_compiles(
    ledger: Ledger, numerics: Numerics, component: Component, body: Chart, place: Path
) -> Iterator[Problem]:
    points = chart_points(ledger, numerics, body)
    if isinstance(points, str):
        yield _fault(ledger, component, place, "component-points", points)
        return
    for language in ledger.info.languages:
        try:
            chart_svg(in_language(body.spec, language), in_language(points, language), title="", description="")
        except ChartError as error:
            yield _fault(ledger, component, (*place, "spec"), "component-chart", str(error))
            return


def chart_points(ledger: Ledger, numerics: Numerics, body: Chart) -> Points | str:
    """The points of a chart, computed now; or why there are none."""
    written = tuple({name: _number(ledger, value) for name, value in point.items()} for point in body.points)
    if body.scores is not None:
        written += score_points(ledger, body.scores)
    if body.lab is None:
        return written or "no points"
    lab = ledger.labs.get(body.lab)
    function = numerics.labs.get(lab.function) if lab else None
    if lab is None or function is None:
        return f"no lab {body.lab}"
    inputs = {given.id: as_json(given.default) for given in lab.inputs} | as_json(body.inputs)
    result = run_lab(function, inputs)
    if isinstance(result, str):
        return result
    found = series_points(result, body.series)
    return found if isinstance(found, str) else written + found


def _number(ledger: Ledger, value: Any) -> Any:
    if isinstance(value, str) and value in ledger.values:
        return ledger.values[value].number
    return as_json(value)


def all_points(ledger: Ledger, numerics: Numerics) -> dict[str, tuple[Points, ...]]:
    """By component, the points of each of its bodies; empty for what is no chart."""
    found = {}
    for component in ledger.components.values():
        bodies = []
        for body in component.drawings:
            points = chart_points(ledger, numerics, body) if isinstance(body, Chart) else ()
            bodies.append(points if isinstance(points, tuple) else ())
        found[component.id] = tuple(bodies)
    return found


def acceptances_are_there(ledger: Ledger) -> Iterator[Problem]:
    """What is marked as shown has a component, and one component belongs to one question."""
    owners: dict[str, str] = {}
    for question in ledger.questions.values():
        acceptance = question.acceptance
        place = ledger.place("question", question.id, "acceptance", "component")
        if acceptance.state == "shown" and not ledger.knows("component", acceptance.component):
            yield Problem.at(place, "acceptance-not-there", acceptance.component)
        if acceptance.component in owners:
            yield Problem.at(place, "id-twice", acceptance.component, first=owners[acceptance.component])
        owners.setdefault(acceptance.component, question.id)
    for kind, contracts in (("figure", ledger.figures), ("table", ledger.tables)):
        for contract in contracts.values():
            if contract.component is not None and not ledger.knows("component", contract.component):
                place = ledger.place(kind, contract.id, "component")
                yield Problem.at(place, "reference-unknown", contract.component, kind="component")
    opening = ledger.info.opening
    if opening is not None and not ledger.knows("component", opening):
        yield Problem.at(ledger.place("ledger", "ledger", "opening"), "reference-unknown", opening, kind="component")
