import pytest
from browser.published import LANGUAGES, Published, home_of
from browser.servers import Site
from playwright.sync_api import Page, expect

from site_build.regress.visits import OpenContext

WITHOUT = "Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined });"
REFUSING = "Clipboard.prototype.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'));"


def lowest_claim(page: Page, url: str) -> str:
    """Go to a question and scroll to its last claim; give the anchor."""
    page.goto(url)
    claim = page.locator("#claims .rl-claim").last
    claim.scroll_into_view_if_needed()
    return claim.get_attribute("id") or ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_copy_takes_the_claims_address(
    new_context: OpenContext, site: Site, published: Published, language: str
) -> None:
    """The link of a claim copies its full address; the page stays where it is and its address names the claim."""
    context = new_context(permissions=["clipboard-read", "clipboard-write"], viewport={"width": 360, "height": 500})
    page = context.new_page()
    url = site.url + published.questions(language)[0]
    anchor = lowest_claim(page, url)
    link = page.locator(f"#{anchor} [data-copy]")
    link.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    link.click()
    expect(link).to_have_attribute("data-copy", "done")
    assert before > 0
    assert page.evaluate("navigator.clipboard.readText()") == f"{url}#{anchor}" == page.url
    assert page.evaluate("scrollY") == before


@pytest.mark.parametrize("language", LANGUAGES)
def test_copy_from_another_page(new_context: OpenContext, site: Site, language: str) -> None:
    """The home page shows a claim: its link copies the claim's own address, and the home page keeps its own."""
    page = new_context(permissions=["clipboard-read", "clipboard-write"]).new_page()
    home = site.url + home_of(language)
    page.goto(home)
    link = page.locator("[data-copy]").first
    link.click()
    expect(link).to_have_attribute("data-copy", "done")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(f"{home}questions/")
    assert page.url == home
    page.goto(copied)
    expect(page.locator(f"[id='{copied.partition('#')[2]}'].rl-claim")).to_be_in_viewport()


@pytest.mark.parametrize("broken", [WITHOUT, REFUSING], ids=["missing", "refusing"])
def test_without_clipboard_it_is_a_link(
    new_context: OpenContext, site: Site, published: Published, broken: str
) -> None:
    """Where the clipboard is missing or refuses, the link leads to the claim like any other."""
    context = new_context()
    context.add_init_script(broken)
    page = context.new_page()
    url = site.url + published.questions(LANGUAGES[0])[0]
    anchor = lowest_claim(page, url)
    page.locator(f"#{anchor} [data-copy]").click()
    page.wait_for_url(f"{url}#{anchor}")
