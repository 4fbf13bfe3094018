"""Hosts that can be told of headers answer as the site's own server does."""

import re
from pathlib import Path

import pytest
from builds import Built
from header_rules import answered, read_rules
from html_pages import tree_of

from site_build.hosting import MOST_RULES, headers_file, nginx_sample
from site_build.plugin import build
from site_build.policy import headers_of

LEFT = (".atom", ".gz", ".map", ".txt", ".xml")
"""Files that stand beside others with another rule, and whose policy matters to nobody."""
BASES = ("/", "/sub/path/")
FRAMED = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; .*; frame-ancestors "
YEAR = "public, max-age=31536000, immutable"


def addresses(site: Path) -> list[str]:
    """Where readers find each file, as a path from the site's root; a folder's index under both its names."""
    files = [name for name in tree_of(site) if name != "_headers"]
    return [*files, *(name.removesuffix("index.html") for name in files if name.endswith("index.html"))]


@pytest.mark.parametrize("base", BASES)
def test_a_static_host_answers_as_our_server_does(hostile: Built, base: str) -> None:
    """No two rules name one header for a path, so that joining and replacing come to the same."""
    rules = read_rules(headers_file(hostile.site, base))
    checked = 0
    for path in addresses(hostile.site):
        got = answered(rules, base + path)
        assert got == answered(rules, base + path, joined=False), path
        want = headers_of(path)
        if path.endswith(LEFT):
            assert got.items() <= want.items(), path
        else:
            assert got == want, path
            checked += 1
        assert got["X-Content-Type-Options"] == "nosniff"
        assert got["Referrer-Policy"] == "no-referrer"
        assert got["Permissions-Policy"].startswith("camera=(), display-capture=(), geolocation=(), microphone=()")
    assert checked > 100
    if base != "/":
        assert answered(rules, "/elsewhere/") == {}


@pytest.mark.parametrize(
    ("path", "frames", "cache"),
    [
        pytest.param("", "'self'", "no-cache", id="home"),
        pytest.param("zh/", "'self'", "no-cache", id="chinese-home"),
        pytest.param("questions/Q1/", "'self'", "no-cache", id="page"),
        pytest.param("cards/Q1.c1/", r"\*", "no-cache", id="card"),
        pytest.param("zh/cards/Q1.c1/", r"\*", "no-cache", id="chinese-card"),
        pytest.param("assets/ledger/cards/home.png", "'self'", "no-cache", id="other-cards"),
        pytest.param("assets/ledger/ledger.js", "'self'", "no-cache", id="script"),
        pytest.param("assets/inline/0eb10c249dbdb0be.js", "'self'", YEAR, id="script-named-by-content"),
        pytest.param("zh/assets/stylesheets/main.57a0d79d.min.css", "'self'", YEAR, id="style-named-by-content"),
        pytest.param("assets/javascripts/lunr/wordcut.js", "'self'", "no-cache", id="script-of-the-search"),
        pytest.param("api/v1/ledger.json", "'self'", "no-cache", id="data"),
    ],
)
def test_kinds_of_answers_differ(hostile: Built, path: str, frames: str, cache: str) -> None:
    """Cards may be framed by anyone, names made of content are kept for a year, and the rest is asked for again."""
    got = answered(read_rules((hostile.site / "_headers").read_text(encoding="utf-8")), f"/{path}")
    assert re.fullmatch(FRAMED + frames, got["Content-Security-Policy"]), got
    assert got["Cache-Control"] == cache


def test_the_runtime_has_its_type(tmp_path: Path) -> None:
    """A host that does not know WebAssembly is told, wherever the site stands."""
    (tmp_path / "assets/runtime/1").mkdir(parents=True)
    (tmp_path / "assets/runtime/1/a.wasm").touch()
    got = answered(read_rules(headers_file(tmp_path, "/sub/")), "/sub/assets/runtime/1/a.wasm")
    assert (got["Content-Type"], got["Cache-Control"]) == ("application/wasm", YEAR)


def test_too_many_rules_are_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A host that reads a hundred rules would leave out the rest."""
    for number in range(MOST_RULES):
        (tmp_path / f"page{number}").mkdir()
        if number == MOST_RULES - 2:
            build._write_headers(tmp_path, "/")
            assert caplog.messages == []
    build._write_headers(tmp_path, "/")
    (said,) = caplog.messages
    assert said.startswith("_headers: expected at most 100 rules, as Cloudflare Pages reads, got 101. Put ")


def mapped(sample: str, name: str, path: str) -> str:
    """The value of a header in the sample for a path, as nginx finds it: the first expression that fits."""
    variable = re.search(rf"add_header {name} \"(.*)\"( always)?;", sample)
    assert variable, name
    assert bool(variable[2]) == (name != "Cache-Control"), "a missing file is not missing for a year"
    if not variable[1].startswith("$"):
        return variable[1]
    block = re.search(rf"map \$uri {re.escape(variable[1])} \{{\n(.*?)\n\}}", sample, re.DOTALL)
    assert block, name
    default, *rows = (line.split('"')[1::2] for line in block[1].splitlines())
    return next((value for pattern, value in rows if re.search(pattern.removeprefix("~"), path)), default[0])


@pytest.mark.parametrize("base", BASES)
def test_the_sample_for_nginx_says_the_same(hostile: Built, base: str) -> None:
    """For every address of a site, below a path too; expressions of a path's dots are no wildcards."""
    sample = nginx_sample(base)
    for path in addresses(hostile.site):
        assert {name: mapped(sample, name, base + path) for name in headers_of(path)} == headers_of(path), path
    assert f"location {base} {{" in sample
    assert r"\.dots/" in nginx_sample("/a.dots/")
