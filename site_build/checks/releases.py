"""What was published stays: no claim is lost, none is used for another statement, no grade moves without a word."""

from collections.abc import Iterator

from site_build.model import Claim, Ledger, Release, ReleasedClaim
from site_build.problems import Place, Problem
from site_build.source import release_file


def releases_are_kept(ledger: Ledger) -> Iterator[Problem]:
    """Every claim of every release is still there, and what differs from the last release is explained."""
    last: dict[str, tuple[Release, ReleasedClaim]] = {}
    for release in ledger.releases:
        last |= {reference: (release, claim) for reference, claim in release.claims.items()}
    for reference, (release, released) in last.items():
        found = ledger.claim(reference)
        if found is None:
            if not ledger.knows("claim", reference):
                yield Problem.at(_place(ledger, reference, release), "claim-lost", reference, release=release.version)
            continue
        question, claim = found
        place = ledger.place("question", question.id, "claims", question.claims.index(claim))
        explained = {(change.claim, change.was, change.now) for change in question.history}
        if claim.grade != released.grade and (claim.id, released.grade, claim.grade) not in explained:
            yield Problem.at(place, "grade-unexplained", claim.grade, release=release.version, was=released.grade)
        if released.withdrawn and _says(claim, ledger) != released.text:
            yield Problem.at(place, "claim-reused", reference, release=release.version)


def steps_are_true(ledger: Ledger) -> Iterator[Problem]:
    """Every step of a history is of a claim that is there, and the last one ends at the claim's grade."""
    for question in ledger.questions.values():
        grades = {claim.id: claim.grade for claim in question.claims}
        last = {step.claim: index for index, step in enumerate(question.history)}
        for index, step in enumerate(question.history):
            place = ledger.place("question", question.id, "history", index)
            if step.claim not in grades:
                yield Problem.at(place, "step-without-claim", step.claim, claims=", ".join(grades))
            elif last[step.claim] == index and step.now != grades[step.claim]:
                yield Problem.at(place, "step-ends-elsewhere", step.now, grade=grades[step.claim], claim=step.claim)


def _says(claim: Claim, ledger: Ledger) -> dict[str, str]:
    return {language: claim.text.in_language(language) for language in ledger.info.languages}


def _place(ledger: Ledger, reference: str, release: Release) -> Place:
    """The question that should hold a claim, else the release that tells of it."""
    question = reference.partition(".")[0]
    if question in ledger.questions:
        return ledger.place("question", question, "claims")
    return Place(release_file(release.version), field=reference)
