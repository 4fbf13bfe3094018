"""`k3 build` and `k3 serve`."""

import gc
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import sleep
from typing import Annotated

import typer

from site_build.cli.options import CACHE, Lang, Root
from site_build.cli.reporting import report, say_verdict
from site_build.memory import keep_in
from site_build.problems import Faults
from site_build.serving import make_server

POLL_SECONDS = 0.5


def build(
    root: Root = Path(),
    out: Annotated[Path | None, typer.Option("--out", help="Where the site goes; `site/` in the project.")] = None,
    address: Annotated[str | None, typer.Option("--address", help="Where the site will stand.")] = None,
    lang: Lang = "en",
) -> None:
    """Build the site; the old one stays whole until the new one is finished."""
    target = (out or root / "site").absolute()
    if address is not None and not address.startswith(("http://", "https://")):
        raise typer.BadParameter(f"expected http:// or https://, got {address}", param_hint="--address")
    if not may_be_replaced(target, root):
        expected = "expected a folder that is new, empty or a built site, outside the project's own folders"
        raise typer.BadParameter(f"{expected}, got {target}", param_hint="--out")
    identity = _build(root, target, address, lang)
    typer.echo(f"{target}: build {identity}")


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


def may_be_replaced(target: Path, root: Path) -> bool:
    """Whether a build may take the place of `target`: it never holds the project, nor anything but a built site."""
    place, project = target.resolve(), root.resolve()
    inputs = (project / "ledger", project / "content")
    if project.is_relative_to(place) or any(place.is_relative_to(folder) for folder in inputs):
        return False
    return not target.exists() or (target.is_dir() and (is_site(target) or not any(target.iterdir())))


def is_site(folder: Path) -> bool:
    """Whether a folder holds a site that this program built."""
    return (folder / "index.html").is_file() and (folder / "assets" / "ledger").is_dir()


def _build(root: Path, target: Path, address: str | None, lang: str) -> str:
    from site_build.plugin import build_site  # noqa: PLC0415 - MkDocs comes in only where pages are made

    keep_in(root.absolute() / CACHE)
    try:
        return build_site(root.absolute(), target, address)
    except Faults as faults:
        report(faults.problems, lang)
        say_verdict(faults.problems, {}, lang)
    except OSError as error:
        typer.echo(
            f"{error.filename or target}: expected a folder that can be written, got: {error.strerror}.", err=True
        )
    raise typer.Exit(1)
