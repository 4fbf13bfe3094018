"""A question's page."""

from dataclasses import dataclass

from site_build.model import Question, makers_circle
from site_build.views.claim import ClaimView, claim_view
from site_build.views.claim_record import ClaimRecord, claim_record
from site_build.views.components import ComponentView, component_view
from site_build.views.pages import Entry, Page, entry, named_by
from site_build.views.scope import Html, Scope


@dataclass(frozen=True)
class MisreadingView:
    """A wrong reading beside the right one."""

    wrong: Html
    why: Html
    right: Html


@dataclass(frozen=True)
class QuestionView:
    """Everything that a question's page shows, finished."""

    id: str
    object: Html
    title: Html
    topic: str
    status: str
    answer: Html
    claims: tuple[tuple[ClaimView, ClaimRecord], ...]
    """Each with what stands folded beside it."""
    boundary: Html
    misreadings: tuple[MisreadingView, ...]
    acceptance: Html
    acceptance_state: str
    component: ComponentView | None
    """What the acceptance promises, once it is there."""
    related: tuple[tuple[str, tuple[Entry, ...]], ...]
    """Label and entries: figures, tables, nodes, corrections, red lines, questions."""
    named_by: tuple[Entry, ...]
    reviewed: str
    would_change: Html


def question_page(scope: Scope, question: Question) -> Page:
    """The page of one question."""
    component = scope.ledger.components.get(question.acceptance.component)
    circle = makers_circle(scope.ledger)
    view = QuestionView(
        id=question.id,
        object=scope.line(question.object),
        title=scope.line(question.title),
        topic=list_name(scope, "topics", question.topic),
        status=list_name(scope, "statuses", question.status),
        answer=scope.block(question.answer),
        claims=tuple(
            (claim_view(scope, question, claim), claim_record(scope, circle, question, claim))
            for claim in question.claims
        ),
        boundary=scope.block(question.boundary),
        misreadings=tuple(
            MisreadingView(scope.line(reading.wrong), scope.line(reading.why), scope.line(reading.right))
            for reading in question.misreadings
        ),
        acceptance=scope.line(question.acceptance.statement),
        acceptance_state=question.acceptance.state,
        component=component_view(scope, component) if component else None,
        related=_related(scope, question),
        named_by=named_by(scope, "question", question.id),
        reviewed=question.reviewed,
        would_change=scope.block(question.would_change),
    )
    title = f"{question.id} {scope.words(question.title)}"
    return Page(scope.here, "question", title, scope.words(question.answer), view, kind="question")


def _related(scope: Scope, question: Question) -> tuple[tuple[str, tuple[Entry, ...]], ...]:
    groups = (
        ("figures", "figure", question.figures),
        ("tables", "table", question.tables),
        ("labs", "lab", question.labs),
        ("nodes", "cite", question.nodes),
        ("corrections", "correction", question.corrections),
        ("redlines", "redline", question.redlines),
    )
    found = [(label, tuple(entry(scope, kind, id_) for id_ in ids)) for label, kind, ids in groups if ids]
    if question.related:
        links = tuple(entry(scope, "claim" if "." in id_ else "question", id_) for id_ in question.related)
        found.append(("related", links))
    return tuple((scope.labels[label], entries) for label, entries in found)


def list_name(scope: Scope, name: str, id_: str) -> str:
    """The name of an entry of one of the ledger's own lists."""
    entries = getattr(scope.ledger.info, name)
    return next((scope.say(item.name) for item in entries if item.id == id_), id_)
