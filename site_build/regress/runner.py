"""Run cases side by side, try a failed one once more, and keep what shows the fault."""

import queue
import re
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Error, Page, Playwright, expect, sync_playwright

from site_build.model import Ledger
from site_build.regress.cases import Case, ElsewhereError, Fault, Visit
from site_build.regress.chromium import launch
from site_build.regress.servers import World, refusing
from site_build.regress.survey import Survey

PICTURES = 3
"""Screenshots of one case at most."""
MOST_FAULTS = 20
type State = Literal["passed", "failed", "flaky", "elsewhere"]


@dataclass(frozen=True)
class Task:
    """A case of a suite."""

    suite: str
    case: Case

    @property
    def slug(self) -> str:
        """The case as a file name."""
        return re.sub(r"[^\w.-]+", "-", f"{self.suite} {self.case.name}").strip("-")


@dataclass(frozen=True)
class Outcome:
    """How a case ended."""

    suite: str
    name: str
    state: State
    seconds: float
    faults: tuple[str, ...] = ()
    """What is wrong; of a flaky case, what was wrong the first time."""
    pictures: tuple[str, ...] = ()
    """Screenshots, from the report's folder."""
    trace: str = ""
    owner: str = ""
    """The suite that tells the fault which kept this case from looking."""


@dataclass
class Bench:
    """What all cases of a run share."""

    survey: Survey
    report: Path
    ledger: Ledger | None = None
    tell: Callable[[Outcome], None] = lambda _: None
    browser: str = ""
    """Name and version, once it runs."""
    lock: threading.Lock = field(default_factory=threading.Lock)


@dataclass(frozen=True)
class Desk:
    """What the cases of one worker share."""

    browser: Browser
    world: World
    pool: dict[str, Page]


def run_tasks(bench: Bench, tasks: Sequence[Task], workers: int) -> list[Outcome]:
    """Run every task, the heavy ones first; the outcomes in the tasks' own order."""
    waiting: queue.SimpleQueue[tuple[int, Task]] = queue.SimpleQueue()
    for place, task in sorted(enumerate(tasks), key=lambda item: not item[1].case.heavy):
        waiting.put((place, task))
    found: dict[int, Outcome] = {}
    faults: list[BaseException] = []

    def work() -> None:
        try:
            _work(bench, waiting, found)
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=work, daemon=True) for _ in range(max(1, min(workers, len(tasks))))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]
    return settle([found[place] for place in sorted(found)], {task.suite for task in tasks})


def settle(outcomes: Iterable[Outcome], suites: set[str]) -> list[Outcome]:
    """A case that could not look counts as failed, unless the suite that owns the reason ran and tells it."""
    every = list(outcomes)
    failed = {outcome.suite for outcome in every if outcome.state == "failed"}
    told = failed & suites
    return [
        replace(outcome, state="failed") if outcome.state == "elsewhere" and outcome.owner not in told else outcome
        for outcome in every
    ]


def _work(bench: Bench, waiting: "queue.SimpleQueue[tuple[int, Task]]", found: dict[int, Outcome]) -> None:
    expect.set_options(timeout=20_000)
    with sync_playwright() as playwright, refusing() as world, ExitStack() as open_ones:
        browser, pool = _start(playwright, open_ones), dict[str, Page]()
        bench.browser = f"Chromium {browser.version}"
        while True:
            try:
                place, task = waiting.get_nowait()
            except queue.Empty:
                return
            if not browser.is_connected():
                browser, pool = _start(playwright, open_ones), {}
            outcome = _twice(bench, Desk(browser, world, pool), task)
            with bench.lock:
                found[place] = outcome
                bench.tell(outcome)


def _start(playwright: Playwright, open_ones: ExitStack) -> Browser:
    browser = launch(playwright)
    open_ones.callback(browser.close)
    return browser


def _twice(bench: Bench, desk: Desk, task: Task) -> Outcome:
    """Run a case; where it fails once more, with a trace."""
    first = _once(bench, desk, task, trace=False)
    if first.state != "failed":
        return first
    second = _once(bench, desk, task, trace=True)
    seconds = first.seconds + second.seconds
    if second.state == "failed":
        return replace(second, seconds=seconds)
    return replace(first, state="flaky", seconds=seconds)


def _once(bench: Bench, desk: Desk, task: Task, *, trace: bool) -> Outcome:
    desk.world.strangers.clear()
    file = bench.report / "traces" / f"{task.slug}.zip" if trace else None
    visit = Visit(bench.survey, desk.browser, desk.world, bench.ledger, file, pool=desk.pool)
    begin = time.monotonic()
    faults: list[str] = []
    pictures: list[str] = []
    state: State = "passed"
    owner = ""
    try:
        for fault in task.case.look(visit):
            state = "failed"
            faults.append(fault.text)
            if len(pictures) < PICTURES and (picture := _shoot(bench, visit, task, fault, len(pictures))):
                pictures.append(picture)
            if len(faults) == MOST_FAULTS:
                break
    except ElsewhereError as reason:
        owner, faults = reason.owner, [*faults, reason.text]
        state = "failed" if state == "failed" else "elsewhere"
    except (Error, AssertionError, LookupError, TypeError, ValueError) as reason:
        state = "failed"
        faults.append(" ".join(f"{type(reason).__name__}: {reason}".split())[:400])
    if state != "passed" and not pictures and (picture := _shoot(bench, visit, task, Fault(""), 0)):
        pictures.append(picture)
    _close(visit, good=state == "passed")
    kept = f"traces/{file.name}" if file and file.is_file() else ""
    seconds = time.monotonic() - begin
    return Outcome(task.suite, task.case.name, state, seconds, tuple(faults), tuple(pictures), kept, owner)


def _close(visit: Visit, *, good: bool) -> None:
    try:
        visit.close(good=good)
    except Error:
        # the browser has gone, and its profiles with it
        visit.pool.clear()


def _shoot(bench: Bench, visit: Visit, task: Task, fault: Fault, number: int) -> str:
    """A screenshot of where the fault shows; none where no page can be had."""
    name = f"pictures/{task.slug}-{number + 1}.png"
    try:
        page = visit.page or visit.fresh()
        if fault.page is not None and page.url.partition("#")[0] != bench.survey.base + fault.page:
            page.goto(bench.survey.base + fault.page)
        page.screenshot(path=bench.report / name, timeout=10_000)
    except Error:
        return ""
    return name
