"""A lab's second visit: without a network, after a new release, in several tabs, and over a slow line."""

import shutil
import time
from pathlib import Path

import pytest
from browser.lab_sites import live_site, tiles
from browser.servers import LoggedSite, serving
from builders import edit
from playwright.sync_api import BrowserContext, Page, expect

from site_build.regress.axe import broken_rules
from site_build.regress.lab_pages import ask
from site_build.regress.lab_visits import heavy, is_kept
from site_build.regress.visits import OpenContext, watch

_KEPT = """async () => {
  const kept = await Promise.all((await caches.keys()).map(async (name) => [name, await caches.open(name)]));
  return Promise.all(kept.map(async ([name, cache]) => [name, (await cache.keys()).map((request) => request.url)]));
}"""
_BREAK_MEMORY = """async (hash) => {
  const cache = await caches.open((await caches.keys())[0]);
  const request = (await cache.keys()).find((item) => item.url.endsWith("/memory"));
  const broken = new Uint8Array(100_000).fill(7);
  const digest = [...new Uint8Array(await crypto.subtle.digest("SHA-256", broken))];
  const hex = digest.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  await cache.put(request, new Response(broken, { headers: { "X-SHA-256": hash === "right" ? hex : "0" } }));
}"""
"""Put something else where Python's memory was, with the hash that fits or another."""
_TEAR = """async (end) => {
  const cache = await caches.open((await caches.keys())[0]);
  const request = (await cache.keys()).find((item) => item.url.endsWith(end));
  await cache.put(request, new Response("something else"));
}"""
"""Put something else where a file was."""
_SIZE = """async (end) => {
  const cache = await caches.open((await caches.keys())[0]);
  const request = (await cache.keys()).find((item) => item.url.endsWith(end));
  return request ? (await (await cache.match(request)).arrayBuffer()).byteLength : 0;
}"""
"""How large a file is that the browser keeps; 0 where it keeps none."""


def kept(page: Page) -> dict[str, list[str]]:
    """What the browser keeps, by the name of the cache."""
    return dict(page.evaluate(_KEPT))


def wait_for(page: Page, question: str, seconds: float = 30.0) -> None:
    """Ask the page until it says yes; its own waiting takes a promise for a yes."""
    end = time.monotonic() + seconds
    while not page.evaluate(question):
        assert time.monotonic() < end, f"expected a yes within {seconds} s: {question}"
        page.wait_for_timeout(100)


def first_visit(context: BrowserContext, address: str) -> Page:
    """Run the lab once, and wait until what it needed is kept."""
    page = context.new_page()
    page.goto(address)
    assert [answer.state for answer in ask(page, [{"rows": 4}])] == ["fulfilled"]
    assert is_kept(page)
    return page


@pytest.fixture
def built(shared: Path, tmp_path: Path) -> Path:
    """A copy of the small site that a test may change."""
    return Path(shutil.copytree(live_site(shared), tmp_path / "site"))


@pytest.mark.parametrize("prefix", ["/", "/sub/path/"])
def test_a_second_visit_needs_no_network(new_context: OpenContext, built: Path, prefix: str) -> None:
    """Page, runtime and answer come from what was kept, under the content policy, at the root and below a path."""
    context = new_context()
    seen = watch(context)
    with serving(built, prefix) as site:
        page = first_visit(context, f"{site.url}labs/A/")
        names = list(kept(page))
        build = page.locator('meta[name="ledger-build"]').get_attribute("content")
        assert names == [f"lab {prefix} {build}"]
        assert seen.complaints == []
    again = context.new_page()
    again.goto(f"{site.url}labs/A/")
    assert [answer.state for answer in ask(again, [{"rows": 5}])] == ["fulfilled"]
    assert tiles(again) == "25"
    looks = again.locator(".rl-certainty").first.evaluate("part => getComputedStyle(part).whiteSpace")
    assert looks == "nowrap", "the style sheet is not there"


def test_a_kept_runtime_is_not_asked_for_again(new_context: OpenContext, built: Path) -> None:
    """With a network, too, the second visit moves no byte of the runtime."""
    context = new_context()
    with serving(built) as site:
        first_visit(context, f"{site.url}labs/A/")
        site.arrivals.clear()
        again = context.new_page()
        again.goto(f"{site.url}labs/A/")
        assert [answer.state for answer in ask(again, [{"rows": 5}])] == ["fulfilled"]
        assert "/labs/A/" in site.arrivals
        assert heavy(site.arrivals) == []


def test_a_new_release_is_seen_on_the_next_load(
    new_context: OpenContext, shared: Path, built: Path, tmp_path: Path
) -> None:
    """Its page, its numbers and its files, without a trace of the build before."""
    later = live_site(shared, "live-later", edit("tiny_live/registry.py", "else 2", "else 3"), *LATER_EXAMPLE)
    context = new_context()
    with serving(built) as site:
        first_visit(context, f"{site.url}labs/A/")
        built.rename(tmp_path / "before")
        shutil.copytree(later, built)
        page = context.new_page()
        page.goto(f"{site.url}labs/A/")
        (answer,) = ask(page, [{"rows": 4, "shape": "long"}])
        assert (answer.state, tiles(page)) == ("fulfilled", "48")
        build = page.locator('meta[name="ledger-build"]').get_attribute("content")
        assert is_kept(page)
        found = kept(page)
        assert list(found) == [f"lab / {build}"]
        old = {path.name for path in (tmp_path / "before" / "assets" / "labs").iterdir()}
        assert not [url for url in found[f"lab / {build}"] if any(name in url for name in old)]


LATER_EXAMPLE = (edit("ledger/labs/A.yaml", "outputs: {tiles: 32,", "outputs: {tiles: 48,"),)


def test_what_was_kept_wrongly_is_forgotten_and_had_anew(new_context: OpenContext, built: Path) -> None:
    """A changed file in the browser's own store, as a copy cut short leaves it, costs one request and no answer."""
    context = new_context()
    with serving(built) as site:
        page = first_visit(context, f"{site.url}labs/A/")
        page.evaluate(_TEAR, "stdlib.zip")
        assert page.evaluate(_SIZE, "stdlib.zip") == len("something else")
        site.arrivals.clear()
        again = context.new_page()
        again.goto(f"{site.url}labs/A/")
        assert [answer.state for answer in ask(again, [{"rows": 5}])] == ["fulfilled"]
        assert [path for path in heavy(site.arrivals) if "stdlib" in path] == heavy(site.arrivals) != []
        wait_for(again, f"async () => (await ({_SIZE})('stdlib.zip')) > 100_000")


def test_what_was_kept_wrongly_is_refused_where_the_site_has_no_other(new_context: OpenContext, built: Path) -> None:
    """Where the site's own file is changed too it is named, and all that was kept is thrown away."""
    context = new_context()
    with serving(built) as site:
        page = first_visit(context, f"{site.url}labs/A/")
        page.evaluate(_TEAR, "stdlib.zip")
        (file,) = built.glob("assets/runtime/**/python_stdlib.zip")
        file.write_bytes(b"something else")
        again = context.new_page()
        again.goto(f"{site.url}labs/A/")
        assert [answer.why for answer in ask(again, [{"rows": 5}])] == ["refused_file"]
        wait_for(again, "async () => (await caches.keys()).length === 0")


@pytest.mark.parametrize("hash_", ["right", "wrong"])
def test_a_broken_memory_is_no_hindrance(new_context: OpenContext, built: Path, hash_: str) -> None:
    """Where Python cannot start from the memory of an earlier visit, or that is not what was kept, it starts anew."""
    context = new_context()
    with serving(built) as site:
        page = first_visit(context, f"{site.url}labs/A/")
        page.evaluate(_BREAK_MEMORY, hash_)
        again = context.new_page()
        again.goto(f"{site.url}labs/A/")
        assert [answer.state for answer in ask(again, [{"rows": 5}])] == ["fulfilled"]
        assert tiles(again) == "25"


def test_several_tabs_do_not_hang(new_context: OpenContext, built: Path) -> None:
    """Three tabs of one profile compute at the same time, one of them without end."""
    context = new_context()
    with serving(built) as site:
        pages = [context.new_page() for _ in range(3)]
        for page in pages:
            page.goto(f"{site.url}labs/A/")
            page.wait_for_selector(".rl-lab[data-ready]")
        for page, rows in zip(pages, (9, 4, 5), strict=True):
            page.get_by_label("Rows (tiles)", exact=True).fill(str(rows))
            page.keyboard.press("Enter")
        for page, want in zip(pages[1:], ("16", "25"), strict=True):
            expect(page.locator(".rl-lab__result[data-state=done]")).to_be_visible(timeout=60_000)
            assert tiles(page) == want
        expect(pages[0].locator(".rl-live__status")).to_contain_text("Computing", timeout=60_000)


class SlowSite(LoggedSite):
    """Over a slow line: the large files come in pieces, with pauses."""

    def copyfile(self, source: object, outputfile: object) -> None:
        """Send at about four megabytes a second."""
        while piece := source.read(400_000):  # type: ignore[attr-defined]
            outputfile.write(piece)  # type: ignore[attr-defined]
            time.sleep(0.1)


def test_a_slow_line_shows_progress_and_can_be_left(new_context: OpenContext, built: Path) -> None:
    """The status counts megabytes, Stop ends the loading, and the next run finishes."""
    page = new_context().new_page()
    with serving(built, handler=SlowSite) as site:
        page.goto(f"{site.url}labs/A/")
        page.wait_for_selector(".rl-lab[data-ready]")
        page.get_by_role("button", name="Run").click()
        expect(page.locator("progress")).to_be_visible()
        expect(page.locator(".rl-live__status")).to_contain_text("MB", timeout=20_000)
        expect(page.locator(".rl-lab__result")).to_have_attribute("aria-busy", "true")
        assert broken_rules(page) == []
        page.get_by_role("button", name="Stop").click()
        expect(page.locator(".rl-lab__result[data-state=stopped]")).to_be_visible()
        assert tiles(page) == "9"
        page.get_by_label("Rows (tiles)", exact=True).fill("4")
        page.keyboard.press("Enter")
        expect(page.locator(".rl-lab__result[data-state=done]")).to_be_visible(timeout=90_000)
        assert tiles(page) == "16"
