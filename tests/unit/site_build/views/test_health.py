"""The page of health: what the last run of the suites found, and that there was none."""

from pathlib import Path
from typing import Any

import pytest
from builders import ledger_of, project

from site_build.messages import WORDS
from site_build.model import Language
from site_build.regress.table import SUITES
from site_build.render import render_page
from site_build.views import Results, pages

FOUND: dict[str, Any] = {
    "build": "aaa",
    "address": None,
    "browser": "Chromium 1",
    "workers": 2,
    "seconds": 61.4,
    "suites": {
        "home": {"cases": 4, "passed": 3, "failed": 0, "flaky": 1, "seconds": 3.0},
        "labs": {"cases": 2, "passed": 1, "failed": 1, "flaky": 0, "seconds": 9.0},
        "auditor": {"cases": 0, "passed": 0, "failed": 0, "flaky": 0, "seconds": 0.0},
    },
    "faults": [{"suite": "labs", "case": "labs/A/", "state": "failed", "faults": ["expected <an> answer"]}],
}


def shown(tmp_path: Path, language: Language, found: dict[str, Any] | None, build: str = "aaa") -> str:
    """The page as HTML."""
    every = pages(ledger_of(project(tmp_path)), language, Results(health=found, build=build))
    return render_page(next(page for page in every if page.path == "health"), language)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_run_is_shown_with_its_build(tmp_path: Path, language: Language) -> None:
    """Every suite with what it looks at, what failed in words, and whether that was this build."""
    words = WORDS[language].labels
    page = shown(tmp_path, language, FOUND)
    for part in ("aaa", words["this_build"], "Chromium 1", "61", words["suite_home"], words["health_nothing"]):
        assert part in page
    assert words["health_failed"].format(failed=1) in page
    assert "expected &lt;an&gt; answer" in page
    assert words["earlier_build"] in shown(tmp_path, language, FOUND, build="bbb")


def test_what_has_not_run_says_so(tmp_path: Path) -> None:
    """Before the first run the page says that there was none."""
    assert WORDS["en"].labels["health_not_run"] in shown(tmp_path, "en", None)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_suite_is_explained(language: str) -> None:
    """Suites and their words are the same set."""
    words = {name for name in WORDS[language].labels if name.startswith("suite_")}
    assert words == {f"suite_{name}" for name in SUITES}
