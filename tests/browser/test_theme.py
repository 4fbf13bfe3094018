import pytest
from browser.published import LANGUAGES, Published, home_of
from browser.servers import Site
from playwright.sync_api import Page

from site_build.regress.visits import OpenContext

TOGGLE = "form[data-md-component=palette] label:visible"


def shown(page: Page) -> tuple[str, str]:
    """The name of the theme and the colour it gives the page."""
    scheme = page.locator("body").get_attribute("data-md-color-scheme") or ""
    colour: str = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return scheme, colour


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("language", LANGUAGES)
def test_theme_is_kept(new_context: OpenContext, site: Site, published: Published, language: str, width: int) -> None:
    """The toggle changes the colours; the choice holds after a reload and on the next page, until it is taken back."""
    page = new_context(viewport={"width": width, "height": 800}, color_scheme="light").new_page()
    page.goto(site.url + home_of(language))
    light = shown(page)
    page.locator(TOGGLE).click()
    dark = shown(page)
    assert (light[0], dark[0]) == ("default", "slate")
    assert light[1] != dark[1]
    page.reload()
    assert shown(page) == dark
    page.goto(site.url + published.questions(language)[0])
    assert shown(page) == dark
    page.locator(TOGGLE).click()
    page.reload()
    assert shown(page) == light


@pytest.mark.parametrize(("prefers", "scheme"), [("light", "default"), ("dark", "slate")])
def test_theme_follows_the_system(new_context: OpenContext, site: Site, prefers: str, scheme: str) -> None:
    """Without a choice a page has the colours that the reader's system asks for when it is opened, each time anew."""
    page = new_context(color_scheme="dark" if prefers == "light" else "light").new_page()
    page.goto(site.url)
    assert shown(page)[0] != scheme
    page.emulate_media(color_scheme="light" if prefers == "light" else "dark")
    page.reload()
    assert shown(page)[0] == scheme
    page.locator(TOGGLE).click()
    page.reload()
    assert shown(page)[0] != scheme
