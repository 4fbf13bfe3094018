"""What stands folded beside a claim: how good its evidence is, and what became of it from release to release."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from site_build.history import Change, claim_change
from site_build.model import Claim, Profile, Question, ReleasedClaim, evidence_profile
from site_build.views.differences import printed_then, what_differs
from site_build.views.released import released_claim
from site_build.views.scope import Html, Scope

TRAITS = ("directness", "independence", "recency", "reproduction", "change")
LEVELS = {
    "directness": ("stated", "read", "derived", "modelled"),
    "independence": ("makers", "mixed", "outside", "none"),
    "reproduction": ("recomputed", "runs", "described", "open"),
}
"""Words of each trait that has a fixed set of them."""


@dataclass(frozen=True)
class Trait:
    """One line of a profile."""

    id: str
    name: str
    link: str
    """Where the word is explained."""
    term: str
    """The word, such as `recomputed by every build`."""
    note: Html
    """What it was derived from."""


@dataclass(frozen=True)
class Step:
    """What a release did to a claim."""

    version: str
    """Empty for what no release has yet."""
    date: str
    link: str
    """The pinned page; empty where there is none."""
    verdict: str
    details: tuple[tuple[str, Html], ...]
    why: Html


@dataclass(frozen=True)
class ClaimRecord:
    """A claim's profile and history."""

    reference: str
    traits: tuple[Trait, ...]
    steps: tuple[Step, ...]
    """The oldest first."""


def claim_record(scope: Scope, circle: frozenset[str], question: Question, claim: Claim) -> ClaimRecord:
    """The record of one claim; `circle` holds the names of those who made the report."""
    profile = evidence_profile(scope.ledger, circle, question, claim)
    traits = tuple(
        Trait(
            name,
            scope.labels[f"profile_{name}"],
            scope.to("grades", name),
            _term(scope, name, profile),
            _note(scope, name, profile),
        )
        for name in TRAITS
    )
    return ClaimRecord(f"{question.id}.{claim.id}", traits, tuple(_steps(scope, question, claim)))


def _term(scope: Scope, trait: str, profile: Profile) -> str:
    labels = scope.labels
    if trait == "recency":
        due = profile.overdue
        return labels["recency_due"].format(day=due) if due else labels["recency_checked"].format(day=profile.reviewed)
    return labels[f"change_{profile.directness}"] if trait == "change" else labels[f"{trait}_{getattr(profile, trait)}"]


def _note(scope: Scope, trait: str, profile: Profile) -> Html:
    """What a trait was derived from; empty where there is nothing to add."""
    labels = scope.labels
    if trait == "change":
        return Html(f'<a href="#would-change">{escape(labels["would_change"])}</a>')
    if trait == "reproduction":
        called = Html(" ".join(f"<code>{escape(name)}</code>" for name in profile.functions))
        return _labs(scope, profile.labs) if profile.labs else called
    if trait == "recency":
        return _said(labels["note_newest"].format(day=profile.newest)) if profile.newest else Html("")
    if not profile.places:
        return Html("")
    if trait == "directness":
        return _said(labels["note_places"].format(places=profile.places, exact=profile.exact_places))
    name = f"note_{profile.independence}" if profile.makers else "note_parties"
    return _said(labels[name].format(makers=profile.makers, others=profile.others))


def _labs(scope: Scope, labs: tuple[str, ...]) -> Html:
    """Links to the labs, and whether the engines that ran them agree."""
    links = ", ".join(
        f'<a href="{escape(scope.link("lab", id_))}">{escape(scope.labels["lab"])} {id_}</a>' for id_ in labs
    )
    compared = (scope.results.parity or {}).get("labs", {})
    agree = [compared[id_]["within_limits"] for id_ in labs if id_ in compared]
    verdict = scope.labels["note_engines" if all(agree) else "note_engines_differ"]
    parity = f' · <a href="{escape(scope.to("parity"))}">{escape(verdict)}</a>' if len(agree) == len(labs) else ""
    return Html(links + parity)


def _said(text: str) -> Html:
    return Html(escape(text))


def _steps(scope: Scope, question: Question, claim: Claim) -> Iterator[Step]:
    """Each release that published the claim or changed it, and what no release has yet."""
    reference = f"{question.id}.{claim.id}"
    releases = [release for release in scope.ledger.releases if reference in release.claims]
    last: ReleasedClaim | None = None
    for release in releases:
        state = release.claims[reference]
        change = claim_change(reference, last, state) if last else None
        link = scope.to(f"r/{release.version}/{question.id}", claim.id)
        if last is None:
            verdict = scope.labels["history_first"].format(grade=state.grade)
            yield Step(
                release.version, release.date, link, verdict, (), printed_then(scope, state, state.withdrawn or {})
            )
        elif change:
            yield _step(scope, question, claim, change, (last, state), (release.version, release.date, link))
        last = state
    if last is None:
        yield Step("", "", "", scope.labels["history_none"], (), Html(""))
        return
    scopes = {language: Scope(scope.ledger, language, "") for language in scope.ledger.info.languages}
    now = released_claim(scopes, question, claim)
    if change := claim_change(reference, last, now):
        yield _step(scope, question, claim, change, (last, now), ("", "", ""))


def _step(  # noqa: PLR0917 - what changed, between which states, in which release
    scope: Scope,
    question: Question,
    claim: Claim,
    change: Change,
    states: tuple[ReleasedClaim, ReleasedClaim],
    release: tuple[str, str, str],
) -> Step:
    details = tuple(what_differs(scope, change, *states))
    reason = states[1].withdrawn if change.kind == "withdrawn" else None
    why = printed_then(scope, states[1], reason) if reason else _why(scope, question, claim, change, release[0])
    return Step(*release, scope.labels[f"history_{change.kind}"], details, why)


def _why(scope: Scope, question: Question, claim: Claim, change: Change, version: str) -> Html:
    """The reason that the question gives for this step.

    A change of the grade has one whatever release it names. A reason for other words names its release; for what no
    release has yet, it names one that is to come.
    """
    steps = [
        step for step in question.history if (step.claim, step.was, step.now) == (claim.id, change.was, change.now)
    ]
    known = {release.version for release in scope.ledger.releases}
    fitting = [step for step in steps if (step.release == version if version else step.release not in known)]
    chosen = fitting or (steps if change.was != change.now else [])
    return scope.line(chosen[-1].why) if chosen else Html("")
