from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from browser.published import LANGUAGES, Published
from browser.servers import PlainSite, Site, serving
from browser.walks import Walks, names_kept
from header_rules import read_rules

from site_build.hosting import MOST_RULES
from site_build.policy import HEADER_POLICY
from site_build.regress.markup import listed
from site_build.regress.visits import OpenContext, watch

INLINE = """<!doctype html><html lang="en"><title>Inline</title><script>document.title = "ran";</script>
<p onclick="0">A page with a script of its own.</p><script src="missing.js"></script></html>
"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_complains(walks: Walks, language: str) -> None:
    """No violation of the content policy, no error and no warning stands in the console, on any page."""
    complaints = [line for walk in walks(language) for line in walk.complaints]
    assert not complaints, listed(complaints)


@pytest.mark.parametrize("language", LANGUAGES)
def test_reading_leaves_nothing_behind(walks: Walks, language: str) -> None:
    """After every kind of page the browser holds no cookie, and nothing in its storage."""
    for walk in walks(language):
        assert walk.kept == []


def test_all_that_a_page_keeps_is_seen(new_context: OpenContext, site: Site) -> None:
    """A cookie, both storages, a cache and a database are told apart by their names."""
    page = new_context().new_page()
    page.goto(site.url)
    page.evaluate("""async () => {
      document.cookie = "a=1"; localStorage.b = 1; sessionStorage.c = 1; await caches.open("d");
      await new Promise((done) => (indexedDB.open("e").onsuccess = done));
    }""")
    assert {"a", "b", "c", "d", "e"} <= set(names_kept(page))


def test_inline_script_complains(new_context: OpenContext, tmp_path: Path) -> None:
    """A script in the page and a missing file are both seen, and the script does not run."""
    (tmp_path / "index.html").write_text(INLINE, encoding="utf-8")
    with serving(tmp_path) as site:
        context = new_context()
        seen = watch(context)
        page = context.new_page()
        page.goto(site.url, wait_until="networkidle")
        title = page.title()
    assert title == "Inline"
    complaints = listed(seen.complaints)
    assert "content policy: script-src-elem refuses inline" in complaints
    assert "content policy: script-src-attr refuses inline" in complaints
    assert "404" in complaints


@pytest.mark.parametrize(
    "throws", ["throw new Error('broken on purpose');", "Promise.reject(new Error('broken on purpose'));"]
)
def test_uncaught_errors_complain(new_context: OpenContext, tmp_path: Path, throws: str) -> None:
    """An error that nobody catches is seen, from a statement or a promise."""
    (tmp_path / "index.html").write_text(
        "<!doctype html><title>x</title><script src='a.js'></script>", encoding="utf-8"
    )
    (tmp_path / "a.js").write_text(throws, encoding="utf-8")
    with serving(tmp_path, handler=PlainSite) as site:
        context = new_context()
        seen = watch(context)
        context.new_page().goto(site.url, wait_until="networkidle")
    assert "broken on purpose" in listed(seen.complaints)


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_carry_the_policy_themselves(published: Published, language: str) -> None:
    """Where a host sets no header the meta element holds, before all it governs and complete but for frames."""
    want = HEADER_POLICY.removesuffix("; frame-ancestors 'self'")
    assert want != HEADER_POLICY
    for page in published.every(language):
        markup = published.read(page)
        assert markup.metas["Content-Security-Policy"] == want, page
        assert markup.order[:3] == ["html", "head", "meta"], page
        assert min(markup.order.index(tag) for tag in ("script", "link")) > markup.order.index("meta"), page


def test_server_sends_the_policy(site: Site) -> None:
    """Every kind of answer carries the header: pages, scripts, what is missing. Nothing is missing for a year."""
    lasting = "public, max-age=31536000, immutable"
    script = next(site.folder.glob("assets/inline/*.js")).name
    for path, status, cache in (
        ("", 200, "no-cache"),
        ("assets/ledger/ledger.js", 200, "no-cache"),
        (f"assets/inline/{script}", 200, lasting),
        ("nowhere", 404, "no-cache"),
        ("assets/ledger/", 404, "no-cache"),
        ("assets/inline/none.js", 404, "no-cache"),
    ):
        try:
            with urlopen(site.url + path) as answer:
                got = (answer.status, answer.headers)
        except HTTPError as refusal:
            with refusal:
                got = (refusal.code, refusal.headers)
        said = (got[1]["Content-Security-Policy"], got[1]["Cache-Control"])
        assert (got[0], *said) == (status, HEADER_POLICY, cache), path


def test_static_hosts_read_every_rule(published: Published) -> None:
    """The whole site needs fewer rules than the most frugal host reads."""
    rules = read_rules((published.folder / "_headers").read_text(encoding="utf-8"))
    assert 50 < len(rules) <= MOST_RULES
