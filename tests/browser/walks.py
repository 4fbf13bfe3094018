"""Walk through the pages of a site and write down what happened, once for all tests and workers."""

from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from browser.servers import Site
from playwright.sync_api import Browser, Page

from site_build.regress.looks import edges, visible_texts
from site_build.regress.servers import World
from site_build.regress.visits import STILL, open_context, watch

WIDTHS = (360, 390, 768, 1280)
NARROWEST, WIDEST = min(WIDTHS), max(WIDTHS)


@dataclass(frozen=True)
class Walk:
    """What happened on a walk, as data that workers can hand on."""

    origin: str
    asked: list[str]
    arrived: list[str]
    strangers: list[str]
    complaints: list[str]
    looks: dict[str, dict[str, dict[str, Any]]]
    """For each page and width (as text): `beyond` and `cut`."""
    texts: dict[str, list[str]]
    """What each page says, of a walk with scripts."""
    kept: list[str]
    """Names of the cookies and of what stands in the browser's storage at the end."""


Walks = Callable[[str], list[Walk]]
"""The walks through a language's pages: one with scripts, one without."""


def take_walk(browser: Browser, world: World, site: Site, pages: Iterable[str], *, scripts: bool) -> Walk:
    """Visit pages one after the other in one profile: with scripts at every width, without at the narrowest."""
    site.arrivals.clear()
    world.strangers.clear()
    looks, texts = {}, {}
    viewport = {"width": WIDEST if scripts else NARROWEST, "height": 800}
    with closing(open_context(browser, world, java_script_enabled=scripts, viewport=viewport)) as context:
        seen = watch(context)
        page = context.new_page()
        for path in pages:
            page.goto(site.url + path)
            if scripts:
                texts[path] = visible_texts(page)
                looks[path] = look_at_every_width(page)
            else:
                looks[path] = {str(NARROWEST): edges(page)}
        page.wait_for_load_state("networkidle")
        kept = names_kept(page) if scripts else [cookie["name"] for cookie in context.cookies()]
    return Walk(site.url, seen.asked, list(site.arrivals), list(world.strangers), seen.complaints, looks, texts, kept)


def names_kept(page: Page) -> list[str]:
    """Names of what the browser keeps for the page's site: cookies, both storages, caches and databases."""
    stores = """async () => [...Object.keys(localStorage), ...Object.keys(sessionStorage), ...(await caches.keys()),
      ...(await indexedDB.databases()).map(({ name }) => name)]"""
    return [cookie["name"] for cookie in page.context.cookies()] + list(page.evaluate(stores))


def look_at_every_width(page: Page) -> dict[str, dict[str, Any]]:
    """Look at a page at every width, the widest last."""
    looks = {}
    page.add_style_tag(content=STILL)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        looks[str(width)] = edges(page)
    return looks
