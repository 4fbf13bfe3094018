"""Say what was found: one line a problem, as JSON, and the last line of a run."""

import errno
import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer
from rich.console import Console

from site_build.checks import promised_counts
from site_build.history import Change
from site_build.messages import WORDS, put_in_words
from site_build.model import Ledger
from site_build.problems import Faults, Place, Problem
from site_build.source import read_ledger

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
TREE = "tree"
"""What commands call the files as they are."""
_LISTED_AS = {"path_nodes": "nodes"}
"""Promises whose records stand in a list of another name."""


@contextmanager
def reporting(lang: str) -> Iterator[None]:
    """Report what stops a command, and exit with 1."""
    try:
        yield
    except Faults as faults:
        report(faults.problems, lang)
    except OSError as error:
        report((unwritable(error),), lang)
    else:
        return
    raise typer.Exit(1)


def unwritable(error: OSError, target: Path | None = None) -> Problem:
    """Why `target`, or a file that the error names, could not be written."""
    full = error.errno in _NO_ROOM
    # when a copy finds no room its error names what was copied; of two names the second is the one to be written
    name = (full and target) or error.filename2 or error.filename or target or "."
    return Problem.at(Place(str(name), 0), "disk-full" if full else "new-out-of-reach", error.strerror)


def read_or_report(root: Path, lang: str) -> Ledger:
    """The ledger of a project; reports the faults of one that cannot be read, and exits with 1."""
    with reporting(lang):
        reading = read_ledger(root)
        if reading.ledger is None or any(problem.severity == "error" for problem in reading.problems):
            raise Faults(reading.problems)
    return reading.ledger


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
    names = WORDS[lang].labels
    there = ", ".join(f"{names[_LISTED_AS.get(kind, kind)].lower()} {count}" for kind, count in counts.items()) or "-"
    text = WORDS[lang].verdict.format(errors=errors, warnings=len(problems) - errors, counts=there)
    Console(stderr=True, highlight=False).print(text, style="bold red" if errors else "bold green", soft_wrap=True)


def as_json(problems: tuple[Problem, ...], ledger: Ledger | None, lang: str) -> str:
    """Counts and problems for machines: `counts` the promised records, `all` every record."""
    promised = promised_counts(ledger) if ledger else {}
    every = {
        "questions": len(ledger.questions) if ledger else 0,
        "figures": len(ledger.figures) if ledger else 0,
        "tables": len(ledger.tables) if ledger else 0,
        "labs": len(ledger.labs) if ledger else 0,
        "nodes": len(ledger.nodes) if ledger else 0,
    }
    counts = dict.fromkeys(every, 0) | {_LISTED_AS.get(name, name): count for name, count in promised.items()}
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


def said_state(version: str, lang: str) -> str:
    """A state of the ledger as a sentence names it: a release by its version, or the files as they are."""
    return WORDS[lang].labels["cite_tree"] if version == TREE else version


def said_change(change: Change, lang: str) -> str:
    """What became of a claim, with the fields that differ."""
    fields = f" ({', '.join(change.fields)})" if change.fields else ""
    return f"{WORDS[lang].labels[f'since_{change.kind}'].rstrip('.。')}{fields}"
