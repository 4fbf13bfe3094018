"""The command line. Exit codes: 0 right, 1 faults found, 2 wrong usage."""

import gc
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import sleep
from typing import Annotated, Literal

import typer
from rich.console import Console

from site_build.checks import find_problems, promised_counts
from site_build.edit import (
    ARXIV,
    Written,
    codes_page,
    format_files,
    new_claim,
    new_correction,
    new_ledger,
    new_node,
    new_question,
    new_redline,
    new_value,
    write_codes,
    write_schemas,
)
from site_build.labs import fetch_runtime, find_runtime, parity_lines, read_parity
from site_build.live import LiveSite
from site_build.memory import keep_in
from site_build.messages import WORDS, put_in_words
from site_build.model import Ledger
from site_build.plugin import build_site
from site_build.problems import Faults, Place, Problem
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
Kind = Literal["question", "claim", "node", "correction", "redline", "value", "ledger"]
NAMES: dict[Kind, str] = {"claim": "a question's id", "value": "an id", "node": "an id", "ledger": "a folder"}
"""What `k3 new` is told besides the kind; other kinds get the next free id."""

POLL_SECONDS = 0.5
CACHE = ".cache/results"


@app.command()
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


@app.command()
def new(
    kind: Annotated[Kind, typer.Argument(help="What to write.")],
    name: Annotated[str, typer.Argument(help="A claim's question, a value's or node's id, a ledger's folder.")] = "",
    *,
    bibtex: Annotated[Path | None, typer.Option("--bibtex", help="An export with a node's entry.", exists=True)] = None,
    arxiv: Annotated[str, typer.Option("--arxiv", help="The node's arXiv number.")] = "",
    root: Root = Path(),
    lang: Lang = "en",
) -> None:
    """Write a new record that can be read at once, and say what is still to be written in it."""
    if arxiv and not ARXIV.match(arxiv):
        raise typer.BadParameter(f"expected a number such as 2510.26692, got {arxiv}", param_hint="--arxiv")
    if arxiv and bibtex is None:
        raise typer.BadParameter("expected a file with the node's BibTeX, got none", param_hint="--bibtex")
    if bool(name) != (kind in NAMES) and not (kind == "node" and bibtex):
        expected = NAMES.get(kind, "nothing: a new id is taken")
        raise typer.BadParameter(f"expected {expected}, got {name or 'nothing'}", param_hint="NAME")
    writers: dict[Kind, Callable[[], Written]] = {
        "question": lambda: new_question(root),
        "claim": lambda: new_claim(root, name),
        "node": lambda: new_node(root, name, bibtex, arxiv),
        "correction": lambda: new_correction(root),
        "redline": lambda: new_redline(root),
        "value": lambda: new_value(root, name),
        "ledger": lambda: new_ledger(Path(name)),
    }
    project = Path(name) if kind == "ledger" else root
    with _reporting(lang):
        written = writers[kind]()
        place = written.place
        typer.echo(f"{project / place.file if kind == 'ledger' else place.file}:{place.line}: {place.field}")
        problems = find_problems(read_ledger(project), commit_date(project))
        inside = range(place.line, written.last_line + 1)
        report(tuple(p for p in problems if p.place.file == place.file and p.place.line in inside), lang)


@app.command()
def fmt(
    files: Annotated[list[Path] | None, typer.Argument(help="Ledger files; all of them if none is named.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; report files in another form.")] = False,
    root: Root = Path(),
    lang: Lang = "en",
) -> None:
    """Bring the ledger's YAML into its one form; no value changes, comments stay."""
    named = [below(root, file) for file in files or ()]
    with _reporting(lang):
        done = format_files(root, named, check=check)
        for file in done.changed if not check else ():
            typer.echo(file)
        if done.problems:
            raise Faults(done.problems)


@app.command()
def schema(
    root: Root = Path(),
    out: Annotated[Path | None, typer.Option("--out", help="A folder; `ledger/schema/` in the project.")] = None,
) -> None:
    """Write a JSON Schema for each kind of ledger file."""
    with _reporting("en"):
        for file in write_schemas(root, out):
            typer.echo(file)


@app.command()
def codes(
    root: Root = Path(),
    lang: Lang = "en",
    write: Annotated[bool, typer.Option("--write", help="Write content/codes.<language>.md instead.")] = False,
) -> None:
    """Print a page that lists every code of `k3 check`."""
    if not write:
        typer.echo(codes_page(lang), nl=False)
        return
    with _reporting(lang):
        for file in write_codes(root):
            typer.echo(file)


@app.command()
def runtime(
    action: Annotated[Literal["fetch", "verify", "status"], typer.Argument(help="Get the files, or look at them.")],
    root: Root = Path(),
) -> None:
    """Get or check the Python runtime of the labs, file by file against the pinned hashes; `status` ends with 0."""
    whole = True
    for found in fetch_runtime(root) if action == "fetch" else find_runtime(root):
        whole = whole and found.content is not None
        refusals = found.refusals if found.content is None else [line for line in found.refusals if "refused" in line]
        for line in (*(f"{found.file.name}: {refusal}" for refusal in refusals), found.line):
            typer.echo(line, err=found.content is None)
    raise typer.Exit(0 if whole or action == "status" else 1)


@app.command()
def parity(
    root: Root = Path(),
    run: Annotated[bool, typer.Option("--run", help="Ask every lab of the built site in a browser first.")] = False,
    site: Annotated[Path | None, typer.Option("--site", help="A built site; `site/` in the project.")] = None,
) -> None:
    """Show how far the labs' engines agree, as the last comparison found it."""
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


@contextmanager
def _reporting(lang: str) -> Iterator[None]:
    """Report what stops a command, and exit with 1."""
    try:
        yield
    except Faults as faults:
        report(faults.problems, lang)
    except OSError as error:
        place = Place(str(error.filename or "."))
        report((Problem.at(place, "new-out-of-reach", error.strerror),), lang)
    else:
        return
    raise typer.Exit(1)


def below(root: Path, file: Path) -> str:
    """A file's path from the project's root, with forward slashes; as given where it stands elsewhere."""
    inner = file.resolve()
    return inner.relative_to(root.resolve()).as_posix() if inner.is_relative_to(root.resolve()) else file.as_posix()


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


def commit_date(root: Path) -> str:
    """The date of the project's last commit; empty where there is none."""
    try:
        command = ["git", "-C", str(root), "log", "-1", "--format=%cs"]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ""


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
