"""Accessibility: axe on a page of each kind as a phone shows it, in both themes; titled pictures; pages that fit."""

import re
from collections.abc import Iterator
from functools import partial

from site_build.model import Ledger
from site_build.regress.axe import COLOURS, broken_rules
from site_build.regress.cases import Case, Fault, Visit
from site_build.regress.looks import edges, shorten
from site_build.regress.survey import Survey
from site_build.regress.visits import STILL

WIDTH = 390
_DARK = "document.body.setAttribute('data-md-color-scheme', 'slate')"
"""What the page itself does for a reader who prefers the dark theme; the suite of home sees that it does."""
_PICTURE = re.compile(r"<svg\b[^>]*\brole=\"img\".*?</svg>", re.DOTALL)
_TITLED = re.compile(r"<title>\s*\S.*</title>", re.DOTALL)
_DESCRIBED = re.compile(r"<desc>\s*\S.*</desc>", re.DOTALL)


def cases(survey: Survey, _: Ledger | None) -> Iterator[Case]:
    """A page of each kind in each language, in both themes; then the pictures of every page."""
    for language in survey.languages:
        for kind, path in survey.kinds(language).items():
            yield Case(f"{kind} ({language})", partial(_axe, path), heavy=True)
        yield Case(f"pictures ({language})", partial(_pictures, language))


def _axe(path: str, visit: Visit) -> Iterator[Fault]:
    page = visit.open(path, color_scheme="light", viewport={"width": WIDTH, "height": 800})
    page.add_style_tag(content=STILL)
    edge = edges(page)
    if edge["beyond"] > 0 or edge["cut"]:
        yield Fault(f"{path}: expected a page as wide as its window, got {edge['beyond']} px beyond, {edge['cut']}")
    shorten(page)
    for rule in broken_rules(page):
        yield Fault(f"{path}: light: {rule}")
    page.emulate_media(color_scheme="dark")
    page.evaluate(_DARK)
    for rule in broken_rules(page, COLOURS):
        yield Fault(f"{path}: dark: {rule}")
    page.emulate_media(color_scheme="light")


def _pictures(language: str, visit: Visit) -> Iterator[Fault]:
    """A picture says what it is, to who cannot see it."""
    for page in visit.survey.there(language):
        for picture in _PICTURE.findall(visit.survey.answers[page].text):
            if not _TITLED.search(picture) or not _DESCRIBED.search(picture):
                yield Fault(f"{page}: expected a title and a description of each picture, got {picture[:80]}", page)
                break
