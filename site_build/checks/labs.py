"""Lab contracts say what the function does: same inputs, same outputs, examples that reproduce."""

import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from site_build.model import LabContract, LabInput, Ledger
from site_build.problems import Problem
from site_build.source import LIMIT, Numerics, OutOfTime, in_time

_TYPES: Mapping[str, tuple[type, ...]] = {
    "number": (int, float),
    "integer": (int,),
    "choice": (str, int, float),
    "text": (str,),
    "numbers": (list,),
    "matrix": (list,),
    "data": (object,),
}


def labs_match_contracts(ledger: Ledger, numerics: Numerics) -> Iterator[Problem]:
    """Every lab's function exists, takes the contract's inputs, gives its outputs, and reproduces its examples."""
    if numerics.fault:
        return
    for lab in ledger.labs.values():
        function = numerics.labs.get(lab.function)
        if function is None:
            place = ledger.place("lab", lab.id, "function")
            yield Problem.at(place, "lab-function-unknown", lab.function, module=numerics.module)
            continue
        faults = [*_signature(ledger, lab, function), *_defaults(ledger, lab)]
        yield from faults or _results(ledger, lab, function)


def _signature(ledger: Ledger, lab: LabContract, function: Callable[..., Any]) -> Iterator[Problem]:
    parameters = list(inspect.signature(function).parameters)
    inputs = [given.id for given in lab.inputs]
    if set(parameters) != set(inputs):
        place = ledger.place("lab", lab.id, "inputs")
        yield Problem.at(place, "lab-inputs-differ", ", ".join(inputs), parameters=", ".join(parameters))


def _defaults(ledger: Ledger, lab: LabContract) -> Iterator[Problem]:
    """Every default and every example's input fits its own declaration."""
    declared = {given.id: given for given in lab.inputs}
    for index, given in enumerate(lab.inputs):
        place = ledger.place("lab", lab.id, "inputs", index, "default")
        if not fits(given, as_json(given.default)):
            yield Problem.at(place, "lab-input-range", given.default, wanted=wanted(given))
    for index, example in enumerate(lab.examples):
        for name, value in example.inputs.items():
            place = ledger.place("lab", lab.id, "examples", index, "inputs", name)
            if name not in declared:
                yield Problem.at(place, "lab-input-unknown", name, known=", ".join(declared))
            elif not fits(declared[name], as_json(value)):
                yield Problem.at(place, "lab-input-range", value, wanted=wanted(declared[name]))


def fits(given: LabInput, value: Any) -> bool:
    """Whether a value is of the input's type and inside its range."""
    if isinstance(value, bool) or not isinstance(value, _TYPES[given.type]):
        return False
    if given.type == "choice":
        return str(value) in {choice.id for choice in given.choices}
    low = -math.inf if given.minimum is None else given.minimum
    high = math.inf if given.maximum is None else given.maximum
    return all(low <= number <= high for number in _numbers(value))


def wanted(given: LabInput) -> str:
    """The input's declaration in words."""
    if given.type == "choice":
        return " | ".join(choice.id for choice in given.choices)
    limits = [
        f"{given.minimum}" if given.minimum is not None else "",
        f"{given.maximum}" if given.maximum is not None else "",
    ]
    return f"{given.type} {'..'.join(limits)}" if any(limits) else given.type


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, list):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, int | float):
        yield value


def _results(ledger: Ledger, lab: LabContract, function: Callable[..., Any]) -> Iterator[Problem]:
    """Run the defaults and every example, and compare."""
    defaults = {given.id: as_json(given.default) for given in lab.inputs}
    result = run_lab(function, defaults)
    if isinstance(result, str):
        yield Problem.at(ledger.place("lab", lab.id, "function"), "lab-fails", result)
        return
    for index, output in enumerate(lab.outputs):
        if at_path(result, output.id) is None:
            place = ledger.place("lab", lab.id, "outputs", index, "id")
            yield Problem.at(place, "lab-output-missing", output.id, known=", ".join(result))
    listed = {output.id.partition(".")[0] for output in lab.outputs}
    for name in sorted(set(result) - listed):
        yield Problem.at(ledger.place("lab", lab.id, "outputs"), "lab-output-unlisted", name)
    for index, example in enumerate(lab.examples):
        inputs = {name: as_json(value) for name, value in example.inputs.items()}
        yield from _example(ledger, lab, index, run_lab(function, defaults | inputs))


def run_lab(function: Callable[..., Any], inputs: dict[str, Any]) -> dict[str, Any] | str:
    """The result of a lab's function, or why there is none."""
    try:
        result = in_time(function, **inputs)
    except OutOfTime:
        return f"nothing within {LIMIT} s"
    except Exception as error:  # a lab may raise anything; the editor gets one line
        return f"{type(error).__name__}: {error}"
    return result if isinstance(result, dict) else f"a {type(result).__name__}"


def _example(ledger: Ledger, lab: LabContract, index: int, result: dict[str, Any] | str) -> Iterator[Problem]:
    if isinstance(result, str):
        yield Problem.at(ledger.place("lab", lab.id, "examples", index), "lab-fails", result)
        return
    limits = {output.id: output.ulp for output in lab.outputs}
    for name, expected in lab.examples[index].outputs.items():
        place = ledger.place("lab", lab.id, "examples", index, "outputs", name)
        if name not in limits:
            yield Problem.at(place, "lab-input-unknown", name, known=", ".join(limits))
            continue
        computed = at_path(result, name)
        if not same_result(as_json(expected), computed, limits[name]):
            yield Problem.at(place, "lab-example-differs", str(expected)[:80], computed=str(computed)[:80])


def static_results(ledger: Ledger, numerics: Numerics) -> dict[str, dict[str, Any]]:
    """By lab, the result of its defaults; a lab that cannot run is left out."""
    found = {}
    for lab in ledger.labs.values():
        if function := numerics.labs.get(lab.function):
            result = run_lab(function, {given.id: as_json(given.default) for given in lab.inputs})
            if isinstance(result, dict):
                found[lab.id] = result
    return found


def at_path(result: Any, path: str) -> Any:
    """The part of a result that a dotted output id names, list places counted from zero.

    A name below a list reads it from every entry. None where there is none.
    """
    for part in path.split("."):
        if isinstance(result, list) and not part.isdecimal():
            column = [at_path(entry, part) for entry in result]
            result = None if None in column else column
        elif isinstance(result, list):
            result = result[int(part)] if int(part) < len(result) else None
        else:
            result = result.get(part) if isinstance(result, dict) else None
    return result


def as_json(value: Any) -> Any:
    """Data from YAML as JSON has it: lists, not tuples."""
    if isinstance(value, tuple):
        return [as_json(item) for item in value]
    if isinstance(value, dict):
        return {name: as_json(item) for name, item in value.items()}
    return value


def same_result(expected: Any, computed: Any, ulp: int) -> bool:
    """Whether two results are equal, floats within `ulp` units in the last place."""
    if isinstance(expected, list) and isinstance(computed, list):
        return len(expected) == len(computed) and all(map(same_result, expected, computed, [ulp] * len(expected)))
    if isinstance(expected, dict) and isinstance(computed, dict):
        return expected.keys() == computed.keys() and all(same_result(expected[n], computed[n], ulp) for n in expected)
    if isinstance(expected, bool) or isinstance(computed, bool) or not isinstance(expected, int | float):
        return type(expected) is type(computed) and bool(expected == computed)
    if not isinstance(computed, int | float):
        return False
    return bool(expected == computed) or abs(expected - computed) <= ulp * math.ulp(max(abs(expected), abs(computed)))
