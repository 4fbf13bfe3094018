"""A claim as a card for other sites: whatever of it is shown, grade and boundary are."""

from dataclasses import dataclass

from site_build.history import SHORT, claim_hash
from site_build.model import Claim, Language, Question, ReleasedClaim
from site_build.policy import CARDS
from site_build.views.differences import printed_then, said_then
from site_build.views.released import released_claim
from site_build.views.scope import Html, Scope
from site_build.visuals import Badge, badge_height

_TALLER = 1.5
"""A frame sets larger type than the picture does."""


@dataclass(frozen=True)
class CardView:
    """A card of one claim in one language."""

    path: str
    """Of its page, from the language's root; its picture has the same name and ends in `.svg`."""
    language: Language
    build: str
    policy: str
    text: Html
    boundary: Html
    withdrawn: Html
    locators: tuple[str, ...]
    link: str
    """From the card to the claim."""
    address: str
    """The claim's own page on this site, complete."""
    badge: Badge
    """The same in plain words, as the picture shows it."""


@dataclass(frozen=True)
class Snippets:
    """What an author puts into a page elsewhere."""

    frame: str
    picture: str
    markdown: str


def card_view(scope: Scope, question: Question, claim: Claim, policy: str = "") -> CardView:
    """The card of a claim as it stands; `scope` stands at the card."""
    reference = f"{question.id}.{claim.id}"
    scopes = {language: Scope(scope.ledger, language, "") for language in scope.ledger.info.languages}
    state = released_claim(scopes, question, claim)
    return CardView(
        path=f"{CARDS}/{reference}",
        language=scope.language,
        build=scope.results.build,
        policy=policy,
        text=printed_then(scope, state, state.text),
        boundary=printed_then(scope, state, state.boundary),
        withdrawn=printed_then(scope, state, state.withdrawn or {}),
        locators=state.locators,
        link=scope.link("claim", reference),
        address=f"{scope.root}questions/{question.id}/#{claim.id}",
        badge=_badge(scope, reference, state),
    )


def snippets(scope: Scope, card: CardView) -> Snippets:
    """The card as a frame, and its picture as HTML and as Markdown."""
    place, said = scope.root + card.path, _attribute(card.badge.title)
    height = round(badge_height(card.badge) * _TALLER / 10) * 10
    frame = (
        f'<iframe src="{place}/" title="{said}" width="100%" height="{height}" loading="lazy"'
        ' style="border: 0; max-width: 40rem"></iframe>'
    )
    told = _attribute(f"{card.badge.title.rstrip('.。')}{card.badge.stop}{card.badge.description}")
    picture = f'<a href="{card.address}"><img src="{place}.svg" alt="{told}" width="{card.badge.width}"></a>'
    words = told.replace("[", r"\[").replace("]", r"\]")
    return Snippets(frame, picture, f"[![{words}]({place}.svg)]({card.address})")


def _attribute(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")


def _badge(scope: Scope, reference: str, state: ReleasedClaim) -> Badge:
    labels, grade = scope.labels, scope.ledger.grades.get(state.grade)
    colon = scope.labels["colon"]
    return Badge(
        language=scope.language,
        reference=reference,
        pin=f"{reference}@{claim_hash(reference, state)[:SHORT]}",
        text=" ".join(said_then(scope, state, state.text).split()),
        grade=state.grade,
        grade_word=f"{labels['grade']} {state.grade}{colon}{scope.say(grade.name) if grade else ''}",
        boundary_word=labels["boundary"],
        boundary=" ".join(said_then(scope, state, state.boundary).split()),
        withdrawn_word=labels["withdrawn"],
        withdrawn=" ".join(said_then(scope, state, state.withdrawn or {}).split()),
        site=scope.say(scope.ledger.info.title),
    )
