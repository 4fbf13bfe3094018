"""A page at 200 %: a window of 1280 by 800 px has room for 640 by 400."""

import pytest
from browser.published import LANGUAGES, Published
from browser.servers import Site
from playwright.sync_api import Page

from site_build.regress.looks import edges
from site_build.regress.markup import listed
from site_build.regress.visits import STILL, OpenContext

WINDOW = {"width": 640, "height": 400}
_COVERED = """() => {
  window.scrollTo(0, document.scrollingElement.scrollHeight / 2);
  const fixed = [...document.querySelectorAll("body *")]
    .filter((part) => ["fixed", "sticky"].includes(getComputedStyle(part).position) && part.checkVisibility())
    .map((part) => part.getBoundingClientRect())
    .filter((box) => box.width > window.innerWidth / 2 && box.bottom > 0 && box.top < window.innerHeight);
  return Math.max(0, ...fixed.map((box) => Math.min(box.bottom, window.innerHeight) - Math.max(box.top, 0)));
}"""
"""How much of the window's height a bar takes that stays while the page moves, in px."""
_SMALL = """() => [...document.querySelectorAll("article.md-content__inner *")]
  .filter((part) => [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .filter((part) => part.checkVisibility())
  .filter((part) => !part.closest("math, sup, sub, svg") && parseFloat(getComputedStyle(part).fontSize) < 10.9)
  .map((part) => part.outerHTML.slice(0, 100))"""


@pytest.fixture
def page(new_context: OpenContext) -> Page:
    """A page of a reader who zooms."""
    return new_context(viewport=WINDOW, device_scale_factor=2).new_page()


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_fit(page: Page, site: Site, published: Published, language: str) -> None:
    """Nothing is cut off or reaches beyond the window, no bar covers a fourth of it, and no text is set small."""
    wrong = []
    for path in published.kinds(language).values():
        page.goto(site.url + path)
        page.add_style_tag(content=STILL)
        look = edges(page)
        if look["beyond"] > 0 or look["cut"]:
            wrong.append(f"{path}: {look['beyond']} px beyond, {look['cut']}")
        if (covered := page.evaluate(_COVERED)) > WINDOW["height"] / 4:
            wrong.append(f"{path}: a bar of {covered} px")
        wrong += [f"{path}: small: {part}" for part in page.evaluate(_SMALL)]
    assert not wrong, listed(wrong)


def test_bars_and_small_print_are_seen(page: Page, site: Site) -> None:
    """A bar that stays and small print are found on a page that had neither."""
    page.goto(site.url)
    assert page.evaluate(_COVERED) <= WINDOW["height"] / 4
    assert page.evaluate(_SMALL) == []
    page.add_style_tag(content=".md-header { height: 120px !important } article p { font-size: 9px !important }")
    assert page.evaluate(_COVERED) >= 120
    assert page.evaluate(_SMALL)


@pytest.mark.parametrize("language", LANGUAGES)
def test_ways_stay_open(page: Page, site: Site, language: str) -> None:
    """Menu and search open, and what they show can be scrolled to and chosen."""
    page.goto(site.url + ("" if language == LANGUAGES[0] else f"{language}/"))
    page.locator("label.md-header__button[for=__drawer]").click()
    page.locator(".md-nav--primary > .md-nav__list > .md-nav__item--nested > label").first.click()
    page.locator('.md-nav--primary a[href="questions/"]').first.click()
    page.wait_for_url("**/questions/")
    page.locator("label.md-header__button[for=__search]").click()
    page.locator(".md-search__input").press_sequentially("Q04")
    page.locator(".md-search-result__link").first.click()
    page.wait_for_url("**/questions/Q04/**")
