"""A reader's own colours in place of the site's: words and pictures take them, whichever theme was shown before."""

import pytest
from browser.published import LANGUAGES, Published
from browser.servers import Site
from playwright.sync_api import Page

from site_build.regress.markup import listed
from site_build.regress.visits import OpenContext

TEXT, LINE = 4.5, 3.0
"""The contrast that WCAG 2.2 asks of text (1.4.3) and of what a picture is understood by (1.4.11)."""
_FAINT = """([text, line]) => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgb = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([red, green, blue]) => [red, green, blue].map((part) => part / 255)
    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, place) => sum + part * [0.2126, 0.7152, 0.0722][place], 0);
  const paper = light(rgb(getComputedStyle(document.body).backgroundColor));
  const contrast = (colour) => {
    const [dark, bright] = [paper, light(rgb(colour))].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  };
  const faint = (element, colour, least) => colour !== "none" && rgb(colour)[3] === 255 && contrast(colour) < least;
  const shown = [...document.querySelectorAll("article.md-content__inner *")].filter((part) => part.checkVisibility());
  const words = shown.filter((part) => [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  const marks = shown.filter((part) => part.matches(":is(.mark-line, .mark-rect, .mark-symbol, .mark-bar) path"));
  return [
    ...words.filter((part) => faint(part, getComputedStyle(part)[part.closest("svg") ? "fill" : "color"], text)),
    ...marks.filter((part) => faint(part, getComputedStyle(part).stroke, line)),
  ].map((part) => part.outerHTML.slice(0, 100));
}"""
"""Words, and lines and borders of marks, that stand out too little from what is behind the page."""


def faint(page: Page) -> list[str]:
    """What is hard to see on an open page."""
    found: list[str] = page.evaluate(_FAINT, [TEXT, LINE])
    return found


@pytest.fixture
def page(new_context: OpenContext, site: Site) -> Page:
    """A page of a reader whose own colours are bright on black, and who chose the light theme before."""
    page = new_context(color_scheme="light", forced_colors="active").new_page()
    page.goto(site.url)
    for _ in range(2):
        page.locator("form[data-md-component=palette] label:visible").click()
    page.emulate_media(color_scheme="dark")
    page.reload()
    assert page.locator("body").get_attribute("data-md-color-scheme") == "default"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(0, 0, 0)"
    return page


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_and_pictures_take_them(page: Page, site: Site, published: Published, language: str) -> None:
    """On every kind of page nothing is left in a colour that was meant for another background."""
    lost = []
    for path in published.kinds(language).values():
        page.goto(site.url + path)
        lost += [f"{path}: {part}" for part in faint(page)]
    assert not lost, listed(lost)


def test_faint_words_and_lines_are_seen(page: Page, site: Site) -> None:
    """Ink of the light theme is seen where it is left in a picture, in its words and in its lines."""
    page.goto(f"{site.url}figures/F04/")
    assert faint(page) == []
    page.add_style_tag(content="[data-md-color-scheme] { --rl-ink: #1d2126 !important; --rl-r: #1b2b55 !important }")
    found = listed(faint(page))
    assert "<text" in found
    assert "<path" in found
