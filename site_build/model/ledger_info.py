"""What the ledger says about itself: title, address, languages, lists of topics and stages, promised counts."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from site_build.model.base import Day, GradeId, Language, Line, Model, Slug, Text, Url
from site_build.model.prose import ProseSection


class Named(Model):
    """An entry of one of the ledger's own lists: a topic, a stage, a status, a unit."""

    id: Slug
    """How records refer to it."""
    name: Text
    """How readers see it."""


class Unit(Model):
    """A unit of measure."""

    id: Line
    """How values refer to it: `MiB`."""
    name: Text
    """How readers see it after a number; the id itself for symbols."""
    measured: bool = False
    """A unit of something measured on a machine, such as a latency: a teaching model may not use it unmarked."""


class Promised(Model):
    """How many records marked promised the ledger holds; a check counts."""

    questions: int
    """Questions marked promised."""
    figures: int
    """Figures marked promised."""
    tables: int
    """Tables marked promised."""
    labs: int
    """Labs marked promised."""
    path_nodes: int
    """Nodes of the reading path."""


def _once(languages: tuple[Language, ...]) -> tuple[Language, ...]:
    if len(set(languages)) < len(languages):
        raise ValueError("each language once")
    return languages


class LedgerInfo(Model):
    """`ledger/ledger.yaml`."""

    title: Text
    """The site's name."""
    description: Text
    """One sentence of what the ledger is about."""
    author: Line
    """Who to cite."""
    address: Url
    """Where the site will stand; ends with a slash."""
    languages: Annotated[tuple[Language, ...], AfterValidator(_once)] = Field(
        min_length=1, json_schema_extra={"uniqueItems": True}
    )
    """The first stands at the site's root, the others under their code."""
    date: Day
    """The source date of the build: no page reads the clock."""
    numerics: Line
    """The module whose `DERIVATIONS` and `LABS` the ledger's records name."""
    promised: Promised
    """Counts of promised records."""
    ids: dict[str, Line]
    """For each kind, the pattern of its ids."""
    example: Line
    """The claim that the home page shows as it looks, such as `Q04.c2`."""
    opening: Slug | None = None
    """The component that the home page opens with."""
    topics: tuple[Named, ...]
    """What a question can be about, in reading order."""
    statuses: tuple[Named, ...]
    """How far a question is answered."""
    stages: tuple[Named, ...]
    """The stages of the reading path, in order."""
    units: tuple[Unit, ...]
    """Units that values may have."""
    allowed_digits: tuple[Line, ...] = ()
    """Words with digits that prose may hold as they are."""
    sections: tuple[ProseSection, ...] = ()
    """Folders of `content/` with their pages in reading order."""
    edit_url: Url | None = None
    """Address of a file's editor, with `{path}` and `{line}`; none hides the links."""


class Grade(Model):
    """`ledger/grades.yaml`: what a letter promises."""

    id: GradeId
    """The letter."""
    name: Text
    """The grade in two or three words."""
    meaning: Text
    """What the letter promises, and what it does not."""
    needs: Text
    """What a claim of this grade has to bring."""


class Section(Model):
    """A section of a source's outline."""

    number: Line
    """`2.1.1`; `abstract` and `front` are always known."""
    title: Line
    """As the source has it."""
    url: Url | None = None
    """An address of this very section that was checked."""


class Source(Model):
    """`ledger/sources.yaml`: something that locators point into."""

    id: Slug
    """The first word of its locators."""
    title: Line
    """As the source has it."""
    kind: Literal["report", "configuration", "code", "page", "notes"]
    """What it is; only a report backs the grade R."""
    by: tuple[Line, ...] = Field(min_length=1)
    """Who made it: persons, groups, owners of repositories, a repository with a copy of it. Sources and works that
    share a name count as one party; the first name is the one that pages show."""
    url: Url | None = None
    """Where it stands; none for what is unpublished."""
    version: Text
    """The edition that was read."""
    date: Day
    """The edition's date."""
    note: Text
    """How it was read, and what is known of its editions."""
    outline: tuple[Section, ...] = ()
    """Its sections; empty where locators name none."""
    equations: int = 0
    """Equations are numbered from 1 to here."""
    figures: int = 0
    """As for equations."""
    tables: int = 0
    """As for equations."""
    algorithms: int = 0
    """As for equations."""
    appendices: tuple[Line, ...] = ()
    """Letters of its appendices."""
    paths: tuple[Line, ...] = ()
    """For a configuration: the paths that locators may name."""
