"""A ledger as a release keeps it: every claim complete in itself, with what its markers print."""

from site_build.model import (
    Claim,
    Language,
    Ledger,
    Question,
    Release,
    ReleasedClaim,
    ReleasedValue,
    Text,
    find_markers,
)
from site_build.views.scope import Scope


def released(ledger: Ledger, version: str = "", build: str = "") -> Release:
    """The state of a ledger; `version` and `build` are empty for one that is not published."""
    scopes = {language: Scope(ledger, language, "") for language in ledger.info.languages}
    return Release(
        version=version or "tree",
        date=ledger.info.date,
        build=build or "none",
        questions={question.id: _written(scopes, question.title) for question in ledger.questions.values()},
        claims={
            f"{question.id}.{claim.id}": released_claim(scopes, question, claim)
            for question, _, claim in ledger.claims()
        },
        values={
            value.id: ReleasedValue(
                grade=value.grade,
                number=value.number,
                shown={
                    language: scope.printed(value.number, value.display, value.unit)
                    for language, scope in scopes.items()
                },
            )
            for value in ledger.values.values()
        },
    )


def released_claim(scopes: dict[Language, Scope], question: Question, claim: Claim) -> ReleasedClaim:
    """One claim; `scopes` holds a page of each language."""
    boundary = claim.boundary or question.boundary
    markers = {
        marker.source: marker
        for text in (claim.text, boundary)
        for language in scopes
        for marker in find_markers(text.in_language(language))
    }
    return ReleasedClaim(
        text=_written(scopes, claim.text),
        grade=claim.grade,
        locators=claim.locators,
        boundary=_written(scopes, boundary),
        shown={
            source: {language: words for language, scope in scopes.items() if (words := scope.marker_words(marker))}
            for source, marker in sorted(markers.items())
        },
        withdrawn=_written(scopes, claim.withdrawn) if claim.withdrawn else None,
    )


def _written(scopes: dict[Language, Scope], text: Text) -> dict[Language, str]:
    # a preview shows texts that a check still misses
    return {language: words for language in scopes if (words := text.in_language(language))}
