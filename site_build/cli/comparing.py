"""`k3 diff`: what two states of a ledger say differently."""

import io
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Literal

import typer

from site_build.cli.options import Lang, Root
from site_build.cli.reporting import TREE, reporting, said_state
from site_build.history import Change, changes
from site_build.messages import WORDS
from site_build.model import Release
from site_build.problems import Faults
from site_build.source import read_ledger
from site_build.views import difference, released

Form = Literal["text", "markdown", "html"]
_VALUE = "value"


def diff(
    old: Annotated[
        str, typer.Argument(help="A release, a folder, a git revision, or `tree` for the files as they are.")
    ],
    new: Annotated[str, typer.Argument(help="The same; the files as they are if it is left out.")] = TREE,
    *,
    form: Annotated[Form, typer.Option("--format", help="For a terminal, a pull request or a page.")] = "text",
    root: Root = Path(),
    lang: Lang = "en",
) -> None:
    """Say which claims and values differ between two states of the ledger."""
    states = state_of(root, old, lang), state_of(root, new, lang)
    found = list(changes(*states))
    if form == "html":
        lines = _html(found, states, lang)
    else:
        bullet, mark = ("- ", "`") if form == "markdown" else ("", "")
        lines = (f"{bullet}{mark}{change.id}{mark}: {_told(change)}" for change in found)
    for line in lines:
        typer.echo(line)
    if form != "html":
        old_state, new_state = (said_state(state.version, lang) for state in states)
        words = WORDS[lang].labels["diff_count"]
        typer.echo(words.format(count=len(found), old=old_state, new=new_state), err=True)


def _told(change: Change) -> str:
    if change.kind == _VALUE:
        return f"{change.was} → {change.now}"
    grades = f" {change.was} → {change.now}" if change.was and change.was != change.now else ""
    fields = f" ({', '.join(change.fields)})" if change.fields else ""
    return f"{change.kind}{grades}{fields}"


def _html(found: list[Change], states: tuple[Release, Release], lang: str) -> Iterator[str]:
    """A list for a page: each change, with the words that went and came."""
    yield "<ul>"
    for change in found:
        texts = [
            state.claims[change.id].text.get(lang, "")  # type: ignore[call-overload]
            for state in states
            if change.id in state.claims
        ]
        words = f"<br>{difference(*texts)}" if len(texts) == len(states) and "text" in change.fields else ""
        yield f"<li><code>{change.id}</code>: {_told(change)}{words}</li>"
    yield "</ul>"


def state_of(root: Path, name: str, lang: str) -> Release:
    """The state that a name stands for: the files as they are, a release, a folder, or a git revision."""
    if name == TREE:
        return _read(root, TREE, lang)
    ledger = read_ledger(root).ledger
    known = {release.version: release for release in ledger.releases} if ledger else {}
    if name in known:
        return known[name]
    if (Path(name) / "ledger" / "ledger.yaml").is_file():
        return _read(Path(name), name, lang)
    archive = subprocess.run(["git", "-C", str(root), "archive", name, "ledger"], capture_output=True, check=False)
    if archive.returncode:
        labels = WORDS[lang].labels
        typer.echo(labels["diff_unknown"].format(name=name, known=", ".join(known) or labels["none"]), err=True)
        raise typer.Exit(1)
    with TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
            files.extractall(folder, filter="data")
        return _read(Path(folder), name, lang)


def _read(root: Path, name: str, lang: str) -> Release:
    with reporting(lang):
        reading = read_ledger(root)
        if reading.ledger is None:
            raise Faults(reading.problems)
    return released(reading.ledger, name)
