"""What two states of a ledger say differently, claim by claim and number by number."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from site_build.model import Release, ReleasedClaim

ChangeKind = Literal["added", "removed", "withdrawn", "restored", "upgraded", "downgraded", "changed", "value"]

_RANK = {"T": 0, "D": 1, "P": 1, "R": 1}
"""A teaching model is the weakest evidence; the others differ in kind and not in rank."""


@dataclass(frozen=True)
class Change:
    """One difference between an older and a newer state."""

    kind: ChangeKind
    id: str
    """A claim's reference or a value's id."""
    fields: tuple[str, ...] = ()
    """What differs: `text`, `grade`, `locators`, `boundary`, `shown`."""
    was: str = ""
    """A grade, or a number as printed in the ledger's first language."""
    now: str = ""
    """The same, in the newer state."""


def claim_change(reference: str, old: ReleasedClaim, new: ReleasedClaim | None) -> Change | None:
    """What became of a claim; None where it says the same on the same evidence."""
    if new is None:
        return Change("removed", reference)
    fields = tuple(
        name for name in ("text", "grade", "locators", "boundary", "shown") if getattr(old, name) != getattr(new, name)
    )
    grades = {"was": old.grade, "now": new.grade}
    if new.withdrawn and not old.withdrawn:
        return Change("withdrawn", reference, fields, **grades)
    if old.withdrawn and not new.withdrawn:
        return Change("restored", reference, fields, **grades)
    if _RANK[new.grade] != _RANK[old.grade]:
        kind: ChangeKind = "upgraded" if _RANK[new.grade] > _RANK[old.grade] else "downgraded"
        return Change(kind, reference, fields, **grades)
    return Change("changed", reference, fields, **grades) if fields else None


def changes(old: Release, new: Release) -> Iterator[Change]:
    """Every difference: claims in the order of their references, then values."""
    for reference in sorted(old.claims.keys() | new.claims.keys(), key=_order):
        if reference not in old.claims:
            yield Change("added", reference, now=new.claims[reference].grade)
        elif found := claim_change(reference, old.claims[reference], new.claims.get(reference)):
            yield found
    for id_ in sorted(old.values.keys() & new.values.keys()):
        was, now = old.values[id_], new.values[id_]
        if (was.number, was.shown) != (now.number, now.shown):
            yield Change("value", id_, was=next(iter(was.shown.values())), now=next(iter(now.shown.values())))


def _order(reference: str) -> tuple[str, int]:
    question, _, claim = reference.partition(".c")
    return question, int(claim)
