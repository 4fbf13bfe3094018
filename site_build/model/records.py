"""Contracts, rows, lines and nodes: the records around the questions."""

from typing import Literal

from pydantic import Field

from site_build.model.base import Language, Line, Model, Number, RecordId, Slug, Text, Url


class Contract(Model):
    """What a figure or table promises to show, and what must not be concluded from it."""

    id: RecordId
    """The file is named after it."""
    promised: bool = True
    """Counts towards the promised figures or tables."""
    title: Text
    """What the figure or table is about."""
    shows: Text
    """What the source shows."""
    picture: Text
    """What this site shows in its place; never a copy."""
    do_not_conclude: tuple[Text, ...] = Field(min_length=1)
    """Conclusions that the evidence does not carry."""
    component: Slug | None = None
    """The picture of this site, once it is there."""
    locators: tuple[Line, ...] = Field(min_length=1)
    """Where the source shows it."""


class FigureContract(Contract):
    """`ledger/figures/<ID>.yaml`."""


class TableContract(Contract):
    """`ledger/tables/<ID>.yaml`."""

    specs: tuple[Slug, ...] = ()
    """Specification rows that the table shows, in order."""


class Column(Model):
    """A column of the specifications: one model, or one place where it is described."""

    id: Slug
    """The field of a marker: `k3` in `:spec[hidden.k3]`."""
    name: Text
    """As the table's head shows it."""


class Cell(Model):
    """One entry of a specification row."""

    number: Number | None = None
    """For a number: its value; `display` says how it is printed."""
    display: Line | None = None
    """Format of the number, such as `{:,}`."""
    unit: Line | None = None
    """A unit of `ledger.yaml`."""
    text: Text | None = None
    """For everything that is not a number."""
    locators: tuple[Line, ...] = Field(min_length=1)
    """Where the entry can be checked."""


class SpecRow(Model):
    """A row of `ledger/specs.yaml`."""

    id: Slug
    """How markers and tables name it."""
    name: Text
    """What the row specifies."""
    cells: dict[Slug, Cell]
    """By column; a column without a cell prints as not given."""
    note: Text | None = None
    """Where sources differ, or how the number is counted."""


class Specs(Model):
    """`ledger/specs.yaml`."""

    columns: tuple[Column, ...]
    """In the order of the table."""
    rows: tuple[SpecRow, ...]
    """In the order of the file."""


class Rule(Model):
    """One way of saying what a red line refuses: a sentence crosses it that is no question and is not let pass."""

    all: tuple[Line, ...] = Field(min_length=1)
    """Regular expressions that one sentence must all match, in any order."""
    unless: tuple[Line, ...] = ()
    """Regular expressions any of which lets the sentence pass."""
    negations: bool = True
    """The language's common negations let it pass too."""


class RedLine(Model):
    """An entry of `ledger/redlines.yaml`: a misreading that the build refuses."""

    id: RecordId
    """How markers name it."""
    statement: Text
    """What must not be said."""
    right: Text
    """How to say what is true."""
    locators: tuple[Line, ...] = Field(min_length=1)
    """What shows that it is wrong."""
    rules: dict[Language, tuple[Rule, ...]]
    """Rules, by language, each of which finds the misreading."""
    must_match: dict[Language, tuple[Line, ...]]
    """Sentences that the rules must find; at least three a language."""
    must_pass: dict[Language, tuple[Line, ...]]
    """Sentences, negations among them, that the rules must leave alone; at least three a language."""


class Correction(Model):
    """An entry of `ledger/corrections.yaml`: who says what, and what is right."""

    id: RecordId
    """How markers name it."""
    title: Text
    """What is corrected, in a few words."""
    who: Text
    """The text that says it, with its edition."""
    says: Text
    """What it says."""
    right: Text
    """What is right."""
    locators: tuple[Line, ...] = Field(min_length=1)
    """Where the right statement can be checked."""


class Person(Model):
    """A name in the order of a bibliography."""

    family: Line
    """Family name with its particles, or the name of a group."""
    given: str = ""
    """Given names; empty for a group."""


class Publication(Model):
    """The bibliographic facts of a node, from `reading/references.bib`."""

    key: Slug
    """Its key in the file, and the node's id."""
    entry_type: Line
    """article, inproceedings, misc, in lower case."""
    title: Line
    """As the work has it, accents decoded."""
    authors: tuple[Person, ...]
    """A group stands as one family name."""
    complete: bool
    """False where the list ends in `and others`."""
    year: int
    """Year of the edition."""
    venue: str = ""
    """Where it appeared; empty where the entry names no place."""
    url: Url
    """Where it stands."""
    arxiv: str = ""
    """Its arXiv number; empty for others."""
    fields: dict[str, str]
    """Every field as the file has it, without the braces or quotes around it."""


class ReportCitation(Model):
    """How a source of the ledger cites the node."""

    source: Slug
    """The source that cites it."""
    numbers: dict[Line, int] = Field(default_factory=dict)
    """Number in the bibliography, by edition."""
    how: Text | None = None
    """How it is cited, where the numbers do not say it: a link in a footnote, named in the text."""


class Node(Model):
    """An entry of `ledger/reading/nodes.yaml`; `Publication` holds the rest."""

    id: Slug
    """Also its key in the bibliography."""
    stage: Slug
    """A stage of `ledger.yaml`."""
    in_path: bool = False
    """One of the promised nodes of the reading path."""
    kind: Line
    """paper, software, benchmark, page."""
    cited: tuple[ReportCitation, ...] = ()
    """Empty: the node is a course supplement."""
    cross_entry: bool = False
    """An entrance from a neighbouring model's line of work."""
    why: Text
    """Why to read it at this point."""


class Term(Model):
    """An entry of `ledger/glossary.yaml`."""

    id: Slug
    """How markers name it."""
    name: Text
    """The Chinese name carries the English term in brackets at first use on a page."""
    definition: Text
    """One sentence."""
    locator: Line
    """Where the term first stands."""
    avoid: dict[Language, tuple[Line, ...]] = Field(default_factory=dict)
    """Words that prose must not use for it."""
    everyday: bool = False
    """Whether its word has an ordinary meaning too, so that only a marker leads to it and no first use does."""


class ChecklistItem(Model):
    """An entry of `ledger/checklist.yaml`: what the ledger claims of itself."""

    id: Slug
    """How it is named."""
    statement: Text
    """The claim."""
    shown_by: Line
    """The command or test that shows it."""
    state: Literal["met", "open"]
    """Open items are shown as open."""
