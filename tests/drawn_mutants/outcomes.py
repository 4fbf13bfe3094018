"""How mutants fared, and what a list of reasons says about those that no test noticed."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

LISTED = Path(__file__).with_name("survivors.json")

type End = Literal["killed", "killed by time", "survived"]
type Key = tuple[str, str, str, str]


@dataclass(frozen=True)
class Outcome:
    """One mutant and its end."""

    module: str
    function: str
    before: str
    """The changed lines as they are."""
    after: str
    """And as the mutant has them."""
    end: End
    by: str = ""
    """The test that failed, or the file that could not be imported."""

    @property
    def key(self) -> Key:
        """What names the mutant, whatever line it stands in."""
        return self.module, self.function, self.before, self.after


@dataclass(frozen=True)
class Reason:
    """Why a mutant may survive."""

    module: str
    function: str
    before: str
    after: str
    reason: str

    @property
    def key(self) -> Key:
        """The mutant it speaks of."""
        return self.module, self.function, self.before, self.after


def read_reasons(path: Path = LISTED) -> list[Reason]:
    """The list that is kept with the tests."""
    return [Reason(**row) for row in json.loads(path.read_text("utf-8"))]


def disagreements(outcomes: Sequence[Outcome], reasons: Sequence[Reason]) -> Iterator[str]:
    """A line for every survivor without a reason, and for every reason without its survivor."""
    survived = {outcome.key for outcome in outcomes if outcome.end == "survived"}
    explained = {reason.key for reason in reasons if reason.reason.strip()}
    for module, function, before, after in sorted(survived - explained):
        yield f"{module} {function}: no test notices, and no reason is listed:\n- {before}\n+ {after}"
    for module, function, before, after in sorted({reason.key for reason in reasons} - survived):
        yield f"{module} {function}: listed as a survivor, but it is killed now or not drawn:\n- {before}\n+ {after}"


def figures(outcomes: Sequence[Outcome]) -> dict[str, int | float]:
    """How many were drawn and how they ended; a share in percent."""
    ends = [outcome.end for outcome in outcomes]
    survived = ends.count("survived")
    return {
        "mutants": len(ends),
        "killed by a test": ends.count("killed"),
        "killed by time": ends.count("killed by time"),
        "survived": survived,
        "killed, %": round(100 * (1 - survived / len(ends)), 1),
    }
