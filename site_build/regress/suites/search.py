"""Search in each language: an index of this very build, fetched when it is first used, and the right page first."""

import re
from collections.abc import Iterator
from functools import partial
from html import unescape
from typing import Any
from urllib.parse import unquote

from playwright.sync_api import expect

from site_build.model import Ledger
from site_build.regress.cases import Case, ElsewhereError, Fault, Visit
from site_build.regress.finding import INDEX, first_places, typed
from site_build.regress.markup import squeezed
from site_build.regress.survey import Survey

_TAG = re.compile(r"<[^>]*>")
SAMPLES = 3


def cases(survey: Survey, _: Ledger | None) -> Iterator[Case]:
    """The index against the pages, then what a reader types."""
    for language in survey.languages:
        yield Case(f"index ({language})", partial(_index, language))
        yield Case(f"first use ({language})", partial(_first_use, language))
        yield Case(f"results ({language})", partial(_results, language))


def _docs(visit: Visit, language: str) -> list[dict[str, Any]]:
    index = visit.survey.data(visit.survey.homes[language] + INDEX)
    return index["docs"] if isinstance(index, dict) and isinstance(index.get("docs"), list) else []


def _index(language: str, visit: Visit) -> Iterator[Fault]:
    """Every place of the index is on the site, and says there what it says in the index."""
    survey = visit.survey
    home = survey.homes[language]
    docs = _docs(visit, language)
    if not survey.pages[language]:
        raise ElsewhereError("navigation", f"{language}: expected the list of pages, got none")
    if not docs:
        yield Fault(f"{home}{INDEX}: expected an index, got {survey.file(home + INDEX).status}", home)
    texts = {page: squeezed(unescape(survey.markup(page).text)) for page in survey.there(language)}
    absent = set(survey.pages[language]) - set(texts)
    for doc in docs:
        place, _, anchor = doc["location"].partition("#")
        page = home + place
        if page in absent:
            continue
        if page not in texts:
            yield Fault(f"{INDEX}: {doc['location']}: expected a page of the sitemap, got none", home)
        elif anchor and unquote(anchor) not in survey.markup(page).ids:
            yield Fault(f"{INDEX}: {doc['location']}: finds no such id", page)
        elif lost := next((word for word in _words(doc) if squeezed(word) not in texts[page]), ""):
            yield Fault(f"{INDEX}: {doc['location']}: expected words of the page, got {lost[:80]}", page)
    found = {home + doc["location"].partition("#")[0] for doc in docs}
    for page in texts:
        if docs and survey.kind(language, page) == "questions" and page not in found:
            yield Fault(f"{page}: expected in the index, got none", page)


def _words(doc: dict[str, Any]) -> list[str]:
    """What an entry of the index says, word by word: its page says more, in between."""
    return re.split(r"[\s\u200b]+", unescape(_TAG.sub(" ", f"{doc.get('title', '')} {doc.get('text', '')}")))


def _first_use(language: str, visit: Visit) -> Iterator[Fault]:
    """The index comes once, when a reader goes to the field; a word that stands nowhere is said to."""
    page, seen = visit.watched()
    visit.go(page, visit.survey.homes[language], wait_until="networkidle")
    if early := [url for url in seen.asked if INDEX in url]:
        yield Fault(f"expected no index before search is used, got {early[0]}")
    typed(page, "xylophonist")
    expect(page.locator(".md-search-result__meta")).not_to_be_empty()
    page.wait_for_timeout(500)
    if page.locator(".md-search-result__item").count():
        yield Fault("expected nothing for a word that stands nowhere, got results")
    if len(got := [url for url in seen.asked if INDEX in url]) != 1:
        yield Fault(f"expected one request for the index, got {len(got)}")


def _results(language: str, visit: Visit) -> Iterator[Fault]:
    """The id of a question finds it first, with its boundary, and a term finds its place in the glossary."""
    survey, docs = visit.survey, _docs(visit, language)
    home = survey.homes[language]
    page = visit.open(home)
    for path in _spread(survey.of_kind(language, "questions")):
        inner = survey.inner(language, path)
        found = first_places(page, survey.base + home, inner.strip("/").rpartition("/")[2])
        if not found or found[0].partition("#")[0] != inner:
            yield Fault(f"{inner}: expected first for its id, got {found}")
        boundary = next((doc.get("boundary") for doc in docs if doc["location"] == inner), None)
        if boundary and not page.locator(".rl-result__boundary").count():
            yield Fault(f"{inner}: expected its boundary in the result, got none")
    terms = [doc for doc in docs if doc["location"].startswith("glossary/#")]
    for doc in _spread(terms):
        query = re.split(r"[(（]", _TAG.sub("", unescape(doc["title"])))[0].replace("\u200b", "").strip()
        found = first_places(page, survey.base + home, query)
        if doc["location"] not in found:
            yield Fault(f"{query}: expected {doc['location']} first, got {found}")
    if survey.of_kind(language, "questions"):
        page.locator(".md-search-result__link").first.click()
        page.wait_for_load_state()
        if "?h=" not in page.url and page.url == survey.base + home:
            yield Fault("expected the page of the first result, got the same page")


def _spread[T](items: list[T]) -> list[T]:
    """The first, the middle and the last."""
    return [items[place] for place in sorted({0, len(items) // 2, len(items) - 1})] if items else []
