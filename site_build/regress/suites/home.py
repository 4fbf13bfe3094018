"""The home page: what this is, one real claim, the ways in, every question, the two themes."""

from collections.abc import Iterator
from functools import partial

from playwright.sync_api import Page

from site_build.model import Ledger
from site_build.regress.cases import Case, Fault, Visit
from site_build.regress.looks import unseen
from site_build.regress.survey import Survey

SLOW_S = 5.0
"""How long a reader may wait for the server's answer."""
_PARTS = ".rl-home h1, .rl-home .rl-lead, .rl-example .rl-claim__text, .rl-example .rl-grade, .rl-door"
_ANSWERED = "performance.getEntriesByType('navigation')[0].responseEnd / 1000"
_TOGGLE = "form[data-md-component=palette] label:visible"


def cases(survey: Survey, _: Ledger | None) -> Iterator[Case]:
    """One look at each language's home, and at its themes."""
    for language in survey.languages:
        yield Case(f"first view ({language})", partial(_first_view, language))
        yield Case(f"themes ({language})", partial(_themes, language))


def _first_view(language: str, visit: Visit) -> Iterator[Fault]:
    survey = visit.survey
    page = visit.open(survey.homes[language])
    seconds = page.evaluate(_ANSWERED)
    if seconds > SLOW_S:
        yield Fault(f"expected an answer within {SLOW_S:g} s, got one after {seconds:.1f} s")
    for selector in _PARTS.split(", "):
        if not page.locator(selector).count():
            yield Fault(f"expected {selector}, got none")
    for part in unseen(page, _PARTS):
        yield Fault(f"cannot be seen: {part}")
    listed = {survey.path_of(page.url, link) for link in _links(page, ".rl-entries a")}
    for question in survey.pages[language]:
        if survey.kind(language, question) == "questions" and question not in listed:
            yield Fault(f"expected a link to {question}, got none")
    if not page.get_by_text(survey.build).first.is_visible():
        yield Fault(f"expected the build id {survey.build} at the foot, got none")


def _links(page: Page, selector: str) -> list[str]:
    found: list[str] = page.locator(selector).evaluate_all("links => links.map((link) => link.getAttribute('href'))")
    return found


def _themes(language: str, visit: Visit) -> Iterator[Fault]:
    home = visit.survey.homes[language]
    preferred = _shown(visit.open(home, color_scheme="dark"))
    page = visit.go(visit.fresh(color_scheme="light"), home)
    light = _shown(page)
    page.locator(_TOGGLE).first.click()
    dark = _shown(page)
    if light[0] != "default" or dark[0] == light[0] or dark[1] == light[1]:
        yield Fault(f"expected another theme after the toggle, got {light} and {dark}")
    if preferred[0] != dark[0]:
        yield Fault(f"expected {dark} for who prefers the dark theme, got {preferred}")
    page.reload()
    if _shown(page) != dark:
        yield Fault(f"expected the chosen theme after a reload, got {_shown(page)}")


def _shown(page: Page) -> tuple[str, str]:
    scheme = page.locator("body").get_attribute("data-md-color-scheme") or ""
    return scheme, page.evaluate("getComputedStyle(document.body).backgroundColor")
