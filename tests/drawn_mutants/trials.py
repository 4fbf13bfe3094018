"""Try a mutant: a process of its own imports it and runs the tests that reach it, until one fails."""

import json
import multiprocessing
import os
import resource
import signal
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from drawn_mutants.exchange import Exchange
from drawn_mutants.outcomes import End
from drawn_mutants.reach import OPTIONS, Test, rounds
from hypothesis import Phase, settings

SPACE = 4 << 30
"""Bytes that a trial may write to."""
LONGEST_WAIT = 300.0
"""Seconds after which a trial is ended that waits for something, and uses no processor."""
PASSED, NONE_LEFT, NOTICED = 0, 5, {1, 2, 4}
"""How pytest ends: no test fails; none is left, as parameters are others; one fails, or nothing can be imported."""


class _Chosen:
    """Run chosen tests in their order, each with a limit of processor time."""

    def __init__(self, tests: Sequence[Test]) -> None:
        self.tests = {test.id: (place, test.seconds) for place, test in enumerate(tests)}
        self.failed = ""

    def pytest_collection(self) -> None:
        # the bytecode of sound files lies in a folder of this run, where every trial finds it again
        sys.dont_write_bytecode = False

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        chosen = [item for item in items if item.nodeid in self.tests]
        items[:] = sorted(chosen, key=lambda item: self.tests[item.nodeid][0])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        limit_processor(5 + 10 * self.tests[item.nodeid][1])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed = report.nodeid


def limit_processor(seconds: float) -> None:
    """End this process by SIGPROF when it has used so much more of the processor, wherever it is."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds)


def run_tests(sources: Mapping[str, str], tests: Sequence[Test]) -> dict[str, Any]:
    """Run tests in this process on modules with these texts: pytest's code and the test that failed."""
    limit_processor(60)
    sys.meta_path.insert(0, Exchange(sources))
    chosen = _Chosen(tests)
    code = int(pytest.main([*OPTIONS, *dict.fromkeys(test.file for test in tests)], plugins=[chosen]))
    return {"code": code, "failed": chosen.failed}


def try_mutant(module: str, source: str, lines: Sequence[int], tests: Sequence[Test]) -> tuple[End, str]:
    """Give the tests round after round until one fails: how it ended, and by what.

    Raises:
        RuntimeError: pytest ended in another way than by the tests.
    """
    for chosen in rounds(tests, module, lines):
        code, answer = apart(partial(run_tests, {module: source}, chosen))
        if code in {-signal.SIGPROF, -signal.SIGKILL}:
            return "killed by time", ""
        if answer is None:
            return "killed", f"signal {-code}"
        if answer["code"] in NOTICED:
            return "killed", answer["failed"]
        if answer["code"] not in {PASSED, NONE_LEFT}:
            raise RuntimeError(f"{module}: expected pytest to end with 0, 1, 2, 4 or 5, got {answer['code']}")
    return "survived", ""


def pass_alone(tests: Sequence[Test]) -> None:
    """Run tests in the way of a trial on the sound modules: what they noticed was the mutants' doing.

    Raises:
        RuntimeError: one of them fails.
    """
    code, answer = apart(partial(run_tests, {}, tests), wait=1800)
    if answer is None or answer["code"] not in {PASSED, NONE_LEFT}:
        raise RuntimeError(f"expected the tests to pass without a mutant, got {answer or code}")


def apart(work: Callable[[], Any], wait: float = LONGEST_WAIT) -> tuple[int, Any]:
    """Call in a forked process that prints nothing: how it ended, and what came back when no signal ended it.

    Raises:
        RuntimeError: the process failed by itself.
    """
    with tempfile.TemporaryDirectory() as folder:
        answer, said = Path(folder) / "answer.json", Path(folder) / "said.txt"
        process = multiprocessing.get_context("fork").Process(target=_work, args=(work, answer, said))
        process.start()
        process.join(wait)
        if process.is_alive() and process.pid is not None:
            os.killpg(process.pid, signal.SIGKILL)
            process.join()
        code = process.exitcode or 0
        if code > 0:
            raise RuntimeError(
                f"expected a trial to answer, got exit {code}:\n{said.read_text('utf-8', 'replace')[-2000:]}"
            )
        return code, json.loads(answer.read_text("utf-8")) if code == 0 else None


def _work(work: Callable[[], Any], answer: Path, said: Path) -> None:
    os.setsid()
    resource.setrlimit(resource.RLIMIT_DATA, (SPACE, SPACE))
    settings.register_profile(
        "drawn", derandomize=True, database=None, deadline=None, phases=[Phase.explicit, Phase.generate]
    )
    settings.load_profile("drawn")
    with said.open("w") as stream:
        os.dup2(stream.fileno(), 1)
        os.dup2(stream.fileno(), 2)
        answer.write_text(json.dumps(work()), "utf-8")
    # threads that a mutant left behind are not waited for
    os._exit(0)
