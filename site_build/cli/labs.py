"""`k3 runtime` and `k3 parity`."""

import subprocess
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from site_build.cli.options import Root


def runtime(
    action: Annotated[Literal["fetch", "verify", "status"], typer.Argument(help="Get the files, or look at them.")],
    root: Root = Path(),
) -> None:
    """Get or check the Python runtime of the labs, file by file against the pinned hashes; `status` ends with 0."""
    from site_build.labs import fetch_runtime, find_runtime  # noqa: PLC0415 - pages come in only where labs do

    whole = True
    for found in fetch_runtime(root) if action == "fetch" else find_runtime(root):
        whole = whole and found.content is not None
        refusals = found.refusals if found.content is None else [line for line in found.refusals if "refused" in line]
        for line in (*(f"{found.file.name}: {refusal}" for refusal in refusals), found.line):
            typer.echo(line, err=found.content is None)
    raise typer.Exit(0 if whole or action == "status" else 1)


def parity(
    root: Root = Path(),
    run: Annotated[bool, typer.Option("--run", help="Ask every lab of the built site in a browser first.")] = False,
    site: Annotated[Path | None, typer.Option("--site", help="A built site; `site/` in the project.")] = None,
) -> None:
    """Show how far the labs' engines agree, as the last comparison found it."""
    from site_build.labs import parity_lines, read_parity  # noqa: PLC0415 - as in `runtime`

    if run:
        command = [sys.executable, "-m", "site_build.regress.parity", str(root), str(site or root / "site")]
        if code := subprocess.run(command, check=False).returncode:
            raise typer.Exit(code)
    found = read_parity(root)
    if found is None:
        typer.echo(f"{root}: expected the last comparison in evidence/, got none. Run: k3 parity --run", err=True)
        raise typer.Exit(1)
    for line in parity_lines(found):
        typer.echo(line)
