import re
from pathlib import Path

import pytest
from browser.published import LANGUAGES, Published
from browser.servers import PlainSite, serving
from browser.walks import Walks

from site_build.regress.markup import Markup, listed, read_markup
from site_build.regress.servers import World
from site_build.regress.visits import OpenContext, assert_nothing_foreign, watch

FOREIGN = """<!doctype html><html lang="en"><title>Foreign</title>
<style>@font-face { font-family: F; src: url(http://fonts.example/f.woff2); } p { font-family: F; }</style>
<p>A page that calls four other hosts.</p><img src="http://pictures.example/a.png" alt="">
<script src="https://scripts.example/a.js"></script><script>new Worker("worker.js");</script></html>
"""
HOSTS = {"fonts.example", "pictures.example", "scripts.example", "worker.example"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_calls_another_host(walks: Walks, published: Published, language: str) -> None:
    """Browser and servers agree that every kind of page takes everything from its own host."""
    visited = set()
    for walk in walks(language):
        visited |= set(walk.looks)
        assert_nothing_foreign(walk.asked, walk.arrived, walk.strangers, walk.origin)
    kinds = set(published.kinds(language).values())
    assert kinds <= visited <= set(published.every(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_names_a_foreign_load(published: Published, language: str) -> None:
    """In the HTML of every single page, nothing that a browser fetches by itself has a host."""
    foreign = [f"{page}: {url}" for page in published.every(language) for url in foreign_loads(published.read(page))]
    assert not foreign, listed(foreign)


def test_foreign_loads_are_seen_in_the_html() -> None:
    """Every way to fetch something is seen, with a scheme or without; links that a reader follows are not meant."""
    page = """<a href="https://fine.example/">x</a><link rel="canonical" href="https://fine.example/">
        <link rel="preconnect" href="https://a.example"><link rel="stylesheet" href="//b.example/s.css"><img src="http://c.example/">
        <img srcset="https://d.example/ 2x" src="own.png"><p style="background:url(https://e.example/)">
        <style>@import "https://f.example/"; p { background: url('data:,') }</style><form action="https://g.example/">"""
    hosts = [re.sub(r".*//(\w).*", r"\1", url) for url in foreign_loads(read_markup(page))]
    assert hosts == list("abcdefg")


def foreign_loads(markup: Markup) -> list[str]:
    """What a page fetches from an address with a host."""
    return [url for url in markup.loads if re.match(r"\s*(?:\w+:)?//", url)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_search_index_waits_for_a_reader(walks: Walks, language: str) -> None:
    """No page fetches the search index unasked."""
    assert not [path for walk in walks(language) for path in walk.arrived if "search_index" in path]


def test_foreign_calls_are_seen_twice(new_context: OpenContext, world: World, tmp_path: Path) -> None:
    """Picture, font, script and a worker's fetch each show themselves to both witnesses."""
    (tmp_path / "index.html").write_text(FOREIGN, encoding="utf-8")
    (tmp_path / "worker.js").write_text('fetch("http://worker.example/").catch(() => {});', encoding="utf-8")
    world.strangers.clear()
    with serving(tmp_path, handler=PlainSite) as site:
        context = new_context()
        seen = watch(context)
        context.new_page().goto(site.url, wait_until="networkidle")
        arrived = list(site.arrivals)
    strangers, world.strangers[:] = list(world.strangers), []
    assert set(strangers) == HOSTS
    with pytest.raises(AssertionError, match=r"(?s)fonts.*pictures.*worker\.example.*scripts"):
        assert_nothing_foreign(seen.asked, arrived, [], site.url)
    with pytest.raises(AssertionError, match=r"(?s)world was asked.*fonts.*pictures.*scripts.*worker\.example"):
        assert_nothing_foreign([site.url], arrived, strangers, site.url)
    own = [url for url in seen.asked if url.startswith(site.url)]
    with pytest.raises(AssertionError, match=r"only one witness saw:\n/worker\.js"):
        assert_nothing_foreign(own[:1], arrived, [], site.url)
