"""How good a claim's evidence is, derived from the records alone: no field says it, so none can flatter."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from site_build.model.ledger import Ledger
from site_build.model.locators import Locator, parse_locator
from site_build.model.question import Claim, Question

Directness = Literal["stated", "read", "derived", "modelled"]
Independence = Literal["makers", "mixed", "outside", "none"]
Reproduction = Literal["recomputed", "runs", "described", "open"]
_ARTEFACTS = {"configuration", "code"}


@dataclass(frozen=True)
class Profile:
    """What the records say of a claim's evidence, before it is put in words."""

    directness: Directness
    """`stated` in words, `read` off an artefact, `derived` by computation, or `modelled` by this ledger."""
    exact_places: int
    """Places that name an equation, a figure, a table, an algorithm, a field or a symbol."""
    places: int
    """All places."""
    independence: Independence
    """Whether the places come from those who made the report, from others, or from both."""
    makers: str
    """Who made the report; empty where no source is one."""
    others: int
    """Parties behind the other places: those that share a name count as one."""
    newest: str
    """Date or year of the newest place; empty where none has a date."""
    reviewed: str
    """When a person last compared the claim with its places."""
    overdue: str
    """The day that its next review was due, where that has passed at the ledger's date."""
    reproduction: Reproduction
    """`recomputed` by each build, `runs` in a lab, `described` only, or `open`: read and not reproduced."""
    functions: tuple[str, ...]
    """What the build calls for the derived values of the claim."""
    labs: tuple[str, ...]
    """Labs that run the model of a claim."""


def evidence_profile(ledger: Ledger, circle: frozenset[str], question: Question, claim: Claim) -> Profile:
    """The profile of one claim; `circle` is what `makers_circle` gives."""
    places = [place for text in claim.locators if (place := parse_locator(text))]
    parties = [_names(ledger, place) for place in places]
    outside = [names for names in parties if not names & circle]
    values = (ledger.values.get(id_) for id_ in claim.derivation)
    functions = {value.derivation.function: None for value in values if value and value.derivation}
    leading = (lab.id for lab in ledger.labs.values() if lab.id in question.labs or question.id in lab.questions)
    labs = tuple(leading) if claim.grade == "T" else ()
    due = question.review_by or ""
    return Profile(
        directness=_directness(ledger, claim, places),
        exact_places=sum(bool(place.part or place.source in {"config", "code"}) for place in places),
        places=len(places),
        independence=_independence(len(parties), len(outside)),
        makers=next((source.by[0] for source in ledger.sources.values() if source.kind == "report"), ""),
        others=len(_joined(outside)),
        newest=max((_date(ledger, place) for place in places), default=""),
        reviewed=question.reviewed,
        overdue=due if due and due < ledger.info.date else "",
        reproduction=_reproduction(claim, labs),
        functions=tuple(functions),
        labs=labs,
    )


@lru_cache(maxsize=1)
def makers_circle(ledger: Ledger) -> frozenset[str]:
    """Names of those who made the report, and of those who appear beside them as authors of any work on record."""
    makers = {name for source in ledger.sources.values() if source.kind == "report" for name in _folded(source.by)}
    works = [_folded(source.by) for source in ledger.sources.values()]
    works += [_authors(ledger, key) for key in ledger.publications]
    return frozenset(makers.union(*(names for names in works if names & makers)))


def _directness(ledger: Ledger, claim: Claim, places: list[Locator]) -> Directness:
    if claim.grade in {"D", "T"}:
        return "derived" if claim.grade == "D" else "modelled"
    return "read" if places and all(_is_artefact(ledger, place) for place in places) else "stated"


def _is_artefact(ledger: Ledger, place: Locator) -> bool:
    source = ledger.sources.get(place.source)
    return place.source == "code" or (source is not None and source.kind in _ARTEFACTS)


def _independence(all_places: int, outside: int) -> Independence:
    if not all_places:
        return "none"
    return "makers" if not outside else "outside" if outside == all_places else "mixed"


def _reproduction(claim: Claim, labs: tuple[str, ...]) -> Reproduction:
    if claim.grade == "D":
        return "recomputed"
    if claim.grade == "T":
        return "runs" if labs else "described"
    return "open"


def _names(ledger: Ledger, place: Locator) -> frozenset[str]:
    """Names behind a place, in small letters."""
    if place.source == "node":
        return _authors(ledger, place.target)
    if place.source == "code":
        repository = place.target.partition("@")[0]
        return _folded([repository, repository.partition("/")[0]])
    source = ledger.sources.get(place.source)
    return _folded(source.by) if source else frozenset({place.source})


def _authors(ledger: Ledger, key: str) -> frozenset[str]:
    work = ledger.publications.get(key)
    if work is None:
        return frozenset({key})
    names = [f"{person.family}, {person.given}" if person.given else person.family for person in work.authors]
    node = ledger.nodes.get(key)
    # software is known by whose repository it is, more than by who wrote it
    parts = work.url.split("/")
    owner = parts[3:4] if node and node.kind == "software" else []
    return _folded([*names, *owner])


def _date(ledger: Ledger, place: Locator) -> str:
    if place.source == "node":
        work = ledger.publications.get(place.target)
        return str(work.year) if work else ""
    source = ledger.sources.get(place.source)
    return source.date if source else ""


def _folded(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name.casefold() for name in names if name)


def _joined(parties: list[frozenset[str]]) -> list[frozenset[str]]:
    """Parties that share a name, directly or through another, as one."""
    joined: list[frozenset[str]] = []
    for names in parties:
        touching = [party for party in joined if party & names]
        joined = [party for party in joined if not party & names] + [names.union(*touching)]
    return joined
