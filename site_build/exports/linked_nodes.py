"""Records as nodes of a graph, in the words of schema.org, and of PROV where it has none."""

from collections.abc import Iterable, Mapping
from typing import Any

from site_build.exports.edition import Edition
from site_build.messages import WORDS
from site_build.model import (
    Claim,
    Contract,
    Correction,
    Grade,
    LabContract,
    Language,
    Node,
    Publication,
    Question,
    RedLine,
    Release,
    ReleasedClaim,
    Source,
    Text,
    find_markers,
    parse_locator,
)
from site_build.views import RELEASES
from site_build.visuals import plain_words

type Thing = dict[str, Any]
type Words = Mapping[Language, str]
"""A text by language."""

_SOURCES = {
    "report": "Report",
    "configuration": "Dataset",
    "code": "SoftwareSourceCode",
    "page": "WebPage",
    "notes": "CreativeWork",
}
_WRONG: Thing = {"@type": "Rating", "ratingValue": 1, "worstRating": 1, "bestRating": 5}
"""How reviews of claims say that one is wrong."""
WORKS = {
    "paper": "ScholarlyArticle",
    "report": "Report",
    "software": "SoftwareSourceCode",
    "benchmark": "Dataset",
    "blog": "BlogPosting",
    "page": "WebPage",
}
"""What schema.org calls a work of the reading path; others are a CreativeWork."""


def author(edition: Edition) -> Thing:
    """Whom to cite."""
    return {"@id": f"{edition.address}#author", "@type": "Organization", "name": edition.ledger.info.author}


def question_thing(edition: Edition, question: Question) -> Thing:
    """A question with its short answer."""
    return {
        "@id": f"{edition.identity('question', question.id)}#{question.id}",
        "@type": "Question",
        "identifier": question.id,
        "name": edition.said(question.title),
        "acceptedAnswer": {"@type": "Answer", "text": edition.said(question.answer)},
    }


def claim_thing(edition: Edition, question: Question, claim: Claim) -> Thing:
    """A claim: what it says, on what evidence, how far that goes, where to check, and its hash."""
    reference = f"{question.id}.{claim.id}"
    boundary = edition.said(edition.ledger.boundary(question, claim))
    identity = edition.identity("claim", reference)
    thing = _claim(edition, identity, claim.grade, edition.said(claim.text), boundary)
    thing["identifier"] = _identifiers(reference, edition.hashes[reference])
    thing["isPartOf"] = {"@id": edition.identity("question", question.id)}
    # the inputs of a derivation say something else than what follows from them
    verb = "prov:wasDerivedFrom" if claim.grade == "D" else "appearance"
    thing |= {verb: places(edition, claim.locators)} if claim.locators else {}
    if claim.derivation:
        thing["isBasedOn"] = [{"@id": edition.identity("value", value)} for value in claim.derivation]
    if reference in edition.published:
        thing["datePublished"] = edition.published[reference]
    if claim.withdrawn:
        thing |= {"creativeWorkStatus": "Withdrawn", "description": edition.said(claim.withdrawn)}
    return thing


def pinned_thing(edition: Edition, release: Release, reference: str) -> Thing:
    """A claim as a release had it, which is one state of the claim that stands today."""
    claim = release.claims[reference]
    question, _, anchor = reference.partition(".")
    page = edition.page(edition.first, f"{RELEASES}/{release.version}/{question}")
    words = {name: _printed(edition, claim, getattr(claim, name)) for name in ("text", "boundary")}
    thing = _claim(edition, f"{page}#{anchor}", claim.grade, words["text"], words["boundary"])
    thing["identifier"] = _identifiers(reference, edition.pinned[release.version][question][reference])
    thing |= {"isPartOf": {"@id": page}, "version": release.version, "datePublished": release.date}
    thing["prov:specializationOf"] = {"@id": edition.identity("claim", reference)}
    if claim.withdrawn:
        thing |= {"creativeWorkStatus": "Withdrawn", "description": _printed(edition, claim, claim.withdrawn)}
    return thing


def _claim(edition: Edition, identity: str, grade: str, text: Words, boundary: Words) -> Thing:
    review = {
        "@type": "Review",
        "reviewAspect": "evidence",
        "reviewRating": {"@id": edition.identity("grade", grade)},
        "reviewBody": boundary,
        "author": {"@id": f"{edition.address}#author"},
    }
    return {"@id": identity, "@type": ["Claim", "prov:Entity"], "text": text, "review": review}


def _identifiers(reference: str, digest: str) -> list[Any]:
    return [reference, {"@type": "PropertyValue", "name": "SHA-256", "value": digest}]


def _printed(edition: Edition, claim: ReleasedClaim, text: Words) -> Words:
    def said(written: str, language: Language) -> str:
        shown = {marker.source: marker.target for marker in find_markers(written)}
        shown |= {source: printed[language] for source, printed in claim.shown.items() if language in printed}
        return plain_words(written, lambda marker: shown[marker.source])

    return {language: said(written, language) for language, written in text.items() if language in edition.scopes}


def places(edition: Edition, locators: Iterable[str]) -> list[Thing]:
    """Where to check, each by its locator, inside the source or work that it leads into."""
    found = []
    for text in locators:
        place = parse_locator(text)
        thing: Thing = {"@type": "CreativeWork", "name": text}
        if place and place.source in edition.ledger.sources:
            thing["isPartOf"] = {"@id": edition.identity("source", place.source)}
        elif place and place.source == "node":
            thing["isPartOf"] = {"@id": work_id(edition, place.target)}
        found.append(thing)
    return found


def grade_thing(edition: Edition, grade: Grade) -> Thing:
    """A grade as a rating: letters name kinds of evidence, so there is no best and no worst."""
    return {
        "@id": edition.identity("grade", grade.id),
        "@type": "Rating",
        "ratingValue": grade.id,
        "name": edition.said(grade.name),
        "ratingExplanation": edition.said(grade.meaning),
        "description": {language: WORDS[language].labels["api_scale"] for language in edition.scopes},
    }


def source_thing(edition: Edition, source: Source) -> Thing:
    """A source that locators point into."""
    thing = {
        "@id": edition.identity("source", source.id),
        "@type": _SOURCES[source.kind],
        "identifier": source.id,
        "name": source.title,
        "version": edition.said(source.version).get(edition.first, ""),
        "datePublished": source.date,
    }
    return thing | ({"url": source.url} if source.url else {})


def work_id(edition: Edition, node_id: str) -> str:
    """What a work of the reading path is called here."""
    return f"{edition.identity('cite', node_id)}#work"


def work_thing(edition: Edition, node: Node, found: Publication) -> Thing:
    """A work of the reading path."""
    people = [
        {"@type": "Person", "name": f"{one.given} {one.family}", "familyName": one.family, "givenName": one.given}
        if one.given
        else {"@type": "Organization", "name": one.family}
        for one in found.authors
    ]
    thing: Thing = {
        "@id": work_id(edition, node.id),
        "@type": WORKS.get(node.kind, "CreativeWork"),
        "identifier": node.id,
        "name": found.title,
        "author": people,
        "datePublished": str(found.year),
        "url": found.url,
        "comment": {"@type": "Comment", "text": edition.said(node.why)},
    }
    thing |= {"isPartOf": {"@type": "CreativeWork", "name": found.venue}} if found.venue else {}
    return thing | ({"sameAs": f"https://arxiv.org/abs/{found.arxiv}"} if found.arxiv else {})


def refuted_thing(edition: Edition, kind: str, record: Correction | RedLine) -> Thing:
    """A wrong statement with the right one, never as a claim of this ledger."""
    wrong, right = (record.says if isinstance(record, Correction) else record.statement), record.right
    thing: Thing = {
        "@id": f"{edition.identity(kind, record.id)}#{record.id}",
        "@type": "ClaimReview",
        "identifier": record.id,
        "claimReviewed": edition.said(wrong),
        "reviewBody": edition.said(right),
        "reviewRating": _WRONG | {"name": {language: WORDS[language].labels["wrong"] for language in edition.scopes}},
        "author": {"@id": f"{edition.address}#author"},
        "citation": places(edition, record.locators),
    }
    if isinstance(record, Correction):
        where = {"@type": "CreativeWork", "name": edition.said(record.who)}
        thing["itemReviewed"] = {"@type": "Claim", "text": edition.said(wrong), "appearance": where}
    return thing


def described_thing(edition: Edition, kind: str, record: Contract | LabContract) -> Thing:
    """A figure, table or lab: what it is about, and where the source has it."""
    text: Text = record.question if isinstance(record, LabContract) else record.shows
    return {
        "@id": f"{edition.identity(kind, record.id)}#{record.id}",
        "@type": "LearningResource" if isinstance(record, LabContract) else "CreativeWork",
        "identifier": record.id,
        "name": edition.said(record.title),
        "description": edition.said(text),
        "citation": places(edition, record.locators),
    }
