"""`k3 build` and `k3 serve`."""

import gc
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import sleep
from typing import Annotated

import typer

from site_build.cli.options import CACHE, Lang, Root
from site_build.cli.reporting import read_or_report, report, say_verdict, unwritable
from site_build.memory import keep_in
from site_build.problems import Faults
from site_build.serving import make_server
from site_build.swap import built_aside

POLL_SECONDS = 0.5
_REPLACEABLE = "expected a folder that is new, empty or {}, outside the project's own folders"


def build(
    root: Root = Path(),
    out: Annotated[Path | None, typer.Option("--out", help="Where the site goes; `site/` in the project.")] = None,
    address: Annotated[str | None, typer.Option("--address", help="Where the site will stand.")] = None,
    lang: Lang = "en",
) -> None:
    """Build the site; the old one stays whole until the new one is finished."""
    target = (out or root / "site").absolute()
    address_or_refuse(address)
    if not may_be_replaced(target, root, is_site):
        raise typer.BadParameter(f"{_REPLACEABLE.format('a built site')}, got {target}", param_hint="--out")
    identity = _build(root, target, address, lang)
    typer.echo(f"{target}: build {identity}")


def export_docs(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A folder that is new, empty or an earlier export.")],
    root: Root = Path(),
    lang: Lang = "en",
) -> None:
    """Write the site's pages as a plain docs tree that MkDocs with Material and Zensical build without this program."""
    from site_build.exports import write_docs  # noqa: PLC0415 - as in `_build`

    target = out.absolute()
    if not may_be_replaced(target, root, is_export):
        raise typer.BadParameter(f"{_REPLACEABLE.format('an earlier export')}, got {target}", param_hint="OUT")
    ledger = read_or_report(root, lang)
    with TemporaryDirectory(prefix="export-") as folder:
        site = Path(folder) / "site"
        _build(root, site, None, lang)
        try:
            with built_aside(target) as aside:
                count = write_docs(site, ledger, aside)
        except OSError as error:
            report((unwritable(error, target),), lang)
            raise typer.Exit(1) from None
    typer.echo(f"{target}: {count} pages")


def serve(
    root: Root = Path(),
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0 takes a free one.")] = 8000,
    lang: Lang = "en",
) -> None:
    """Serve a preview that follows your edits: faults stand in the page, and the site folder is left alone."""
    from site_build.live import LiveSite  # noqa: PLC0415 - as in `_build`

    with TemporaryDirectory(prefix="preview-") as folder:
        keep_in(root.absolute() / CACHE)
        site = LiveSite(root.absolute(), Path(folder) / "site", lang)
        site.follow()
        try:
            server = make_server(site.folder, port, newest=lambda: site.newest)
        except OSError as error:
            typer.echo(f"--port: expected a free port, got {port}. {error.strerror}; choose another.", err=True)
            raise typer.Exit(1) from None
        typer.echo(f"http://127.0.0.1:{server.server_port}/  (Ctrl-C ends)")
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            while True:
                sleep(POLL_SECONDS)
                if site.follow():
                    typer.echo(f"build {site.newest}")
                    gc.collect()
        except KeyboardInterrupt:
            server.shutdown()
            server.server_close()


def address_or_refuse(address: str | None) -> None:
    """Accept no address, or one of the web."""
    if address is not None and not address.startswith(("http://", "https://")):
        raise typer.BadParameter(f"expected http:// or https://, got {address}", param_hint="--address")


def may_be_replaced(target: Path, root: Path, is_ours: Callable[[Path], bool]) -> bool:
    """Whether something new may take the place of `target`: it never holds the project, nor what is not ours."""
    place, project = target.resolve(), root.resolve()
    inputs = (project / "ledger", project / "content")
    if project.is_relative_to(place) or any(place.is_relative_to(folder) for folder in inputs):
        return False
    return not target.exists() or (target.is_dir() and (is_ours(target) or not any(target.iterdir())))


def is_site(folder: Path) -> bool:
    """Whether a folder holds a site that this program built."""
    return (folder / "index.html").is_file() and (folder / "assets" / "ledger").is_dir()


def is_export(folder: Path) -> bool:
    """Whether a folder holds nothing but a docs tree that this program wrote."""
    return {item.name for item in folder.iterdir()} == {"docs", "mkdocs.yml"} and (folder / "docs/index.md").is_file()


def _build(root: Path, target: Path, address: str | None, lang: str) -> str:
    from site_build.plugin import build_site  # noqa: PLC0415 - MkDocs comes in only where pages are made

    keep_in(root.absolute() / CACHE)
    try:
        return build_site(root.absolute(), target, address)
    except Faults as faults:
        report(faults.problems, lang)
        say_verdict(faults.problems, {}, lang)
    except OSError as error:
        report((unwritable(error, target),), lang)
    raise typer.Exit(1)
