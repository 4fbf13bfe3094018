"""Questions and their claims, and the numbers they state."""

from typing import Literal

from pydantic import Field

from site_build.model.base import ClaimId, ClaimRef, Day, GradeId, Line, Model, Number, RecordId, Slug, Text


class ValueInput(Model):
    """An input of a derivation that is itself a value of the ledger."""

    value: Slug
    """The value's id."""


class Derivation(Model):
    """A function of the numerics registry and what it is called with."""

    function: Line
    """The registry's name, such as `kda.state_elements`."""
    inputs: dict[str, ValueInput | Number | Line]
    """Keyword arguments: a value of the ledger, or a literal that needs no source."""


class Value(Model):
    """`ledger/values.yaml`: a number, written once."""

    id: Slug
    """How markers name it."""
    name: Text
    """What the number counts or measures."""
    grade: GradeId
    """Evidence of the number."""
    locators: tuple[Line, ...] = ()
    """Where it, or for D its inputs, can be checked."""
    number: Number
    """The number itself, as exact as it is known."""
    unit: Line | None = None
    """A unit of `ledger.yaml`; none for pure numbers."""
    display: Line
    """Format of the printed number, such as `{:,}` or `{:.2f}`."""
    derivation: Derivation | None = None
    """For D: how the build computes it again."""
    note: Text | None = None
    """What a reader must know to use the number."""


class Claim(Model):
    """One checkable statement."""

    id: ClaimId
    """Within its question; never used again for another statement."""
    text: Text
    """The statement, in a small subset of Markdown, numbers by marker."""
    grade: GradeId
    """R, P, D or T; never raised by repetition."""
    locators: tuple[Line, ...] = ()
    """Where a reader can check it; for D, where the inputs come from; empty only for T."""
    derivation: tuple[Slug, ...] = ()
    """For D: the derived values that the statement rests on, which the build computes again."""
    boundary: Text | None = None
    """How far this evidence goes, where it differs from the question's boundary."""
    withdrawn: Text | None = None
    """Why the statement no longer stands; it stays on its page, marked, and is not used for anything else."""


class Misreading(Model):
    """A wrong statement people make, beside the right one."""

    wrong: Text
    """The statement as people make it."""
    why: Text
    """Why it does not follow."""
    right: Text
    """What may be said instead."""


class Acceptance(Model):
    """The component a question's page owes its reader."""

    statement: Text
    """What the reader can see or do there."""
    component: Slug
    """The component's id."""
    selector: Line
    """Where a browser finds it on the page."""
    state: Literal["planned", "shown"]
    """`shown` is checked in a browser; `planned` is shown as open."""


class GradeChange(Model):
    """One step of a claim, and why: of its grade, or of its words, places and boundary under the same grade."""

    release: Line
    """The release that changed it."""
    claim: ClaimId
    """The claim, within its question."""
    was: GradeId
    """The grade before."""
    now: GradeId
    """The grade after; the same letter where only words, places or the boundary changed."""
    why: Text
    """What was learnt."""


class Question(Model):
    """`ledger/questions/<ID>.yaml`."""

    id: RecordId
    """The file is named after it."""
    topic: Slug
    """A topic of `ledger.yaml`."""
    status: Slug
    """A status of `ledger.yaml`."""
    promised: bool = True
    """Counts towards the promised questions."""
    object: Text
    """What the question is about, in a word or two."""
    title: Text
    """The question."""
    answer: Text
    """The short answer, complete in itself."""
    claims: tuple[Claim, ...] = Field(min_length=1)
    """What the answer rests on, one checkable statement each."""
    boundary: Text
    """How far the evidence goes, for every claim without a boundary of its own."""
    misreadings: tuple[Misreading, ...] = ()
    """What people get wrong about it."""
    acceptance: Acceptance
    """What its page owes the reader."""
    figures: tuple[RecordId, ...] = ()
    """Figures to read next."""
    tables: tuple[RecordId, ...] = ()
    """Tables to read next."""
    labs: tuple[RecordId, ...] = ()
    """Labs to try."""
    nodes: tuple[Slug, ...] = ()
    """Nodes to read next."""
    redlines: tuple[RecordId, ...] = ()
    """Red lines that guard the answer."""
    corrections: tuple[RecordId, ...] = ()
    """Corrections that concern it."""
    related: tuple[RecordId | ClaimRef, ...] = ()
    """Other questions or claims worth reading next."""
    reviewed: Day
    """When someone last checked it against its sources."""
    review_by: Day | None = None
    """When it is due again; a check warns after that."""
    history: tuple[GradeChange, ...] = ()
    """Why claims changed, release by release; a changed grade must be told."""
    would_change: Text
    """What new evidence would change the answer."""
