"""Components: the visual parts of pages as data, so that another one needs no new code."""

from typing import Annotated, Any, Literal

from pydantic import Field

from site_build.model.base import Line, Model, Number, Slug, Text


class Part(Model):
    """A named piece of a component."""

    name: Text
    note: Text | None = None
    """What to know about it."""
    mark: Slug | None = None
    """A kind of `marks`: pieces with the same mark look alike."""


class Mark(Model):
    """What a look means; it is never colour alone."""

    id: Slug
    name: Text
    """Printed in the legend."""
    sign: Line | None = None
    """A character or two inside the piece."""
    tone: Literal["r", "p", "d", "t", "red", "ink", "muted"] = "ink"


class Run(Model):
    """A run of equal pieces of a strip, repeated."""

    parts: tuple[Slug, ...] = Field(min_length=1)
    """Marks of the pieces, in order."""
    times: Slug | None = None
    """The value that says how often; none for once."""


class Drawing(Model):
    """What every kind of drawing may say about itself."""

    heading: Text | None = None
    """What this one shows, where a component has several."""
    step: bool = False
    """Gone through one at a time, together with its neighbours that are steps too."""


class Swap(Model):
    """Pieces of a strip that carry another mark than their run."""

    mark: Slug
    at: Slug | None = None
    """The value that says which piece, counted from one."""
    count: Slug | None = None
    """The value that says how many, at places that only the drawing chooses."""


class Strip(Drawing):
    """Many pieces in a row, drawn from counts of the ledger."""

    kind: Literal["strip"]
    runs: tuple[Run, ...] = Field(min_length=1)
    group: Slug | None = None
    """The value that says how many pieces stand in a group; none draws no groups."""
    total: Slug | None = None
    """The value that the number of pieces must equal; the build counts."""
    instead: tuple[Swap, ...] = ()
    """Single pieces that look otherwise, in order."""
    small: bool = False
    """For very many pieces: small ones, in as many columns as the page holds."""


class Matrix(Drawing):
    """Rows against columns."""

    kind: Literal["matrix"]
    corner: Text | None = None
    columns: tuple[Text, ...] = Field(min_length=1)
    rows: tuple[Part, ...] = Field(min_length=1)
    cells: tuple[tuple[Part, ...], ...]
    """By row, one piece a column."""


class Stage(Model):
    """A step of a flow with what stands beside it."""

    name: Text
    note: Text | None = None
    lanes: tuple[Part, ...] = ()
    """What happens side by side at this stage."""
    to_next: Text | None = None
    """What goes on to the next stage."""


class Flow(Drawing):
    """Stages one after the other."""

    kind: Literal["flow"]
    stages: tuple[Stage, ...] = Field(min_length=2)
    back: Text | None = None
    """What goes from the last stage back to the first, for a loop."""
    across: bool = False
    """Stages stand in a row where the page is wide enough."""


class Bar(Model):
    """A piece of a timeline."""

    name: Text
    start: Number
    end: Number
    mark: Slug | None = None


class Lane(Model):
    """What happens in one place over time."""

    name: Text
    bars: tuple[Bar, ...] = Field(min_length=1)


class Timeline(Drawing):
    """Lanes over time, in units of the drawing: never a measured duration."""

    kind: Literal["timeline"]
    lanes: tuple[Lane, ...] = Field(min_length=1)
    axis: Text
    """What the axis means, and that it has no unit."""


class TablePart(Drawing):
    """A table of texts."""

    kind: Literal["table"]
    columns: tuple[Text, ...] = Field(min_length=1)
    rows: tuple[tuple[Text, ...], ...] = Field(min_length=1)


class Panel(Model):
    """One side of a comparison."""

    name: Text
    mark: Slug | None = None
    lines: tuple[Text, ...] = Field(min_length=1)
    verdict: Text | None = None


class Compare(Drawing):
    """Panels side by side."""

    kind: Literal["compare"]
    panels: tuple[Panel, ...] = Field(min_length=2)


class Frame(Model):
    """One step."""

    name: Text
    text: Text
    matrix: tuple[tuple[Text, ...], ...] = ()
    """What stands there at this step, as small rows."""


class Steps(Drawing):
    """A process that a reader goes through step by step; without JavaScript all steps stand one below the other."""

    kind: Literal["steps"]
    frames: tuple[Frame, ...] = Field(min_length=2)


class Option(Model):
    """What can be chosen."""

    name: Text
    texts: tuple[Text, ...] = Field(min_length=1)
    """What it brings, by column."""


class OptionGroup(Model):
    """Options, of which a reader picks one or several."""

    name: Text
    several: bool = False
    options: tuple[Option, ...] = Field(min_length=2)


class Composer(Drawing):
    """A table of what options bring, from which a reader keeps the chosen ones; without JavaScript all stand there."""

    kind: Literal["composer"]
    columns: tuple[Text, ...] = Field(min_length=1)
    """Heads of the options' texts."""
    groups: tuple[OptionGroup, ...] = Field(min_length=1)


class Chart(Drawing):
    """A picture of computed points: Vega-Lite, filled from a lab's result or from values."""

    kind: Literal["chart"]
    spec: dict[str, Any]
    """A Vega-Lite specification without data; titles as `{en, zh}`."""
    lab: Slug | Line | None = None
    """The lab whose result gives the points."""
    inputs: dict[str, Any] = Field(default_factory=dict)
    """The lab's inputs, where they differ from its defaults."""
    series: dict[Slug, str] = Field(default_factory=dict)
    """Field of a point to path in the result; lists are read in parallel, single results make one point."""
    points: tuple[dict[str, Any], ...] = ()
    """Points written here; a text that names a value stands for its number, words are `{en, zh}`."""
    columns: dict[Slug, Text] = Field(default_factory=dict)
    """What fields are called where the points stand as a table; the others stay out, unless none is named."""


class SpecTable(Drawing):
    """Specification rows with their locators."""

    kind: Literal["specs"]
    rows: tuple[Slug, ...] = Field(min_length=1)


class Embed(Drawing):
    """Another page's tool, shown by its link and lead."""

    kind: Literal["embed"]
    page: Line
    """Path of the page, such as `benchmarks`."""
    anchor: Line


type Body = Annotated[
    Strip | Matrix | Flow | Timeline | TablePart | Compare | Steps | Composer | Chart | SpecTable | Embed,
    Field(discriminator="kind"),
]


class Component(Model):
    """`ledger/components/<id>.yaml`."""

    id: Slug
    title: Text
    """What the component shows, as a heading."""
    caption: Text
    """How to read it, and what it is drawn from."""
    basis: Literal["records", "computed", "conceptual", "teaching"]
    """Drawn from the ledger's records, computed by the numerics, a concept without numbers, or a teaching model."""
    locators: tuple[Line, ...] = ()
    """Where the shown matter is described."""
    proof: tuple[Text, ...] = ()
    """Lines of arithmetic that show its counts."""
    marks: tuple[Mark, ...] = ()
    """The legend."""
    twin: Text
    """The content as text, for those who do not see the picture."""
    bodies: tuple[Body, ...] = Field(min_length=1)
    """One or more drawings, in order."""
