"""Lab pages as they are before anything runs: contract, default result, examples."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from site_build.model import LabContract, LabExample, LabInput, LabOutput, print_number
from site_build.views.pages import Entry, Page, entry, named_by
from site_build.views.scope import Html, Scope

SHORT_LIST = 8
"""Longer lists are shown by their length and ends."""


@dataclass(frozen=True)
class InputView:
    """An input with its default and its limits."""

    id: str
    name: Html
    value: str
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
    lines: tuple[str, ...]
    """The value as text: one line, or one line a row or step."""


@dataclass(frozen=True)
class ExampleView:
    """An example and what it gives."""

    name: Html
    inputs: str
    outputs: str


@dataclass(frozen=True)
class LabView:
    """Everything that a lab's page shows without JavaScript."""

    id: str
    title: Html
    question: Html
    inputs: tuple[InputView, ...]
    outputs: tuple[OutputView, ...]
    examples: tuple[ExampleView, ...]
    exact: Html
    boundary: Html
    locators: tuple[Html, ...]
    questions: tuple[Entry, ...]
    named_by: tuple[Entry, ...]


def lab_page(scope: Scope, lab: LabContract, result: Mapping[str, Any]) -> Page:
    """The page of a lab with the result of its defaults."""
    view = LabView(
        id=lab.id,
        title=scope.line(lab.title),
        question=scope.block(lab.question),
        inputs=tuple(_input(scope, given) for given in lab.inputs),
        outputs=tuple(_output(scope, output, part(result, output.id)) for output in lab.outputs),
        examples=tuple(_example(scope, example) for example in lab.examples),
        exact=scope.block(lab.exact),
        boundary=scope.block(lab.boundary),
        locators=tuple(scope.locator(text) for text in lab.locators),
        questions=tuple(entry(scope, "question", id_) for id_ in lab.questions),
        named_by=named_by(scope, "lab", lab.id),
    )
    title = f"{scope.labels['lab']} {lab.id}: {scope.words(lab.title)}"
    return Page(scope.here, "lab", title, scope.words(lab.question), view, kind="lab")


def part(result: Any, path: str) -> Any:
    """The part of a result that a dotted output id names."""
    for name in path.split("."):
        result = result.get(name) if isinstance(result, Mapping) else None
    return result


def _input(scope: Scope, given: LabInput) -> InputView:
    value = next((scope.say(choice.name) for choice in given.choices if choice.id == given.default), None)
    unit = f" {scope.unit(given.unit)}" if given.unit else ""
    shown = value or f"{as_text(given.default)}{unit}"
    limits = ["" if limit is None else f"{limit:,}" for limit in (given.minimum, given.maximum)]
    words = " | ".join(scope.say(choice.name) for choice in given.choices)
    range_words = " … ".join(limits) if any(limits) else ""
    return InputView(given.id, scope.line(given.name), shown, words or range_words, scope.line(given.help))


def _output(scope: Scope, output: LabOutput, value: Any) -> OutputView:
    word = scope.labels[f"label_{output.label}"]
    unit = scope.unit(output.unit) if output.unit else ""
    return OutputView(output.id, scope.line(output.name), output.label, word, unit, _lines(output, value))


def _lines(output: LabOutput, value: Any) -> tuple[str, ...]:
    """An output as lines of text."""
    if output.type in {"matrix", "frames"} and isinstance(value, list | tuple):
        return tuple(as_text(row, output.display) for row in shortened(value))
    return (as_text(value, output.display),)


def shortened(values: Any) -> list[Any]:
    """A long list by its ends, with a mark between."""
    found = list(values)
    return found if len(found) <= SHORT_LIST else [*found[: SHORT_LIST - 2], "…", found[-1]]


def as_text(value: Any, display: str | None = None) -> str:
    """JSON-ready data as a reader sees it."""
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, int | float):
        return (print_number(value, display) if display else None) or (
            f"{value:,}" if isinstance(value, int) else f"{value:.6g}"
        )
    if isinstance(value, list | tuple):
        return ", ".join(as_text(item, display) for item in shortened(value))
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {as_text(item, display)}" for name, item in value.items())
    return str(value)


def _example(scope: Scope, example: LabExample) -> ExampleView:
    return ExampleView(scope.line(example.name), as_text(example.inputs), as_text(example.outputs))
