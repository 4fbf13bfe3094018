"""Pages of releases: what a claim said then, pinned by its hash, with what became of it since."""

from dataclasses import dataclass

from site_build.history import SHORT, Change, claim_change, claim_hash
from site_build.model import Release, ReleasedClaim
from site_build.views.claim import Badge, badge
from site_build.views.differences import printed_then, what_differs
from site_build.views.pages import Page
from site_build.views.scope import Html, Scope


@dataclass(frozen=True)
class Since:
    """What became of a claim after its release."""

    verdict: str
    details: tuple[tuple[str, Html], ...]
    """What differs, each under its name."""
    reason: Html
    """Why it was withdrawn."""


@dataclass(frozen=True)
class PinnedClaim:
    """A claim as a release had it."""

    anchor: str
    pin: str
    text: Html
    badge: Badge
    locators: tuple[Html, ...]
    boundary: Html
    withdrawn: Html
    since: Since | None
    now: str
    """Where the claim stands today; empty where it is gone."""


@dataclass(frozen=True)
class PinnedView:
    """A question's claims in a release."""

    id: str
    title: str
    version: str
    date: str
    build: str
    claims: tuple[PinnedClaim, ...]
    now: str


def pinned_page(scope: Scope, release: Release, current: Release, question: str) -> Page:
    """One question as a release had it; `current` is the state that is being published."""
    title = release.questions[question].get(scope.language, question)
    claims = tuple(
        _claim(scope, reference, claim, current.claims.get(reference))
        for reference, claim in release.claims.items()
        if reference.startswith(f"{question}.")
    )
    now = scope.link("question", question) if question in scope.ledger.questions else ""
    view = PinnedView(question, title, release.version, release.date, release.build, claims, now)
    description = scope.labels["lead_pinned"].format(version=release.version)
    return Page(scope.here, "pinned", f"{title} ({release.version})", description, view, kind="pinned")


def _claim(scope: Scope, reference: str, old: ReleasedClaim, new: ReleasedClaim | None) -> PinnedClaim:
    change = claim_change(reference, old, new)
    return PinnedClaim(
        anchor=reference.partition(".")[2],
        pin=f"{reference}@{claim_hash(reference, old)[:SHORT]}",
        text=printed_then(scope, old, old.text),
        badge=badge(scope, old.grade),
        locators=scope.locators(old.locators),
        boundary=printed_then(scope, old, old.boundary),
        withdrawn=printed_then(scope, old, old.withdrawn or {}),
        since=_since(scope, change, old, new) if change else None,
        now=scope.link("claim", reference) if new else "",
    )


def _since(scope: Scope, change: Change, old: ReleasedClaim, new: ReleasedClaim | None) -> Since:
    details = tuple(what_differs(scope, change, old, new)) if new else ()
    reason = printed_then(scope, new, new.withdrawn) if new and new.withdrawn else Html("")
    return Since(scope.labels[f"since_{change.kind}"], details, reason)
