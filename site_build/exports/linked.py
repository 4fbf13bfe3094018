"""What each page is about as JSON-LD, with a context of its own that nobody has to fetch."""

from collections.abc import Iterable
from typing import Any

from site_build.exports.edition import LICENCE, Edition
from site_build.exports.linked_nodes import (
    Thing,
    author,
    claim_thing,
    described_thing,
    grade_thing,
    pinned_thing,
    question_thing,
    refuted_thing,
    source_thing,
    work_thing,
)
from site_build.model import Language, Question, Release, parse_locator
from site_build.views import CSV, FOLDERS, JSON, LISTS, RELEASES, WHOLE, csv_file, list_file, prose_path, table_of

type Subject = tuple[list[Thing], list[Thing]]
"""What a page is about, and what else its graph names."""

CONTEXT: Thing = {
    "@vocab": "https://schema.org/",
    "prov": "http://www.w3.org/ns/prov#",
    **{
        name: {"@container": "@language"}
        for name in ("name", "text", "description", "claimReviewed", "reviewBody", "ratingExplanation")
    },
    **{name: {"@type": "@id"} for name in ("url", "license", "sameAs", "contentUrl")},
    **{name: {"@type": "Date"} for name in ("datePublished", "dateModified", "lastReviewed")},
}
"""The words of the graph; a text may be given by language."""
KIND_OF = {folder: kind for kind, folder in FOLDERS.items()}
"""The kind of the records in a folder."""
LISTED = {name: kind for kind, name in {**LISTS, **FOLDERS}.items()}
"""The kind of the records that a page lists."""


def linked_data(edition: Edition, language: Language, path: str, title: str, things: Subject) -> Thing:
    """The graph of a page: the page, what it is about, and what that names."""
    main, more = things
    page: Thing = {
        "@id": edition.page(language, path),
        "@type": page_type(edition, path),
        "name": title,
        "inLanguage": language,
        "license": LICENCE,
        "author": {"@id": f"{edition.address}#author"},
        "dateModified": edition.ledger.info.date,
        "version": edition.version or edition.build,
    }
    folder, _, id_ = path.partition("/")
    if folder == FOLDERS["question"] and id_ in edition.ledger.questions:
        page["lastReviewed"] = edition.ledger.questions[id_].reviewed
    if main:
        page["mainEntity"] = [{"@id": thing["@id"]} for thing in main]
    return {"@context": CONTEXT, "@graph": [page, author(edition), *main, *more]}


def page_type(edition: Edition, path: str) -> str:
    """What schema.org calls a page."""
    folder, _, id_ = path.partition("/")
    if path in LISTED or path == RELEASES or path in {section.id for section in edition.ledger.info.sections}:
        return "CollectionPage"
    if folder in KIND_OF and id_:
        return "QAPage" if folder == FOLDERS["question"] else "ItemPage"
    return "Article" if path in {prose_path(page) for page in edition.ledger.prose} else "WebPage"


def about(edition: Edition, path: str) -> Subject:
    """What a page is about."""
    ledger = edition.ledger
    folder, _, id_ = path.partition("/")
    if path == "":
        return [_whole(edition)], []
    if path == "grades":
        return [grade_thing(edition, grade) for grade in ledger.grades.values()], []
    if path == "sources":
        return [source_thing(edition, source) for source in ledger.sources.values()], []
    if path in LISTED:
        return [_dataset(edition, path)], []
    if folder == RELEASES and "/" in id_:
        version, _, question = id_.partition("/")
        release = next((one for one in ledger.releases if one.version == version), None)
        return _pinned(edition, release, question) if release else ([], [])
    record = ledger.records[KIND_OF[folder]].get(id_) if folder in KIND_OF else None
    return _record(edition, KIND_OF[folder], record) if record else ([], [])


def _record(edition: Edition, kind: str, record: Any) -> Subject:
    if isinstance(record, Question):
        claims = [claim_thing(edition, record, claim) for claim in record.claims]
        places = [text for claim in record.claims for text in claim.locators]
        named = _sources(edition, places) + _works(edition, places)
        return [question_thing(edition, record)], [*claims, *_grades(edition, claims), *named]
    if kind == "cite":
        return _works(edition, [f"node {record.id}"]), []
    described = refuted_thing if kind in {"correction", "redline"} else described_thing
    return [described(edition, kind, record)], _sources(edition, record.locators) + _works(edition, record.locators)


def _pinned(edition: Edition, release: Release, question: str) -> Subject:
    claims = [pinned_thing(edition, release, reference) for reference in edition.pinned[release.version][question]]
    return claims, _grades(edition, claims)


def _grades(edition: Edition, claims: Iterable[Thing]) -> list[Thing]:
    used = {claim["review"]["reviewRating"]["@id"] for claim in claims}
    things = (grade_thing(edition, grade) for grade in edition.ledger.grades.values())
    return [thing for thing in things if thing["@id"] in used]


def _sources(edition: Edition, locators: Iterable[str]) -> list[Thing]:
    named = {place.source for text in locators if (place := parse_locator(text))}
    return [source_thing(edition, source) for source in edition.ledger.sources.values() if source.id in named]


def _works(edition: Edition, locators: Iterable[str]) -> list[Thing]:
    named = sorted({place.target for text in locators if (place := parse_locator(text)) and place.source == "node"})
    ledger = edition.ledger
    found = ((ledger.nodes.get(node), ledger.publications.get(node)) for node in named)
    return [work_thing(edition, node, publication) for node, publication in found if node and publication]


def _whole(edition: Edition) -> Thing:
    info = edition.ledger.info
    return {
        "@id": f"{edition.address}#ledger",
        "@type": "Dataset",
        "name": edition.said(info.title),
        "description": edition.said(info.description),
        "url": edition.address,
        "license": LICENCE,
        "creator": {"@id": f"{edition.address}#author"},
        "datePublished": info.date,
        "version": edition.version or edition.build,
        "distribution": [_download(edition, one.path, one.media) for one in WHOLE[:2]],
    }


def _dataset(edition: Edition, path: str) -> Thing:
    kind = LISTED[path]
    files = [(list_file(kind), JSON)]
    files += [(csv_file(table), CSV) for table in (table_of(kind),) if table]
    return {
        "@id": f"{edition.page(edition.first, path)}#data",
        "@type": "Dataset",
        "name": {language: scope.labels[path] for language, scope in edition.scopes.items()},
        "description": {language: scope.labels[f"lead_{path}"] for language, scope in edition.scopes.items()},
        "license": LICENCE,
        "creator": {"@id": f"{edition.address}#author"},
        "isPartOf": {"@id": f"{edition.address}#ledger"},
        "distribution": [_download(edition, file, media) for file, media in files],
    }


def _download(edition: Edition, path: str, media: str) -> Thing:
    return {"@type": "DataDownload", "contentUrl": edition.file(path), "encodingFormat": media}
