"""Comparers that raise: none returns a verdict that a test could drop."""

from typing import Any

import numpy as np
import numpy.typing as npt


def error_ratio(actual: npt.ArrayLike, truth: npt.ArrayLike) -> float:
    """Return the RMS difference over the RMS of the truth; NaN anywhere gives infinity."""
    a, b = np.asarray(actual, dtype=np.float64), np.asarray(truth, dtype=np.float64)
    if a.shape != b.shape:
        raise AssertionError(f"shape {a.shape}, truth has {b.shape}")
    difference = float(np.sqrt(np.mean((a - b) ** 2))) if a.size else 0.0
    size = float(np.sqrt(np.mean(b * b))) if b.size else 0.0
    if not np.isfinite(difference):
        return float("inf")
    return difference / size if size > 0 else difference


def assert_close(actual: npt.ArrayLike, truth: npt.ArrayLike, ratio: float = 1e-12) -> None:
    """Raise unless `error_ratio` is at most `ratio`."""
    found = error_ratio(actual, truth)
    if not found <= ratio:
        raise AssertionError(f"error ratio {found:.3e}, at most {ratio:.1e} allowed\ngot {actual!r}\nwant {truth!r}")


def assert_far(actual: npt.ArrayLike, truth: npt.ArrayLike, ratio: float = 1e-3) -> None:
    """Raise unless `error_ratio` is above `ratio`: what must be different is different."""
    found = error_ratio(actual, truth)
    if not found > ratio:
        raise AssertionError(f"error ratio {found:.3e}, more than {ratio:.1e} wanted")


def assert_same_bits(actual: npt.NDArray[Any], truth: npt.NDArray[Any]) -> None:
    """Raise unless dtype, shape and every bit agree; NaN equals NaN, -0 differs from 0."""
    if actual.dtype != truth.dtype or actual.shape != truth.shape:
        raise AssertionError(f"{actual.dtype} {actual.shape}, truth is {truth.dtype} {truth.shape}")
    if actual.tobytes() != truth.tobytes():
        raise AssertionError(f"bits differ\ngot {actual}\nwant {truth}")
