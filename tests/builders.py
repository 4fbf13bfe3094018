"""Worlds in two lines: the tiny valid ledger project with one thing broken, and the problems found in it.

root = project(tmp_path, edit("ledger/values.yaml", "number: 6", "number: 7"))
assert problems_of(root) == ["ledger/values.yaml:21:11: product.number: expected 6, ..."]
"""

import inspect
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from site_build.checks import find_problems
from site_build.messages import put_in_words
from site_build.model import Ledger
from site_build.problems import Problem
from site_build.source import Reading, read_ledger

type Check = Callable[..., Iterator[Problem]]
"""Takes the ledger, and the numerics if it has a second parameter."""
NUMERICS = "tiny_numerics"
TESTS = Path(__file__).parent
TINY = TESTS / "tiny_ledger"
REPOSITORY = TESTS.parent


@dataclass(frozen=True)
class Edit:
    """One change of a file of the tiny project."""

    file: str
    old: str | None
    new: str | None

    def apply(self, root: Path) -> None:
        """Make the change; a text that is not there exactly once is a mistake of the test."""
        path = root / self.file
        if self.new is None:
            path.unlink()
        elif self.old is None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.new, encoding="utf-8")
        else:
            text = path.read_text(encoding="utf-8")
            assert text.count(self.old) == 1, f"{self.file} holds {self.old!r} {text.count(self.old)} times"
            path.write_text(text.replace(self.old, self.new), encoding="utf-8")


def edit(file: str, old: str, new: str) -> Edit:
    """Replace a text that stands in `file` once."""
    return Edit(file, old, new)


def write(file: str, text: str) -> Edit:
    """Write a whole file, new or old."""
    return Edit(file, None, dedent(text))


def remove(file: str) -> Edit:
    """Take a file away."""
    return Edit(file, None, None)


def project(root: Path, *edits: Edit) -> Path:
    """Copy the tiny project to `root`, change it, and return `root`; numerics of an earlier one are forgotten."""
    sys.modules.pop(NUMERICS, None)
    shutil.copytree(TINY, root, dirs_exist_ok=True)
    for change in edits:
        change.apply(root)
    return root


def reading_of(root: Path) -> Reading:
    """Read a project as if no other had been read before."""
    sys.modules.pop(NUMERICS, None)
    return read_ledger(root)


def ledger_of(root: Path) -> Ledger:
    """The ledger of a project that can be read."""
    ledger = reading_of(root).ledger
    assert ledger is not None
    return ledger


def problems_of(root: Path, language: str = "en") -> list[str]:
    """Every problem of a project, as the command line prints it."""
    return [put_in_words(problem, language).line for problem in find_problems(reading_of(root))]


def assert_refused(root: Path, check: Check, edits: Iterable[Edit], want: str) -> None:
    """Raise unless the tiny project with `edits` gives the lines of `want`, and all of them come from `check`."""
    reading = reading_of(project(root, *edits))
    assert reading.ledger is not None
    inputs = (reading.ledger, reading.numerics)[: len(inspect.signature(check).parameters)]
    own = {put_in_words(problem, "en").line for problem in check(*inputs)}
    found = [put_in_words(problem, "en").line for problem in find_problems(reading)]
    assert found == want.splitlines()
    assert own == set(found)
