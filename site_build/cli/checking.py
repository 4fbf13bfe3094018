"""`k3 check`."""

from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import typer

from site_build.checks import find_problems, promised_counts
from site_build.cli.options import CACHE, Lang, Root
from site_build.cli.reporting import as_json, commit_date, report, say_verdict
from site_build.memory import keep_in
from site_build.source import read_ledger

Format = Annotated[Literal["text", "json", "github"], typer.Option("--format", help="How problems are printed.")]


def check(
    root: Root = Path(),
    lang: Lang = "en",
    format: Format = "text",  # noqa: A002 - the option's name
    today: Annotated[datetime | None, typer.Option("--today", formats=["%Y-%m-%d"], help="Date for reviews.")] = None,
) -> None:
    """Report every fault of the ledger; reviews are measured against the last commit's date."""
    keep_in(root / CACHE)
    reading = read_ledger(root)
    problems = find_problems(reading, today.date().isoformat() if today else commit_date(root))
    counts = promised_counts(reading.ledger) if reading.ledger else {}
    if format == "json":
        typer.echo(as_json(problems, reading.ledger, lang))
    else:
        report(problems, lang, github=format == "github")
        say_verdict(problems, counts, lang)
    raise typer.Exit(1 if any(problem.severity == "error" for problem in problems) else 0)
