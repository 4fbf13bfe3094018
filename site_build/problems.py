"""A fault in an editor's file: where it stands and which rule it breaks. Wording lives in `messages`."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, order=True)
class Place:
    """A position in a file that an editor can open."""

    file: str
    """Path relative to the project's root, with forward slashes."""
    line: int = 1
    """Counted from 1; 0 where the whole file, a folder or an address is meant."""
    column: int = 1
    """Counted from 1."""
    field: str = ""
    """The record and field, such as `Q31.claims[1].grade`; empty outside records."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file


@dataclass(frozen=True, order=True)
class Problem:
    """One fault. `code` names its wording in `messages`; `facts` fill the wording's gaps."""

    place: Place
    code: str
    got: str = ""
    """What stands there, as the editor typed it."""
    facts: tuple[tuple[str, str], ...] = ()
    """Named pieces for the message, such as the nearest known name."""
    severity: Severity = field(default="error", compare=False)

    @classmethod
    def at(cls, place: Place, code: str, got: object = "", **facts: object) -> "Problem":
        """Build a problem with facts given as keywords."""
        return cls(place, code, str(got), tuple((name, str(value)) for name, value in facts.items()))

    @classmethod
    def warning(cls, place: Place, code: str, got: object = "", **facts: object) -> "Problem":
        """Build a problem that is reported but stops nothing."""
        return replace(cls.at(place, code, got, **facts), severity="warning")


class Faults(Exception):  # noqa: N818 - it carries problems, it is not one
    """Raised where work cannot go on: carries every problem found so far."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems))
        super().__init__(f"{len(self.problems)} problems")
