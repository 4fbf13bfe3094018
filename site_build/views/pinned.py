"""Pages of releases: what a claim said then, pinned by its hash, with what became of it since."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from html import escape

from site_build.history import SHORT, Change, claim_change, claim_hash
from site_build.model import Language, Release, ReleasedClaim
from site_build.views.claim import Badge, badge
from site_build.views.pages import Page
from site_build.views.scope import Html, Scope
from site_build.visuals import plain_words, render_line

_TOKEN = re.compile(r"[\u3400-\u9fff]|\s+|[^\s\u3400-\u9fff]+")


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
        text=_printed(scope, old, old.text),
        badge=badge(scope, old.grade),
        locators=tuple(scope.locator(text) for text in old.locators),
        boundary=_printed(scope, old, old.boundary),
        withdrawn=_printed(scope, old, old.withdrawn or {}),
        since=_since(scope, change, old, new) if change else None,
        now=scope.link("claim", reference) if new else "",
    )


def _printed(scope: Scope, claim: ReleasedClaim, text: Mapping[Language, str]) -> Html:
    """A text of a released claim, its markers as they were printed then."""
    return Html(render_line(text.get(scope.language, ""), lambda marker: escape(_shown(scope, claim, marker.source))))


def _said(scope: Scope, claim: ReleasedClaim, text: Mapping[Language, str]) -> str:
    return plain_words(text.get(scope.language, ""), lambda marker: _shown(scope, claim, marker.source))


def _shown(scope: Scope, claim: ReleasedClaim, source: str) -> str:
    return claim.shown.get(source, {}).get(scope.language, source)


def _since(scope: Scope, change: Change, old: ReleasedClaim, new: ReleasedClaim | None) -> Since:
    details = tuple(_details(scope, change, old, new)) if new else ()
    reason = _printed(scope, new, new.withdrawn) if new and new.withdrawn else Html("")
    return Since(scope.labels[f"since_{change.kind}"], details, reason)


def _details(scope: Scope, change: Change, old: ReleasedClaim, new: ReleasedClaim) -> Iterator[tuple[str, Html]]:
    labels = scope.labels
    if "grade" in change.fields:
        yield labels["grade"], Html(f"<del>{old.grade}</del> <ins>{new.grade}</ins>")
    for name, was, now in (("claim", old.text, new.text), ("boundary", old.boundary, new.boundary)):
        words = _said(scope, old, was), _said(scope, new, now)
        if words[0] != words[1]:
            yield labels[name], difference(*words)
    if "locators" in change.fields:
        yield labels["locators"], difference(" · ".join(old.locators), " · ".join(new.locators))


def difference(old: str, new: str) -> Html:
    """Two texts as one, word by word: what went struck out, what came marked."""
    was, now = _TOKEN.findall(old), _TOKEN.findall(new)
    out = []
    for kind, first, last, begin, end in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        gone, came = escape("".join(was[first:last])), escape("".join(now[begin:end]))
        if kind == "equal":
            out.append(gone)
        else:
            out.append((f"<del>{gone}</del>" if gone else "") + (f"<ins>{came}</ins>" if came else ""))
    return Html("".join(out))
