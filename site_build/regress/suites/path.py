"""The reading path: every work has its page and stands in the list, and says who wrote it, where it is, and why."""

from collections.abc import Iterator
from functools import partial

from playwright.sync_api import Page

from site_build.model import Ledger
from site_build.regress.cases import Case, Fault, Visit
from site_build.regress.survey import Survey

_WORK = """(article) => ({
  title: article.querySelector("h1")?.textContent.trim() ?? "",
  link: article.querySelector(":scope > p a")?.getAttribute("href") ?? "",
  why: article.querySelector(":scope > section :not(h2)")?.textContent.trim() ?? "",
})"""


def cases(survey: Survey, ledger: Ledger | None) -> Iterator[Case]:
    """The list of each language, and its works."""
    for language in survey.languages:
        if survey.of_kind(language, "nodes"):
            yield Case(f"list ({language})", partial(_list, language, ledger))
            yield Case(f"works ({language})", partial(_works, language))


def _list(language: str, ledger: Ledger | None, visit: Visit) -> Iterator[Fault]:
    survey = visit.survey
    page = visit.open(f"{survey.homes[language]}nodes/")
    links = page.locator(".rl-entries a:first-child").evaluate_all("all => all.map((one) => one.getAttribute('href'))")
    listed = {survey.path_of(page.url, link) for link in links}
    works = {path for path in survey.pages[language] if survey.kind(language, path) == "nodes"}
    for path in sorted(works - listed):
        yield Fault(f"expected {path} in the list, got none")
    for node in ledger.nodes.values() if ledger else ():
        if node.in_path and f"{survey.homes[language]}nodes/{node.id}/" not in works:
            yield Fault(f"{node.id}: expected a page, got none")
    yield from _filter(page)


def _filter(page: Page) -> Iterator[Fault]:
    """A choice leaves as many entries as it says."""
    choice = page.locator("form[data-filter] select")
    if not choice.count():
        return
    entries = page.locator(".rl-entries > li:visible")
    choice.first.select_option(index=1)
    said = page.locator("form[data-filter] output").inner_text()
    if said != str(entries.count()) or said == "0":
        yield Fault(f"expected as many works of a stage as it says, {said}, got {entries.count()}")


def _works(language: str, visit: Visit) -> Iterator[Fault]:
    for path, found in visit.parsed(visit.survey.of_kind(language, "nodes"), "article.rl-record", _WORK).items():
        if len(found) != 1:
            yield Fault(f"{path}: expected one work, got {len(found)}", path)
        for work in found:
            if not work["title"]:
                yield Fault(f"{path}: expected a title, got none", path)
            if not work["link"].startswith(("http://", "https://")):
                yield Fault(f"{path}: expected a link to the work, got {work['link'] or 'none'}", path)
            if not work["why"]:
                yield Fault(f"{path}: expected why to read it, got none", path)
