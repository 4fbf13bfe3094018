"""The checked numbers that tests of k3core start from, and a comparison that raises."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

VECTORS = Path(__file__).parent / "vectors" / "numeric-vectors.json"


@cache
def _vectors() -> dict[str, dict[str, Any]]:
    """Read the vectors once, by id."""
    return {vector["id"]: vector for vector in json.loads(VECTORS.read_text())["vectors"]}


def expected(vector_id: str) -> dict[str, Any]:
    """The outputs that a vector fixes."""
    return dict(_vectors()[vector_id]["expected"])


def inputs(vector_id: str) -> dict[str, Any]:
    """The inputs of a vector, with every generator recipe turned into its array."""
    given = _vectors()[vector_id]["inputs"]
    return {name: _from_recipe(value["G"]) if _is_recipe(value) else value for name, value in given.items()}


def generate(
    shape: tuple[int, ...], *, a: float, b: float, c: float, amp: float = 1.0, off: float = 0.0
) -> npt.NDArray[np.float64]:
    """Fill `shape` with amp * sin(a n + b n**2 + c) + off, n the flat index; the square makes rows full rank."""
    n = np.arange(np.prod(shape), dtype=np.float64)
    return (amp * np.sin(a * n + b * (n * n) + c) + off).reshape(shape)


def assert_close(got: npt.ArrayLike, want: npt.ArrayLike, tol: float) -> None:
    """Raise unless shapes agree and no element differs by more than `tol`, absolutely or relatively."""
    left, right = np.asarray(got, dtype=np.float64), np.asarray(want, dtype=np.float64)
    if left.shape != right.shape:
        raise AssertionError(f"shape {left.shape}, want {right.shape}")
    np.testing.assert_allclose(left, right, rtol=tol, atol=tol)


def _from_recipe(recipe: dict[str, Any]) -> npt.NDArray[np.float64]:
    """Generate what a vector's recipe describes."""
    return generate(tuple(recipe["shape"]), **{name: value for name, value in recipe.items() if name != "shape"})


def _is_recipe(value: Any) -> bool:
    """Tell a generator recipe from a plain value."""
    return isinstance(value, dict) and set(value) == {"G"}
