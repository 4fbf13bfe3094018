"""Draw mutants, see what the tests reach without them, and try them all."""

import contextlib
import importlib
import os
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from drawn_mutants.draw import Mutant, draw
from drawn_mutants.outcomes import Outcome
from drawn_mutants.reach import Test, reach
from drawn_mutants.trials import apart, pass_alone, try_mutant

ROOT = Path(__file__).parents[2]
SEED = 2026
TARGETS = {ROOT: "site_build/checks", ROOT / "k3core" / "src": "k3core"}
"""Packages to mutate, by the folder that Python finds them in."""
MECHANISMS = ROOT / "tests" / "unit" / "k3core"
TESTS = (MECHANISMS, ROOT / "tests" / "unit" / "site_build")
WITHOUT = (MECHANISMS / "test_mutations.py", MECHANISMS / "test_mutations_systems.py", MECHANISMS / "test_evidence.py")
"""These break the modules themselves, or compare evidence with the sources: they could fail because a text differs."""


def targets() -> dict[str, str]:
    """The text of every module that is mutated, by its dotted name."""
    files = ((base, path) for base, package in TARGETS.items() for path in sorted((base / package).rglob("*.py")))
    return {module_name(path.relative_to(base)): path.read_text("utf-8") for base, path in files}


def module_name(path: Path) -> str:
    """`site_build/checks/__init__.py` is `site_build.checks`."""
    return path.as_posix().removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def run(sources: Mapping[str, str], count: int, tests: Sequence[Path] = TESTS) -> Iterator[Outcome]:
    """Draw `count` mutants of the sources and try them on the tests below some paths, one after the other.

    Raises:
        RuntimeError: a test fails without a mutant, among all tests or among those alone that noticed one.
    """
    # a trial needs one core, and a fork no threads beside it
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    mutants, found = draw(sources, count, SEED), _sound_run(sources, tests)
    killers = set()
    with tempfile.TemporaryDirectory() as bytecode:
        sys.pycache_prefix = bytecode
        for mutant in mutants:
            outcome = _outcome(mutant, found)
            killers.add(outcome.by)
            yield outcome
        pass_alone([test for test in found if test.id in killers])


def _outcome(mutant: Mutant, tests: Sequence[Test]) -> Outcome:
    end, by = try_mutant(mutant.module, mutant.source, mutant.lines, tests)
    return Outcome(mutant.module, mutant.function, mutant.before, mutant.after, end, by)


def _sound_run(sources: Mapping[str, str], paths: Sequence[Path]) -> list[Test]:
    """What the tests reach, from a process of its own; what they import from elsewhere is imported here, for trials."""

    def look() -> list[object]:
        found = reach(sources, paths, WITHOUT)
        return [[[test.id, test.file, test.seconds, sorted(test.lines)] for test in found], list(_foreign())]

    _, (found, imported) = apart(look, wait=1800)
    for name in imported:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    return [
        Test(name, file, seconds, frozenset((module, line) for module, line in lines))
        for name, file, seconds, lines in found
    ]


def _foreign() -> Iterator[str]:
    """What this process has imported from Python and from installed packages."""
    homes = tuple(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None) or "").startswith(homes):
            yield name
