"""Run every test that asks for a checked vector, and note what each function of the numerics returned on the way.

The same file runs under Python here and inside Pyodide in a browser: `python vector_run.py` prints JSON.
"""

import dataclasses
import functools
import importlib
import inspect
import json
import os
import pkgutil
import platform
import sys
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pytest

TESTS = Path(__file__).parent
OPTIONS = ("-q", "--disable-warnings", "-p", "no:cacheprovider", "--import-mode=importlib")


class Noted:
    """A plugin of pytest: it keeps the tests that ask for a vector, and how each of them ended."""

    def __init__(self) -> None:
        self.passed: list[str] = []
        self.failed: list[str] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the tests in whose source a vector is asked for."""
        items[:] = [item for item in items if "expected(" in inspect.getsource(getattr(item, "function", str))]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test that failed at any stage, or passed."""
        if report.failed:
            self.failed.append(f"{report.nodeid}: {report.longrepr}")
        elif report.when == "call":
            self.passed.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file that could not be read."""
        if report.failed:
            self.failed.append(f"{report.nodeid}: {report.longrepr}")


def run_vectors(given: str = "[]") -> str:
    """Return versions, how the tests ended, the vectors asked for, generated inputs and all calls, as JSON.

    Args:
        given: the generated inputs of another engine as JSON, so that both start from the same numbers.
    """
    sys.path.insert(0, str(TESTS))
    # its core is compiled and not made for the browser; tests over random inputs are no vectors
    sys.modules["hypothesis"] = MagicMock()
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    calls: list[tuple[str, str, Any]] = []
    record_calls(calls)
    asked: list[str] = []
    made: list[list[float]] = []
    record_vectors(asked, made, json.loads(given))
    noted = Noted()
    pytest.main([*OPTIONS, f"--rootdir={TESTS}", str(TESTS / "unit" / "k3core")], plugins=[noted])
    engine = {"python": platform.python_version(), "numpy": np.__version__}
    ended = {"passed": noted.passed, "failed": noted.failed, "vectors": sorted(set(asked))}
    return json.dumps({"engine": engine, **ended, "made": made, "calls": calls})


def record_vectors(asked: list[str], made: list[list[float]], given: list[list[float]]) -> None:
    """Note the vectors asked for and the inputs generated; inputs that are given take the place of the generated."""
    vectors = importlib.import_module("numeric_vectors")
    expected, generated = vectors.expected, vectors.generated

    def ask(vector: str) -> dict[str, Any]:
        asked.append(vector)
        found: dict[str, Any] = expected(vector)
        return found

    def generate(shape: Sequence[int], **options: float) -> Any:
        values = given[len(made)] if given else generated(shape, **options).ravel().tolist()
        made.append(values)
        return np.array(values).reshape(shape)

    vars(vectors).update(expected=ask, generated=generate)


def record_calls(calls: list[tuple[str, str, Any]]) -> None:
    """Let each function at the package's door note its name, a digest of its arguments and its result."""
    door = importlib.import_module("k3core")
    modules = [importlib.import_module(f"k3core.{found.name}") for found in pkgutil.iter_modules(door.__path__)]

    def noting(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            arguments = sha256(json.dumps(plain([args, kwargs])).encode()).hexdigest()
            result = function(*args, **kwargs)
            calls.append((function.__name__, arguments, plain(result)))
            return result

        return call

    functions = (getattr(door, name) for name in door.__all__)
    wrapped = {function: noting(function) for function in functions if isinstance(function, FunctionType)}
    for module in (door, *modules):
        for name, value in list(vars(module).items()):
            if isinstance(value, FunctionType) and value in wrapped:
                setattr(module, name, wrapped[value])


def plain(value: Any) -> Any:
    """Write a value as JSON: an array with its type, everything else as its parts."""
    if isinstance(value, np.ndarray | np.generic):
        # where NumPy chooses, a whole number is as wide as the engine's addresses
        kind = str(value.dtype) if value.dtype.kind == "f" else value.dtype.kind
        return {"dtype": kind, "shape": list(value.shape), "values": value.ravel().tolist()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [plain(getattr(value, field.name)) for field in dataclasses.fields(value)]
    if isinstance(value, dict):
        return [[str(key), plain(part)] for key, part in value.items()]
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    return value if isinstance(value, int | float | str | None) else type(value).__name__


if __name__ == "__main__":
    written = run_vectors()
    Path(sys.argv[1]).write_text(written, encoding="utf-8")
