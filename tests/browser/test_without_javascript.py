import pytest
from browser.published import LANGUAGES, Published, home_of
from browser.servers import Site
from browser.walks import Walks

from site_build.regress.looks import claim_faults, visible_texts
from site_build.regress.markup import listed, squeezed
from site_build.regress.visits import OpenContext, walk_to_question


@pytest.mark.parametrize("language", LANGUAGES)
def test_claims_are_complete(new_context: OpenContext, site: Site, published: Published, language: str) -> None:
    """Every claim shows text, grade, locator and anchor, and every question its boundary, without any script."""
    page = new_context(java_script_enabled=False).new_page()
    questions = published.questions(language)
    assert questions
    for path in questions:
        page.goto(site.url + path)
        assert claim_faults(page) == [], path


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_say_the_same(
    new_context: OpenContext, site: Site, published: Published, walks: Walks, language: str
) -> None:
    """Whatever a reader with scripts can see on a kind of page, a reader without them sees too."""
    page = new_context(java_script_enabled=False).new_page()
    texts = walks(language)[0].texts
    lost = []
    for path in published.kinds(language).values():
        page.goto(site.url + path)
        there = {squeezed(text) for text in visible_texts(page)}
        assert there, path
        lost += [f"{path}: {text.strip()}" for text in texts[path] if squeezed(text) not in there]
    assert not lost, listed(lost)


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("language", LANGUAGES)
def test_navigation_works(new_context: OpenContext, site: Site, language: str, width: int) -> None:
    """A reader gets from the home page to a question and to the other language by links alone."""
    page = new_context(java_script_enabled=False, viewport={"width": width, "height": 800}).new_page()
    home = site.url + home_of(language)
    page.goto(home)
    inner = walk_to_question(page, home)
    page.locator(".rl-twin").click()
    other = next(code for code in LANGUAGES if code != language)
    page.wait_for_url(f"{site.url}{home_of(other)}{inner}")
