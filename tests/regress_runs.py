"""Runs of `k3 regress` in tests: without its command, with a folder of their own for the report."""

import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from broken_sites import Broken

from site_build.regress.report import Run
from site_build.regress.run import Plan, regress_site
from site_build.regress.table import SUITES

WORKERS = 2
SLOW = ("accessibility", "print", "no-script", "policy")
"""Suites that look at every kind of page."""
SOME = ("home", "questions", "pages (", "pictures (", "styles (")
"""Cases of these that are enough where many sites are looked at."""
MOST = (*(f"{name}: " for name in SUITES if name not in SLOW), *(f"{name}: {case}" for name in SLOW for case in SOME))
"""All cases of the other suites, and these."""


@dataclass(frozen=True)
class Looked:
    """A run and where its report is."""

    run: Run
    folder: Path

    def assert_told(self, broken: Broken) -> None:
        """Raise unless the owner of a fault tells it, with a picture, and no other suite does."""
        found = told(self.run)
        assert any(broken.says in line for line in found.get(broken.suite, [])), found.get(broken.suite, "nothing")
        cases = [one for one in self.run.of("failed") if any(broken.says in line for line in one.faults)]
        assert {one.suite for one in cases} == {broken.suite}
        assert all(one.pictures and (self.folder / one.pictures[0]).is_file() for one in cases)


def look(
    site: Path | None,
    suites: tuple[str, ...],
    *,
    url: str | None = None,
    root: Path | None = None,
    cases: tuple[str, ...] = (),
) -> Looked:
    """Run suites over a folder or an address."""
    folder = Path(tempfile.mkdtemp(prefix="regress-"))
    plan = Plan(site, url, suites, WORKERS, folder, root, cases)
    run = regress_site(plan, lambda _: None, lambda _: None)
    # the numerics of this site are not those of the next test's, which have the same name
    for name in [name for name in sys.modules if name.partition(".")[0] == "tiny_live"]:
        del sys.modules[name]
    return Looked(run, folder)


def told(run: Run) -> dict[str, list[str]]:
    """What each suite that failed says."""
    found: dict[str, list[str]] = {}
    for one in run.of("failed"):
        found.setdefault(one.suite, []).extend(one.faults)
    return found


def assert_reported(looked: Looked) -> None:
    """Raise unless page, JUnit and JSON agree on what failed, and every picture and trace that they name is there."""
    run, folder = looked.run, looked.folder
    failed = {(one.suite, one.name) for one in run.of("failed")}
    cases = [one for one in ElementTree.parse(folder / "junit.xml").iter("testcase") if one.find("failure") is not None]
    assert {(str(one.get("classname")), str(one.get("name"))) for one in cases} == failed
    data = json.loads((folder / "regress.json").read_text(encoding="utf-8"))
    assert {(one["suite"], one["name"]) for one in data["cases"] if one["state"] == "failed"} == failed
    page = (folder / "index.html").read_text(encoding="utf-8")
    for one in run.of("failed"):
        assert f"{one.suite}: {one.name}" in page
        for name in (*one.pictures, one.trace):
            assert (folder / name).stat().st_size > 1_000, name
