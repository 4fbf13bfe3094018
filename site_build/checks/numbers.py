"""Numbers are what they say: derivations are executed again, prints are read back, units are known."""

from collections.abc import Iterator

from site_build.model import (
    Derivation,
    Ledger,
    Value,
    ValueInput,
    print_number,
    prints_truly,
    same_number,
)
from site_build.problems import Problem
from site_build.source import LIMIT, Numerics, OutOfTime, in_time


def derivations_hold(ledger: Ledger, numerics: Numerics) -> Iterator[Problem]:
    """Every derived number is computed again and equals the number on record."""
    if numerics.fault:
        place = ledger.place("ledger", "ledger", "numerics")
        yield Problem.at(place, "numerics-unusable", numerics.module, reason=numerics.fault)
        return
    for value in ledger.values.values():
        if value.derivation is not None:
            yield from _holds(ledger, numerics, value, value.derivation)


def _holds(ledger: Ledger, numerics: Numerics, value: Value, derivation: Derivation) -> Iterator[Problem]:
    function = numerics.derivations.get(derivation.function)
    if function is None:
        place = ledger.place("value", value.id, "derivation", "function")
        yield Problem.at(place, "derivation-unknown", derivation.function, module=numerics.module)
        return
    inputs: dict[str, object] = {}
    for name, given in derivation.inputs.items():
        if not isinstance(given, ValueInput):
            inputs[name] = given
            continue
        source = ledger.values.get(given.value)
        if source is None:
            if not ledger.knows("value", given.value):
                place = ledger.place("value", value.id, "derivation", "inputs", name, "value")
                yield Problem.at(place, "reference-unknown", given.value, kind="value")
            return
        inputs[name] = source.number
    call = f"{derivation.function}({', '.join(f'{name}={given}' for name, given in inputs.items())})"
    try:
        computed = in_time(function, **inputs)
    except OutOfTime:
        place = ledger.place("value", value.id, "derivation")
        yield Problem.at(place, "derivation-endless", call=call, limit=LIMIT)
        return
    except Exception as error:  # a registry function may raise anything; the editor gets one line
        place = ledger.place("value", value.id, "derivation")
        yield Problem.at(place, "derivation-fails", f"{type(error).__name__}: {error}", call=call)
        return
    if isinstance(computed, bool) or not isinstance(computed, int | float):
        place = ledger.place("value", value.id, "derivation", "function")
        yield Problem.at(place, "derivation-not-number", type(computed).__name__, call=call)
    elif not same_number(value.number, computed):
        yield Problem.at(
            ledger.place("value", value.id, "number"), "derivation-differs", value.number, computed=computed, call=call
        )


def prints_hold(ledger: Ledger) -> Iterator[Problem]:
    """A printed number still says the number."""
    for value in ledger.values.values():
        yield from _print_holds(ledger, ("value", value.id), (), value.number, value.display)
    for row in ledger.specs.rows:
        for column, cell in row.cells.items():
            path = ("cells", column)
            if (cell.number is None) == (cell.text is None) or (cell.number is None) != (cell.display is None):
                yield Problem.at(ledger.place("spec", row.id, *path), "cell-shape")
            elif cell.number is not None and cell.display is not None:
                yield from _print_holds(ledger, ("spec", row.id), path, cell.number, cell.display)


def _print_holds(
    ledger: Ledger, key: tuple[str, str], path: tuple[str, ...], number: float, display: str
) -> Iterator[Problem]:
    place = ledger.place(*key, *path, "display")
    printed = print_number(number, display)
    if printed is None:
        yield Problem.at(place, "display-format", display)
    elif not prints_truly(number, printed):
        yield Problem.at(place, "display-differs", printed, number=number)


def units_are_known(ledger: Ledger) -> Iterator[Problem]:
    """Every unit stands in `ledger.yaml`."""
    units = {unit.id for unit in ledger.info.units}
    for kind in ("value", "spec", "lab", "benchmark"):
        for id_ in ledger.records[kind]:
            for path, unit in ledger.parts[kind, id_]:
                if path[-1] == "unit" and unit not in units:
                    place = ledger.place(kind, id_, *path)
                    yield Problem.at(place, "list-unknown", unit, list="units", known=", ".join(sorted(units)))
