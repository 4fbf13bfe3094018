"""Search as a reader uses it."""

import re

from playwright.sync_api import Locator, Page, expect

INDEX = "search/search_index.json"
"""Below the home of a language."""


def typed(page: Page, query: str) -> Locator:
    """Type a query as a person does, and give the first result."""
    field = page.locator(".md-search__input")
    # on a phone the field lies outside the window until its button is pressed
    button = page.locator("label.md-header__button[for=__search]")
    (button if button.is_visible() else field).click()
    results = page.locator(".md-search-result__item")
    if results.count():
        field.fill("")
        field.press("End")
        expect(results).to_have_count(0)
    field.fill(query)
    # text that comes from an input method is searched for after a key has gone up
    field.press("End")
    return results.first


def first_places(page: Page, home: str, query: str) -> list[str]:
    """Type a query; give the page that comes first and its best section, as paths from the language's home."""
    links = typed(page, query).locator(".md-search-result__link")
    expect(links.first).to_be_visible()
    found = [link.get_attribute("href") or "" for link in links.all()[:2]]
    return [re.sub(r"\?h=[^#]*", "", link).removeprefix(home) for link in found]
