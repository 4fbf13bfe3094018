"""Paper: what a page of each kind shows stands on the sheets, and claims keep their evidence."""

from collections.abc import Iterator
from functools import partial

from site_build.model import Ledger
from site_build.regress.cases import Case, Fault, Visit
from site_build.regress.looks import shorten
from site_build.regress.paper import evidence_faults, lost_on_paper, printed
from site_build.regress.survey import EVERYWHERE, Survey


def cases(survey: Survey, _: Ledger | None) -> Iterator[Case]:
    """Home and three questions in each language, and a page of each other kind in one language after the other."""
    for language in survey.languages:
        by_size = sorted(survey.of_kind(language, "questions"), key=lambda page: len(survey.answers[page].content))
        more = (by_size[0], by_size[len(by_size) // 2]) if by_size else ()
        for path in dict.fromkeys((*survey.in_turn(language), *more)):
            yield Case(path or "home", partial(_paper, path, whole=survey.kind(language, path) in EVERYWHERE))


def _paper(path: str, visit: Visit, *, whole: bool) -> Iterator[Fault]:
    page = visit.open(path)
    if not whole:
        # reading a hundred sheets back takes longer than all the rest
        shorten(page)
    paper = printed(page)
    lost = lost_on_paper(page, paper)
    if lost:
        yield Fault(f"{len(lost)} texts are not on paper, the first: {lost[0][:120]}")
    if page.locator("#claims .rl-claim .rl-grade").count() and page.locator("#boundary").count():
        for fault in evidence_faults(page, paper):
            yield Fault(fault)
