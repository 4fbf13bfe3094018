"""Which records stand in which files."""

from dataclasses import dataclass

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
    Model,
    Node,
    Question,
    RedLine,
    Setting,
    Source,
    SpecRow,
    TableContract,
    Term,
    Value,
)


@dataclass(frozen=True)
class Files:
    """Where the records of a kind stand."""

    kind: str
    model: type[Model]
    path: str
    """A file below `ledger/` with a list, or a folder with one record a file."""
    within: str = ""
    """The key that holds the list, where the file is a mapping."""

    @property
    def folder(self) -> bool:
        """One record a file."""
        return not self.path.endswith(".yaml")


FILES = (
    Files("grade", Grade, "grades.yaml"),
    Files("source", Source, "sources.yaml"),
    Files("value", Value, "values.yaml"),
    Files("column", Column, "specs.yaml", "columns"),
    Files("spec", SpecRow, "specs.yaml", "rows"),
    Files("redline", RedLine, "redlines.yaml"),
    Files("correction", Correction, "corrections.yaml"),
    Files("term", Term, "glossary.yaml"),
    Files("question", Question, "questions"),
    Files("figure", FigureContract, "figures"),
    Files("table", TableContract, "tables"),
    Files("lab", LabContract, "labs"),
    Files("cite", Node, "reading/nodes.yaml"),
    Files("contender", Contender, "benchmarks.yaml", "contenders"),
    Files("dimension", Dimension, "benchmarks.yaml", "dimensions"),
    Files("setting", Setting, "benchmarks.yaml", "settings"),
    Files("group", Group, "benchmarks.yaml", "groups"),
    Files("benchmark", Benchmark, "benchmarks.yaml", "rows"),
    Files("item", ChecklistItem, "checklist.yaml"),
    Files("component", Component, "components"),
)
