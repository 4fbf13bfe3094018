"""Compare what the numerics returned in two engines, call by call."""

import json
import math
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import files
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np

TESTS = Path(__file__).parent
PACKAGES = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")
"""What the tests need beside NumPy and the numerics, none of it compiled."""


@dataclass(frozen=True)
class Difference:
    """How far the results of a function lie apart."""

    calls: int
    own_ulp: float = 0.0
    """Where it was given the same arguments to the bit, in units in the last place of the largest number of the array
    in which the difference stands; infinite where anything but floats differs."""
    inherited_ulp: float = 0.0
    """Where its arguments differed already."""


def packed() -> bytes:
    """The tests of the numerics with what they need, as a zip file: `packages/` and `tests/`."""
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for file in (file for name in PACKAGES for file in files(name) or ()):
            if file.suffix == ".py" and ".." not in file.parts:
                archive.write(str(file.locate()), f"packages/{file}")
        for pattern in ("*.py", "vectors/*.json", "unit/k3core/*.py"):
            for path in sorted(TESTS.glob(pattern)):
                archive.write(path, f"tests/{path.relative_to(TESTS)}")
    return buffer.getvalue()


def run_here() -> dict[str, Any]:
    """Run the tests that ask for vectors in a fresh Python, from the same files that a browser gets."""
    with TemporaryDirectory() as folder:
        ZipFile(BytesIO(packed())).extractall(folder)
        target = Path(folder) / "calls.json"
        command = [sys.executable, str(Path(folder) / "tests" / "vector_run.py"), str(target)]
        subprocess.run(command, check=True, capture_output=True, cwd=folder)
        found: dict[str, Any] = json.loads(target.read_text(encoding="utf-8"))
        return found


def differences(here: dict[str, Any], there: dict[str, Any]) -> dict[str, Difference]:
    """The worst difference of each function.

    Raises:
        AssertionError: the engines did not make the same calls.
    """
    names = [name for name, _, _ in here["calls"]]
    if names != [name for name, _, _ in there["calls"]]:
        raise AssertionError(f"{len(names)} calls here, {len(there['calls'])} there, or in another order")
    found: dict[str, Difference] = {}
    for (name, arguments, first), (_, others, second) in zip(here["calls"], there["calls"], strict=True):
        before, worst = found.get(name, Difference(0)), max(distances(first, second))
        own, inherited = (worst, 0.0) if arguments == others else (0.0, worst)
        found[name] = Difference(before.calls + 1, max(before.own_ulp, own), max(before.inherited_ulp, inherited))
    return found


def distances(first: Any, second: Any) -> Iterator[float]:
    """Units in the last place between two written results, part by part; at least one number."""
    yield 0.0
    if isinstance(first, dict) and isinstance(second, dict):
        yield _apart(_read(first), _read(second))
    elif isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        for one, other in zip(first, second, strict=True):
            yield from distances(one, other)
    elif isinstance(first, float) and isinstance(second, float):
        yield _apart(np.array(first), np.array(second))
    elif type(first) is not type(second) or first != second:
        yield math.inf


def _read(written: dict[str, Any]) -> np.ndarray:
    kind = written["dtype"] if written["dtype"].startswith("float") else None
    return np.array(written["values"], kind).reshape(written["shape"])


def _apart(first: np.ndarray, second: np.ndarray) -> float:
    if first.dtype != second.dtype or first.shape != second.shape:
        return math.inf
    if np.array_equal(first, second, equal_nan=first.dtype.kind == "f"):
        return 0.0
    if first.dtype.kind != "f" or not np.array_equal(np.isfinite(first), np.isfinite(second)):
        return math.inf
    finite = np.isfinite(first)
    one, other = first[finite], second[finite]
    return float(np.abs(one - other).max() / np.spacing(np.maximum(np.abs(one), np.abs(other)).max()))
