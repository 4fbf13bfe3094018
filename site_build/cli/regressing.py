"""`k3 regress`."""

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from site_build.cli.options import Root
from site_build.cli.publishing import is_site

NEEDS = ("playwright", "axe_playwright_python", "pypdf")
REPORT = ".cache/regress"
WORKERS = min((os.cpu_count() or 2) + 1, 4)
"""One more than processors, since a page that is waited for needs none."""


def regress(
    folder: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="A built site; `site/` in the project.")
    ] = None,
    *,
    url: Annotated[str | None, typer.Option("--url", help="A deployed address, instead of a folder.")] = None,
    suite: Annotated[list[str] | None, typer.Option("--suite", help="Only this suite; may be repeated.")] = None,
    case: Annotated[list[str] | None, typer.Option("--case", help="Only cases with this in `suite: case`.")] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, max=16, help="Cases at a time.")] = WORKERS,
    report: Annotated[Path | None, typer.Option("--report", help=f"The report's folder; `{REPORT}/`.")] = None,
    evidence: Annotated[bool, typer.Option("--evidence", help="Write evidence/regress.json too.")] = False,
    root: Root = Path(),
) -> None:
    """Drive a browser through a built site or a deployed address, suite by suite, and report what is wrong."""
    if missing := next((name for name in NEEDS if find_spec(name) is None), None):
        typer.echo(f"expected the package {missing}, got none. Run: pip install 'k3-ledger[browser]'", err=True)
        raise typer.Exit(1)
    from site_build.cli.driving import Plan, drive, suite_names  # noqa: PLC0415 - a browser comes in only here

    names = suite_names(remote=url is not None)
    if wrong := next((name for name in suite or () if name not in names), None):
        raise typer.BadParameter(f"expected one of {', '.join(names)}, got {wrong}", param_hint="--suite")
    chosen = tuple(name for name in names if not suite or name in suite)
    site = None if url else _folder(folder or root / "site")
    if url is not None:
        _address(url, folder)
    good = drive(Plan(site, url, chosen, workers, report or root / REPORT, root, tuple(case or ())), evidence=evidence)
    raise typer.Exit(0 if good else 1)


def _folder(site: Path) -> Path:
    if not is_site(site):
        raise typer.BadParameter(f"expected a built site, got {site}. Run: k3 build", param_hint="DIR")
    return site


def _address(url: str, folder: Path | None) -> None:
    if not url.startswith(("http://", "https://")):
        raise typer.BadParameter(f"expected http:// or https://, got {url}", param_hint="--url")
    if folder is not None:
        raise typer.BadParameter(f"expected a folder or an address, got both: {folder} and {url}", param_hint="--url")
