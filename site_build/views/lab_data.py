"""A lab's contract as the page's own script needs it, in one language."""

import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from typing import Any

from site_build.checks import in_language
from site_build.model import Choice, LabContract, LabInput, LabOutput, Picture, Text
from site_build.views.lab_results import is_list
from site_build.views.labs import part
from site_build.views.scope import Scope
from site_build.visuals import sized

_TAG = re.compile(r"<[^>]+>")


def lab_data(scope: Scope, lab: LabContract, result: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs with their limits, outputs with their names, and the texts that travel with a result.

    JSON from the worker has its keys sorted; `result`, the one of the defaults, knows the order of the page.
    """
    found = {
        "title": scope.words(lab.title),
        "boundary": _said(scope, lab.boundary),
        "exact": _said(scope, lab.exact),
        "locators": list(lab.locators),
        "inputs": [_input(scope, given) for given in lab.inputs],
        "outputs": [_output(scope, output, part(result, output.id)) for output in lab.outputs],
    }
    return found | ({"picture": _picture(scope, lab.picture)} if lab.picture else {})


def _picture(scope: Scope, picture: Picture) -> dict[str, Any]:
    """A picture without its points."""
    spec = sized(in_language(picture.spec, scope.language))
    return {"title": scope.words(picture.title), "series": dict(picture.series), "spec": spec}


def _input(scope: Scope, given: LabInput) -> dict[str, Any]:
    found = {
        "id": given.id,
        "name": scope.line(given.name),
        "words_name": _said(scope, given.name),
        "type": given.type,
        "minimum": given.minimum,
        "maximum": given.maximum,
        "step": given.step,
        "unit": scope.unit(given.unit) if given.unit else None,
        "choices": _named(scope, given.choices) or None,
        "default": given.default,
    }
    return {name: value for name, value in found.items() if value is not None}


def _output(scope: Scope, output: LabOutput, value: Any) -> dict[str, Any]:
    found = {
        "id": output.id,
        "name": scope.line(output.name),
        "words_name": _said(scope, output.name),
        "type": output.type,
        "label": output.label,
        "label_word": scope.labels[f"label_{output.label}"],
        "unit": scope.unit(output.unit) if output.unit else None,
        "words": _named(scope, output.words) or None,
        "display": output.display,
        "keys": list(dict.fromkeys(_keys(value))) or None,
    }
    return {name: value for name, value in found.items() if value is not None}


def _said(scope: Scope, text: Text) -> str:
    """A text as it is said: the letters of a formula, not how it is typed."""
    return unescape(_TAG.sub("", scope.line(text)))


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from value
    for item in value.values() if isinstance(value, Mapping) else value if is_list(value) else ():
        yield from _keys(item)


def _named(scope: Scope, words: Sequence[Choice]) -> list[list[str]]:
    return [[choice.id, scope.words(choice.name)] for choice in words]
