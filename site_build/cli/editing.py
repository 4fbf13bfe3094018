"""`k3 new`, `k3 fmt`, `k3 schema` and `k3 codes`."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

import typer

from site_build.checks import find_problems
from site_build.cli.options import CACHE, Lang, Root
from site_build.cli.reporting import commit_date, report, reporting
from site_build.edit import (
    ARXIV,
    Written,
    codes_page,
    format_files,
    in_turn,
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
from site_build.memory import keep_in
from site_build.problems import Faults
from site_build.source import read_ledger

Kind = Literal["question", "claim", "node", "correction", "redline", "value", "ledger"]
NAMES: dict[Kind, str] = {"claim": "a question's id", "value": "an id", "node": "an id", "ledger": "a folder"}
"""What `k3 new` is told besides the kind; other kinds get the next free id."""


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
    if kind != "ledger":
        keep_in(root / CACHE)
    with reporting(lang):
        with in_turn(project):
            written = writers[kind]()
        place = written.place
        typer.echo(f"{project / place.file if kind == 'ledger' else place.file}:{place.line}: {place.field}")
        problems = find_problems(read_ledger(project), commit_date(project))
        inside = range(place.line, written.last_line + 1)
        report(tuple(p for p in problems if p.place.file == place.file and p.place.line in inside), lang)


def fmt(
    files: Annotated[list[Path] | None, typer.Argument(help="Ledger files; all of them if none is named.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; report files in another form.")] = False,
    root: Root = Path(),
    lang: Lang = "en",
) -> None:
    """Bring the ledger's YAML into its one form; no value changes, comments stay."""
    keep_in(root / CACHE)
    named = [below(root, file) for file in files or ()]
    with reporting(lang):
        with in_turn(root):
            done = format_files(root, named, check=check)
        for file in done.changed if not check else ():
            typer.echo(file)
        if done.problems:
            raise Faults(done.problems)


def schema(
    root: Root = Path(),
    out: Annotated[Path | None, typer.Option("--out", help="A folder; `ledger/schema/` in the project.")] = None,
) -> None:
    """Write a JSON Schema for each kind of ledger file."""
    with reporting("en"):
        for file in write_schemas(root, out):
            typer.echo(file)


def codes(
    root: Root = Path(),
    lang: Lang = "en",
    write: Annotated[bool, typer.Option("--write", help="Write content/codes.<language>.md instead.")] = False,
) -> None:
    """Print a page that lists every code of `k3 check`."""
    if not write:
        typer.echo(codes_page(lang), nl=False)
        return
    with reporting(lang):
        for file in write_codes(root):
            typer.echo(file)


def below(root: Path, file: Path) -> str:
    """A file's path from the project's root, with forward slashes; as given where it stands elsewhere."""
    inner = file.resolve()
    return inner.relative_to(root.resolve()).as_posix() if inner.is_relative_to(root.resolve()) else file.as_posix()
