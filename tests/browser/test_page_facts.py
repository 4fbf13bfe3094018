import gzip
import re
from functools import lru_cache
from urllib.parse import urljoin, urlsplit

import pytest
from browser.published import LANGUAGES, Published
from browser.servers import Site
from playwright.sync_api import expect

from site_build.regress.markup import listed
from site_build.regress.visits import OpenContext

LIMIT = 150_000
"""Bytes of a question page before its search is used, compressed."""
PAGE_LIMIT = 250_000
"""Bytes of any page at first, compressed."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_names_its_build(published: Published, published_below: Published, language: str) -> None:
    """The build id that `k3 build` printed stands on every page, to see and to read by machine."""
    assert re.fullmatch(r"[0-9a-f]{12}", published.build_id)
    pages = [(published, page) for page in published.every(language)]
    pages += [(published_below, page) for page in published_below.kinds(language).values()]
    for built, page in pages:
        markup = built.read(page)
        assert markup.metas["ledger-build"] == built.build_id, page
        assert built.build_id in markup.text, page
    assert published.build_id != published_below.build_id, "the address is an input of the build"


@pytest.mark.parametrize("language", LANGUAGES)
def test_build_id_is_visible(new_context: OpenContext, site: Site, published: Published, language: str) -> None:
    """A reader sees the build id at the foot of the page."""
    page = new_context(viewport={"width": 360, "height": 800}).new_page()
    page.goto(site.url + published.questions(language)[0])
    expect(page.get_by_text(published.build_id)).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_question_pages_are_light(new_context: OpenContext, site: Site, published: Published, language: str) -> None:
    """A first visit to the longest question transfers less than the limit."""
    question = max(published.questions(language), key=lambda page: published.file(page).stat().st_size)
    site.arrivals.clear()
    new_context().new_page().goto(site.url + question, wait_until="networkidle")
    files = {path.strip("/") for path in site.arrivals}
    assert len(files) > 4
    sizes = {name: len(gzip.compress(_body(published, name))) for name in files}
    parts = listed(f"{size:7} {name or 'home'}" for name, size in sizes.items())
    assert sum(sizes.values()) < LIMIT, f"{question} weighs {sum(sizes.values())} bytes, {LIMIT} allowed:\n{parts}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_is_heavy(published: Published, language: str) -> None:
    """What each page brings and asks for by itself stays below the limit; a lab's runtime waits to be asked for."""
    heavy = []
    for page in published.every(language):
        asked = {urlsplit(urljoin(f"http://site/{page}", load)).path.strip("/") for load in published.read(page).loads}
        assert len(asked) > 3, page
        weight = sum(_weight(published, name) for name in {page.strip("/"), *asked})
        heavy += [f"{page}: {weight} bytes"] * (weight > PAGE_LIMIT)
    assert not heavy, listed(heavy)


@lru_cache
def _weight(published: Published, name: str) -> int:
    return len(gzip.compress(_body(published, name)))


def _body(published: Published, name: str) -> bytes:
    path = published.folder / name
    return (path / "index.html" if path.is_dir() else path).read_bytes()
