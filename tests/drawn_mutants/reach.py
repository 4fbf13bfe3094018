"""Which tests run which lines of the sound modules, and how long each takes."""

import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from drawn_mutants.exchange import Exchange, Lines

BUILT = {"mini", "hostile", "quoted"}
"""Fixtures that build sites in processes of their own, where no mutant runs."""
OPTIONS = ["-q", "-x", "-m", "not slow", "-p", "no:randomly", "-p", "no:xdist", "-p", "no:cacheprovider"]
# a trial begins with everything imported that is not the project's
OPTIONS += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
LONGEST = 10.0
"""Seconds of the processor that the tests of a mutant may take without it; what others notice does not count."""


@dataclass(frozen=True)
class Test:
    """One test of the sound modules."""

    __test__ = False

    id: str
    file: str
    seconds: float
    lines: frozenset[tuple[str, int]]
    """Module and line of all that it ran, its fixtures included."""


class _Recorder:
    def __init__(self, sources: Mapping[str, str]) -> None:
        self.tests: list[Test] = []
        self.failed: list[str] = []
        self.lines = Lines()
        sys.meta_path.insert(0, Exchange(sources, self.lines.watch))

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if BUILT.isdisjoint(getattr(item, "fixturenames", ()))]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.lines.restart()
        begin = time.process_time()
        done = yield
        seconds = time.process_time() - begin
        if self.lines.found:
            self.tests.append(Test(item.nodeid, str(item.path), seconds, frozenset(self.lines.found)))
        return done

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.longreprtext)


def reach(sources: Mapping[str, str], paths: Sequence[Path], without: Sequence[Path] = ()) -> list[Test]:
    """Run the tests below `paths` on the sound modules: every test that ran a line of a module.

    Raises:
        RuntimeError: a test fails without any mutant.
    """
    recorder = _Recorder(sources)
    arguments = [*OPTIONS, *(f"--ignore={path}" for path in without), *map(str, paths)]
    if code := pytest.main(arguments, plugins=[recorder]):
        raise RuntimeError(f"expected the tests to pass on the sound modules, got {code!r}: {recorder.failed}")
    return recorder.tests


def rounds(tests: Sequence[Test], module: str, lines: Sequence[int]) -> Iterator[list[Test]]:
    """The tests that run a statement, then those that run its module; the rest when none runs the statement.

    In a round the module's own file of tests comes first, then its package's files, then others, the cheaper first; all
    rounds together take at most `LONGEST`.
    """
    wanted, left = {(module, line) for line in lines}, LONGEST
    ranked: dict[int, list[Test]] = defaultdict(list)
    for test in tests:
        ranked[0 if wanted & test.lines else 1 if any(name == module for name, _ in test.lines) else 2].append(test)
    # what runs at the import alone, such as a constant, may matter to whoever imports it
    for rank in (0, 1) if ranked[0] else (1, 2):
        chosen = []
        for test in _by_file(ranked[rank], module):
            if test.seconds <= left:
                chosen.append(test)
                left -= test.seconds
        if chosen:
            yield chosen


def _by_file(tests: Sequence[Test], module: str) -> list[Test]:
    """Tests of one file stay together; folders and files are named after what they test."""
    package, _, name = module.rpartition(".")
    cost: dict[str, float] = defaultdict(float)
    for test in tests:
        cost[test.file] += test.seconds

    def place(test: Test) -> tuple[bool, bool, float, str]:
        file = Path(test.file)
        named = file.stem.startswith(f"test_{name}")
        return not named, file.parent.name != package.rpartition(".")[2], cost[test.file], test.file

    return sorted(tests, key=place)
