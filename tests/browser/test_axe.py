import pytest
from browser.published import LANGUAGES, Published
from browser.servers import Site

from site_build.regress.axe import broken_rules
from site_build.regress.looks import shorten
from site_build.regress.markup import listed
from site_build.regress.visits import STILL, OpenContext

SCHEMES = ("default", "slate")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_axe_finds_nothing(
    new_context: OpenContext, site: Site, published: Published, language: str, scheme: str
) -> None:
    """One page of each kind, as a phone, a tablet and a desktop show it, breaks no rule of accessibility."""
    page = new_context(color_scheme="light" if scheme == SCHEMES[0] else "dark").new_page()
    wrong = []
    for kind, path in published.kinds(language).items():
        page.goto(site.url + path)
        page.add_style_tag(content=STILL)
        shorten(page)
        assert page.locator("body").get_attribute("data-md-color-scheme") == scheme
        for width in (360, 768, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            wrong += [f"{kind} {path} {width} px: {fault}" for fault in broken_rules(page)]
    assert not wrong, listed(wrong)


def test_axe_sees_what_is_wrong(new_context: OpenContext, site: Site) -> None:
    """A picture without text, a nameless button and grey on grey are found on a page that was right."""
    page = new_context().new_page()
    page.goto(site.url)
    page.evaluate(
        """() => document.querySelector("article").insertAdjacentHTML("beforeend",
        '<img src="assets/images/favicon.png"><button></button><p style="color:#999;background:#888">grey</p>')"""
    )
    found = listed(broken_rules(page))
    for rule in ("image-alt: ", "button-name: ", "color-contrast: "):
        assert rule in found
