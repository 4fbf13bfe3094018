"""`k3 runtime`, `k3 parity` and `k3 coverage`."""

import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from site_build.cli.options import Root
from site_build.cli.reporting import reporting
from site_build.evidence import read_evidence, read_parity


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
    from site_build.labs import parity_lines  # noqa: PLC0415 - as in `runtime`

    found = _evidence("parity", root, site or root / "site", run=run)
    with reporting("en"):
        found = read_parity(root) or found
    for line in parity_lines(found):
        typer.echo(line)


def coverage(
    root: Root = Path(),
    run: Annotated[bool, typer.Option("--run", help="Look at the built site in a browser first.")] = False,
    site: Annotated[Path | None, typer.Option("--site", help="A built site; `site/` in the project.")] = None,
) -> None:
    """Show which promised records a browser found on their pages, and what was wrong with the others."""
    found = _evidence("coverage", root, site or root / "site", run=run)
    typer.echo(f"build {found['build']}, {found['browser']}")
    faults = 0
    for kind, records in found["records"].items():
        typer.echo(f"{kind}: {len(records)}")
        for id_, languages in records.items():
            for language, lines in languages.items():
                for line in lines:
                    faults += 1
                    typer.echo(f"{kind} {id_} ({language}): {line}")
    raise typer.Exit(1 if faults else 0)


def _evidence(name: str, root: Path, site: Path, *, run: bool) -> dict[str, Any]:
    """The last result of a command, after running it where that is asked for."""
    if run:
        command = [sys.executable, "-m", f"site_build.regress.{name}", str(root), str(site)]
        if (code := subprocess.run(command, check=False).returncode) and name == "parity":
            raise typer.Exit(code)
    with reporting("en"):
        found = read_evidence(root, name)
    if found is None:
        typer.echo(f"{root}: expected the last result in evidence/, got none. Run: k3 {name} --run", err=True)
        raise typer.Exit(1)
    return found
