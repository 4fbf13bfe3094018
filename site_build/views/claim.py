"""Claims, badges and derivations as they look on every page that shows them."""

from dataclasses import dataclass

from site_build.model import Claim, Derivation, GradeId, Question, Value, ValueInput
from site_build.views.scope import CITING, Html, Scope


@dataclass(frozen=True)
class Badge:
    """A grade's tile."""

    letter: str
    word: str
    meaning: str
    link: str


def badge(scope: Scope, grade: GradeId) -> Badge:
    """The tile of a grade, which leads to what the letter promises."""
    record = scope.ledger.grades.get(grade)
    word, meaning = (scope.say(record.name), scope.words(record.meaning)) if record else (grade, "")
    return Badge(grade, word, meaning, scope.link("grade", grade))


@dataclass(frozen=True)
class ClaimView:
    """One claim, complete: what it says, its evidence, where to check, how far it goes."""

    anchor: str
    reference: str
    """`Q04.c2`."""
    link: str
    text: Html
    badge: Badge
    locators: tuple[Html, ...]
    boundary: Html
    withdrawn: Html
    """Why it no longer stands; empty while it does."""
    own_boundary: bool
    """Shown beside the claim; the question's own boundary stands once on its page."""
    derivations: tuple["DerivationView", ...]
    cite: str
    """Where its citations stand; empty where the site has none."""


@dataclass(frozen=True)
class DerivationView:
    """A derived number and how the build computes it."""

    value: Html
    exact: str
    call: str
    """The function and its inputs as the build called it."""


def claim_view(scope: Scope, question: Question, claim: Claim) -> ClaimView:
    """A claim with its resolved boundary."""
    derived = [scope.ledger.values[value_id] for value_id in claim.derivation if value_id in scope.ledger.values]
    return ClaimView(
        anchor=claim.id,
        reference=f"{question.id}.{claim.id}",
        link=scope.link("claim", f"{question.id}.{claim.id}"),
        text=scope.line(claim.text),
        badge=badge(scope, claim.grade),
        locators=scope.locators(claim.locators),
        boundary=scope.line(scope.ledger.boundary(question, claim)),
        withdrawn=scope.line(claim.withdrawn),
        own_boundary=claim.boundary is not None,
        cite=scope.to(f"{CITING}/{question.id}", claim.id) if scope.results.citations else "",
        derivations=tuple(view for value in derived for view in derivation_view(scope, value)),
    )


def derivation_view(scope: Scope, value: Value) -> tuple[DerivationView, ...]:
    """How a derived value is computed; empty for a given one."""
    if value.derivation is None:
        return ()
    return (DerivationView(scope.value(value), scope.exact(value.number), call_text(scope, value.derivation)),)


def call_text(scope: Scope, derivation: Derivation) -> str:
    """The call as the build makes it: names, and the numbers behind the names."""
    inputs = []
    for name, given in derivation.inputs.items():
        if isinstance(given, ValueInput):
            value = scope.ledger.values.get(given.value)
            inputs.append(f"{name}={value.number if value else given.value}")
        else:
            inputs.append(f"{name}={given!r}")
    return f"{derivation.function}({', '.join(inputs)})"
