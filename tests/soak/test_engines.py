"""Core pages, labs and search in Firefox as in Chromium, driven the same way; what differs is listed."""

import json
import shutil
import subprocess
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import pytest
from browser.conftest import find_chromium
from browser.published import LANGUAGES, Published, home_of
from browser.servers import serving
from builds import run_python
from soak.conftest import Keep

ROOT = Path(__file__).parents[2]
DRIVER = ROOT / ".cache" / "engines"
QUERIES = {"en": "Quantile Balancing", "zh": "注意力"}
MINUTES = 30


@dataclass(frozen=True)
class Seen:
    """What one browser saw."""

    version: str
    pages: dict[str, dict[str, Any]]
    labs: dict[str, dict[str, Any]]
    searches: dict[str, dict[str, Any]]

    def visits(self) -> dict[str, dict[str, Any]]:
        """Every page that was opened."""
        return self.pages | self.labs | self.searches


def plan(published: Published) -> dict[str, Any]:
    """The largest page of every kind in both languages, every lab, and a search in each language."""
    labs = [page for page in published.pages("en") if published.kind("en", page) == "labs"]
    return {
        "pages": [page for language in LANGUAGES for page in published.kinds(language).values()],
        # every other lab on its Chinese page
        "labs": [page if place % 2 else home_of("zh") + page for place, page in enumerate(sorted(labs))],
        "searches": [[home_of(language), query] for language, query in QUERIES.items()],
    }


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Seen]:
    """What Firefox and Chromium saw of the same site."""
    folder = tmp_path_factory.mktemp("engines")
    done = run_python("-m", "site_build", "build", "--root", str(ROOT), "--out", str(folder / "site"), cwd=ROOT)
    assert done.code == 0, done.output + done.errors
    assert "LABS ARE STATIC" not in done.errors
    published = Published(folder / "site", done.output.split()[-1])
    firefox = shutil.which("firefox-esr") or shutil.which("firefox")
    assert firefox, "expected a Firefox on the path, got none. Run: bash setup.sh engines"
    chromium = find_chromium(ROOT / ".venv" / ".browser")
    with serving(published.folder) as site:
        return {
            browser: visit(folder, plan(published) | {"browser": browser, "executable": executable, "base": site.url})
            for browser, executable in {"firefox": firefox, "chrome": chromium}.items()
        }


def visit(folder: Path, request: dict[str, Any]) -> Seen:
    """Send a browser through the site."""
    file = folder / f"{request['browser']}.json"
    file.write_text(json.dumps(request | {"driver": str(DRIVER)}), encoding="utf-8")
    command = ["node", str(ROOT / "tests/soak/engines/visit.mjs"), str(file)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60 * MINUTES, check=False)
    assert done.returncode == 0, done.stderr
    return Seen(**json.loads(done.stdout))


def differences(seen: dict[str, Seen]) -> list[str]:
    """Where the two engines show something else, each in one line."""
    first, second = seen.values()
    found = []
    for path, one in first.visits().items():
        other = second.visits()[path]
        found += [
            f"{path}: {name}: {_apart(str(one[name]), str(other[name]))}"
            for name in one
            if name not in {"complaints", "strangers"}
            and "".join(str(one[name]).split()) != "".join(str(other[name]).split())
        ]
    return found


def _apart(one: str, other: str) -> str:
    """The first place where two texts part."""
    for tag, start, end, first, last in SequenceMatcher(None, one.split(), other.split(), autojunk=False).get_opcodes():
        if tag != "equal":
            return f"{' '.join(one.split()[start:end])[:80]!r} / {' '.join(other.split()[first:last])[:80]!r}"
    return ""


def test_both_engines_show_the_site(seen: dict[str, Seen], keep_figures: Keep) -> None:
    """Nothing is complained about, nothing is asked of others, nothing is wider than a phone, and every lab answers."""
    lines = differences(seen)
    keep_figures(
        "engines",
        **{browser: one.version for browser, one in seen.items()},
        pages=len(seen["firefox"].pages),
        labs=len(seen["firefox"].labs),
        searches=len(seen["firefox"].searches),
        differences=lines,
    )
    for browser, one in seen.items():
        for path, visited in one.visits().items():
            assert (visited["complaints"], visited["strangers"]) == ([], []), f"{browser} {path}"
        assert {path: page["beyond"] for path, page in one.pages.items() if page["beyond"] > 0} == {}, browser
        assert {path: lab["why"] for path, lab in one.labs.items() if lab["state"] != "fulfilled"} == {}, browser
    answers = [{path: lab["reply"] for path, lab in one.labs.items()} for one in seen.values()]
    assert answers[0] == answers[1]
    assert len(answers[0]) == len(list((ROOT / "ledger" / "labs").glob("*.yaml")))
    for name in ("pages", "searches"):
        counts = [
            {
                path: {key: value for key, value in part.items() if key != "words"}
                for path, part in getattr(one, name).items()
            }
            for one in seen.values()
        ]
        assert counts[0] == counts[1]
