"""The one door through which a page asks for a lab: JSON text in, JSON text out, never an exception."""

import inspect
import json
from typing import Any, NoReturn

from k3core.guards import InputError
from k3core.registry import LABS

LONGEST_INPUT = 65_536
"""Characters of JSON that are read at all."""


def run(lab_id: str, inputs_json: str) -> str:
    """Run a lab and return its reply as JSON text.

    Args:
        lab_id: a key of `k3core.registry.LABS`.
        inputs_json: a JSON object whose names are the lab's keyword inputs.

    Returns:
        `{"ok": true, "lab": ..., "result": {...}}`, or `{"ok": false, "lab": ..., "error": {"kind", "name",
        "expected", "got"}}` with kind `input` (a value was refused), `lab` (no such lab), `json` (the text
        is not a JSON object), `result` (a number left the range of floats) or `internal` (our fault). Names
        are sorted, floats are written so that they read back bit for bit, NaN and infinity never appear.
    """
    try:
        return _encode({"ok": True, "lab": lab_id, "result": _result(lab_id, inputs_json)})
    except _RefusedError as refusal:
        return _failure(lab_id, refusal.kind, refusal.fault)
    except InputError as fault:
        return _failure(lab_id, "input", fault)
    except (ValueError, OverflowError) as fault:
        return _failure(lab_id, "result", InputError("result", "finite JSON values", str(fault)))
    except Exception as fault:
        # the page must always get an answer it can show, whatever went wrong in here
        return _failure(lab_id, "internal", InputError("lab", "a result", type(fault).__name__))


class _RefusedError(Exception):
    """A request that reaches no lab."""

    def __init__(self, kind: str, name: str, expected: str, got: str) -> None:
        super().__init__(kind)
        self.kind, self.fault = kind, InputError(name, expected, got)


def _result(lab_id: str, inputs_json: str) -> dict[str, Any]:
    lab = LABS.get(lab_id) if isinstance(lab_id, str) else None
    if lab is None:
        raise _RefusedError("lab", "lab", " or ".join(sorted(LABS)), repr(lab_id)[:80])
    inputs = _read_inputs(inputs_json)
    parameters = inspect.signature(lab).parameters
    for name in inputs:
        if name not in parameters:
            raise InputError("inputs", "only " + ", ".join(parameters), repr(name)[:80])
    for name, parameter in parameters.items():
        if name not in inputs and parameter.default is inspect.Parameter.empty:
            raise InputError(name, "a value", "none")
    return lab(**inputs)


def _read_inputs(text: str) -> dict[str, Any]:
    if not isinstance(text, str) or len(text) > LONGEST_INPUT:
        raise _RefusedError("json", "inputs", f"text of at most {LONGEST_INPUT} characters", type(text).__name__)
    try:
        inputs = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_repeats)
    except (ValueError, RecursionError) as fault:
        raise _RefusedError("json", "inputs", "a JSON object", str(fault)[:120]) from None
    if not isinstance(inputs, dict):
        raise _RefusedError("json", "inputs", "a JSON object", type(inputs).__name__)
    return inputs


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice")
    return found


def _failure(lab_id: object, kind: str, fault: InputError) -> str:
    error = {"kind": kind, "name": fault.name, "expected": fault.expected, "got": fault.got}
    return _encode({"ok": False, "lab": str(lab_id)[:80], "error": error})


def _encode(reply: dict[str, Any]) -> str:
    return json.dumps(reply, sort_keys=True, allow_nan=False)
