"""What `k3 regress` shows while a browser works; it stands apart because it needs the packages that drive one."""

from pathlib import Path

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from site_build.evidence import write_evidence
from site_build.regress.report import STATES, Run, evidence_of
from site_build.regress.run import Plan, regress_site, suite_names
from site_build.regress.runner import Outcome
from site_build.regress.survey import UnreadableError

__all__ = ["Plan", "drive", "suite_names"]


def drive(plan: Plan, *, evidence: bool) -> bool:
    """Run the suites and say on standard error how far they are; whether all is right."""
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    try:
        with Progress(*columns, console=console, transient=True) as progress:
            bar = progress.add_task("reading the site", total=None)

            def ended(outcome: Outcome) -> None:
                progress.update(bar, advance=1, description=outcome.suite)
                _tell(progress.console, outcome)

            run = regress_site(plan, lambda cases: progress.update(bar, total=cases, description="looking"), ended)
    except UnreadableError as reason:
        typer.echo(str(reason), err=True)
        return False
    _sum_up(console, run, plan.report)
    if evidence:
        write_evidence(plan.root or Path(), "regress", evidence_of(run))
    return run.good


def _tell(console: Console, outcome: Outcome) -> None:
    """A line for each fault, as soon as it is known."""
    if outcome.state in ("failed", "flaky"):
        for fault in outcome.faults:
            console.print(f"{outcome.state}: {outcome.suite}: {outcome.name}: {fault}", markup=False)


def _sum_up(console: Console, run: Run, report: Path) -> None:
    for suite in run.suites:
        seconds = sum(one.seconds for one in run.outcomes if one.suite == suite)
        counts = ", ".join(f"{len(found)} {state}" for state in STATES if (found := run.of(state, suite)))
        console.print(f"{suite}: {counts or 'nothing of that kind'}, {seconds:.0f} s", markup=False)
    for note in run.notes:
        console.print(note, markup=False)
    counts = f"{len(run.outcomes)} cases, {len(run.of('failed'))} failed, {len(run.of('flaky'))} flaky"
    style = "bold green" if run.good else "bold red"
    where = report / "index.html"
    console.print(f"build {run.build}: {counts}, {run.seconds:.0f} s: {where}", style=style, markup=False)
