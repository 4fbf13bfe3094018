"""Refuse bad input once, in one voice: `name: expected ..., got ... at ...`."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Float = npt.NDArray[np.float64]


class InputError(ValueError):
    """A caller's mistake, with the argument's name and the value that came."""

    name: str
    """The argument at fault."""
    expected: str
    """What would have been accepted."""
    got: str
    """What came, with its index where it is one of many."""

    def __init__(self, name: str, expected: str, got: str) -> None:
        super().__init__(f"{name}: expected {expected}, got {got}")
        self.name, self.expected, self.got = name, expected, got


def as_float(name: str, value: npt.ArrayLike, ndim: int | None = None) -> Float:
    """Read `value` as a finite float64 array, of `ndim` dimensions where given.

    Raises:
        InputError: it is not numeric, holds NaN or infinity, or has another number of dimensions.
    """
    return as_real(name, value, np.dtype(np.float64), ndim)


def as_real(name: str, value: npt.ArrayLike, dtype: np.dtype[Any], ndim: int | None = None) -> Array:
    """Read `value` as `as_float` does, in a floating `dtype` that the caller names."""
    try:
        raw = np.asarray(value)
    except (TypeError, ValueError):
        raise InputError(name, "numbers", repr(value)[:80]) from None
    # NumPy would read the text "1.5" and the answer "true" as numbers
    if raw.dtype.kind not in "iuf":
        raise InputError(name, "numbers", repr(value)[:80])
    array = raw.astype(dtype, copy=False)
    if ndim is not None and array.ndim != ndim:
        raise InputError(name, f"{ndim} dimensions", f"shape {array.shape}")
    # two reductions, and a map of what is not finite only where something is not; NaN survives a minimum
    if array.size and not (np.isfinite(np.min(array)) and np.isfinite(np.max(array))):
        raise InputError(name, "finite numbers", describe_first(array, ~np.isfinite(array)))
    return array


def has_shape(name: str, array: Array, shape: Sequence[int]) -> None:
    """Raise `InputError` unless `array` has exactly `shape`."""
    if array.shape != tuple(shape):
        raise InputError(name, f"shape {tuple(shape)}", f"shape {array.shape}")


def in_range(name: str, value: npt.ArrayLike, low: float, high: float) -> None:
    """Raise `InputError` unless every element lies in the closed interval from `low` to `high`."""
    array = np.asarray(value)
    # two reductions, and a map of what lies outside only where something does
    if array.size and not (low <= np.min(array) and np.max(array) <= high):
        outside = ~((array >= low) & (array <= high))
        raise InputError(name, f"{low:g}..{high:g}", describe_first(array, outside))


def as_count(name: str, value: object, low: int = 0, high: int | None = None) -> int:
    """Read a whole number from `low` to `high`; a bool or a fraction is refused."""
    wanted = f"a whole number from {low}" + ("" if high is None else f" to {high}")
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise InputError(name, wanted, repr(value)[:80])
    number = int(value)
    if number < low or (high is not None and number > high):
        raise InputError(name, wanted, str(number))
    return number


def one_of(name: str, value: object, allowed: Sequence[str]) -> str:
    """Raise `InputError` unless `value` is one of the words in `allowed`."""
    if not isinstance(value, str) or value not in allowed:
        raise InputError(name, " or ".join(allowed), repr(value)[:80])
    return value


def describe_first(array: Array, bad: Array) -> str:
    """Name the first bad element and where it stands: `1.4 at (3,)`."""
    if array.ndim == 0:
        return f"{array[()]:g}"
    index = tuple(int(i) for i in np.argwhere(bad)[0])
    return f"{array[index]:g} at {index}"
