"""One entry of a BibTeX export, under the ledger's key and with its arXiv number."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from site_build.model import Publication
from site_build.problems import Faults, Place, Problem
from site_build.source import parse_bibliography

_HEAD = re.compile(r"@(?P<type>[A-Za-z]+)\s*\{\s*(?P<key>[^,\s{}]+)\s*,")
_NO_ENTRY = frozenset({"comment", "string", "preamble"})
_VERSION = re.compile(r"v\d+$")
ARXIV = re.compile(r"^(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?$")
"""An arXiv number, with or without its version."""
KINDS = {"inproceedings": "paper", "article": "paper", "software": "software", "online": "page", "techreport": "report"}
"""What a node is, by the type of its entry; else a paper."""
LEFT_OUT = ("file", "abstract")
"""Fields that exports add and a bibliography does not publish: paths of the editor's machine, other people's texts."""


@dataclass(frozen=True)
class BibEntry:
    """An entry that the bibliography can take."""

    text: str
    """As it will stand there."""
    publication: Publication
    """What it says."""


@dataclass(frozen=True)
class _Raw:
    text: str
    key: str
    line: int


def pick_entry(text: str, file: str, id_: str = "", arxiv: str = "") -> BibEntry:
    """The entry of a BibTeX `text` that has an arXiv number, or its only one, with the key `id_` (else its own).

    Raises:
        Faults: there is no such entry, or it cannot be read.
    """
    entries = list(_entries(text))
    number = _VERSION.sub("", arxiv)
    mention = re.compile(rf"(?<![\d.]){re.escape(number)}(?!\d)")
    named = [entry for entry in entries if mention.search(entry.text)]
    found = named or entries
    if len(found) != 1:
        wanted = f"arXiv {number}" if number else "@"
        raise Faults([Problem.at(Place(file), "new-bibtex", len(found), wanted=wanted)])
    entry = found[0]
    key = id_ or _as_key(entry.key)
    renamed = _HEAD.sub(lambda head: f"@{head['type']}{{{key},", entry.text, count=1)
    for field in LEFT_OUT:
        renamed = _without(renamed, field)
    if number:
        renamed = _with_fields(renamed, number)
    reading = parse_bibliography(renamed, file)
    if reading.problems or key not in reading.publications:
        raise Faults(_moved(problem, entry.line - 1) for problem in reading.problems)
    return BibEntry(renamed, reading.publications[key])


def _moved(problem: Problem, lines: int) -> Problem:
    return replace(problem, place=replace(problem.place, line=problem.place.line + lines))


def _entries(text: str) -> Iterator[_Raw]:
    """Every entry as written: from its `@` to the brace that closes it."""
    for head in _HEAD.finditer(text):
        if head["type"].lower() not in _NO_ENTRY:
            end = _closing(text, text.find("{", head.start()))
            yield _Raw(text[head.start() : end], head["key"], text.count("\n", 0, head.start()) + 1)


def _closing(text: str, start: int) -> int:
    depth = 0
    for position in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        if depth == 0:
            return position + 1
    return len(text)


def _without(entry: str, name: str) -> str:
    """The entry without a field whose value stands in braces or quotes."""
    found = re.search(rf"(?i)(?<=,)\s*{name}\s*=\s*(?=[{{\"])", entry)
    if found is None:
        return entry
    start = found.end()
    if entry[start] == "{":
        end = _closing(entry, start)
    else:
        end = start + 1
        while end < len(entry) and entry[end] != '"':
            end = _closing(entry, end) if entry[end] == "{" else end + 1
        end += 1
    rest = entry[end:].lstrip()
    return entry[: found.start()] + (rest[1:] if rest.startswith(",") else "\n" + rest)


def _as_key(key: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", key.lower()).strip("-")


def _with_fields(entry: str, number: str) -> str:
    """Add what an arXiv number tells and the entry leaves out."""
    known = {"eprint": number, "archiveprefix": "arXiv", "url": f"https://arxiv.org/abs/{number}"}
    missing = {name: value for name, value in known.items() if not re.search(rf"(?im)(?:^|,|\s){name}\s*=", entry)}
    if not missing:
        return entry
    body = entry[:-1].rstrip()
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in missing.items())
    return f"{body.rstrip(',')},\n{lines}\n}}"
