"""The coverage page: what a browser last found of each promised record, and in which build."""

import json
from pathlib import Path
from typing import Any

import pytest
from builders import ledger_of, project
from html_pages import Element, read_html
from typer.testing import CliRunner

from site_build.cli import app
from site_build.model import Ledger
from site_build.render import render_page
from site_build.views import Results, pages

SEEN: dict[str, Any] = {
    "build": "0123456789ab",
    "browser": "Chromium 1.2",
    "records": {"question": {"Q1": {"en": [], "zh": ["has no caption"]}}, "lab": {"A": {"en": [], "zh": []}}},
}


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    """The tiny ledger."""
    return ledger_of(project(tmp_path_factory.mktemp("tiny")))


def shown(ledger: Ledger, results: Results) -> Element:
    """The coverage page, read."""
    (page,) = (page for page in pages(ledger, "en", results) if page.path == "coverage")
    return read_html(render_page(page, "en"))


@pytest.mark.parametrize(
    ("build", "which"),
    [pytest.param("0123456789ab", "this build", id="this"), pytest.param("ba9876543210", "an earlier build", id="old")],
)
def test_what_a_browser_found_has_a_build(ledger: Ledger, build: str, which: str) -> None:
    """Every row says what was found; faults and records that nobody looked at are gaps."""
    page = shown(ledger, Results(seen=SEEN, build=build))
    assert f"Chromium 1.2) last looked at the promised part of each page in build 0123456789ab: {which}." in page.text
    rows = {next(row.all("th")).text: row for row in [*page.all("tr")][1:]}
    assert [*rows["Q1"].all("td")][-1].text == "has no caption (zh)"
    assert [*rows["A"].all("td")][-1].text == "found, visible"
    gaps = {name for name, row in rows.items() if any(row.all("span", class_="rl-gap"))}
    assert gaps == {"Q1", "F1", "T1", "smith-2020"}
    assert {tile.text for tile in page.all("a", class_="rl-tile") if "data-open" in tile.attributes} == gaps


def test_without_a_look_nothing_is_claimed(ledger: Ledger) -> None:
    """Before the first look the page says that there was none, and marks no gap for it."""
    page = shown(ledger, Results())
    assert "No browser has looked at" in page.text
    assert [gap.text for gap in page.all("span", class_="rl-gap")] == ["Planned, not shown yet"]


def test_the_command_tells_what_was_found(tmp_path: Path) -> None:
    """Counts and faults of the last look, and exit code 1 for a fault; without a look, how to take one."""
    root = project(tmp_path)
    without = CliRunner().invoke(app, ["coverage", "--root", str(root)])
    assert without.exit_code == 1
    assert without.stderr.endswith("expected the last result in evidence/, got none. Run: k3 coverage --run\n")
    (root / "evidence").mkdir()
    (root / "evidence/coverage.json").write_text(json.dumps(SEEN), encoding="utf-8")
    found = CliRunner().invoke(app, ["coverage", "--root", str(root)])
    lines = "build 0123456789ab, Chromium 1.2\nquestion: 1\nquestion Q1 (zh): has no caption\nlab: 1\n"
    assert (found.exit_code, found.stdout) == (1, lines)
    assert CliRunner().invoke(app, ["coverage", "--run", "--root", str(root)]).exit_code == 1
