"""Read BibTeX entries with bibtexparser, read each again with pybtex, and accept only what both understand alike.

bibtexparser alone accepts a missing comma or an early closing brace and loses fields without a word; the second reading
turns that into a problem with its line. One cause gives one problem: what cannot be taken apart is not read further,
and readings are compared where nothing else is wrong. Accents are decoded before names are split; addresses never are.
"""

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import islice

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
)
from pybtex import errors as pybtex_errors
from pybtex.database.input import bibtex as pybtex_input
from pybtex.scanner import PybtexSyntaxError

from site_build.model import Fault, Person, Publication, Unread, read_record
from site_build.problems import Place, Problem
from site_build.source.bib_text import LatexError, decode, name_key, plain, unwrap
from site_build.source.bibliography import Bibliography

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
VENUE_FIELDS = ("journal", "booktitle", "howpublished", "publisher", "institution", "note")
TYPES = (
    *("article", "book", "booklet", "conference", "inbook", "incollection", "inproceedings", "manual", "mastersthesis"),
    *("misc", "phdthesis", "proceedings", "techreport", "unpublished"),
    *("artwork", "audio", "bookinbook", "collection", "commentary", "dataset", "electronic", "image", "inreference"),
    *("jurisdiction", "legislation", "letter", "movie", "music", "mvbook", "mvcollection", "mvproceedings"),
    *("mvreference", "online", "patent", "performance", "periodical", "reference", "report", "review", "software"),
    *("standard", "suppbook", "suppcollection", "suppperiodical", "thesis", "video", "www"),
)
"""Types of entries: those of BibTeX, then what BibLaTeX adds."""
_KEY = re.compile(r"^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$")
_YEAR = re.compile(r"^[0-9]{1,6}$")
_RAW_FIELDS = frozenset({"url", "doi", "eprint", "file"})
_FIELD = re.compile(r"^\s*[A-Za-z][\w-]*\s*=\s*[{\"]", re.MULTILINE)
_HEAD = re.compile(r"@?\s*\w+\s*[{(]\s*(?P<key>[^\s,{}()=]++)(?!\s*=)")
"""How an entry begins, with its `@` or without."""
_REMARK = re.compile(r"^\s*%.*$", re.MULTILINE)
_LEFT_OVER = re.compile(r"^\s*,|\w+\s*[{(][^\s{}()]+,\s*$|\w\s*=\s*[{\"]|[{}]", re.MULTILINE)
"""Text between entries that was meant to be one or part of one: a brace closed it too early."""

# what it warns about becomes a problem with a place
logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)


@dataclass(frozen=True)
class _Stretch:
    """One entry of the file, as far as it could be read."""

    key: str
    """Empty where it cannot be told."""
    line: int
    problems: tuple[Problem, ...]
    publication: Publication | None = None
    whole: bool = True
    """It could be taken apart: what follows it is not its rest."""

    def cut(self, fault: Problem) -> "_Stretch":
        """The entry with a rest behind it: what it lacks, it lacks for no other reason."""
        return replace(self, problems=(fault,), publication=None, whole=False) if self.whole else self


def read_entries(text: str, file: str) -> Bibliography:
    """Read BibTeX text that stands in `file`."""
    found: list[_Stretch] = []
    lines: dict[str, int] = {}
    for block in parse_string(text, parse_stack=[]).blocks:
        place = Place(file, (block.start_line or 0) + 1)
        if isinstance(block, Entry):
            lines[block.key] = place.line
            found.append(_read(block, Place(file, place.line, 1, block.key)))
        elif isinstance(block, DuplicateBlockKeyBlock):
            here = Place(file, place.line, 1, block.key)
            fault = Problem.at(here, "bib-duplicate-key", block.key, first=f"{file}:{lines.get(block.key, 1)}")
            found.append(_Stretch(block.key, place.line, (fault,)))
        elif isinstance(block, ParsingFailedBlock):
            found.append(_Stretch(_key_of(block.raw), place.line, (_failed(block, place, text),), whole=False))
        elif isinstance(block, ImplicitComment) and (rest := _left_over(block, place)):
            if found and not _HEAD.match(block.comment):
                found[-1] = found[-1].cut(rest)
            else:
                found.append(_Stretch(_key_of(block.comment), place.line, (rest,), whole=False))
    publications: dict[str, Publication] = {}
    for stretch in found:
        if stretch.publication is not None:
            publications.setdefault(stretch.key, stretch.publication)
    broken = (stretch for stretch in found if stretch.problems and stretch.key not in publications)
    unread = tuple(Unread("publication", as_key(stretch.key), file, stretch.problems) for stretch in broken)
    problems = {problem for stretch in found for problem in stretch.problems}
    return Bibliography(publications, lines, tuple(sorted(problems)), unread)


def as_key(key: str) -> str:
    """A key in the form that keys have here."""
    return key if _KEY.match(key) else re.sub(r"[^a-z0-9]+", "-", key.lower()).strip("-")


def _key_of(text: str | None) -> str:
    found = _HEAD.search(text or "")
    return found["key"] if found else ""


def _failed(block: ParsingFailedBlock, place: Place, text: str) -> Problem:
    """The one problem of an entry that cannot be taken apart."""
    if isinstance(block, DuplicateFieldKeyBlock) and isinstance(block.ignore_error_block, Entry):
        entry = block.ignore_error_block
        name = min(block.duplicate_keys)
        first, second = [(field.start_line or 0) + 1 for field in entry.fields if field.key == name][:2]
        here = Place(place.file, second, 1, f"{entry.key}.{name}")
        return Problem.at(here, "bib-duplicate-field", name, first=f"{place.file}:{first}")
    raw = block.raw or ""
    fields = list(_FIELD.finditer(raw))
    # a field that begins inside another: that one was never closed
    inside = (index for index, field in enumerate(fields) if index and _depth(raw[: field.start()]) > 1)
    index = next(inside, 0)
    line = raw.count("\n", 0, fields[index - 1].end()) + 1 if index else 1
    if not index and str(getattr(block.error, "abort_reason", "")).startswith("Expected a `=`"):
        line = text.count("\n", 0, getattr(block.error, "end_index", 0)) + 2 - place.line
    return _syntax(place, "\n".join(text.splitlines()[place.line - 1 :]), line)


def _depth(text: str) -> int:
    return text.count("{") - text.count("}")


def _syntax(place: Place, raw: str, line: int) -> Problem:
    """Point at a line of an entry, counted from 1."""
    written = raw.splitlines()[line - 1 : line] or [""]
    here = Place(place.file, place.line + line - 1, 1, place.field)
    return Problem.at(here, "bib-syntax", plain(written[0])[:60])


def _left_over(block: ImplicitComment, place: Place) -> Problem | None:
    comment = _REMARK.sub(lambda remark: " " * len(remark[0]), block.comment)
    found = _LEFT_OVER.search(comment)
    if found is None:
        return None
    start = found.start() + len(found[0]) - len(found[0].lstrip())
    here = Place(place.file, place.line + comment.count("\n", 0, start))
    return Problem.at(here, "bib-syntax", plain(block.comment[start:])[:60])


def _read(entry: Entry, place: Place) -> _Stretch:
    """Read one entry, twice; what the first reading finds wrong, the second need not say again."""
    kind, fields, error = _second_reading(entry.raw or "")
    if isinstance(error, PybtexSyntaxError) and not isinstance(error, pybtex_input.UndefinedMacro):
        return _Stretch(entry.key, place.line, (_syntax(place, entry.raw or "", _line_of(error, entry.raw or "")),))
    publication, faults = _publication(entry, place)
    if not faults and error is not None:
        faults = [Problem.at(place, "bib-syntax", str(error).splitlines()[0][:100])]
    if not faults:
        faults = list(islice(_differences(entry, kind, fields, place), 1))
    return _Stretch(entry.key, place.line, tuple(faults), publication if not faults else None)


def _second_reading(raw: str) -> tuple[str, dict[str, str], Exception | None]:
    """Type and fields of an entry as pybtex reads it, and what it finds wrong."""
    parser = pybtex_input.Parser(macros={month: month for month in MONTHS})
    with pybtex_errors.capture() as captured:
        try:
            parser.parse_string(raw)
        except Exception as error:  # pybtex raises several kinds for one broken entry
            captured.append(error)
    for read in parser.data.entries.values():
        people = {role: " and ".join(str(person) for person in persons) for role, persons in read.persons.items()}
        fields = {**{name.lower(): value for name, value in read.fields.items()}, **people}
        return read.original_type.lower(), fields, next(iter(captured), None)
    return "", {}, next(iter(captured), None)


def _line_of(error: PybtexSyntaxError, raw: str) -> int:
    """The line of an entry at which the second reading stopped; the one before it, where a comma is missing there."""
    line = int(error.lineno or 1)
    lines = raw.splitlines()
    missing = line > 1 and _FIELD.match(lines[line - 1]) and not lines[line - 2].rstrip().endswith((",", "{", "("))
    return line - 1 if missing else line


def _differences(entry: Entry, kind: str, fields: dict[str, str], place: Place) -> Iterator[Problem]:
    """Say where the two readings of an entry differ."""
    if kind != entry.entry_type.lower():
        yield Problem.at(place, "bib-readings-differ", f"{entry.entry_type} | {kind}", what="the entry's type")
    mine = {field.key.lower(): field for field in entry.fields}
    for name in sorted(set(mine) ^ set(fields)):
        yield Problem.at(place, "bib-readings-differ", name, what=name)
    for name in sorted(set(mine) & set(fields)):
        here = Place(place.file, (mine[name].start_line or 0) + 1, 1, f"{entry.key}.{name}")
        ours, theirs = plain(unwrap(str(mine[name].value))), plain(fields[name])
        if name in {"author", "editor"}:
            ours, theirs = name_key(ours), name_key(theirs)
        elif ours.lower() in MONTHS:
            ours = ours.lower()
        if ours != theirs:
            yield Problem.at(here, "bib-readings-differ", f"{ours[:40]} | {theirs[:40]}", what=name)


def _publication(entry: Entry, place: Place) -> tuple[Publication | None, list[Problem]]:
    problems: list[Problem] = []
    kind = entry.entry_type.lower()
    if not _KEY.match(entry.key):
        problems.append(Problem.at(place, "bib-key", entry.key))
    if kind not in TYPES:
        nearest = (get_close_matches(kind, TYPES, 1) or ["misc"])[0]
        problems.append(Problem.at(place, "bib-type", f"@{entry.entry_type}", nearest=nearest))
    fields, raw, unread = _fields(entry, place)
    problems += unread
    people, complete, faults = _people(unwrap(str(entry["author"])) if "author" in entry else "", place)
    problems += faults
    year = fields.get("year", "")
    found = read_record(
        Publication,
        {
            "key": entry.key,
            "entry_type": kind,
            "title": fields.get("title", ""),
            "authors": people,
            "complete": complete,
            "year": int(year) if _YEAR.match(year) else year,
            "venue": next((fields[name] for name in VENUE_FIELDS if fields.get(name)), ""),
            "url": fields.get("url", ""),
            "arxiv": fields.get("eprint", "") if fields.get("archiveprefix", "").lower() == "arxiv" else "",
            "fields": raw,
        },
    )
    if isinstance(found, Publication):
        return (found if not problems else None), problems
    return None, problems + [_fault(fault, place) for fault in found if fault.path != ("key",)]


def _fields(entry: Entry, place: Place) -> tuple[dict[str, str], dict[str, str], list[Problem]]:
    """An entry's fields as readers see them, and as the file has them."""
    fields: dict[str, str] = {}
    raw: dict[str, str] = {}
    problems: list[Problem] = []
    for field in entry.fields:
        here = Place(place.file, (field.start_line or 0) + 1, 1, f"{entry.key}.{field.key}")
        value = str(field.value).strip()
        if value[:1] not in {"{", '"'} and not value.isdigit() and value.lower() not in MONTHS:
            problems.append(Problem.at(here, "bib-undefined-string", value[:60]))
        name = field.key.lower()
        raw[name] = plain(unwrap(value))
        try:
            fields[name] = raw[name] if name in _RAW_FIELDS else decode(unwrap(value))
        except LatexError:
            problems.append(Problem.at(here, "bib-latex", raw[name][:60]))
            fields[name] = raw[name]
    return fields, raw, problems


def _fault(fault: Fault, place: Place) -> Problem:
    name = str(fault.path[0]) if fault.path else "entry"
    return Problem.at(Place(place.file, place.line, 1, f"{place.field}.{name}"), "bib-field", fault.got, field=name)


def _people(text: str, place: Place) -> tuple[tuple[Person, ...], bool, list[Problem]]:
    people: list[Person] = []
    problems: list[Problem] = []
    names = [name.strip() for name in split_multiple_persons_names(decode(text, keep_braces=True))]
    complete = not names or names[-1] != "others"
    for name in names if complete else names[:-1]:
        if name.startswith("{") and name.endswith("}"):
            people.append(Person(family=name.strip("{}")))
            continue
        try:
            parts = parse_single_name_into_parts(name, strict=True)
        except InvalidNameError as error:
            problems.append(Problem.at(place, "bib-name", name, reason=str(error).rpartition(": ")[2]))
            continue
        family = " ".join([*parts.von, *parts.last, *parts.jr]).replace("{", "").replace("}", "")
        if family:
            people.append(Person(family=family, given=" ".join(parts.first).replace("{", "").replace("}", "")))
    return tuple(people), complete, problems
