"""A page on paper: Chromium prints it, and what stands on the sheets is read back."""

import re
from collections.abc import Iterator
from io import BytesIO

from playwright.sync_api import Page
from pypdf import PdfReader

from site_build.regress.looks import visible_texts
from site_build.regress.markup import squeezed

_CLAIMS = """() => [...document.querySelectorAll("#claims .rl-claim")].map((claim) => ({
  id: claim.id,
  letter: claim.querySelector(".rl-grade").dataset.grade,
  start: claim.querySelector(".rl-claim__text").firstChild.textContent,
  locators: [...claim.querySelectorAll(".rl-locators a, .rl-locators .rl-locator")].map((place) => place.innerText),
  boundary: claim.querySelector(".rl-claim__boundary")?.innerText ?? "",
}))"""

_CHARTS = """() => [...document.querySelectorAll(".rl-chart svg")].map((chart) => {
  const heading = chart.closest(".rl-step, .rl-body").querySelector(".rl-body__heading");
  const words = [...chart.querySelectorAll('text:not([opacity="0"])')].map((text) => text.textContent);
  return heading ? [heading.firstChild.textContent, ...words] : words;
})"""
_CUT = """() => [...document.querySelectorAll(".rl-bar")].filter((bar) => bar.scrollWidth > bar.clientWidth)
  .map((bar) => bar.innerText)"""
PAPER_WIDTH = 695
"""Pixels between the margins of an A4 sheet, as the style sheet sets them."""


def sheets(page: Page) -> PdfReader:
    """The page on A4."""
    return PdfReader(BytesIO(page.pdf(format="A4")))


def printed(page: Page) -> str:
    """The text of the page on A4, without white space."""
    return squeezed("".join(sheet.extract_text() for sheet in sheets(page).pages))


def lost_on_paper(page: Page, paper: str = "") -> list[str]:
    """What the screen shows and a sheet does not, being hidden, cut off at the edge, or torn over two sheets.

    `paper` is what `printed` gave, where it is known.
    """
    texts = visible_texts(page)
    paper = paper or printed(page)
    return [text.strip() for text in texts if squeezed(text) not in paper]


def torn_charts(page: Page) -> Iterator[str]:
    """Charts that no single sheet holds together with their heading."""
    on_sheets = [squeezed(sheet.extract_text()) for sheet in sheets(page).pages]
    for words in page.evaluate(_CHARTS):
        if not any(all(squeezed(word) in sheet for word in words) for sheet in on_sheets):
            yield words[0]


def cut_bars(page: Page) -> list[str]:
    """What stands in bars of a timeline that are too short for it on paper."""
    before = page.viewport_size
    page.emulate_media(media="print")
    page.set_viewport_size({"width": PAPER_WIDTH, "height": 900})
    found: list[str] = page.evaluate(_CUT)
    page.emulate_media(media="null")
    if before:
        page.set_viewport_size(before)
    return found


def evidence_faults(page: Page, paper: str) -> Iterator[str]:
    """Claims of a question that lack their letter, locators or boundary on paper, in this order; its own boundary."""
    rest = paper
    claims = page.evaluate(_CLAIMS)
    if not claims:
        yield "expected claims, got none"
    for claim in claims:
        parts = [claim["letter"], claim["start"][:20], *claim["locators"], claim["boundary"]]
        found = re.search(".*?".join(re.escape(squeezed(part)) for part in parts), rest)
        if found is None:
            yield f"{claim['id']}: expected on paper {parts}, got {rest[:160]}"
        else:
            rest = rest[found.end() :]
    if squeezed(page.locator("#boundary").inner_text()) not in rest:
        yield "expected the question's boundary on paper after its claims, got none"
