"""Lab pages as they are before anything runs: contract, default result, examples."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from site_build.checks import in_language, series_points
from site_build.messages import WORDS
from site_build.model import Choice, LabContract, LabExample, LabInput, LabOutput
from site_build.views.lab_results import Grid, Printer, columns, is_list
from site_build.views.pages import Entry, Page, entry, named_by
from site_build.views.scope import Html, LabSource, Scope
from site_build.visuals import chart_svg

LONG_LIST = 5
"""Neighbouring lists of one length from this are columns of one grid."""


@dataclass(frozen=True)
class InputView:
    """An input with its default and its limits."""

    id: str
    name: Html
    lines: tuple[str, ...]
    """The default as text: one line, or one a row."""
    limits: str
    help: Html


@dataclass(frozen=True)
class OutputView:
    """An output of the static result."""

    id: str
    name: Html
    label: str
    label_word: str
    unit: str
    text: str
    """The value in a line; empty where it has rows."""
    full: str = ""
    """The same in full, where the line is rounded."""


@dataclass(frozen=True)
class PartView:
    """A part of the result with rows of its own: one output, or lists of one length side by side."""

    outputs: tuple[OutputView, ...]
    grid: Grid
    joined: bool
    """Whether each column is an output of its own."""


@dataclass(frozen=True)
class PictureView:
    """The result as a chart; the tables below it hold the same numbers."""

    title: Html
    svg: Html


@dataclass(frozen=True)
class ExampleView:
    """An example and what it gives."""

    name: Html
    inputs: tuple[tuple[Html, str], ...]
    """What differs from the defaults: names and values."""
    outputs: tuple[OutputView, ...]
    parts: tuple[PartView, ...]


@dataclass(frozen=True)
class LiveView:
    """How the page's script finds what it needs."""

    folder: str
    """The way from this page; ends with a slash."""
    manifest: str
    scripts: tuple[tuple[str, str], ...]
    """Name and integrity, the one that starts the rest last."""


@dataclass(frozen=True)
class LabView:
    """Everything that a lab's page shows without JavaScript."""

    id: str
    title: Html
    question: Html
    inputs: tuple[InputView, ...]
    picture: PictureView | None
    outputs: tuple[OutputView, ...]
    """Those that fit in a line."""
    parts: tuple[PartView, ...]
    """Those that do not."""
    examples: tuple[ExampleView, ...]
    exact: Html
    boundary: Html
    locators: tuple[Html, ...]
    questions: tuple[Entry, ...]
    named_by: tuple[Entry, ...]
    source: LabSource | None
    """The function itself, where it can run in the page."""
    live: LiveView | None
    notice: str
    """Why the lab cannot run, where it should."""


def lab_page(scope: Scope, lab: LabContract, result: Mapping[str, Any]) -> Page:
    """The page of a lab with the result of its defaults."""
    plain, parts = _result(scope, [(output, part(result, output.id)) for output in lab.outputs])
    view = LabView(
        id=lab.id,
        title=scope.line(lab.title),
        question=scope.block(lab.question),
        inputs=tuple(_input(scope, given) for given in lab.inputs),
        picture=_picture(scope, lab, result),
        outputs=plain,
        parts=parts,
        examples=tuple(_example(scope, lab, example) for example in lab.examples),
        exact=scope.block(lab.exact),
        boundary=scope.block(lab.boundary),
        locators=scope.locators(lab.locators),
        questions=tuple(entry(scope, "question", id_) for id_ in lab.questions),
        named_by=named_by(scope, "lab", lab.id),
        source=scope.results.live.sources.get(lab.function) if scope.results.live else None,
        live=_live(scope),
        notice=WORDS[scope.language].live["missing_runtime"] if scope.results.runtime_missing else "",
    )
    title = f"{scope.labels['lab']} {lab.id}{scope.labels['colon']}{scope.words(lab.title)}"
    return Page(scope.here, "lab", title, scope.words(lab.question), view, kind="lab")


def _picture(scope: Scope, lab: LabContract, result: Mapping[str, Any]) -> PictureView | None:
    if lab.picture is None or isinstance(points := series_points(result, lab.picture.series), str):
        return None
    spec = in_language(lab.picture.spec, scope.language)
    title = scope.words(lab.picture.title)
    svg = chart_svg(spec, points, title=title, description=scope.labels["picture_twin"])
    return PictureView(scope.line(lab.picture.title), Html(svg))


def _live(scope: Scope) -> LiveView | None:
    live = scope.results.live
    if live is None:
        return None
    root = "../../" if scope.language == scope.ledger.info.languages[0] else "../../../"
    return LiveView(f"{root}{live.folder}/", live.manifest, live.scripts)


def part(result: Any, path: str) -> Any:
    """The part of a result that a dotted output id names."""
    for name in path.split("."):
        result = result.get(name) if isinstance(result, Mapping) else None
    return result


def _input(scope: Scope, given: LabInput) -> InputView:
    unit = f"\u00a0{scope.unit(given.unit)}" if given.unit else ""
    lines = _printer(scope, given.choices).lines(given.default)
    limits = ["" if limit is None else f"{limit:,}" for limit in (given.minimum, given.maximum)]
    words = " | ".join(scope.say(choice.name) for choice in given.choices)
    range_words = " … ".join(limits) if any(limits) else ""
    shown = (f"{lines[0]}{unit}",) if len(lines) == 1 else lines
    return InputView(given.id, scope.line(given.name), shown, words or range_words, scope.line(given.help))


def _result(
    scope: Scope, values: Sequence[tuple[LabOutput, Any]]
) -> tuple[tuple[OutputView, ...], tuple[PartView, ...]]:
    """The outputs that fit in a line, and those that have rows."""
    plain: list[OutputView] = []
    parts: list[PartView] = []
    for length, group in groupby(values, lambda item: _length(*item)):
        run = list(group)
        if length and len(run) > 1:
            parts.append(_joined(scope, run))
            continue
        for output, value in run:
            printer = _printer(scope, output.words, output.display)
            if grid := printer.grid(value):
                parts.append(PartView((_output(scope, output, ""),), grid, joined=False))
            else:
                plain.append(replace(_output(scope, output, printer.text(value)), full=printer.full(value)))
    return tuple(plain), tuple(parts)


def _length(output: LabOutput, value: Any) -> int:
    """The length of a long list of numbers, else 0."""
    return len(value) if output.type == "numbers" and is_list(value) and len(value) >= LONG_LIST else 0


def _joined(scope: Scope, run: Sequence[tuple[LabOutput, Any]]) -> PartView:
    """Lists of one length as columns."""
    views = tuple(_output(scope, output, "") for output, _ in run)
    printers = [_printer(scope, output.words, output.display) for output, _ in run]
    return PartView(views, columns(printers, [value for _, value in run]), joined=True)


def _output(scope: Scope, output: LabOutput, text: str) -> OutputView:
    word = scope.labels[f"label_{output.label}"]
    unit = scope.unit(output.unit) if output.unit else ""
    return OutputView(output.id, scope.line(output.name), output.label, word, unit, text)


def _printer(scope: Scope, words: Sequence[Choice], display: str | None = None) -> Printer:
    """A printer that knows a contract's words, and yes and no."""
    named: dict[Any, str] = {choice.id: scope.words(choice.name) for choice in words}
    fixed: dict[Any, str] = {True: scope.labels["yes"], False: scope.labels["no"], None: "–", "": "–"}
    return Printer(lambda value: named.get(value) or fixed.get(value), display)


def _example(scope: Scope, lab: LabContract, example: LabExample) -> ExampleView:
    """An example with the names that its inputs and outputs have on the page; a check refuses undeclared ones."""
    given = {item.id: item for item in lab.inputs}
    inputs = tuple(_given(scope, given[id_], value) for id_, value in example.inputs.items() if id_ in given)
    found = [(output, example.outputs[output.id]) for output in lab.outputs if output.id in example.outputs]
    return ExampleView(scope.line(example.name), inputs, *_result(scope, found))


def _given(scope: Scope, given: LabInput, value: Any) -> tuple[Html, str]:
    """An input's name, and its value with its unit."""
    unit = f"\u00a0{scope.unit(given.unit)}" if given.unit else ""
    return scope.line(given.name), f"{_printer(scope, given.choices).text(value)}{unit}"
