import pytest
from browser.published import LANGUAGES, Published, home_of
from browser.servers import Site

from site_build.regress.markup import listed, squeezed
from site_build.regress.paper import evidence_faults, lost_on_paper, printed
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
