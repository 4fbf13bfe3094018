"""How to quote the claims of a question: each in every form, with its card."""

from dataclasses import dataclass, replace

from site_build.model import Claim, Question
from site_build.views.cards import Snippets, card_view, snippets
from site_build.views.claim import ClaimView, claim_view
from site_build.views.pages import Entry, Page
from site_build.views.scope import CITING, Html, Scope

NAMES = {
    "apa": "APA",
    "ieee": "IEEE",
    "gbt": "GB/T 7714-2025",
    "bibtex": "BibTeX",
    "csl": "CSL-JSON",
    "ris": "RIS",
    "markdown": "Markdown",
    "html": "HTML",
}
"""Forms as readers know them, in the order of an English page."""


@dataclass(frozen=True)
class Form:
    """A text to copy."""

    id: str
    name: str
    text: str
    note: str = ""


@dataclass(frozen=True)
class CitedClaim:
    """A claim and everything to copy of it."""

    claim: ClaimView
    pin: str
    forms: tuple[Form, ...]
    """Empty for a withdrawn claim."""
    embeds: tuple[Form, ...]
    card: str
    """Where its card stands, seen from the page."""
    stood: tuple[tuple[str, str], ...]
    """For a withdrawn claim: releases in which it stood, with the pinned page."""


@dataclass(frozen=True)
class CitingView:
    """All claims of a question."""

    id: str
    title: Html
    link: str
    claims: tuple[CitedClaim, ...]


@dataclass(frozen=True)
class CitingIndex:
    """What a citation here is, and the way to each question's."""

    title: str
    lead: str
    entries: tuple[Entry, ...]


def citing_page(scope: Scope, question: Question) -> Page:
    """The page of one question's citations."""
    title = f"{scope.labels['cite']}{scope.labels['colon']}{question.id}"
    claims = tuple(_cited(scope, question, claim) for claim in question.claims)
    view = CitingView(question.id, scope.line(question.title), scope.link("question", question.id), claims)
    return Page(scope.here, "citing", title, scope.labels["lead_citing"], view, kind="citing")


def citing_index(scope: Scope) -> Page:
    """The page that leads to all of them."""
    title, lead = scope.labels["citing"], scope.labels["lead_citing"]
    entries = tuple(
        Entry("question", id_, scope.title_of("question", id_), scope.to(f"{CITING}/{id_}"))
        for id_ in scope.ledger.questions
    )
    return Page(CITING, "citing_index", title, lead, CitingIndex(title, lead, entries))


def _cited(scope: Scope, question: Question, claim: Claim) -> CitedClaim:
    reference = f"{question.id}.{claim.id}"
    card = card_view(scope, question, claim)
    parts: Snippets = snippets(scope, card)
    texts = scope.results.citations.get(reference, {})
    order = sorted(NAMES, key=lambda name: name != "gbt") if scope.language == "zh" else list(NAMES)
    day = scope.labels["cite_day"]
    stood = tuple(
        (release.version, scope.to(f"r/{release.version}/{question.id}", claim.id))
        for release in scope.ledger.releases
        if reference in release.claims and not release.claims[reference].withdrawn
    )
    return CitedClaim(
        claim=replace(claim_view(scope, question, claim), cite=""),
        pin=card.badge.pin,
        forms=tuple(
            Form(name, NAMES[name], texts[name], day if name == "gbt" else "") for name in order if name in texts
        ),
        embeds=(
            Form("frame", scope.labels["cite_frame"], parts.frame),
            Form("picture", scope.labels["cite_picture"], parts.picture),
            Form("picture-markdown", scope.labels["cite_picture_markdown"], parts.markdown),
        ),
        card=scope.to(card.path),
        stood=stood if claim.withdrawn else (),
    )
