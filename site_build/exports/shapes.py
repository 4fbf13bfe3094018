"""What published records have beside the fields of the ledger's own."""

from site_build.model import (
    Benchmark,
    ChecklistItem,
    Column,
    Component,
    Contender,
    Correction,
    Dimension,
    FigureContract,
    Grade,
    Group,
    LabContract,
    Language,
    Model,
    Node,
    Publication,
    Question,
    RedLine,
    Setting,
    Source,
    SpecRow,
    TableContract,
    Term,
    Text,
    Value,
)


class Place(Model):
    """A record of the ledger, its texts in plain words."""

    type: str
    """The kind of record: question, node, value."""
    id: str
    """The record's id, never given to another one."""
    address: dict[Language, str]
    """Its page, by language."""
    file: str
    """The file of this interface that holds it."""


class Written(Model):
    """What a claim's hash is made of."""

    id: str
    """The claim's reference."""
    text: dict[Language, str]
    """As written, with Markdown and markers."""
    grade: str
    """R, P, D or T."""
    locators: tuple[str, ...]
    """As written."""
    boundary: dict[Language, str]
    """As written: the claim's own, else its question's."""
    shown: dict[str, dict[Language, str]]
    """What each marker prints, by language."""


class ClaimFacts(Model):
    """One checkable statement, complete in itself."""

    text: Text
    """The statement in plain words, formulas as LaTeX."""
    boundary: Text
    """How far the evidence goes, whether the claim or its question says so."""
    reference: str
    """How the claim is cited: `Q04.c2`."""
    address: dict[Language, str]
    """Where it stands, by language."""
    hash: str
    """SHA-256 of `hashed` as canonical JSON (RFC 8785), in hex digits; citations show the first 8."""
    hashed: Written
    """What the hash is made of."""


class ValueFacts(Place):
    """A number, written once."""

    printed: dict[Language, str]
    """The number with its unit, as pages print it."""


class NodeFacts(Place):
    """A work of the reading path."""

    publication: Publication
    """Its bibliographic facts."""


class ComponentFacts(Place):
    """A visual part of a page, as data."""

    data: dict[Language, str]
    """The file of what it shows, by language."""


class Head(Model):
    """The ledger that a file comes from."""

    title: Text
    """The ledger's name."""
    author: str
    """Who to cite."""
    licence: str
    """The address of the licence of text and data."""
    address: str
    """The root of the site."""
    build: str
    """The build's id: a hash of everything the site is made from."""
    version: str
    """The release that this build is; empty for a state that is not released."""
    date: str
    """The source date of the build."""
    languages: tuple[Language, ...]
    """The first stands at the site's root."""


class Entry(Place):
    """Where a record stands."""

    title: dict[Language, str]
    """Its name in plain words."""


class Issue(Model):
    """A release."""

    version: str
    """Its calendar version."""
    date: str
    """The source date of its build."""
    build: str
    """The build's id."""
    file: str
    """The file of what it said."""


RECORDS: dict[str, tuple[type[Model], type[Model]]] = {
    "question": (Question, Place),
    "figure": (FigureContract, Place),
    "table": (TableContract, Place),
    "lab": (LabContract, Place),
    "redline": (RedLine, Place),
    "correction": (Correction, Place),
    "cite": (Node, NodeFacts),
    "value": (Value, ValueFacts),
    "spec": (SpecRow, Place),
    "column": (Column, Place),
    "benchmark": (Benchmark, Place),
    "contender": (Contender, Place),
    "dimension": (Dimension, Place),
    "setting": (Setting, Place),
    "group": (Group, Place),
    "term": (Term, Place),
    "grade": (Grade, Place),
    "source": (Source, Place),
    "item": (ChecklistItem, Place),
    "component": (Component, ComponentFacts),
}
"""For each published kind: its record, and what is published beside the record's own fields."""
