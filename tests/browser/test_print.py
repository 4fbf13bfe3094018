import re
from typing import Any

import pytest
from browser.published import LANGUAGES, Published, home_of
from browser.servers import Site
from playwright.sync_api import Page
from pypdf import PageObject

from site_build.regress.markup import listed, squeezed
from site_build.regress.paper import cut_bars, evidence_faults, lost_on_paper, printed, sheets, torn_charts
from site_build.regress.visits import OpenContext


@pytest.mark.parametrize("language", LANGUAGES)
def test_paper_keeps_the_evidence(new_context: OpenContext, site: Site, published: Published, language: str) -> None:
    """On paper every claim has its grade as a letter, its locators and its boundary, in this order."""
    page = new_context().new_page()
    by_size = sorted(published.questions(language), key=lambda path: published.file(path).stat().st_size)
    for path in {by_size[0], by_size[len(by_size) // 2], by_size[-1]}:
        page.goto(site.url + path)
        assert list(evidence_faults(page, printed(page))) == [], path


@pytest.mark.parametrize("language", LANGUAGES)
def test_paper_loses_nothing(new_context: OpenContext, site: Site, published: Published, language: str) -> None:
    """Every text that a kind of page shows on the screen stands on paper."""
    page = new_context().new_page()
    lost = []
    for path in published.kinds(language).values():
        page.goto(site.url + path)
        lost += [f"{path}: {text}" for text in lost_on_paper(page)]
    assert not lost, listed(lost)


def unwritten_targets(page: Page) -> list[str]:
    """Addresses of other sites, labs and data that the article links to and the paper does not name."""
    paper = printed(page)
    links = page.locator("article a:is([href^=http], [data-address])").evaluate_all(
        "links => links.map(link => link.dataset.address ?? link.getAttribute('href'))"
    )
    assert links
    return sorted({link for link in links if squeezed(link) not in paper})


def words_off_the_sheet(sheet: PageObject) -> list[str]:
    """Words whose beginning lies outside the sheet, in points from its lower left corner."""
    found = []

    def place(text: str, drawn: list[float], written: list[float], *_: Any) -> None:
        a, b, c, d, right, up = drawn
        x, y = written[4:]
        inside = 0 <= a * x + c * y + right <= float(sheet.mediabox.width)
        if text.strip() and not (inside and 0 <= b * x + d * y + up <= float(sheet.mediabox.height)):
            found.append(text)

    sheet.extract_text(visitor_text=place)
    return found


@pytest.mark.parametrize("kind", ["questions", "labs", "benchmarks", "course"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_paper_names_its_links(
    new_context: OpenContext, site: Site, published: Published, language: str, kind: str
) -> None:
    """Where a link leads is written out, no word begins beyond the sheet, and the sheets are A4."""
    page = new_context().new_page()
    page.goto(site.url + published.kinds(language)[kind])
    assert unwritten_targets(page) == []
    for sheet in sheets(page).pages:
        # Chromium rounds an A4 sheet of 210 by 297 mm up to whole points
        assert [float(side) for side in sheet.mediabox[2:]] == pytest.approx([595.3, 841.9], abs=1.5)
        assert words_off_the_sheet(sheet) == []


def drawn_pages(published: Published, language: str) -> list[str]:
    """The pages with the tallest charts, and those with timelines."""

    def tallest(path: str) -> float:
        heights = re.findall(r'<svg role="img"[^>]* viewBox="[^"]* ([\d.]+)"', published.file(path).read_text("utf-8"))
        return max(map(float, heights), default=0.0)

    pages = [path for path in published.pages(language) if re.search(r"(?:figures|tables|questions)/.", path)]
    timelines = [path for path in pages if "rl-timeline" in published.file(path).read_text("utf-8")]
    return [*sorted(pages, key=tallest)[-4:], *timelines]


@pytest.mark.parametrize("language", LANGUAGES)
def test_paper_keeps_pictures_whole(new_context: OpenContext, site: Site, published: Published, language: str) -> None:
    """A chart stands with its heading on one sheet, and a bar of a timeline holds its words."""
    page = new_context().new_page()
    faults = []
    for path in drawn_pages(published, language):
        page.goto(site.url + path)
        faults += [f"{path}: {words}" for words in (*torn_charts(page), *cut_bars(page))]
    assert not faults, listed(faults)


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
    page.add_style_tag(content="@media print { .md-typeset a::after { content: none !important } }")
    assert unwritten_targets(page)
    lost = lost_on_paper(page)
    assert "beyond the edge" in lost
    assert page.locator("#boundary h2").inner_text() in lost


def test_torn_pictures_are_seen(new_context: OpenContext, site: Site, published: Published) -> None:
    """A chart taller than a sheet and a bar too short for its words are seen."""
    page = new_context().new_page()
    tallest, *_, timeline = drawn_pages(published, LANGUAGES[0])
    for path, style, faults in (
        (tallest, ".rl-chart svg { zoom: 4 !important }", torn_charts),
        (timeline, ".rl-bar { font-size: 3rem !important }", cut_bars),
    ):
        page.goto(site.url + path)
        assert not list(faults(page))
        page.add_style_tag(content=f"@media print {{ {style} }}")
        assert list(faults(page))
