"""Read the checked numbers in `tests/vectors/numeric-vectors.json` and build their inputs."""

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

PATH = Path(__file__).parent / "vectors" / "numeric-vectors.json"
Float = npt.NDArray[np.float64]


@lru_cache
def _all() -> dict[str, dict[str, Any]]:
    return {vector["id"]: vector for vector in json.loads(PATH.read_text(encoding="utf-8"))["vectors"]}


def expected(vector_id: str) -> dict[str, Any]:
    """Return what vector `vector_id` promises."""
    found: dict[str, Any] = _all()[vector_id]["expected"]
    return found


def inputs(vector_id: str) -> dict[str, Any]:
    """Return the inputs of vector `vector_id`, with every generator spelled out as an array."""
    return {name: _built(value) for name, value in _all()[vector_id]["inputs"].items()}


def generated(shape: Sequence[int], *, a: float, b: float, c: float, amp: float = 1.0, off: float = 0.0) -> Float:
    """Return amp * sin(a n + b n^2 + c) + off over the flat index n, in C order."""
    n = np.arange(int(np.prod(shape)), dtype=np.float64)
    return np.asarray(amp * np.sin(a * n + b * (n * n) + c) + off).reshape(shape)


def _built(value: Any) -> Any:
    if isinstance(value, dict) and set(value) == {"G"}:
        return generated(**value["G"])
    return value
