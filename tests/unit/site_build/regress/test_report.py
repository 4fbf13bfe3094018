"""What a run of the suites becomes: verdict, evidence, JUnit, page."""

import json
from pathlib import Path
from xml.etree import ElementTree

from site_build.regress.report import Run, clear, evidence_of, write_report
from site_build.regress.runner import Outcome, settle

GOOD = Outcome("home", "first view", "passed", 1.0)
BAD = Outcome("labs", "labs/A/ <1>", "failed", 2.0, ("expected <this>, got \x00",), ("pictures/a.png",), "traces/a.zip")
FLAKY = Outcome("home", "themes", "flaky", 3.0, ("late",))
ELSEWHERE = Outcome("parity", "labs/A/", "elsewhere", 1.0, ("no answer",), owner="labs")


def run_of(*outcomes: Outcome) -> Run:
    """A run with these outcomes."""
    return Run("aaa", "", "Chromium 1", 9.0, 2, ("home", "labs", "parity", "auditor"), outcomes, ("A note.",))


def test_only_failures_are_bad() -> None:
    """A flaky case is reported and fails nothing; so does one whose reason another suite tells."""
    assert run_of(GOOD, FLAKY, ELSEWHERE).good
    assert not run_of(GOOD, BAD).good


def test_who_cannot_look_needs_somebody_who_tells() -> None:
    """Without a failure of the owner, the case that could not look is the failure."""
    told = settle([BAD, ELSEWHERE], {"labs", "parity"})
    assert [one.state for one in told] == ["failed", "elsewhere"]
    assert [one.state for one in settle([GOOD, ELSEWHERE], {"home", "labs", "parity"})] == ["passed", "failed"]
    assert [one.state for one in settle([ELSEWHERE], {"parity"})] == ["failed"]


def test_evidence_counts_by_suite() -> None:
    """Every suite that ran stands there, one without cases too; faults are named, flaky ones as such."""
    found = evidence_of(run_of(GOOD, FLAKY, BAD))
    assert found["suites"]["home"] == {"cases": 2, "passed": 1, "failed": 0, "flaky": 1, "seconds": 4.0}
    assert found["suites"]["auditor"]["cases"] == 0
    assert [(one["case"], one["state"]) for one in found["faults"]] == [("themes", "flaky"), ("labs/A/ <1>", "failed")]


def test_a_report_is_written(tmp_path: Path) -> None:
    """The page escapes what it shows, JUnit is XML, JSON holds every case."""
    clear(tmp_path)
    write_report(tmp_path, run_of(GOOD, FLAKY, BAD, ELSEWHERE))
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    for part in ("1 cases failed", "expected &lt;this&gt;", 'src="pictures/a.png"', 'href="traces/a.zip"', "A note."):
        assert part in page
    suites = ElementTree.parse(tmp_path / "junit.xml").getroot()
    assert [one.get("failures") for one in suites] == ["0", "1", "0", "0"]
    (skipped,) = suites.iter("skipped")
    assert str(skipped.get("message")).startswith("see labs")
    assert len(json.loads((tmp_path / "regress.json").read_text(encoding="utf-8"))["cases"]) == 4


def test_room_is_made_for_a_report(tmp_path: Path) -> None:
    """Pictures and traces of an earlier report go; what somebody else put there stays."""
    clear(tmp_path)
    for name in ("pictures/old.png", "traces/old.zip", "pictures/notes.txt", "mine.html"):
        (tmp_path / name).touch()
    clear(tmp_path)
    left = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert left == ["mine.html", "pictures/notes.txt"]
