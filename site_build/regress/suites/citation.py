"""Citation: a claim's link is its address, and what a release said stays where it was, with what became of it."""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from playwright.sync_api import expect

from site_build.model import Ledger
from site_build.regress.cases import Case, Fault, Visit
from site_build.regress.markup import squeezed
from site_build.regress.survey import Survey

RELEASES = "r"
_CLAIM = """(claim) => ({
  id: claim.id,
  text: claim.querySelector(".rl-claim__text")?.textContent ?? "",
  grade: claim.querySelector(".rl-grade")?.dataset.grade ?? "",
  pin: claim.querySelector(".rl-claim__link")?.textContent.trim() ?? "",
  withdrawn: Boolean(claim.querySelector(".rl-withdrawn")?.textContent.trim()),
  since: Boolean(claim.querySelector(".rl-since")?.textContent.trim()),
  boundary: claim.querySelector(".rl-claim__boundary")?.textContent.trim() ?? "",
})"""
_PIN = re.compile(r"\w+\.\w+@[0-9a-f]{8,64}")


def cases(survey: Survey, ledger: Ledger | None) -> Iterator[Case]:
    """Links of claims, withdrawn claims where the ledger is at hand, and every pinned page by release."""
    for language in survey.languages:
        questions = survey.of_kind(language, "questions")
        for path in dict.fromkeys((*questions[:1], *questions[-1:])):
            yield Case(f"link of a claim, {path}", partial(_copied, path))
        if ledger is not None:
            yield Case(f"withdrawn claims ({language})", partial(_withdrawn, language))
        if survey.of_kind(language, RELEASES):
            yield Case(f"releases ({language})", partial(_releases, language))
            yield Case(f"pinned claims ({language})", partial(_pinned, language))


def _copied(path: str, visit: Visit) -> Iterator[Fault]:
    """The link copies the claim's full address, or leads there where a browser lets nobody copy."""
    rights = ["clipboard-read", "clipboard-write"]
    page = visit.open(path, permissions=rights, viewport={"width": 390, "height": 700})
    claim = page.locator("#claims .rl-claim").last
    anchor = claim.get_attribute("id") or ""
    page.locator(f"#{anchor} [data-copy]").click()
    want = f"{visit.survey.base}{path}#{anchor}"
    expect(page).to_have_url(want)
    if page.evaluate("Boolean(navigator.clipboard)"):
        copied = page.evaluate("navigator.clipboard.readText()")
        if copied != want:
            yield Fault(f"expected {want} to be copied, got {copied}")
    page.goto(want)
    if not page.locator(f"#{anchor}").is_visible():
        yield Fault(f"expected the claim at {want}, got none")


def _withdrawn(language: str, visit: Visit) -> Iterator[Fault]:
    """A claim that the ledger has withdrawn says so on its page."""
    now = _claims(visit, visit.survey.of_kind(language, "questions"))
    for question, _, claim in visit.ledger.claims() if visit.ledger else ():
        path = f"{visit.survey.homes[language]}questions/{question.id}/"
        shown = next((one for one in now.get(path, ()) if one["id"] == claim.id), None)
        if claim.withdrawn and shown and not shown["withdrawn"]:
            yield Fault(f"{path}#{claim.id}: expected that it says it is withdrawn, got nothing", path)


def _releases(language: str, visit: Visit) -> Iterator[Fault]:
    """The list of releases leads to every pinned page."""
    survey = visit.survey
    page = visit.open(f"{survey.homes[language]}{RELEASES}/")
    links = page.locator("article a").evaluate_all("all => all.map((one) => one.getAttribute('href'))")
    listed = {survey.path_of(page.url, link) for link in links}
    for path in survey.pages[language]:
        if survey.kind(language, path) == RELEASES and path not in listed:
            yield Fault(f"expected a link to {path}, got none")


def _pinned(language: str, visit: Visit) -> Iterator[Fault]:
    survey = visit.survey
    now = _claims(visit, survey.of_kind(language, "questions"))
    for path, claims in _claims(visit, survey.of_kind(language, RELEASES)).items():
        question = f"{survey.homes[language]}questions/{path.strip('/').rpartition('/')[2]}/"
        if question in survey.pages[language] and question not in now:
            continue  # a page that is lost is for navigation to tell
        today = {claim["id"]: claim for claim in now.get(question, ())}
        for claim in claims:
            for fault in _pin_faults(claim, today.get(claim["id"])):
                yield Fault(f"{path}#{claim['id']}: {fault}", path)


def _claims(visit: Visit, paths: list[str]) -> dict[str, list[dict[str, Any]]]:
    return visit.parsed(paths, "li.rl-claim", _CLAIM)


def _pin_faults(then: dict[str, Any], now: dict[str, Any] | None) -> Iterator[str]:
    """A pinned claim names its hash and boundary, and says what became of it where that is something."""
    if not _PIN.fullmatch(then["pin"]):
        yield f"expected its reference with a hash, got {then['pin'] or 'none'}"
    if not then["boundary"]:
        yield "expected its boundary, got none"
    if now is None:
        became = "gone"
    elif now["withdrawn"] and not then["withdrawn"]:
        became = "withdrawn"
    elif squeezed(now["text"]) != squeezed(then["text"]) or now["grade"] != then["grade"]:
        became = "changed"
    else:
        return
    if not then["since"]:
        yield f"expected a banner that says it is {became} since, got none"
