"""Every part that a reader can operate is reached and operated by keyboard, and nothing moves for who asks for that."""

import pytest
from browser.published import LANGUAGES, Published, home_of
from browser.servers import Site
from playwright.sync_api import Locator, Page, expect

from site_build.regress.markup import listed
from site_build.regress.visits import OpenContext

_MOVING = """() => [...document.querySelectorAll("*")].flatMap((element) => ["", "::before", "::after"]
  .map((part) => getComputedStyle(element, part || null))
  .filter((style) => style.animationName !== "none" || style.scrollBehavior === "smooth"
    || style.transitionDuration.split(", ").some((time) => time !== "0s"))
  .map(() => element.outerHTML.slice(0, 80)))"""
"""Elements that would move: an animation, a transition that takes time, or smooth scrolling."""


@pytest.fixture
def page(new_context: OpenContext) -> Page:
    """A fresh page."""
    return new_context().new_page()


def reach(page: Page, wanted: Locator) -> None:
    """Press Tab until the focus is there, and is seen to be there."""
    for _ in range(300):
        if wanted.evaluate("part => part === document.activeElement"):
            assert wanted.evaluate("part => part.matches(':focus-visible')")
            return
        page.keyboard.press("Tab")
    pytest.fail(f"expected a way by Tab to {wanted}, got none in 300 presses")


@pytest.mark.parametrize("language", LANGUAGES)
def test_steps(page: Page, site: Site, language: str) -> None:
    """On and back by one step, then all at once; the place is not lost when the buttons go."""
    page.goto(f"{site.url}{home_of(language)}questions/Q04/")
    steps = page.locator(".rl-step")
    bar = page.locator(".rl-steps__bar")
    back, on, every = (bar.locator("button").nth(place) for place in range(3))
    count = steps.count()
    assert count > 2
    reach(page, on)
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    expect(bar.locator("span")).to_have_text(f"3 / {count}")
    assert [step.is_visible() for step in steps.all()] == [place == 2 for place in range(count)]
    page.keyboard.press("Shift+Tab")
    expect(back).to_be_focused()
    page.keyboard.press("Enter")
    expect(bar.locator("span")).to_have_text(f"2 / {count}")
    reach(page, every)
    page.keyboard.press("Enter")
    assert all(step.is_visible() for step in steps.all())
    assert page.evaluate("document.activeElement.matches('[data-steps]')")


@pytest.mark.parametrize("language", LANGUAGES)
def test_composer(page: Page, site: Site, language: str) -> None:
    """A box is ticked and one of several circles chosen; the table follows."""
    page.goto(f"{site.url}{home_of(language)}questions/Q29/")
    tools = page.locator(".rl-composer__tools")
    rows = page.locator("[data-composer] tbody tr:visible")
    before = rows.all_inner_texts()
    box = tools.locator("input[type=checkbox]").nth(2)
    reach(page, box)
    page.keyboard.press("Space")
    expect(rows).to_have_count(len(before) + 1)
    circle = tools.locator("input[type=radio]").first
    reach(page, circle)
    page.keyboard.press("ArrowDown")
    expect(tools.locator("input[type=radio]").nth(1)).to_be_checked()
    expect(rows).to_have_count(len(before) + 1)
    assert rows.last.inner_text() != before[-1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_auditor(page: Page, site: Site, language: str) -> None:
    """Another row is picked; its name, score and settings stand in the table."""
    page.goto(f"{site.url}{home_of(language)}benchmarks/")
    tool = page.locator(".rl-auditor__tool")
    before = tool.locator("table").inner_text()
    reach(page, tool.locator("select").first)
    page.keyboard.press("ArrowDown")
    expect(tool.locator("table")).not_to_have_text(before, use_inner_text=True)
    picked = tool.locator("select").first.locator("option:checked").inner_text().partition(" · ")[2]
    assert picked in tool.locator("table").inner_text()


@pytest.mark.parametrize("language", LANGUAGES)
def test_filter(page: Page, site: Site, language: str) -> None:
    """A choice leaves fewer entries, and as many as it says."""
    page.goto(f"{site.url}{home_of(language)}questions/")
    entries = page.locator(".rl-entries > li:visible")
    before = entries.count()
    choice = page.locator("form[data-filter] select").first
    reach(page, choice)
    page.keyboard.press("End")
    expect(entries).not_to_have_count(before)
    assert page.locator("form[data-filter] output").inner_text() == str(entries.count())


@pytest.mark.parametrize("language", LANGUAGES)
def test_twin_and_data(page: Page, site: Site, language: str) -> None:
    """The text twin opens, and the data is saved; the file is that of the component, in the page's language."""
    page.goto(f"{site.url}{home_of(language)}figures/F04/")
    twin = page.locator(".rl-twin-text")
    reach(page, twin.locator("summary"))
    page.keyboard.press("Enter")
    expect(twin.locator("p").first).to_be_visible()
    reach(page, page.locator(".rl-data a"))
    with page.expect_download() as waiting:
        page.keyboard.press("Enter")
    assert waiting.value.suggested_filename == "activation-curves.json"
    saved = waiting.value.path().read_text(encoding="utf-8")
    assert f'"language": "{language}"' in saved


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_moves(new_context: OpenContext, site: Site, published: Published, language: str) -> None:
    """Where a reader asks for no motion, no page has any."""
    page = new_context(reduced_motion="reduce").new_page()
    moving = []
    for path in published.kinds(language).values():
        page.goto(site.url + path)
        moving += [f"{path}: {element}" for element in page.evaluate(_MOVING)]
    assert not moving, listed(moving)


def test_motion_is_seen(page: Page, site: Site) -> None:
    """Without that wish the frame of the page has transitions, so that their absence says something."""
    page.goto(site.url)
    assert page.evaluate(_MOVING)
