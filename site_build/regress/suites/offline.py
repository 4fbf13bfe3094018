"""Offline: after one run a lab needs no network, and with a network a second visit moves no byte of the runtime."""

from collections.abc import Iterator
from functools import partial

from playwright.sync_api import BrowserContext, Error, Page, Response

from site_build.model import Ledger
from site_build.regress.cases import Case, ElsewhereError, Fault, Visit
from site_build.regress.lab_pages import PATIENCE_MS, ask
from site_build.regress.lab_visits import heavy, is_kept
from site_build.regress.suites.labs import every_lab, open_live
from site_build.regress.survey import Survey

_REACH = "fetch(new URL('robots.txt?' + Math.random(), document.baseURI)).then(() => true, () => false)"


def cases(survey: Survey, _: Ledger | None) -> Iterator[Case]:
    """The first lab of each language without a network; in the site's own language a second visit before that."""
    if survey.lab_folder():
        for language in survey.languages:
            path = next((path for _, code, path in every_lab(survey) if code == language), None)
            if path is not None:
                yield Case(path, partial(_later, path, again=language == survey.languages[0]), heavy=True)


def _later(path: str, visit: Visit, *, again: bool) -> Iterator[Fault]:
    page = visit.fresh()
    open_live(visit, page, path)
    if [answer.state for answer in ask(page, [{}])] != ["fulfilled"]:
        raise ElsewhereError("labs", f"{path}: expected an answer at the first visit, got none")
    if not is_kept(page):
        yield Fault("expected that the browser keeps page, runtime and worker after a run, got less")
        return
    if again:
        yield from _second_visit(path, visit, page.context)
    page.context.set_offline(True)
    yield from _alone(path, visit, page.context.new_page())


def _second_visit(path: str, visit: Visit, context: BrowserContext) -> Iterator[Fault]:
    """With a network, everything heavy comes from what the browser kept."""
    moved: list[str] = []
    context.on("response", lambda response: moved.extend(_moved(response)))
    page = context.new_page()
    open_live(visit, page, path)
    if [answer.state for answer in ask(page, [{}])] != ["fulfilled"]:
        yield Fault("expected an answer at the second visit, got none")
    for url in moved:
        yield Fault(f"expected no byte of the runtime at the second visit, got {url}")
    page.close()


def _moved(response: Response) -> list[str]:
    """What came over the network although it was kept."""
    return [] if response.from_service_worker else heavy([response.url])


def _alone(path: str, visit: Visit, page: Page) -> Iterator[Fault]:
    """The same page without a network."""
    visit.page = page
    try:
        page.goto(visit.survey.base + path)
    except Error as reason:
        yield Fault(f"expected the page without a network, got {str(reason).splitlines()[0]}")
        return
    if page.evaluate(_REACH):
        yield Fault("expected no way to the site, got one: this browser cannot be cut off")
    page.wait_for_selector(".rl-lab[data-ready]", timeout=PATIENCE_MS)
    if [answer.state for answer in ask(page, [{}])] != ["fulfilled"]:
        yield Fault(f"expected an answer without a network, got: {page.locator('.rl-live__status').inner_text()}")
