"""The command line. Exit codes: 0 right, 1 faults found, 2 wrong usage."""

import typer

from site_build.cli.checking import check
from site_build.cli.citing import cite
from site_build.cli.comparing import diff
from site_build.cli.editing import codes, fmt, new, schema
from site_build.cli.labs import coverage, parity, runtime
from site_build.cli.publishing import build, export_docs, serve
from site_build.cli.regressing import regress
from site_build.cli.releasing import release, verify

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Check, build and serve a research ledger.",
)
COMMANDS = (
    *(check, build, serve, new, fmt, schema, codes, runtime, parity, coverage, diff, export_docs),
    *(regress, release, verify),
)
for command in COMMANDS:
    app.command()(command)
app.add_typer(cite, name="cite")

__all__ = ["app"]
