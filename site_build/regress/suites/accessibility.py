"""Accessibility: axe on a page of each kind as a phone shows it, in both themes; titled pictures; pages that fit."""

import re
from collections.abc import Iterator
from functools import partial
from typing import Literal

from playwright.sync_api import expect

from site_build.model import Ledger
from site_build.regress.axe import COLOURS, broken_rules
from site_build.regress.cases import Case, Fault, Visit
from site_build.regress.looks import edges, shorten
from site_build.regress.survey import Survey
from site_build.regress.visits import STILL

WIDTH = 390
SCHEMES: tuple[tuple[Literal["light", "dark"], str, tuple[str, ...]], ...] = (
    ("light", "default", ()),
    ("dark", "slate", COLOURS),
)
"""What a reader prefers, the theme that shows then, and the rules to ask about; none for all."""
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
    for preferred, scheme, rules in SCHEMES:
        page = visit.open(path, color_scheme=preferred, viewport={"width": WIDTH, "height": 800})
        page.add_style_tag(content=STILL)
        expect(page.locator("body")).to_have_attribute("data-md-color-scheme", scheme)
        edge = edges(page)
        if edge["beyond"] > 0 or edge["cut"]:
            yield Fault(f"{path}: expected a page as wide as its window, got {edge['beyond']} px beyond, {edge['cut']}")
        shorten(page)
        for rule in broken_rules(page, rules):
            yield Fault(f"{path}: {preferred}: {rule}")


def _pictures(language: str, visit: Visit) -> Iterator[Fault]:
    """A picture says what it is, to who cannot see it."""
    for page in visit.survey.there(language):
        for picture in _PICTURE.findall(visit.survey.answers[page].text):
            if not _TITLED.search(picture) or not _DESCRIBED.search(picture):
                yield Fault(f"{page}: expected a title and a description of each picture, got {picture[:80]}", page)
                break
