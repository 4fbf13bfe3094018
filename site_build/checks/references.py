"""Nothing dangles: names lead to records, ids look as their kind asks, and the counts are as promised."""

import re
from collections.abc import Iterator

from site_build.checks.texts import passages
from site_build.model import LANGUAGES, MARKER_KINDS, Ledger
from site_build.policy import CARDS
from site_build.problems import Place, Problem
from site_build.source import read_pattern
from site_build.visuals import pieces

_LISTS = {
    "figures": "figure",
    "tables": "table",
    "labs": "lab",
    "nodes": "cite",
    "redlines": "redline",
    "corrections": "correction",
}
_COUNTED = {"questions": "question", "figures": "figure", "tables": "table", "labs": "lab", "path_nodes": "cite"}

TAKEN_ADDRESSES = frozenset(
    {
        *("questions", "figures", "tables", "labs", "redlines", "corrections", "nodes", "benchmarks", "components"),
        *("values", "specs", "glossary", "grades", "sources", "coverage", "checklist", "index"),
        *("state", "parity", "health", "reference", "cite", CARDS),
        *("assets", "search", "r", "api"),
        *LANGUAGES,
    }
)
"""First parts of addresses that the site itself uses: prose there would be lost, or would hide a record."""
_OPEN_MARKER = re.compile(rf"(?<![\\:A-Za-z0-9])::?(?:{'|'.join(MARKER_KINDS)})\[[^\]\s]*\]?")
"""What begins like a marker, where no marker was found."""
_PAGE_ID = re.compile(r"^[a-z0-9]+(?:-[a-z0-9]+)*$")


def lists_resolve(ledger: Ledger) -> Iterator[Problem]:
    """Every id in a question's or a lab's list names a record."""
    for question in ledger.questions.values():
        for name, kind in _LISTS.items():
            for index, id_ in enumerate(getattr(question, name)):
                if not ledger.knows(kind, id_):
                    place = ledger.place("question", question.id, name, index)
                    yield Problem.at(place, "reference-unknown", id_, kind="node" if kind == "cite" else kind)
        for index, reference in enumerate(question.related):
            kind = "claim" if "." in reference else "question"
            if not ledger.knows(kind, reference):
                place = ledger.place("question", question.id, "related", index)
                yield Problem.at(place, "reference-unknown", reference, kind=kind)
    for lab in ledger.labs.values():
        for index, id_ in enumerate(lab.questions):
            if not ledger.knows("question", id_):
                place = ledger.place("lab", lab.id, "questions", index)
                yield Problem.at(place, "reference-unknown", id_, kind="question")


def specifications_resolve(ledger: Ledger) -> Iterator[Problem]:
    """Tables name rows that are there, and rows have cells in columns that are there."""
    for table in ledger.tables.values():
        for index, row_id in enumerate(table.specs):
            if ledger.spec(row_id) is None and not ledger.knows("spec", row_id):
                place = ledger.place("table", table.id, "specs", index)
                yield Problem.at(place, "reference-unknown", row_id, kind="specification row")
    columns = {column.id for column in ledger.specs.columns}
    for row in ledger.specs.rows:
        for column in sorted(column for column in row.cells if not ledger.knows("column", column)):
            place = ledger.place("spec", row.id, "cells", column)
            yield Problem.at(place, "list-unknown", column, list="columns", known=", ".join(sorted(columns)))


def own_lists_resolve(ledger: Ledger) -> Iterator[Problem]:
    """Topics, statuses, stages and the home page's example stand in `ledger.yaml` or lead to a record."""
    topics, statuses, stages = (
        {entry.id for entry in entries} for entries in (ledger.info.topics, ledger.info.statuses, ledger.info.stages)
    )
    for question in ledger.questions.values():
        for name, plural, known in (("topic", "topics", topics), ("status", "statuses", statuses)):
            if getattr(question, name) not in known:
                place = ledger.place("question", question.id, name)
                got = getattr(question, name)
                yield Problem.at(place, "list-unknown", got, list=plural, known=", ".join(sorted(known)))
    for node in ledger.nodes.values():
        if node.stage not in stages:
            place = ledger.place("cite", node.id, "stage")
            yield Problem.at(place, "list-unknown", node.stage, list="stages", known=", ".join(sorted(stages)))
    if not ledger.knows("claim", ledger.info.example):
        place = ledger.place("ledger", "ledger", "example")
        yield Problem.at(place, "reference-unknown", ledger.info.example, kind="claim")


def nodes_have_publications(ledger: Ledger) -> Iterator[Problem]:
    """Every node has its entry in the bibliography, and every entry its node."""
    for node in ledger.nodes.values():
        if node.id not in ledger.publications and not ledger.knows("publication", node.id):
            yield Problem.at(ledger.place("cite", node.id, "id"), "node-without-entry", node.id)
    for key in ledger.publications:
        if not ledger.knows("cite", key):
            yield Problem.at(ledger.place("publication", key), "entry-without-node", key)


def markers_resolve(ledger: Ledger) -> Iterator[Problem]:
    """Every marker is whole, has a known kind and leads to a record."""
    for passage in passages(ledger):
        for piece in pieces(passage.text):
            marker = piece.marker
            if marker is None:
                if piece.kind == "words" and ":" in piece.text and (found := _OPEN_MARKER.search(piece.text)):
                    yield Problem.at(passage.at(piece.offset + found.start()), "marker-open", found[0])
            elif marker.kind not in MARKER_KINDS:
                known = ", ".join(MARKER_KINDS)
                yield Problem.at(passage.at(piece.offset), "marker-kind", marker.source, known=known)
            elif not ledger.knows(marker.kind, marker.target):
                place = passage.at(piece.offset)
                yield Problem.at(place, "reference-unknown", marker.source, kind=marker.kind)


def pages_have_addresses(ledger: Ledger) -> Iterator[Problem]:
    """Every page of prose has an address of its own, in a language of the ledger."""
    seen: dict[tuple[str, str, str], Place] = {}
    for page in ledger.prose:
        place = Place(page.file, field="id")
        if page.language not in ledger.info.languages:
            known = ", ".join(ledger.info.languages)
            yield Problem.at(Place(page.file), "list-unknown", page.language, list="languages", known=known)
        if not _PAGE_ID.match(page.id):
            yield Problem.at(place, "id-pattern", page.id, pattern=_PAGE_ID.pattern)
        elif (page.section.partition("/")[0] or page.id) in TAKEN_ADDRESSES:
            yield Problem.at(place, "address-taken", f"{page.section}/{page.id}".lstrip("/"))
        key = (page.section, page.id, page.language)
        if key in seen:
            yield Problem.at(place, "id-twice", page.id, first=seen[key])
        seen.setdefault(key, place)


def sections_list_their_pages(ledger: Ledger) -> Iterator[Problem]:
    """A folder of prose is a section that lists each of its pages, and every page named there or needed is there."""
    listed = {section.id: section.pages for section in ledger.info.sections}
    there = {(page.section, page.id) for page in ledger.prose}
    for index, section in enumerate(ledger.info.sections):
        for position, id_ in enumerate(section.pages):
            place = ledger.place("ledger", "ledger", "sections", index, "pages", position)
            if id_ in section.pages[:position]:
                first = ledger.place("ledger", "ledger", "sections", index, "pages", section.pages.index(id_))
                yield Problem.at(place, "page-twice", id_, first=first)
            elif (section.id, id_) not in there:
                yield Problem.at(place, "reference-unknown", id_, kind="page")
    for page in ledger.prose:
        place = Place(page.file, 2, field="id")
        if page.section not in TAKEN_ADDRESSES | {""} and page.id not in listed.get(page.section, ()):
            yield Problem.at(place, "page-unlisted", page.id, section=page.section)
        for id_ in page.head.needs:
            if (page.section, id_) not in there:
                yield Problem.at(Place(page.file, 2, field="needs"), "reference-unknown", id_, kind="page")


def ids_follow_patterns(ledger: Ledger) -> Iterator[Problem]:
    """Each kind's ids look as `ledger.yaml` says, and a claim's id is used once."""
    for kind, pattern in ledger.info.ids.items():
        try:
            wanted = read_pattern(pattern)
        except re.error as error:
            yield Problem.at(ledger.place("ledger", "ledger", "ids", kind), "pattern-broken", pattern, reason=error)
            continue
        for id_ in ledger.records.get(kind, {}):
            if not wanted.search(id_):
                yield Problem.at(ledger.place(kind, id_, "id"), "id-pattern", id_, pattern=pattern)
    for question in ledger.questions.values():
        seen: dict[str, Place] = {}
        for index, claim in enumerate(question.claims):
            place = ledger.place("question", question.id, "claims", index, "id")
            if claim.id in seen:
                yield Problem.at(place, "id-twice", claim.id, first=seen[claim.id])
            seen.setdefault(claim.id, place)


def counts_are_promised(ledger: Ledger) -> Iterator[Problem]:
    """The ledger holds as many promised records as it says."""
    for name, count in promised_counts(ledger).items():
        promised = getattr(ledger.info.promised, name)
        if promised != count and not any(record.kind == _COUNTED[name] for record in ledger.unread):
            yield Problem.at(
                ledger.place("ledger", "ledger", "promised", name), "count-differs", count, promised=promised
            )


def promised_counts(ledger: Ledger) -> dict[str, int]:
    """How many promised records of each kind are there."""
    return {
        "questions": sum(record.promised for record in ledger.questions.values()),
        "figures": sum(record.promised for record in ledger.figures.values()),
        "tables": sum(record.promised for record in ledger.tables.values()),
        "labs": sum(record.promised for record in ledger.labs.values()),
        "path_nodes": sum(node.in_path for node in ledger.nodes.values()),
    }
