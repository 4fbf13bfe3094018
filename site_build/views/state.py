"""The state of the ledger: claims by grade, topic and status, and sections of a source that no claim names."""

from collections import Counter
from dataclasses import dataclass

from site_build.model import parse_locator
from site_build.views.pages import Page
from site_build.views.scope import Scope


@dataclass(frozen=True)
class CountRow:
    """A line of a table of counts."""

    name: str
    counts: tuple[int, ...]


@dataclass(frozen=True)
class SectionRow:
    """A section of a source and how many claims name it."""

    number: str
    title: str
    claims: int


@dataclass(frozen=True)
class StateView:
    """Counts of the whole ledger."""

    title: str
    lead: str
    grades: tuple[str, ...]
    topics: tuple[CountRow, ...]
    statuses: tuple[CountRow, ...]
    sections: tuple[tuple[str, tuple[SectionRow, ...]], ...]
    """By source with an outline."""


def state_page(scope: Scope) -> Page:
    """The page of counts."""
    title, lead = scope.labels["state"], scope.labels["lead_state"]
    ledger = scope.ledger
    grades = tuple(ledger.grades)
    claims = [(question, claim) for question, _, claim in ledger.claims()]
    topics = tuple(
        CountRow(
            scope.say(topic.name),
            tuple(sum(q.topic == topic.id and claim.grade == grade for q, claim in claims) for grade in grades),
        )
        for topic in ledger.info.topics
    )
    total = CountRow(scope.labels["all"], tuple(sum(claim.grade == grade for _, claim in claims) for grade in grades))
    statuses = tuple(
        CountRow(scope.say(status.name), (sum(q.status == status.id for q in ledger.questions.values()),))
        for status in ledger.info.statuses
    )
    view = StateView(title, lead, grades, (*topics, total), statuses, _sections(scope))
    return Page("state", "state", title, lead, view)


def _sections(scope: Scope) -> tuple[tuple[str, tuple[SectionRow, ...]], ...]:
    named: Counter[tuple[str, str]] = Counter()
    for _, _, claim in scope.ledger.claims():
        places = {(place.source, place.section) for text in claim.locators if (place := parse_locator(text))}
        named.update(places)
    return tuple(
        (
            source.title,
            tuple(SectionRow(part.number, part.title, named[source.id, part.number]) for part in source.outline),
        )
        for source in scope.ledger.sources.values()
        if source.outline
    )
