"""Components: the visual parts of pages as data, so that another one needs no new code."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from site_build.model.base import Line, Model, Number, RecordId, Slug, Text


class Part(Model):
    """A named piece of a component."""

    name: Text
    """What is printed."""
    note: Text | None = None
    """What to know about it."""
    mark: Slug | None = None
    """A kind of `marks`: pieces with the same mark look alike."""


class Mark(Model):
    """What a look means; it is never colour alone."""

    id: Slug
    """How pieces name it."""
    name: Text
    """Printed in the legend."""
    sign: Line | None = None
    """A character or two inside the piece."""
    tone: Literal["r", "p", "d", "t", "red", "ink", "muted"] = "ink"
    """Its colour, by role."""


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
    legend: bool = False
    """The legend stands here, above the one drawing that uses it, and not above all."""


class Swap(Model):
    """Pieces of a strip that carry another mark than their run."""

    mark: Slug
    """The mark that they carry."""
    at: Slug | None = None
    """The value that says which piece, counted from one."""
    count: Slug | None = None
    """The value that says how many, at places that only the drawing chooses."""


class Strip(Drawing):
    """Many pieces in a row, drawn from counts of the ledger."""

    kind: Literal["strip"]
    """Says which drawing this is."""
    runs: tuple[Run, ...] = Field(min_length=1)
    """The pieces, in order."""
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
    """Says which drawing this is."""
    corner: Text | None = None
    """What stands where rows and columns meet."""
    columns: tuple[Text, ...] = Field(min_length=1)
    """Heads of the columns."""
    rows: tuple[Part, ...] = Field(min_length=1)
    """Heads of the rows."""
    cells: tuple[tuple[Part, ...], ...]
    """By row, one piece a column."""


class Stage(Model):
    """A step of a flow with what stands beside it."""

    name: Text
    """What happens."""
    note: Text | None = None
    """What to know about it."""
    lanes: tuple[Part, ...] = ()
    """What happens side by side at this stage."""
    to_next: Text | None = None
    """What goes on to the next stage."""


class Flow(Drawing):
    """Stages one after the other."""

    kind: Literal["flow"]
    """Says which drawing this is."""
    stages: tuple[Stage, ...] = Field(min_length=2)
    """In order."""
    back: Text | None = None
    """What goes from the last stage back to the first, for a loop."""
    across: bool = False
    """Stages stand in a row where the page is wide enough."""


class Bar(Model):
    """A piece of a timeline."""

    name: Text
    """Printed in the bar."""
    start: Number
    """On the axis."""
    end: Number
    """On the axis, after the start."""
    mark: Slug | None = None
    """A mark of the legend."""


class Lane(Model):
    """What happens in one place over time."""

    name: Text
    """The place."""
    bars: tuple[Bar, ...] = Field(min_length=1)
    """In order of their start."""


class Timeline(Drawing):
    """Lanes over time, in units of the drawing: never a measured duration."""

    kind: Literal["timeline"]
    """Says which drawing this is."""
    lanes: tuple[Lane, ...] = Field(min_length=1)
    """From top to bottom."""
    axis: Text
    """What the axis means, and that it has no unit."""


class TablePart(Drawing):
    """A table of texts."""

    kind: Literal["table"]
    """Says which drawing this is."""
    columns: tuple[Text, ...] = Field(min_length=1)
    """Heads of the columns."""
    rows: tuple[tuple[Text, ...], ...] = Field(min_length=1)
    """One text a column."""


class Panel(Model):
    """One side of a comparison."""

    name: Text
    """The side."""
    mark: Slug | None = None
    """A mark of the legend."""
    lines: tuple[Text, ...] = Field(min_length=1)
    """What is said of it."""
    verdict: Text | None = None
    """What follows, in a sentence."""


class Compare(Drawing):
    """Panels side by side."""

    kind: Literal["compare"]
    """Says which drawing this is."""
    panels: tuple[Panel, ...] = Field(min_length=2)
    """From left to right."""


class Frame(Model):
    """One step."""

    name: Text
    """The step in a few words."""
    text: Text
    """What happens."""
    matrix: tuple[tuple[Text, ...], ...] = ()
    """What stands there at this step, as small rows."""


class Steps(Drawing):
    """A process that a reader goes through step by step; without JavaScript all steps stand one below the other."""

    kind: Literal["steps"]
    """Says which drawing this is."""
    frames: tuple[Frame, ...] = Field(min_length=2)
    """In order."""


class Option(Model):
    """What can be chosen."""

    name: Text
    """As a reader chooses it."""
    texts: tuple[Text, ...] = Field(min_length=1)
    """What it brings, by column."""


class OptionGroup(Model):
    """Options, of which a reader picks one or several."""

    name: Text
    """What is chosen."""
    several: bool = False
    """More than one may be chosen."""
    options: tuple[Option, ...] = Field(min_length=2)
    """In order."""


class Composer(Drawing):
    """A table of what options bring, from which a reader keeps the chosen ones; without JavaScript all stand there."""

    kind: Literal["composer"]
    """Says which drawing this is."""
    columns: tuple[Text, ...] = Field(min_length=1)
    """Heads of the options' texts."""
    groups: tuple[OptionGroup, ...] = Field(min_length=1)
    """In order."""


class Scores(Model):
    """Rows of the benchmarks as points: scores by contender, settings by dimension."""

    table: RecordId
    """The table whose rows are taken."""
    group: Slug | None = None
    """The group of rows; none for all of the table."""
    silent: Text
    """What a point says where the source states nothing on a dimension."""


class Chart(Drawing):
    """A picture of computed points: Vega-Lite, filled from a lab's result or from values."""

    kind: Literal["chart"]
    """Says which drawing this is."""
    spec: dict[str, Any] = Field(default_factory=dict)
    """A Vega-Lite specification without data; titles as `{en, zh}`. Empty: drawn as the chart before it."""
    lab: Slug | Line | None = None
    """The lab whose result gives the points."""
    inputs: dict[str, Any] = Field(default_factory=dict)
    """The lab's inputs, where they differ from its defaults."""
    series: dict[Slug, str] = Field(default_factory=dict)
    """Field of a point to path in the result; lists are read in parallel, single results make one point."""
    points: tuple[dict[str, Any], ...] = ()
    """Points written here; a text that names a value stands for its number, words are `{en, zh}`."""
    scores: Scores | None = None
    """Rows of the benchmarks that are points, after those written here."""
    columns: dict[Slug, Text] = Field(default_factory=dict)
    """What fields are called where the points stand as a table; the others stay out, unless none is named."""


class SpecTable(Drawing):
    """Specification rows with their locators."""

    kind: Literal["specs"]
    """Says which drawing this is."""
    rows: tuple[Slug, ...] = Field(min_length=1)
    """Ids of specification rows, in order."""
    columns: tuple[Slug, ...] = ()
    """Ids of the columns shown; all where none is named."""


class Embed(Drawing):
    """Another page's tool, shown by its link and lead."""

    kind: Literal["embed"]
    """Says which drawing this is."""
    page: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]+(?:/[A-Za-z0-9_-]+)*$")]
    """Path of the page, such as `benchmarks`."""
    anchor: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.-]+$")]
    """Where on that page."""
    title: Text | None = None
    """What the tool is called; else by its lab, or as the component."""


type Body = Annotated[
    Strip | Matrix | Flow | Timeline | TablePart | Compare | Steps | Composer | Chart | SpecTable | Embed,
    Field(discriminator="kind"),
]


class Component(Model):
    """`ledger/components/<id>.yaml`."""

    id: Slug
    """Also its anchor and the name in its selector."""
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

    @property
    def drawings(self) -> tuple[Body, ...]:
        """The bodies, charts drawn as the one before them made whole: they have inputs and points of their own."""
        whole: list[Body] = []
        before: Chart | None = None
        for body in self.bodies:
            drawn = body
            if isinstance(drawn, Chart):
                if before is not None and not drawn.spec:
                    same = {name: getattr(before, name) for name in ("spec", "lab", "series", "columns")}
                    drawn = drawn.model_copy(update=same)
                before = drawn
            whole.append(drawn)
        return tuple(whole)
