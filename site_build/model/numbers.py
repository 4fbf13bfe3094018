"""How a number is printed, and whether the print still says the number."""

import math
import re
from functools import lru_cache

_FORMAT = re.compile(r"^\{:(?P<spec>,?(?:\.\d{1,2}[feg])?|d)\}$")
_PRINTED = re.compile(r"^-?[\d,]+(?:\.\d+)?(?:e[+-]?\d+)?$")
_EXPONENT = re.compile(r"e([+-])0*(\d+)$")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
TOLERANCE = 5e-4
"""A printed float may differ from its value by this much, relatively: three significant digits survive."""


@lru_cache(maxsize=4096)
def print_number(number: float, display: str) -> str | None:
    """Print `number` as `display` says; None where `display` is no format.

    The format is a part of Python's: `{:,}`, `{:d}`, `{:.2f}`, `{:,.1f}`, `{:.3e}`, `{:.3g}`.
    """
    found = _FORMAT.match(display)
    if found is None:
        return None
    try:
        return format(number, found["spec"])
    except ValueError:
        return None


def with_powers(printed: str) -> str:
    """Write the power of ten of a printed number as readers know it: `1.5e-07` becomes 1.5×10⁻⁷."""
    return _EXPONENT.sub(lambda end: "\u00d710" + end.expand(r"\1\2").lstrip("+").translate(_RAISED), printed)


def read_number(printed: str) -> float | None:
    """Read a printed number back; None where it is not one."""
    return float(printed.replace(",", "")) if _PRINTED.match(printed) else None


def prints_truly(number: float, printed: str) -> bool:
    """Whether a reader of `printed` learns `number`: integers exactly, floats to three significant digits."""
    back = read_number(printed)
    if back is None:
        return False
    if isinstance(number, int):
        return back == number
    return math.isfinite(back) and abs(back - number) <= TOLERANCE * abs(number)


def same_number(expected: float, computed: float) -> bool:
    """Whether a derivation gave the number on record: integers exactly, floats to 1e-12 relative."""
    if isinstance(expected, int) and isinstance(computed, int):
        return expected == computed
    if isinstance(expected, int) != isinstance(computed, int):
        return False
    return math.isclose(expected, computed, rel_tol=1e-12)
