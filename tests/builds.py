"""Builds in processes of their own, made once for all workers of a test run."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

BLOCKER = """\
import sys


class Blocker:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] == "k3core":
            raise ModuleNotFoundError("k3core is blocked", name=name)


sys.meta_path.insert(0, Blocker)
"""
"""A `sitecustomize` module that hides the K3 numerics from every import."""
LONGEST_WAIT = 120.0


@dataclass(frozen=True)
class Built:
    """A project and what was built from it."""

    root: Path
    site: Path


@dataclass(frozen=True)
class Run:
    """What a command left behind."""

    code: int
    output: str
    errors: str


def run_python(*arguments: str, path: Path | None = None, hash_seed: int = 0, cwd: Path | None = None) -> Run:
    """Run Python with `path` in front of its modules."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": str(hash_seed)}
    environment.pop("SOURCE_DATE_EPOCH", None)
    if path is not None:
        environment["PYTHONPATH"] = os.pathsep.join([str(path), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, *arguments], env=environment, cwd=cwd, capture_output=True, encoding="utf-8", check=False
    )
    return Run(done.returncode, done.stdout, done.stderr)


def blocked(folder: Path) -> Path:
    """A folder that, in front of Python's modules, makes `k3core` not importable."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sitecustomize.py").write_text(BLOCKER, encoding="utf-8")
    return folder


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that the first worker to ask makes, and all share."""
    base = factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, verdict = base / name, base / f"{name}.verdict"
    try:
        folder.mkdir()
    except FileExistsError:
        _wait_for(verdict)
    else:
        try:
            make(folder)
        except BaseException as error:
            verdict.write_text(repr(error), encoding="utf-8")
            raise
        verdict.write_text("made", encoding="utf-8")
    found = verdict.read_text(encoding="utf-8")
    assert found == "made", found
    return folder


def _wait_for(file: Path) -> None:
    end = time.monotonic() + LONGEST_WAIT
    while not file.exists():
        assert time.monotonic() < end, f"{file} did not come in {LONGEST_WAIT} s"
        time.sleep(0.05)
