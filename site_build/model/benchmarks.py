"""Benchmark rows with their protocols: scores mean something only beside how they were obtained."""

from typing import Literal

from pydantic import Field

from site_build.model.base import Line, Model, Number, RecordId, Slug, Text


class Contender(Model):
    """A model whose score stands in a table, or an outcome of a comparison between two."""

    id: Slug
    """The field of a marker: `k3` in `:benchmark[flatness.k3]`."""
    name: Line
    """As the source prints it."""
    setting: Text
    """Under which settings the table reports it."""


class Dimension(Model):
    """One way in which two evaluations can differ: tools, harness, judge, ..."""

    id: Slug
    """How settings and rows name it."""
    name: Text
    """How readers see it."""
    meaning: Text
    """What the dimension decides."""


class Setting(Model):
    """A value of a dimension, written once, so that equal settings are equal ids."""

    id: Slug
    """How rows name it."""
    dimension: Slug
    """The dimension that it sets."""
    text: Text
    """The setting in words."""
    stated: bool = True
    """False where the source says nothing or leaves it open: then rows are not comparable on it."""


class Score(Model):
    """One printed cell."""

    number: Number | None = None
    """None where the table prints a dash or N/A."""
    display: Line = "{:.1f}"
    """Format of the printed number."""
    status: Literal["confirmed", "single-copy", "conflict", "not-reported"] = "confirmed"
    """How the transcription stands."""
    mark: Literal["best", "second"] | None = None
    """The mark printed beside it."""
    note: Text | None = None
    """A footnote, or how copies differ."""


class Benchmark(Model):
    """A row of a benchmark table."""

    id: Slug
    """How markers name it."""
    name: Line
    """As the source prints it."""
    variant: Text | None = None
    """What tells it from rows of the same name and table: its tools, or its harness."""
    table: RecordId
    """The table contract it belongs to."""
    group: Slug
    """A group of `benchmarks.yaml`."""
    unit: Line | None = None
    """A unit of `ledger.yaml`; none for points on the benchmark's own scale."""
    what: Text | None = None
    """What the benchmark asks for."""
    scores: dict[Slug, Score]
    """By contender."""
    protocol: tuple[Slug, ...]
    """Settings, at most one per dimension."""
    silent: tuple[Slug, ...] = ()
    """Dimensions on which the source says nothing for this row."""
    notes: tuple[Text, ...] = ()
    """Conflicts between editions, and what else a reader must know."""
    weak: bool = False
    """A result that the source itself treats as weak, or that trails clearly: shown beside the strong ones."""
    locators: tuple[Line, ...] = Field(min_length=1)
    """Where the source prints the row."""


class Group(Model):
    """A group of rows within a table."""

    id: Slug
    """How rows name it."""
    name: Text
    """How readers see it."""


class Benchmarks(Model):
    """`ledger/benchmarks.yaml`."""

    contenders: tuple[Contender, ...] = ()
    """In the order of the table."""
    dimensions: tuple[Dimension, ...] = ()
    """In the order in which rows are compared."""
    settings: tuple[Setting, ...] = ()
    """Every value that a dimension takes."""
    groups: tuple[Group, ...] = ()
    """In the order of the table."""
    rows: tuple[Benchmark, ...] = ()
    """In the order of the file."""
