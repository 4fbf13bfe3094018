import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import unquote, urldefrag, urljoin, urlsplit
from urllib.request import urlopen

import pytest
from browser.published import LANGUAGES, MISSING, Published, home_of
from browser.servers import PlainSite, Site, serving
from playwright.sync_api import expect

from site_build.regress.markup import listed, read_markup
from site_build.regress.visits import OpenContext, watch

_CSS_URL = re.compile(r"""url\(["']?(?!data:)([^"')]+)""")


@dataclass(frozen=True)
class Answer:
    """What a server gave for an address."""

    status: int
    links: tuple[str, ...]
    ids: frozenset[str]


def fetch(url: str) -> Answer:
    """Fetch an address and read its links and ids."""
    try:
        answer = urlopen(url)
    except HTTPError as refusal:
        answer = refusal
    with answer:
        kind, content = answer.headers.get_content_type(), answer.read()
        if kind == "text/css":
            return Answer(answer.status, tuple(_CSS_URL.findall(content.decode())), frozenset())
        if kind != "text/html":
            return Answer(answer.status, (), frozenset())
        markup = read_markup(content.decode())
        return Answer(answer.status, tuple(markup.links), frozenset(markup.ids))


def dead_links(site: Site, pages: Iterable[str]) -> list[str]:
    """Follow every link of some pages; name those that lead nowhere, to no such id, or out of the site's folder."""
    asked = {site.url + page for page in pages}
    answers: dict[str, Answer] = {}
    waiting = list(asked)
    while waiting:
        url = waiting.pop()
        if url in answers:
            continue
        answers[url] = fetch(url)
        # a style links on; a page that was not asked for is only looked up
        if url in asked or not answers[url].ids:
            targets = (urldefrag(urljoin(url, link)).url for link in answers[url].links)
            waiting += [target for target in targets if target.startswith(site.url)]
    followed = (url for url, answer in answers.items() if url in asked or not answer.ids)
    return sorted(fault for url in followed for fault in _faults(site, answers, url))


def _faults(site: Site, answers: dict[str, Answer], url: str) -> Iterator[str]:
    for link in answers[url].links:
        target, fragment = urldefrag(urljoin(url, link))
        if urlsplit(target).netloc != urlsplit(site.url).netloc:
            continue
        if target not in answers:
            yield f"{url}: {link} leaves the site"
        elif answers[target].status != 200:
            yield f"{url}: {link} answers {answers[target].status}"
        elif fragment and unquote(fragment) not in answers[target].ids:
            yield f"{url}: {link} finds no such id"


def test_every_kind_of_page_links_well(site: Site, published: Published) -> None:
    """Pages, scripts, styles, pictures and fragments that the kinds of pages name are there."""
    pages = [page for language in LANGUAGES for page in published.kinds(language).values()]
    dead = dead_links(site, pages)
    assert not dead, listed(dead)


def test_every_link_holds_below_a_path(site_below: Site, published_below: Published) -> None:
    """Below a path every link of every page holds, and a missing address gets a page that works at any depth."""
    pages = [page for language in LANGUAGES for page in published_below.pages(language)]
    dead = dead_links(site_below, [*pages, "no/such/page/", "zh/questions/nowhere"])
    assert not dead, listed(dead)


def test_dead_links_are_seen(tmp_path: Path) -> None:
    """A page, an id and a style's picture that are missing, and a way out of the folder, are named; the rest is not."""
    (tmp_path / "index.html").write_text(
        '<link rel="stylesheet" href="look.css"><p id="here"><a href="#here">a</a><a href="#nowhere">b</a>'
        '<a href="gone.html">c</a><a href="../outside/">d</a><a href="https://elsewhere.example/">e</a>',
        encoding="utf-8",
    )
    (tmp_path / "look.css").write_text("p { background: url(lost.png) }", encoding="utf-8")
    with serving(tmp_path, "/in/here/", PlainSite) as site:
        dead = [fault.removeprefix(site.url) for fault in dead_links(site, [""])]
    assert dead == [
        ": #nowhere finds no such id",
        ": ../outside/ leaves the site",
        ": gone.html answers 404",
        "look.css: lost.png answers 404",
    ]


@pytest.mark.parametrize("path", ["no/such/page/", "zh/deep/down/nowhere"])
def test_missing_address_gets_a_whole_page(new_context: OpenContext, site_below: Site, path: str) -> None:
    """Below a path and at any depth, a wrong address gets the site's own page, with its looks and ways back in."""
    context = new_context()
    seen = watch(context)
    page = context.new_page()
    answer = page.goto(site_below.url + path)
    assert answer is not None
    assert answer.status == 404
    expect(page.locator("#missing")).to_be_visible()
    font = page.locator("body").evaluate("body => getComputedStyle(body).getPropertyValue('--md-text-font-family')")
    assert font.strip()
    # the address itself is the only thing that is missing
    assert all(f"{site_below.url}{path}: error: Failed to load resource" in line for line in seen.complaints), seen
    page.locator('article a[href$="questions/"]').click()
    expect(page.locator(".rl-entries").first).to_be_visible()


def test_pages_know_their_address(published: Published, published_below: Published) -> None:
    """The canonical address is the one the site was built for, with the page's own path."""
    for built, base in ((published, published.base), (published_below, "http://127.0.0.1/sub/path/")):
        for page in (page for language in LANGUAGES for page in built.pages(language)):
            assert built.read(page).canonical == base + page


def test_sitemaps_name_what_was_built(published: Published) -> None:
    """The pages in the sitemaps and the pages in the folder are the same, both ways; cards are for other sites."""
    found = (path.relative_to(published.folder) for path in published.folder.rglob("*.html"))
    built = {path.as_posix() for path in found if "cards" not in path.parts}
    named = {page for language in LANGUAGES for page in published.every(language)}
    assert {page if page.endswith(MISSING) else f"{page}index.html" for page in named} == built


@pytest.mark.parametrize("language", LANGUAGES)
def test_twins_lead_to_each_other(published: Published, language: str) -> None:
    """Every page has its language, and links to the same page in the other one, which links back."""
    (other,) = (code for code in LANGUAGES if code != language)
    for page in published.pages(language):
        markup = published.read(page)
        assert markup.language == language, page
        ((code, link),) = markup.twins
        twin = published.read(_resolved(page, link))
        assert code == twin.language == other, page
        ((back_code, back),) = twin.twins
        assert (back_code, _resolved(_resolved(page, link), back)) == (language, page)
        base = published.base
        assert markup.alternates == {language: base + page, other: base + _resolved(page, link)}
    inner = {page.removeprefix(home_of(language)) for page in published.pages(language)}
    assert inner == {page.removeprefix(home_of(other)) for page in published.pages(other)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_missing_page_has_a_twin(published: Published, language: str) -> None:
    """The page of a missing address leads to the other language's home."""
    markup = published.read(home_of(language) + MISSING)
    ((code, link),) = markup.twins
    assert markup.language == language
    assert code != language
    assert _resolved("", link) == home_of(code)


def _resolved(page: str, link: str) -> str:
    return urljoin(f"http://site/{page}", link).removeprefix("http://site/")
