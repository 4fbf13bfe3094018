"""The command line. Exit codes: 0 right, 1 faults found, 2 wrong usage."""

import gc
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import sleep
from typing import Annotated, Literal

import typer
from rich.console import Console

from site_build.checks import find_problems, promised_counts
from site_build.live import LiveSite
from site_build.messages import WORDS, put_in_words
from site_build.model import Ledger
from site_build.plugin import build_site
from site_build.problems import Faults, Problem
from site_build.serving import make_server
from site_build.source import read_ledger

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Check, build and serve a research ledger.",
)
Root = Annotated[Path, typer.Option("--root", help="The project's folder.", exists=True, file_okay=False)]
Lang = Annotated[Literal["en", "zh"], typer.Option("--lang", help="Language of the messages.")]
Format = Annotated[Literal["text", "json", "github"], typer.Option("--format", help="How problems are printed.")]

POLL_SECONDS = 0.5


@app.command()
def check(root: Root = Path(), lang: Lang = "en", format: Format = "text") -> None:  # noqa: A002 - the option's name
    """Report every fault of the ledger."""
    reading = read_ledger(root)
    problems = find_problems(reading)
    counts = promised_counts(reading.ledger) if reading.ledger else {}
    if format == "json":
        typer.echo(as_json(problems, reading.ledger, lang))
    else:
        report(problems, lang, github=format == "github")
        say_verdict(problems, counts, lang)
    raise typer.Exit(1 if any(problem.severity == "error" for problem in problems) else 0)


@app.command()
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


@app.command()
def serve(
    root: Root = Path(),
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0 takes a free one.")] = 8000,
    lang: Lang = "en",
) -> None:
    """Serve a preview that follows your edits: faults stand in the page, and the site folder is left alone."""
    with TemporaryDirectory(prefix="preview-") as folder:
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


def report(problems: tuple[Problem, ...], lang: str, *, github: bool = False) -> None:
    """Print one line a problem."""
    for problem in problems:
        worded = put_in_words(problem, lang)
        if github:
            place = problem.place
            # a bare percent sign would begin an escape of the runner's own
            where = f"file={place.file},line={place.line},col={place.column}".replace("%", "%25")
            typer.echo(f"::{problem.severity} {where}::{worded.line.replace('%', '%25')}")
        else:
            typer.echo(worded.line)


def say_verdict(problems: tuple[Problem, ...], counts: dict[str, int], lang: str) -> None:
    """Print the last line of a run."""
    errors = sum(problem.severity == "error" for problem in problems)
    there = ", ".join(f"{count} {name}" for name, count in counts.items()) or "-"
    text = WORDS[lang].verdict.format(errors=errors, warnings=len(problems) - errors, counts=there)
    Console(stderr=True, highlight=False).print(text, style="bold red" if errors else "bold green", soft_wrap=True)


def as_json(problems: tuple[Problem, ...], ledger: Ledger | None, lang: str) -> str:
    """Counts and problems for machines: `counts` the promised records, `all` every record."""
    promised = promised_counts(ledger) if ledger else {}
    names = {"path_nodes": "nodes"}
    every = {
        "questions": len(ledger.questions) if ledger else 0,
        "figures": len(ledger.figures) if ledger else 0,
        "tables": len(ledger.tables) if ledger else 0,
        "labs": len(ledger.labs) if ledger else 0,
        "nodes": len(ledger.nodes) if ledger else 0,
    }
    counts = dict.fromkeys(every, 0) | {names.get(name, name): count for name, count in promised.items()}
    return json.dumps(
        {"counts": counts, "all": every, "problems": [_as_data(problem, lang) for problem in problems]},
        ensure_ascii=False,
        indent=2,
    )


def _as_data(problem: Problem, lang: str) -> dict[str, object]:
    worded = put_in_words(problem, lang)
    place = problem.place
    return {
        "code": problem.code,
        "severity": problem.severity,
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "field": place.field,
        "expected": worded.expected,
        "got": worded.got,
        "remedy": worded.remedy,
        "message": worded.line,
    }
