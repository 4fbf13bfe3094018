import re
from io import BytesIO

import pytest
from browser.published import LANGUAGES, Published, home_of, squeezed
from browser.servers import Site
from browser.visits import OpenContext
from playwright.sync_api import Page
from pypdf import PdfReader

_LOST = """() => [...document.querySelectorAll("article.md-content__inner *")].filter((element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim())
    && !element.closest(".rl-hidden, .headerlink, [data-copy], form, button, select, svg title, svg desc, svg [opacity='0']")
    && (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })
      || element.getBoundingClientRect().right > innerWidth + 1))
  .map((element) => element.outerHTML.slice(0, 120))"""
"""Text that paper would lose: hidden, or beyond its edge. (A drawing hides labels that would lie upon each other.)"""

_CLAIMS = """() => [...document.querySelectorAll("#claims .rl-claim")].map((claim) => ({
  letter: claim.querySelector(".rl-grade").dataset.grade,
  start: claim.querySelector(".rl-claim__text").firstChild.textContent,
  locators: [...claim.querySelectorAll(".rl-locators a, .rl-locators .rl-locator")].map((place) => place.innerText),
  boundary: claim.querySelector(".rl-claim__boundary")?.innerText ?? "",
}))"""


def printed(page: Page) -> str:
    """The text of the page on A4, without white space."""
    reader = PdfReader(BytesIO(page.pdf(format="A4")))
    return squeezed("".join(sheet.extract_text() for sheet in reader.pages))


@pytest.mark.parametrize("language", LANGUAGES)
def test_paper_keeps_the_evidence(new_context: OpenContext, site: Site, published: Published, language: str) -> None:
    """On paper every claim has its grade as a letter, its locators and its boundary, in this order."""
    page = new_context().new_page()
    by_size = sorted(published.questions(language), key=lambda path: published.file(path).stat().st_size)
    for path in {by_size[0], by_size[len(by_size) // 2], by_size[-1]}:
        page.goto(site.url + path)
        claims = page.evaluate(_CLAIMS)
        boundary = page.locator("#boundary").inner_text()
        paper = printed(page)
        assert claims
        rest = paper
        for claim in claims:
            parts = [claim["letter"], claim["start"][:20], *claim["locators"], claim["boundary"]]
            wanted = ".*?".join(re.escape(squeezed(part)) for part in parts)
            found = re.search(wanted, rest)
            assert found, f"{path}: {parts} not in {rest[:600]}"
            rest = rest[found.end() :]
        assert squeezed(boundary) in rest, path


@pytest.mark.parametrize("language", LANGUAGES)
def test_paper_loses_nothing(new_context: OpenContext, site: Site, published: Published, language: str) -> None:
    """No text of any kind of page is hidden on paper or reaches beyond its edge."""
    # an A4 sheet less the default margins
    page = new_context(viewport={"width": 720, "height": 1000}).new_page()
    page.emulate_media(media="print")
    for path in published.kinds(language).values():
        page.goto(site.url + path)
        # a browser says so before it prints, and scripts open what they have folded
        page.evaluate("() => { dispatchEvent(new Event('beforeprint')); }")
        assert page.evaluate(_LOST) == [], path


@pytest.mark.parametrize("language", LANGUAGES)
def test_paper_opens_what_is_folded(new_context: OpenContext, site: Site, language: str) -> None:
    """What a reader has to unfold on the screen stands on paper."""
    page = new_context().new_page()
    page.goto(f"{site.url}{home_of(language)}sources/")
    folded = page.locator("details:not([open])").first.locator("li").all_text_contents()
    assert folded
    paper = printed(page)
    lost = [text for text in folded if squeezed(text) not in paper]
    assert not lost


def test_print_checks_see_what_is_lost(new_context: OpenContext, site: Site, published: Published) -> None:
    """A boundary that is not printed and a block wider than the sheet are seen."""
    page = new_context(viewport={"width": 720, "height": 1000}).new_page()
    page.emulate_media(media="print")
    page.goto(site.url + published.questions(LANGUAGES[0])[0])
    boundary = page.locator("#boundary p").first.inner_text()
    assert squeezed(boundary) in printed(page)
    wide = ".rl-answer p { width: 2000px !important; max-width: none !important }"
    page.add_style_tag(content=f"@media print {{ #boundary {{ display: none }} {wide} }}")
    lost = "\n".join(page.evaluate(_LOST))
    assert boundary[:20] in lost
    assert squeezed(boundary) not in printed(page)
    assert page.locator(".rl-answer p").first.inner_text()[:20] in lost
