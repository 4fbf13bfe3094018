from pathlib import Path

import pytest
from browser.published import LANGUAGES, Published
from browser.servers import Site, serving
from browser.walks import NARROWEST, WIDTHS, Walks, look_at_every_width
from playwright.sync_api import expect

from site_build.regress.markup import listed
from site_build.regress.visits import OpenContext

_UNREACHABLE = """() => [...document.querySelectorAll("article table, article pre")].flatMap((element) => {
  let box = element;
  while (box && !["auto", "scroll"].includes(getComputedStyle(box).overflowX)) box = box.parentElement;
  if (!box || box.scrollWidth <= box.clientWidth) return [];
  const label = document.getElementById(box.getAttribute("aria-labelledby"))?.innerText;
  const name = box.getAttribute("aria-label") ?? label;
  return box.tabIndex === 0 && box.role === "group" && name ? [] : [box.outerHTML.slice(0, 120)];
})"""
"""Boxes that scroll sideways and cannot be reached by keyboard or have no name."""


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_scrolls_sideways(walks: Walks, language: str, width: int) -> None:
    """Every page fits its window: nothing reaches beyond, and nothing is cut off at the edge."""
    seen = [(page, looks.get(str(width))) for walk in walks(language) for page, looks in walk.looks.items()]
    looks = {page: look for page, look in seen if look}
    # at the narrowest width more pages were looked at
    assert len(looks) == len(seen) or width > NARROWEST
    assert len(looks) > 10
    wide = [
        f"{page}: {look['beyond']} px, {look['cut']}"
        for page, look in looks.items()
        if look["beyond"] > 0 or look["cut"]
    ]
    assert not wide, listed(wide)


def test_wide_page_is_seen(new_context: OpenContext, tmp_path: Path) -> None:
    """A block wider than the window shows itself, as page scroll or as cut off."""
    body = '<article class="md-content__inner"><p style="width:500px">wide</p></article>'
    (tmp_path / "index.html").write_text(
        f"<!doctype html><meta name=viewport content='width=device-width'>{body}", "utf-8"
    )
    with serving(tmp_path) as site:
        page = new_context().new_page()
        page.goto(site.url)
        looks = look_at_every_width(page)
        page.add_style_tag(content="html { overflow-x: clip }")
        clipped = look_at_every_width(page)
    assert looks["360"]["beyond"] > 100
    assert looks["1280"]["beyond"] <= 0
    assert not looks["1280"]["cut"]
    assert clipped["360"]["cut"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_wide_tables_scroll_in_their_own_box(
    new_context: OpenContext, site: Site, published: Published, language: str
) -> None:
    """On a phone a wide table moves inside a box that has a name and that the keyboard reaches."""
    page = new_context(viewport={"width": 360, "height": 800}).new_page()
    moved = 0
    for path in published.kinds(language).values():
        page.goto(site.url + path)
        assert page.evaluate(_UNREACHABLE) == [], path
        for box in page.locator(".rl-scroll").all():
            if not box.evaluate("box => box.checkVisibility() && box.scrollWidth > box.clientWidth"):
                continue
            box.focus()
            page.keyboard.press("ArrowRight")
            # no waiting for an expression: the content policy forbids eval to Playwright too
            expect(box).not_to_have_js_property("scrollLeft", 0)
            moved += 1
    assert moved, "no table is wide enough to prove anything"


_SCROLLING = """() => [...document.querySelectorAll(".rl-component .rl-scroll")]
  .filter((box) => box.checkVisibility() && !box.closest("details") && box.scrollWidth > box.clientWidth + 1)
  .map((box) => box.getAttribute("aria-label"))"""
"""Boxes of a component, but for the points of charts, that hide a part of it."""
_BESIDE = """() => {
  const box = (selector) => document.querySelector(`.rl-component > ${selector}`).getBoundingClientRect();
  return box("figcaption").left >= box(".rl-bodies").right && box("figcaption").top < box(".rl-bodies").bottom;
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_tables_of_pictures_fit_a_phone(
    new_context: OpenContext, site: Site, published: Published, language: str
) -> None:
    """The tables in a component show all their words in the window of a phone."""
    page = new_context(viewport={"width": 390, "height": 844}).new_page()
    tables = [path for path in published.pages(language) if "rl-matrix" in published.file(path).read_text("utf-8")]
    assert len(tables) > 3
    for path in tables:
        page.goto(site.url + path, wait_until="domcontentloaded")
        assert page.evaluate(_SCROLLING) == [], path


def test_a_narrow_picture_has_its_caption_beside_it(new_context: OpenContext, site: Site) -> None:
    """Where one narrow drawing is all of a component, a wide window shows its caption at its side, a phone beneath."""
    page = new_context(viewport={"width": 1280, "height": 800}).new_page()
    for name in ("questions/Q03/", "tables/T1/", "questions/Q22/"):
        page.goto(site.url + name)
        assert page.evaluate(_BESIDE), name
    page.set_viewport_size({"width": 390, "height": 844})
    assert not page.evaluate(_BESIDE)
