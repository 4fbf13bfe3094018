"""Lab contracts: what goes in, what comes out, how sure each output is, and examples that must reproduce."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from site_build.model.base import Line, Model, Number, RecordId, Slug, Text

OutputId = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*$")]


class Choice(Model):
    """A word of the function, and how readers see it."""

    id: Line
    """What the function receives or returns."""
    name: Text
    """How readers see it."""


class LabInput(Model):
    """A keyword input of the lab's function."""

    id: Slug
    """The parameter's name."""
    name: Text
    """How readers see it."""
    type: Literal["number", "integer", "choice", "text", "numbers", "matrix", "data"]
    """`numbers` is a list, `matrix` a list of lists, `data` any JSON."""
    minimum: Number | None = None
    """Smallest value, or smallest element of a list."""
    maximum: Number | None = None
    """Largest value, or largest element of a list."""
    step: Number | None = None
    """Step of the control; none for free input."""
    unit: Line | None = None
    """A unit of `ledger.yaml`."""
    choices: tuple[Choice, ...] = ()
    """For `choice`: what may be chosen."""
    default: Any
    """What the page shows first."""
    help: Text | None = None
    """What a reader must know to set it."""


class LabOutput(Model):
    """A part of the lab's result."""

    id: OutputId
    """Its key in the result, with dots into nested results: `delta.error`."""
    name: Text
    """How readers see it."""
    type: Literal["number", "integer", "text", "truth", "numbers", "matrix", "data", "frames"]
    """`frames` is a list of steps that a reader can play."""
    label: Literal["exact", "rounded", "approximate", "illustrative"]
    """How sure the output is."""
    unit: Line | None = None
    """A unit of `ledger.yaml`."""
    words: tuple[Choice, ...] = ()
    """Names of the keys inside the output, such as those of a step, and of words it holds; others print as they are."""
    display: Line | None = None
    """Format of a printed number, such as `{:.4f}`; none prints it whole."""
    ulp: int = Field(default=0, ge=0, le=64)
    """How many units in the last place engines may differ."""


class LabExample(Model):
    """Inputs and what they give; every engine must reproduce it."""

    name: Text
    """What the example shows."""
    inputs: dict[Slug, Any]
    """Inputs that differ from their defaults."""
    outputs: dict[OutputId, Any]
    """Outputs to compare: exactly for exact ones, within their ulp limit for the rest."""


class Picture(Model):
    """A chart of the result, the same in the build and in the page."""

    title: Text
    """What it shows, in a few words."""
    series: dict[Slug, Line] = Field(min_length=1)
    """Field of a point to path in the result; lists are read in parallel, single results make one point."""
    spec: dict[str, Any]
    """A Vega-Lite specification without data; a text may be given by language."""


class LabContract(Model):
    """`ledger/labs/<ID>.yaml`."""

    id: RecordId
    """The file is named after it."""
    promised: bool = True
    """Counts towards the promised labs."""
    title: Text
    """What the lab is about, in a few words."""
    question: Text
    """What the reader can find out here."""
    function: Line
    """Its name in the registry's `LABS`."""
    inputs: tuple[LabInput, ...] = Field(min_length=1)
    """The function's parameters, in the order of the page."""
    outputs: tuple[LabOutput, ...] = Field(min_length=1)
    """Every part of the result, in the order of the page."""
    examples: tuple[LabExample, ...] = Field(min_length=1)
    """Inputs with the outputs that every engine must give."""
    exact: Text
    """Which part is exact, and in what sense."""
    boundary: Text
    """What the lab does not show."""
    locators: tuple[Line, ...] = Field(min_length=1)
    """Where the mechanism is described."""
    picture: Picture | None = None
    """How the result is drawn; none shows tables only."""
    questions: tuple[RecordId, ...] = ()
    """Questions whose pages lead here."""
