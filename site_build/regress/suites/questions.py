"""Questions: every claim with letter, place and anchor, the boundary, and what the acceptance promises."""

from collections.abc import Iterator
from functools import partial

from site_build.model import Ledger
from site_build.regress.cases import Case, Fault, Visit
from site_build.regress.coverage import part_faults
from site_build.regress.looks import claim_faults
from site_build.regress.survey import Survey

PHONE = {"width": 390, "height": 800}


def cases(survey: Survey, ledger: Ledger | None) -> Iterator[Case]:
    """One look at each question in each language."""
    for language in survey.languages:
        pages = survey.of_kind(language, "questions")
        for page in pages:
            selector = _selector(survey, language, ledger, page)
            yield Case(page, partial(_question, page, selector))
        if ledger is not None:
            named = {page.strip("/").rpartition("/")[2] for page in survey.pages[language]}
            absent = tuple(sorted(set(ledger.questions) - named))
            yield Case(f"every question of the ledger ({language})", partial(_absent, absent))


def _absent(absent: tuple[str, ...], _: Visit) -> Iterator[Fault]:
    for id_ in absent:
        yield Fault(f"{id_}: expected in the sitemap, got none", "")


def _selector(survey: Survey, language: str, ledger: Ledger | None, page: str) -> str:
    """What the entry promises, where it is at hand; otherwise the component in the place of the acceptance."""
    question = ledger.questions.get(survey.inner(language, page).strip("/").rpartition("/")[2]) if ledger else None
    return question.acceptance.selector if question else "#acceptance [data-component]"


def _question(path: str, selector: str, visit: Visit) -> Iterator[Fault]:
    page = visit.open(path, viewport=PHONE, reduced_motion="reduce")
    for fault in claim_faults(page):
        yield Fault(fault)
    acceptance = page.locator("#acceptance")
    if acceptance.count() != 1:
        yield Fault(f"expected the place of the acceptance, got {acceptance.count()}")
    elif acceptance.get_attribute("data-state") == "shown":
        for fault in part_faults(page, selector):
            acceptance.scroll_into_view_if_needed()
            yield Fault(f"{selector}: {fault}")
    elif not page.locator("#acceptance .rl-gap").is_visible():
        yield Fault("expected the mark of what is only planned, got none")
