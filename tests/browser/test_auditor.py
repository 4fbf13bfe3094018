"""The auditor of benchmarks on a phone: what stands against a comparison is read without a scroll."""

import pytest
from browser.published import LANGUAGES, home_of
from browser.servers import Site
from playwright.sync_api import expect

from site_build.regress.visits import OpenContext

WIDTH = 390


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_verdict_is_in_sight_on_a_phone(new_context: OpenContext, site: Site, language: str) -> None:
    """Name, verdict and both settings of each dimension stand within the screen, and are still those of a table."""
    page = new_context(viewport={"width": WIDTH, "height": 844}).new_page()
    page.goto(f"{site.url}{home_of(language)}benchmarks/")
    table = page.locator(".rl-auditor").get_by_role("table")
    expect(table).to_be_visible()
    assert page.locator(".rl-auditor .rl-scroll").evaluate("box => box.scrollWidth - box.clientWidth") <= 0
    names, cells = table.get_by_role("rowheader"), table.get_by_role("cell")
    assert names.count() > 0
    assert cells.count() == 3 * names.count()
    for box in [one.bounding_box() for one in (*names.all(), *cells.all())]:
        assert box is not None
        assert 0 <= box["x"] < box["x"] + box["width"] <= WIDTH
