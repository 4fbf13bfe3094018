"""Components as they look on a page: a heading, the drawing, how to read it, and its content as text."""

from dataclasses import dataclass, field, replace
from typing import Any

from site_build.checks import in_language, strip_count, strip_pieces
from site_build.model import (
    Body,
    Chart,
    Compare,
    Component,
    Composer,
    Embed,
    Flow,
    Matrix,
    Part,
    SpecTable,
    Steps,
    Strip,
    TablePart,
    Text,
    Timeline,
    with_powers,
)
from site_build.views.component_data import data_link, data_path
from site_build.views.lists import spec_table
from site_build.views.scope import Html, Scope
from site_build.visuals import chart_svg


@dataclass(frozen=True)
class Piece:
    """A piece of a drawing."""

    name: Html
    note: Html
    mark: str
    sign: str = ""
    title: str = ""


@dataclass(frozen=True)
class BodyView:
    """One drawing: its kind, and what the template of that kind prints."""

    kind: str
    parts: dict[str, Any] = field(default_factory=dict)
    heading: Html = field(default_factory=lambda: Html(""))
    step: bool = False
    """Shown one at a time, with its neighbours that are steps too."""
    legend: bool = False
    """The legend stands above this drawing."""


@dataclass(frozen=True)
class ComponentView:
    """Everything that a component shows, finished."""

    id: str
    title: Html
    caption: Html
    basis: str
    basis_word: str
    locators: tuple[Html, ...]
    proof: tuple[Html, ...]
    marks: tuple[Piece, ...]
    twin: Html
    data: str
    """Where its data can be fetched."""
    data_address: str
    """The same in full, for paper."""
    bodies: tuple[BodyView, ...]

    @property
    def legend_on_top(self) -> bool:
        """Whether the legend is for all drawings."""
        return bool(self.marks) and not any(body.legend for body in self.bodies)


def component_view(scope: Scope, component: Component) -> ComponentView:
    """A component in the page's language."""
    points = scope.results.points.get(component.id, ())
    return ComponentView(
        id=component.id,
        title=scope.line(component.title),
        caption=scope.block(component.caption),
        basis=component.basis,
        basis_word=scope.labels[f"basis_{component.basis}"],
        locators=scope.locators(component.locators),
        proof=tuple(scope.line(text) for text in component.proof),
        marks=tuple(Piece(scope.line(mark.name), Html(""), mark.tone, mark.sign or "") for mark in component.marks),
        twin=scope.block(component.twin),
        data=data_link(scope, component),
        data_address=scope.root + data_path(component),
        bodies=tuple(
            replace(
                _body(scope, component, body, points[index] if index < len(points) else ()),
                heading=scope.line(body.heading),
                step=body.step,
                legend=body.legend,
            )
            for index, body in enumerate(component.drawings)
        ),
    )


def _body(scope: Scope, component: Component, body: Body, points: tuple[dict[str, Any], ...]) -> BodyView:
    if isinstance(body, Strip):
        return _strip(scope, component, body)
    if isinstance(body, Chart):
        return _chart(scope, component, body, points)
    if isinstance(body, Matrix):
        return _matrix(scope, component, body)
    if isinstance(body, Flow | Compare | Steps):
        return _sequence(scope, component, body)
    if isinstance(body, Composer):
        return _composer(scope, body)
    return _plain(scope, component, body)


def _tone(component: Component, mark: str | None) -> str:
    return next((found.tone for found in component.marks if found.id == mark), "")


def _sign(component: Component, mark: str | None) -> str:
    return next((found.sign or "" for found in component.marks if found.id == mark), "")


def _piece(scope: Scope, component: Component, part: Part) -> Piece:
    return Piece(scope.line(part.name), scope.line(part.note), _tone(component, part.mark), _sign(component, part.mark))


def _strip(scope: Scope, component: Component, body: Strip) -> BodyView:
    marks = {mark.id: mark for mark in component.marks}
    pieces = [
        Piece(
            Html(""), Html(""), marks[name].tone, marks[name].sign or "", f"{number}: {scope.words(marks[name].name)}"
        )
        for number, name in enumerate(strip_pieces(scope.ledger, body), 1)
        if name in marks
    ]
    size = (strip_count(scope.ledger, body.group) if body.group else None) or len(pieces) or 1
    alone = size >= len(pieces)
    groups = [
        ("" if alone else f"{start + 1}–{min(start + size, len(pieces))}", pieces[start : start + size])
        for start in range(0, len(pieces), size)
    ]
    return BodyView("strip", {"groups": groups, "label": scope.words(component.twin), "small": body.small})


def _chart(scope: Scope, component: Component, body: Chart, points: tuple[dict[str, Any], ...]) -> BodyView:
    title, twin = scope.words(component.title), scope.words(component.twin)
    shown = in_language(points, scope.language)
    svg = chart_svg(in_language(body.spec, scope.language), shown, title=title, description=twin)
    names = list(body.columns) or list(dict.fromkeys(name for point in shown for name in point))
    columns = [scope.line(body.columns[name]) if name in body.columns else name for name in names]
    rows = [[_cell(point.get(name, "")) for name in names] for point in shown]
    return BodyView("chart", {"svg": Html(svg), "columns": columns, "rows": rows})


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "✓" if value else "–"
    return with_powers(format(value, ".6g")) if isinstance(value, float) else value


def _composer(scope: Scope, body: Composer) -> BodyView:
    groups = [
        {
            "name": scope.line(group.name),
            "several": group.several,
            "options": [(scope.line(option.name), _texts(scope, (option.texts,))[0]) for option in group.options],
        }
        for group in body.groups
    ]
    return BodyView("composer", {"columns": [scope.line(column) for column in body.columns], "groups": groups})


def _matrix(scope: Scope, component: Component, body: Matrix) -> BodyView:
    rows = [
        (_piece(scope, component, row), [_piece(scope, component, cell) for cell in cells])
        for row, cells in zip(body.rows, body.cells, strict=True)
    ]
    columns = [scope.line(column) for column in body.columns]
    names = [scope.words(column) for column in body.columns]
    return BodyView("matrix", {"corner": scope.line(body.corner), "columns": columns, "names": names, "rows": rows})


def _sequence(scope: Scope, component: Component, body: Flow | Compare | Steps) -> BodyView:
    if isinstance(body, Flow):
        stages = [
            {
                "name": scope.line(stage.name),
                "note": scope.line(stage.note),
                "lanes": [_piece(scope, component, lane) for lane in stage.lanes],
                "to_next": scope.line(stage.to_next),
            }
            for stage in body.stages
        ]
        return BodyView("flow", {"stages": stages, "back": scope.line(body.back), "across": body.across})
    if isinstance(body, Compare):
        panels = [
            {
                "name": scope.line(panel.name),
                "mark": _tone(component, panel.mark),
                "sign": _sign(component, panel.mark),
                "lines": [scope.line(text) for text in panel.lines],
                "verdict": scope.line(panel.verdict),
            }
            for panel in body.panels
        ]
        return BodyView("compare", {"panels": panels})
    frames = [
        {"name": scope.line(frame.name), "text": scope.block(frame.text), "matrix": _texts(scope, frame.matrix)}
        for frame in body.frames
    ]
    return BodyView("steps", {"frames": frames})


def _texts(scope: Scope, rows: tuple[tuple[Text, ...], ...]) -> list[list[Html]]:
    return [[scope.line(text) for text in row] for row in rows]


def _plain(scope: Scope, component: Component, body: Timeline | TablePart | SpecTable | Embed) -> BodyView:
    if isinstance(body, Timeline):
        low = min(bar.start for lane in body.lanes for bar in lane.bars)
        span = (max(bar.end for lane in body.lanes for bar in lane.bars) - low) or 1
        lanes = [
            (
                scope.line(lane.name),
                [
                    {
                        "name": scope.line(bar.name),
                        "left": round(100 * (bar.start - low) / span, 3),
                        "width": round(100 * (bar.end - bar.start) / span, 3),
                        "mark": _tone(component, bar.mark),
                        "sign": _sign(component, bar.mark),
                    }
                    for bar in lane.bars
                ],
            )
            for lane in body.lanes
        ]
        return BodyView("timeline", {"lanes": lanes, "axis": scope.line(body.axis)})
    if isinstance(body, TablePart):
        columns = [scope.line(column) for column in body.columns]
        return BodyView("table", {"columns": columns, "rows": _texts(scope, body.rows)})
    if isinstance(body, SpecTable):
        return BodyView("specs", {"table": spec_table(scope, body.rows, body.columns)})
    lab = scope.ledger.labs.get(body.page.removeprefix("labs/"))
    title = body.title or (lab.title if lab else component.title)
    link, address = scope.to(body.page, body.anchor), f"{scope.root}{body.page}/#{body.anchor}"
    return BodyView("embed", {"link": link, "address": address, "title": scope.words(title)})
