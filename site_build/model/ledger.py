"""The joined ledger: every record by kind and id, where each field stands, and who refers to whom."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from site_build.model.base import FaultPath, Language, Model, Text
from site_build.model.benchmarks import Benchmark, Benchmarks
from site_build.model.components import Component
from site_build.model.labs import LabContract
from site_build.model.ledger_info import Grade, LedgerInfo, Source
from site_build.model.locators import parse_locator
from site_build.model.markers import find_markers
from site_build.model.prose import Prose
from site_build.model.question import Claim, Question, Value
from site_build.model.records import (
    ChecklistItem,
    Correction,
    FigureContract,
    Node,
    Publication,
    RedLine,
    SpecRow,
    Specs,
    TableContract,
    Term,
)
from site_build.model.releases import Release
from site_build.problems import Place, Problem

type Key = tuple[str, str]
"""Kind and id."""

type Positions = Mapping[FaultPath, tuple[int, int]]
"""Line and column of every field of a record, by path from its root."""


@dataclass(frozen=True)
class Origin:
    """Where a record was read."""

    file: str
    """Path relative to the project's root."""
    positions: Positions
    """Where each of its fields begins."""

    def place(self, name: str, path: FaultPath) -> Place:
        """The place of the field at `path`, or of the nearest field around it."""
        inner = path
        while inner and inner not in self.positions:
            inner = inner[:-1]
        line, column = self.positions.get(inner, (1, 1))
        return Place(self.file, line, column, name + dotted(path))


def dotted(path: FaultPath) -> str:
    """Write a path as an editor reads it: `.claims[1].grade`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)


@dataclass(frozen=True)
class Unread:
    """A record that could not be read: it stays visible, marked."""

    kind: str
    """The kind that a marker names."""
    id: str
    """As far as it could be read, else the name of a file of its own; empty where it may be any id of the kind."""
    file: str
    """Path relative to the project's root."""
    problems: tuple[Problem, ...]
    """Why it could not be read."""


@dataclass(frozen=True)
class TextField:
    """One text of one record in one language, with its place."""

    place: Place
    """Where the text begins."""
    kind: str
    """The kind of its record."""
    id: str
    """The id of its record."""
    role: str
    """The field without indexes, such as `question.misreadings.wrong`."""
    language: Language
    """One language of the ledger."""
    text: str
    """As written."""


@dataclass(frozen=True, eq=False)
class Ledger:
    """Everything the site is made of. Built by the reader, never changed."""

    info: LedgerInfo
    """What the ledger says about itself."""
    grades: Mapping[str, Grade] = field(default_factory=dict)
    """By letter."""
    sources: Mapping[str, Source] = field(default_factory=dict)
    """By id, the first word of locators."""
    values: Mapping[str, Value] = field(default_factory=dict)
    """By id."""
    specs: Specs = field(default_factory=lambda: Specs(columns=(), rows=()))
    """Columns and rows of the specifications."""
    questions: Mapping[str, Question] = field(default_factory=dict)
    """By id."""
    figures: Mapping[str, FigureContract] = field(default_factory=dict)
    """By id."""
    tables: Mapping[str, TableContract] = field(default_factory=dict)
    """By id."""
    labs: Mapping[str, LabContract] = field(default_factory=dict)
    """By id."""
    benchmarks: Benchmarks = field(default_factory=Benchmarks)
    """Benchmark rows with their protocols."""
    checklist: Mapping[str, ChecklistItem] = field(default_factory=dict)
    """What the ledger claims of itself."""
    components: Mapping[str, Component] = field(default_factory=dict)
    """By id."""
    redlines: Mapping[str, RedLine] = field(default_factory=dict)
    """By id."""
    corrections: Mapping[str, Correction] = field(default_factory=dict)
    """By id."""
    nodes: Mapping[str, Node] = field(default_factory=dict)
    """By id, which is also the key of their publication."""
    publications: Mapping[str, Publication] = field(default_factory=dict)
    """By key."""
    terms: Mapping[str, Term] = field(default_factory=dict)
    """By id."""
    releases: tuple[Release, ...] = ()
    """What was published, the oldest first."""
    prose: tuple[Prose, ...] = ()
    """Pages of `content/`, one per language, in the order of their files."""
    unread: tuple[Unread, ...] = ()
    """Records that could not be read."""
    origins: Mapping[Key, Origin] = field(default_factory=dict)
    """Where each record was read."""

    @cached_property
    def records(self) -> Mapping[str, Mapping[str, Model]]:
        """Every record, by the kind that a marker names, then by id."""
        return {
            "question": self.questions,
            "figure": self.figures,
            "table": self.tables,
            "value": self.values,
            "spec": {row.id: row for row in self.specs.rows},
            "redline": self.redlines,
            "correction": self.corrections,
            "cite": self.nodes,
            "term": self.terms,
            "grade": self.grades,
            "source": self.sources,
            "ledger": {"ledger": self.info},
            "column": {column.id: column for column in self.specs.columns},
            "lab": self.labs,
            "benchmark": {row.id: row for row in self.benchmarks.rows},
            "contender": {contender.id: contender for contender in self.benchmarks.contenders},
            "dimension": {dimension.id: dimension for dimension in self.benchmarks.dimensions},
            "setting": {setting.id: setting for setting in self.benchmarks.settings},
            "group": {group.id: group for group in self.benchmarks.groups},
            "item": self.checklist,
            "component": self.components,
        }

    def place(self, kind: str, id_: str, *path: str | int) -> Place:
        """Where the field at `path` of a record stands."""
        origin = self.origins.get((kind, id_))
        return origin.place(id_, path) if origin else Place("ledger", field=id_ + dotted(path))

    def knows(self, kind: str, target: str) -> bool:
        """Whether a marker or reference of this kind leads somewhere; a broken record counts as there."""
        id_, _, rest = target.partition(".")
        if kind == "claim":
            return self.claim(target) is not None or self._is_unread("question", id_)
        if kind == "spec":
            row = self.spec(id_)
            return (row is not None and rest in row.cells) or self._is_unread("spec", id_)
        if kind == "benchmark":
            scored = self.benchmark(id_)
            return (scored is not None and (not rest or rest in scored.scores)) or self._is_unread("benchmark", id_)
        if kind == "component":
            return target in self.components or self._is_unread("component", target)
        return not rest and (id_ in self.records.get(kind, {}) or self._is_unread(kind, id_))

    def _is_unread(self, kind: str, id_: str) -> bool:
        # where an id could not be read, it may be any
        return any(record.kind == kind and record.id in {id_, ""} for record in self.unread)

    def claim(self, reference: str) -> tuple[Question, Claim] | None:
        """The claim that `Q04.c2` names, with its question."""
        question_id, _, claim_id = reference.partition(".")
        question = self.questions.get(question_id)
        claim = next((claim for claim in question.claims if claim.id == claim_id), None) if question else None
        return (question, claim) if question and claim else None

    def spec(self, row_id: str) -> SpecRow | None:
        """The specification row with this id."""
        return next((row for row in self.specs.rows if row.id == row_id), None)

    def benchmark(self, row_id: str) -> Benchmark | None:
        """The benchmark row with this id."""
        return next((row for row in self.benchmarks.rows if row.id == row_id), None)

    def claims(self) -> Iterator[tuple[Question, int, Claim]]:
        """Every claim, with its question and its position there."""
        for question in self.questions.values():
            for index, claim in enumerate(question.claims):
                yield question, index, claim

    @staticmethod
    def boundary(question: Question, claim: Claim) -> Text:
        """How far a claim's evidence goes: its own boundary, else its question's."""
        return claim.boundary or question.boundary

    @cached_property
    def texts(self) -> tuple[TextField, ...]:
        """Every bilingual text of every record, once per language that it is written in."""
        return tuple(self._walk_texts())

    def _walk_texts(self) -> Iterator[TextField]:
        for (kind, id_), parts in self.parts.items():
            for path, text in parts:
                if not isinstance(text, Text):
                    continue
                role = ".".join([kind, *(part for part in path if isinstance(part, str))])
                for language in self.info.languages:
                    if written := text.in_language(language):
                        yield TextField(self.place(kind, id_, *path, language), kind, id_, role, language, written)

    @cached_property
    def parts(self) -> Mapping[Key, tuple[tuple[FaultPath, Any], ...]]:
        """For each record, every bilingual text and every plain value in it, with its path; what is left out is not."""
        return {
            (kind, id_): tuple(_walk(record, ()))
            for kind, records in self.records.items()
            for id_, record in records.items()
        }

    @cached_property
    def backlinks(self) -> Mapping[Key, tuple[Key, ...]]:
        """For each record, the records that name it in a field, a locator or a marker; sorted, without itself."""
        found: dict[Key, set[Key]] = defaultdict(set)
        for question in self.questions.values():
            for target in links_of(question):
                found[target].add(("question", question.id))
        for key, parts in self.parts.items():
            for target in _named_in(parts):
                found[target].add(key)
        for text in self.texts:
            for marker in find_markers(text.text):
                kind = "question" if marker.kind == "claim" else marker.kind
                found[kind, marker.target.partition(".")[0]].add((text.kind, text.id))
        return {key: tuple(sorted(users - {key})) for key, users in found.items()}


def links_of(question: Question) -> Iterator[Key]:
    """Every record that a question names in its lists."""
    for kind in ("figure", "table", "lab", "redline", "correction"):
        yield from ((kind, id_) for id_ in getattr(question, f"{kind}s"))
    yield from (("cite", node) for node in question.nodes)
    yield from (("question", reference.partition(".")[0]) for reference in question.related)


def _named_in(parts: tuple[tuple[FaultPath, Any], ...]) -> Iterator[Key]:
    """Nodes in locators, values in derivations."""
    for path, value in parts:
        if not isinstance(value, str):
            continue
        if "locators" in path or path[-1] == "locator":
            locator = parse_locator(value)
            if locator and locator.source == "node":
                yield "cite", locator.target
        elif "derivation" in path and (path[-1] == "value" or isinstance(path[-1], int)):
            yield "value", value


def _walk(value: Any, path: FaultPath) -> Iterator[tuple[FaultPath, Any]]:
    if isinstance(value, Model):
        if isinstance(value, Text):
            yield path, value
        for name in type(value).model_fields:
            if (inner := getattr(value, name)) is not None:
                yield from _walk(inner, (*path, name))
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _walk(inner, (*path, name))
    elif isinstance(value, tuple):
        for index, inner in enumerate(value):
            yield from _walk(inner, (*path, index))
    else:
        yield path, value
