"""Read a bibliography with bibtexparser, read it again with pybtex, and accept only what both understand alike.

bibtexparser alone accepts a missing comma or an early closing brace and loses fields without a word; the second reading
turns that into a problem with its line. Accents are decoded before names are split; addresses are never decoded.
"""

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from bibtexparser.entrypoint import parse_string
from bibtexparser.middlewares.names import (
    InvalidNameError,
    parse_single_name_into_parts,
    split_multiple_persons_names,
)
from bibtexparser.model import (
    DuplicateBlockKeyBlock,
    DuplicateFieldKeyBlock,
    Entry,
    ImplicitComment,
    ParsingFailedBlock,
    String,
)
from pybtex import errors as pybtex_errors
from pybtex.database.input import bibtex as pybtex_input
from pylatexenc.latex2text import LatexNodes2Text

from site_build.memory import keep, name_of, recall
from site_build.model import Fault, Person, Publication, read_record
from site_build.problems import Place, Problem

_THESE_READERS = f"{version('bibtexparser')} {version('pybtex')} {Path(__file__).read_text(encoding='utf-8')}"
"""What a reading depends on besides the text."""
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
VENUE_FIELDS = ("journal", "booktitle", "howpublished", "publisher", "institution", "note")
_KEY = re.compile(r"^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$")
_RAW_FIELDS = frozenset({"url", "doi", "eprint", "file"})
_DECODER = LatexNodes2Text(math_mode="verbatim", keep_comments=True)
_ACCENT = re.compile(r"\{?(\\['\"`^~=.uvHtcdbrk]\s*\{?\\?[A-Za-z]\}?)\}?")
_NAMED = r"\\(?:L|l|O|o|ss|AE|ae|OE|oe|AA|aa|DH|dh|TH|th)(?![A-Za-z])"
_LETTER = re.compile(rf"\{{{_NAMED}\}}|{_NAMED}(?:\{{\}}|\s*)")
"""A letter with a name of its own, such as the first of `{\\L}ukasz`, `\\L{}ukasz` and `\\L ukasz`."""
_LEFT_OVER = re.compile(r"^\s*[,})]|\w\s*=\s*[{\"]", re.MULTILINE)
"""Text between entries that was meant to be part of one: a brace closed it too early."""

# what it warns about becomes a problem with a place
logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)


@dataclass(frozen=True)
class Bibliography:
    """The publications of one file, the line of each, and what is wrong with the file."""

    publications: Mapping[str, Publication]
    lines: Mapping[str, int]
    problems: tuple[Problem, ...]


def read_bibliography(root: Path, file: str) -> Bibliography:
    """Read `file`, a path below `root`."""
    try:
        text = (root / file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        return Bibliography({}, {}, (Problem.at(Place(file), "file-unreadable", reason),))
    return parse_bibliography(text, file)


def parse_bibliography(text: str, file: str) -> Bibliography:
    """Read BibTeX text that stands in `file`; a text read without a fault is not read twice."""
    name = name_of(_THESE_READERS, text)
    if (known := recall("bibliography", name)) is not None:
        publications, lines = known
        return Bibliography({key: Publication(**fields) for key, fields in publications.items()}, lines, ())
    read = _parse(text, file)
    if not read.problems:
        keep("bibliography", name, ({key: one.model_dump() for key, one in read.publications.items()}, read.lines))
    return read


def _parse(text: str, file: str) -> Bibliography:
    library = parse_string(text, parse_stack=[])
    second, problems = _second_reading(text, file)
    publications: dict[str, Publication] = {}
    lines: dict[str, int] = {}
    for block in library.blocks:
        line = (block.start_line or 0) + 1
        if isinstance(block, Entry):
            lines[block.key] = line
            publication, faults = _publication(block, Place(file, line, 1, block.key))
            problems += [*faults, *_differences(block, second.get(block.key), Place(file, line, 1, block.key))]
            if publication is not None:
                publications[block.key] = publication
        elif not isinstance(block, String):
            problems += _failed_block(block, Place(file, line), lines, file)
    return Bibliography(publications, lines, tuple(sorted(set(problems))))


def _failed_block(block: object, place: Place, lines: Mapping[str, int], file: str) -> Iterator[Problem]:
    if isinstance(block, DuplicateBlockKeyBlock):
        first = f"{file}:{lines.get(block.key, 1)}"
        yield Problem.at(Place(place.file, place.line, 1, block.key), "bib-duplicate-key", block.key, first=first)
    elif isinstance(block, DuplicateFieldKeyBlock):
        yield Problem.at(place, "bib-duplicate-field", ", ".join(sorted(block.duplicate_keys)))
    elif isinstance(block, ParsingFailedBlock):
        reason = getattr(block.error, "abort_reason", None) or str(block.error)
        yield Problem.at(place, "bib-syntax", reason.splitlines()[0][:100].rstrip("."))
    elif isinstance(block, ImplicitComment) and (found := _LEFT_OVER.search(block.comment)):
        here = Place(file, place.line + block.comment.count("\n", 0, found.start()))
        left = _plain(block.comment[found.start() :])
        yield Problem.at(here, "bib-syntax", left[:60])


def _second_reading(text: str, file: str) -> tuple[dict[str, tuple[str, dict[str, str]]], list[Problem]]:
    """Entry type and fields by key, as pybtex reads them, with the faults only it sees."""
    parser = pybtex_input.Parser(macros={month: month for month in MONTHS})
    with pybtex_errors.capture() as captured:
        try:
            parser.parse_string(text)
        except Exception as error:  # pybtex raises several kinds for one broken file
            captured.append(error)
    problems = []
    for fault in captured:
        if "repeated bibliography entry" not in str(fault):
            line = getattr(fault, "lineno", None) or 1
            problems.append(Problem.at(Place(file, line), "bib-syntax", str(fault).splitlines()[0][:100]))
    entries: dict[str, tuple[str, dict[str, str]]] = {}
    for key, entry in parser.data.entries.items():
        people = {role: " and ".join(str(person) for person in persons) for role, persons in entry.persons.items()}
        entries[key] = (entry.original_type.lower(), {**{k.lower(): v for k, v in entry.fields.items()}, **people})
    return entries, problems


def _differences(entry: Entry, other: tuple[str, dict[str, str]] | None, place: Place) -> Iterator[Problem]:
    """Say where the two readings of an entry differ."""
    if other is None:
        yield Problem.at(place, "bib-readings-differ", "one reading", what="the entry")
        return
    kind, fields = other
    if kind != entry.entry_type.lower():
        yield Problem.at(place, "bib-readings-differ", f"{entry.entry_type} and {kind}", what="the entry's type")
    mine = {field.key.lower(): field for field in entry.fields}
    for name in sorted(set(mine) ^ set(fields)):
        yield Problem.at(place, "bib-readings-differ", f"{name} in one reading", what=f"field {name}")
    for name in sorted(set(mine) & set(fields)):
        here = Place(place.file, (mine[name].start_line or 0) + 1, 1, f"{entry.key}.{name}")
        ours, theirs = _plain(_unwrap(str(mine[name].value))), _plain(fields[name])
        if name in {"author", "editor"}:
            ours, theirs = _name_key(ours), _name_key(theirs)
        elif ours.lower() in MONTHS:
            ours = ours.lower()
        if ours != theirs:
            yield Problem.at(here, "bib-readings-differ", f"{ours[:40]} and {theirs[:40]}", what=f"field {name}")


def _publication(entry: Entry, place: Place) -> tuple[Publication | None, list[Problem]]:
    problems: list[Problem] = []
    if not _KEY.match(entry.key):
        problems.append(Problem.at(place, "bib-key", entry.key))
    fields: dict[str, str] = {}
    raw: dict[str, str] = {}
    for field in entry.fields:
        here = Place(place.file, (field.start_line or 0) + 1, 1, f"{entry.key}.{field.key}")
        value = str(field.value).strip()
        if value[:1] not in {"{", '"'} and not value.isdigit() and value.lower() not in MONTHS:
            problems.append(Problem.at(here, "bib-undefined-string", value[:60]))
        name = field.key.lower()
        raw[name] = _plain(_unwrap(value))
        fields[name] = _plain(_unwrap(value)) if name in _RAW_FIELDS else _decode(_unwrap(value))
    people, complete, faults = _people(_unwrap(str(entry["author"])) if "author" in entry else "", place)
    problems += faults
    year = fields.get("year", "")
    found = read_record(
        Publication,
        {
            "key": entry.key,
            "entry_type": entry.entry_type.lower(),
            "title": fields.get("title", ""),
            "authors": people,
            "complete": complete,
            "year": int(year) if year.isdigit() else year,
            "venue": next((fields[name] for name in VENUE_FIELDS if fields.get(name)), ""),
            "url": fields.get("url", ""),
            "arxiv": fields.get("eprint", "") if fields.get("archiveprefix", "").lower() == "arxiv" else "",
            "fields": raw,
        },
    )
    if isinstance(found, Publication):
        return (found if not problems else None), problems
    return None, problems + [_fault(fault, place) for fault in found if fault.path != ("key",)]


def _fault(fault: Fault, place: Place) -> Problem:
    name = str(fault.path[0]) if fault.path else "entry"
    return Problem.at(Place(place.file, place.line, 1, f"{place.field}.{name}"), "bib-field", fault.got, field=name)


def _people(text: str, place: Place) -> tuple[tuple[Person, ...], bool, list[Problem]]:
    people: list[Person] = []
    problems: list[Problem] = []
    names = [name.strip() for name in split_multiple_persons_names(_decode(text, keep_braces=True))]
    complete = not names or names[-1] != "others"
    for name in names if complete else names[:-1]:
        if name.startswith("{") and name.endswith("}"):
            people.append(Person(family=name.strip("{}")))
            continue
        try:
            parts = parse_single_name_into_parts(name, strict=True)
        except InvalidNameError as error:
            problems.append(Problem.at(place, "bib-name", name, reason=str(error).splitlines()[0]))
            continue
        family = " ".join([*parts.von, *parts.last, *parts.jr]).replace("{", "").replace("}", "")
        if family:
            people.append(Person(family=family, given=" ".join(parts.first).replace("{", "").replace("}", "")))
    return tuple(people), complete, problems


def _unwrap(value: str) -> str:
    value = value.strip()
    return value[1:-1] if value[:1] in {"{", '"'} else value


def _plain(text: str) -> str:
    return " ".join(text.split())


def _name_key(names: str) -> str:
    """Names without order, spaces and punctuation, so that `Family, Given` equals `Given Family`."""
    return " and ".join("".join(sorted(re.sub(r"[\s,{}~.]", "", name))) for name in names.split(" and "))


def _decode(text: str, *, keep_braces: bool = False) -> str:
    """Turn LaTeX accents and quotes into characters; a tilde becomes a space, a percent or ampersand stays."""
    if "\\" in text:
        text = re.sub(r"(?<!\\)%", r"\\%", text)
        text = _LETTER.sub(lambda found: _DECODER.latex_to_text(found[0].strip("{}") + "{}"), text)
        text = _ACCENT.sub(lambda found: _DECODER.latex_to_text(found[1]), text)
        if not keep_braces:
            text = _DECODER.latex_to_text(text)
    text = text.replace("~", " ")
    return _plain(text if keep_braces else text.replace("{", "").replace("}", ""))
