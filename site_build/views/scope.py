"""A page being written: its ledger, language and address. It turns ids into links and texts into HTML."""

import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from itertools import chain
from typing import Any

from site_build.messages import WORDS
from site_build.model import (
    Cell,
    Language,
    Ledger,
    Locator,
    Marker,
    Text,
    Value,
    parse_locator,
    print_number,
    with_powers,
)
from site_build.source import PublicName
from site_build.visuals import plain_words, render_line, render_text

FOLDERS = {
    "question": "questions",
    "figure": "figures",
    "table": "tables",
    "lab": "labs",
    "redline": "redlines",
    "correction": "corrections",
    "cite": "nodes",
}
"""Kinds whose records have a page each, and the folder of it."""
CITING = "cite"
"""Folder of the pages that quote each question's claims."""
LISTS = {
    "value": "values",
    "spec": "specs",
    "benchmark": "benchmarks",
    "term": "glossary",
    "grade": "grades",
    "source": "sources",
    "item": "checklist",
}
"""Kinds whose records share one page, each at an anchor."""
LONGEST_UNBROKEN = 32
"""Characters of a number with its unit that stay on one line; the narrowest phone has room for them."""
SHORT_LOCATOR = 24
"""Characters of a locator that a phone's column holds in one line; a longer one may break."""
_COUNTED = re.compile(r"§[\w.]+|\b(?:table|app\.|eq\.|fig\.|alg\.) ?\w+")
"""A sign or word of a locator with its number, which stay on one line."""


class Html(str):
    """HTML that is finished: templates print it as it is."""

    __slots__ = ()

    def __html__(self) -> str:
        """Tell the template engine that nothing is left to escape."""
        return self


def shown_id(kind: str, id_: str) -> str:
    """The id as readers see it: a figure's `F03` is shown as F3."""
    return f"F{id_[1:].lstrip('0')}" if kind == "figure" and id_[1:].strip("0") and id_[1:].isdigit() else id_


@dataclass(frozen=True)
class LabSource:
    """The function that a lab runs, as it is written."""

    name: str
    """With its module."""
    text: str


@dataclass(frozen=True)
class LiveLabs:
    """Where a page finds what labs need to run, and how it knows that it got the right files."""

    folder: str
    """From the site's root."""
    manifest: str
    """SHA-256 of the list of all files."""
    scripts: tuple[tuple[str, str], ...]
    """Name and integrity of each script of the page, the one that starts the rest last."""
    size: int
    """Bytes of everything that a first run loads."""
    sources: Mapping[str, LabSource] = field(default_factory=dict)
    """By its name in the registry, the function of each lab."""


@dataclass(frozen=True)
class Results:
    """What the numerics computed for this build."""

    labs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By lab, the result of its defaults."""
    points: Mapping[str, tuple[tuple[dict[str, Any], ...], ...]] = field(default_factory=dict)
    """By component, the points of each of its charts."""
    live: LiveLabs | None = None
    """Set where labs can run in the page."""
    parity: Mapping[str, Any] | None = None
    """What the last comparison of the labs' engines found; none before the first."""
    seen: Mapping[str, Any] | None = None
    """What a browser last found of the promised records; none before the first look."""
    build: str = ""
    """The build's id."""
    version: str = ""
    """The release that this build is; empty for none."""
    digests: Mapping[str, str] = field(default_factory=dict)
    """By release, SHA-256 of its manifest."""
    address: str = ""
    """Where the site is published, with a slash at its end; empty for where the ledger says."""
    health: Mapping[str, Any] | None = None
    """What a browser last found on its way through all suites; none before the first."""
    runtime_missing: bool = False
    """Whether labs could run, had the build had the runtime."""
    reference: tuple[PublicName, ...] = ()
    """What the numerics package documents of itself."""
    citations: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By claim, each form of its citation; a withdrawn claim has none."""


@dataclass(frozen=True)
class Scope:
    """One page of one language."""

    ledger: Ledger
    language: Language
    here: str
    """Path of the page from the language's root: `questions/Q04`, empty for the home page."""
    results: Results = Results()

    @cached_property
    def labels(self) -> dict[str, str]:
        """The generator's own words in the page's language."""
        return WORDS[self.language].labels

    def which_build(self, build: str) -> str:
        """Whether a result of a command belongs to this build, in words."""
        return self.labels["this_build" if build == self.results.build else "earlier_build"]

    @property
    def root(self) -> str:
        """Where the pages of this language are published."""
        address, first = self.results.address or self.ledger.info.address, self.ledger.info.languages[0]
        return address if self.language == first else f"{address}{self.language}/"

    def to(self, path: str, anchor: str = "") -> str:
        """A relative address of another page of the same language."""
        relative = posixpath.relpath(path or ".", self.here or ".")
        address = "./" if relative == "." else f"{relative}/"
        return f"{'' if relative == '.' and anchor else address}{'#' + anchor if anchor else ''}"

    def link(self, kind: str, target: str) -> str:
        """The relative address of a record."""
        id_, _, rest = target.partition(".")
        if kind == "claim":
            return self.to(f"questions/{id_}", rest)
        if kind in FOLDERS:
            return self.to(f"{FOLDERS[kind]}/{id_}")
        if kind in LISTS:
            return self.to(LISTS[kind], id_)
        if kind == "component":
            return self.to(self._owner(target), target)
        return self.to("")

    def _owner(self, component: str) -> str:
        """Path of the page that shows a component."""
        ledger = self.ledger
        asked = ((f"{FOLDERS['question']}/{q.id}", q.acceptance.component) for q in ledger.questions.values())
        drawn = (
            (f"{FOLDERS[kind]}/{id_}", contract.component)
            for kind, contracts in (("figure", ledger.figures), ("table", ledger.tables))
            for id_, contract in contracts.items()
        )
        return next((path for path, shown in chain(asked, drawn) if shown == component), "")

    def say(self, text: Text | None) -> str:
        """The text in the page's language, as written."""
        return text.in_language(self.language) if text else ""

    def line(self, text: Text | None) -> Html:
        """The text as HTML without a paragraph around it."""
        return Html(render_line(self.say(text), self.marker))

    def block(self, text: Text | None) -> Html:
        """The text as paragraphs."""
        return Html(render_text(self.say(text), self.marker))

    def words(self, text: Text | None) -> str:
        """The text as plain words, for titles and descriptions."""
        return plain_words(self.say(text), self.marker_words)

    def marker(self, marker: Marker) -> Html:
        """What a marker becomes on the page."""
        if marker.kind == "value" and (value := self.ledger.values.get(marker.target)):
            return self.value(value)
        title = escape(self.card(marker))
        link = escape(self.link(marker.kind, marker.target))
        name = escape(self.marker_words(marker))
        return Html(f'<a class="rl-ref rl-ref--{marker.kind}" href="{link}" title="{title}">{name}</a>')

    def card(self, marker: Marker) -> str:
        """What a link says on hover: a record's name; for a work also where it appeared and why to read it."""
        title = self.title_of(marker.kind, marker.target)
        node, work = self.ledger.nodes.get(marker.target), self.ledger.publications.get(marker.target)
        if marker.kind != "cite" or node is None or work is None:
            return title
        return f"{title} · {work.venue}, {work.year} · {self.words(node.why)}"

    def marker_words(self, marker: Marker) -> str:
        """What a marker says where nothing can be linked."""
        id_, _, rest = marker.target.partition(".")
        if marker.kind == "value" and (value := self.ledger.values.get(id_)):
            return self.printed(value.number, value.display, value.unit)
        if marker.kind == "spec" and (row := self.ledger.spec(id_)) and (cell := row.cells.get(rest)):
            return self.cell_words(cell)
        if marker.kind == "benchmark" and (scored := self.ledger.benchmark(id_)):
            score = scored.scores.get(rest)
            return self.printed(score.number, score.display, scored.unit) if score and score.number else scored.name
        if marker.kind == "term" and (term := self.ledger.terms.get(id_)):
            return self.say(term.name)
        if marker.kind == "cite":
            return self.short_citation(id_)
        return marker.target if marker.kind == "claim" else self.named_id(marker.kind, id_)

    def named_id(self, kind: str, id_: str) -> str:
        """A record's id in a sentence; the letter of a lab alone would be no word."""
        return f"{self.labels['lab']}\u00a0{id_}" if kind == "lab" else shown_id(kind, id_)

    def title_of(self, kind: str, target: str) -> str:
        """A record's name in plain words, for a link's title."""
        id_ = target.partition(".")[0]
        if kind == "claim":
            found = self.ledger.claim(target)
            return self.words(found[1].text) if found else ""
        if kind == "cite":
            publication = self.ledger.publications.get(id_)
            return publication.title if publication else ""
        record = self.ledger.records.get(kind, {}).get(id_)
        for name in ("title", "name", "statement"):
            text = getattr(record, name, None)
            if isinstance(text, Text):
                return self.words(text)
        return str(getattr(record, "title", "")) if record else ""

    def short_citation(self, node_id: str) -> str:
        """Authors and year of a node: `Yang et al. 2024`."""
        publication = self.ledger.publications.get(node_id)
        if publication is None:
            return node_id
        families = [person.family for person in publication.authors]
        many = len(families) > 2 or not publication.complete
        joined = f"{families[0]} {self.labels['et_al']}" if families and many else " & ".join(families)
        return f"{joined or node_id} {publication.year}"

    def printed(self, number: float, display: str, unit: str | None) -> str:
        """A number with its unit; a power of ten is written as one."""
        text = with_powers(print_number(number, display) or str(number))
        name = self.unit(unit) if unit else ""
        return f"{text}\u00a0{name}" if name not in {"", "%"} else f"{text}{name}"

    def unit(self, unit_id: str) -> str:
        """A unit's name in the page's language."""
        unit = next((unit for unit in self.ledger.info.units if unit.id == unit_id), None)
        return self.say(unit.name) if unit else unit_id

    def exact(self, number: float) -> str:
        """The number as the ledger holds it, and whether its print drops digits."""
        return f"{number:,}" if isinstance(number, int) else repr(number)

    def value(self, value: Value) -> Html:
        """A number in a sentence: printed with its unit, exact form and grade on hover, linked to its record."""
        printed = self.printed(value.number, value.display, value.unit)
        grade = self.ledger.grades.get(value.grade)
        parts = [self.words(value.name), f"{self.labels['exact']}{self.labels['colon']}{self.exact(value.number)}"]
        parts.append(f"{value.grade}{self.labels['colon']}{self.say(grade.name) if grade else ''}")
        title = escape(" · ".join(parts))
        link = escape(self.link("value", value.id))
        # a column that is too narrow may break before the last word, and nowhere else: `300 K` stays together
        shown = "\u00a0<wbr>".join(escape(printed).replace(" ", "\u00a0").rsplit("\u00a0", 1))
        long = " rl-value--long" if len(printed) > LONGEST_UNBROKEN else ""
        return Html(f'<a class="rl-value{long}" href="{link}" title="{title}">{shown}</a>')

    def cell_words(self, cell: Cell) -> str:
        """A specification's entry in plain words."""
        if cell.number is not None and cell.display is not None:
            return self.printed(cell.number, cell.display, cell.unit)
        return self.words(cell.text)

    def locators(self, texts: Iterable[str]) -> tuple[Html, ...]:
        """Locators one after the other; of those that lead to one address only the last says it on paper."""
        read = [(text, self._read_locator(text)) for text in texts]
        urls = [self.place_address(locator) if locator else "" for _, locator in read]
        return tuple(
            self._locator(*one, same=bool(url) and url in urls[place : place + 1])
            for place, (one, url) in enumerate(zip(read, urls, strict=True), 1)
        )

    def locator(self, text: str) -> Html:
        """A locator as a link that names the place and, where one is known, leads to it."""
        return self._locator(text, self._read_locator(text))

    def _read_locator(self, text: str) -> Locator | None:
        # a release may name a node that the ledger has dropped since
        locator = parse_locator(text)
        dropped = locator and locator.source == "node" and locator.target not in self.ledger.publications
        return None if dropped else locator

    def _locator(self, text: str, locator: Locator | None, *, same: bool = False) -> Html:
        if locator is None:
            return Html(escape(text))
        name = escape(self.place_name(locator))
        url = self.place_address(locator)
        whole = " rl-unbroken" if len(text) <= SHORT_LOCATOR else ""
        shown = _COUNTED.sub(r'<span class="rl-unbroken">\g<0></span>', escape(text))
        alike = " data-same" if same else ""
        return Html(f'<a class="rl-locator{whole}" href="{escape(url)}" title="{name}"{alike}>{shown}</a>')

    def place_name(self, locator: Locator) -> str:
        """The place in words: source, section title, part."""
        if locator.source == "node":
            return self.title_of("cite", locator.target)
        source = self.ledger.sources.get(locator.source)
        if source is None:
            return locator.text
        title = next((section.title for section in source.outline if section.number == locator.section), "")
        return " · ".join(part for part in (source.title, f"{locator.section} {title}".strip(), locator.target) if part)

    def place_address(self, locator: Locator) -> str:
        """Where the place can be read: the very section where its address is known, else this site's source record."""
        if locator.source == "node":
            return self.link("cite", locator.target)
        source = self.ledger.sources.get(locator.source)
        if source is None:
            return self.to("sources")
        section = next((section for section in source.outline if section.number == locator.section), None)
        return (section.url if section and section.url else None) or source.url or self.link("source", source.id)
