"""Reviews fall due: a warning, not a fault."""

from collections.abc import Iterator

from site_build.model import Ledger
from site_build.problems import Problem


def reviews_are_recent(ledger: Ledger, today: str) -> Iterator[Problem]:
    """A question whose review is due says so; `today` is an ISO date."""
    for question in ledger.questions.values():
        if question.review_by is not None and question.review_by < today:
            place = ledger.place("question", question.id, "review_by")
            yield Problem.warning(place, "review-due", question.review_by, today=today)
