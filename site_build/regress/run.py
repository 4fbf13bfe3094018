"""Run suites over a built site or an address: survey, cases, report."""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from site_build.model import Ledger
from site_build.regress.report import Run, clear, write_report
from site_build.regress.runner import Bench, Outcome, Task, run_tasks
from site_build.regress.servers import running
from site_build.regress.survey import Survey, read_survey
from site_build.regress.table import REMOTE, SUITES
from site_build.serving import make_server
from site_build.source import read_ledger

_CANONICAL = re.compile(r'<link rel="canonical" href="([^"]*)"')


@dataclass(frozen=True)
class Plan:
    """What a run looks at."""

    folder: Path | None
    address: str | None
    suites: tuple[str, ...]
    workers: int
    report: Path
    root: Path | None = None
    """The project that the site was built from, where it is at hand."""
    cases: tuple[str, ...] = ()
    """Only cases whose full names, `suite: case`, hold one of these; all where there are none."""

    def wants(self, suite: str, case: str) -> bool:
        """Whether a case is to be run."""
        return not self.cases or any(part in f"{suite}: {case}" for part in self.cases)


def suite_names(*, remote: bool) -> tuple[str, ...]:
    """Every suite; some look at what only a deployed site has."""
    return tuple(name for name in SUITES if remote or name not in REMOTE)


def regress_site(plan: Plan, begun: Callable[[int], None], tell: Callable[[Outcome], None]) -> Run:
    """Run the suites of a plan and write the report; `begun` hears how many cases there are, `tell` each that ended.

    Raises:
        UnreadableError: there is no site of this generator.
    """
    begin = time.monotonic()
    clear(plan.report)
    ledger = _ledger(plan.root)
    with _address(plan) as address:
        survey = read_survey(address, remote=plan.folder is None)
        bench = Bench(survey, plan.report, ledger=ledger, tell=tell)
        tasks = [
            Task(name, case)
            for name in plan.suites
            for case in SUITES[name](survey, ledger)
            if plan.wants(name, case.name)
        ]
        begun(len(tasks))
        outcomes = run_tasks(bench, tasks, plan.workers)
    run = Run(
        survey.build,
        plan.address or "",
        bench.browser,
        time.monotonic() - begin,
        plan.workers,
        plan.suites,
        tuple(outcomes),
        tuple(_notes(plan.suites, outcomes, survey, ledger)),
    )
    write_report(plan.report, run)
    return run


def _ledger(root: Path | None) -> Ledger | None:
    if root is None or not (root / "ledger" / "ledger.yaml").is_file():
        return None
    return read_ledger(root).ledger


@contextmanager
def _address(plan: Plan) -> Iterator[str]:
    """Where the site stands; a folder is served below the path that it was built for."""
    if plan.folder is None:
        yield f"{(plan.address or '').rstrip('/')}/"
        return
    found = _CANONICAL.search((plan.folder / "index.html").read_text(encoding="utf-8"))
    prefix = (urlsplit(found[1]).path if found else "") or "/"
    server = make_server(plan.folder, prefix=prefix)
    with running(server):
        yield f"http://127.0.0.1:{server.server_port}{prefix}"


def _notes(suites: Sequence[str], outcomes: Sequence[Outcome], survey: Survey, ledger: Ledger | None) -> Iterator[str]:
    """What was not looked at, and why."""
    seen = {outcome.suite for outcome in outcomes}
    for suite in suites:
        if suite not in seen:
            yield f"{suite}: this site has nothing of that kind."
    if ledger is None:
        yield "No ledger was at hand: what is expected comes from the site's own data."
    if survey.remote and survey.base != survey.built_for:
        yield f"The site says that it stands at {survey.built_for}."
