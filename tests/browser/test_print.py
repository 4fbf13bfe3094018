import re
from io import BytesIO

import pytest
from browser.published import LANGUAGES, Published, home_of, listed, squeezed
from browser.servers import Site
from browser.visits import OpenContext
from browser.walks import visible_texts
from playwright.sync_api import Page
from pypdf import PdfReader

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


def lost_on_paper(page: Page) -> list[str]:
    """What the screen shows and a sheet does not, being hidden, cut off at the edge, or torn over two sheets."""
    texts = visible_texts(page)
    paper = printed(page)
    assert paper
    return [text.strip() for text in texts if squeezed(text) not in paper]


@pytest.mark.parametrize("language", LANGUAGES)
def test_paper_loses_nothing(new_context: OpenContext, site: Site, published: Published, language: str) -> None:
    """Every text that a kind of page shows on the screen stands on paper."""
    page = new_context().new_page()
    lost = []
    for path in published.kinds(language).values():
        page.goto(site.url + path)
        lost += [f"{path}: {text}" for text in lost_on_paper(page)]
    assert not lost, listed(lost)


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


def test_losses_on_paper_are_seen(new_context: OpenContext, site: Site, published: Published) -> None:
    """A boundary that is not printed and a word beyond the edge of the sheet are seen."""
    page = new_context().new_page()
    page.goto(site.url + published.questions(LANGUAGES[0])[0])
    assert lost_on_paper(page) == []
    page.evaluate(
        """() => document.querySelector("article").insertAdjacentHTML("beforeend",
        '<p style="position: absolute; left: 4000px; white-space: nowrap">beyond the edge</p>')"""
    )
    page.add_style_tag(content="@media print { #boundary { display: none } }")
    lost = lost_on_paper(page)
    assert "beyond the edge" in lost
    assert page.locator("#boundary h2").inner_text() in lost
