"""A new ledger passes every check, is in form, and builds."""

import sys
from pathlib import Path

import pytest
from builds import run_python

from site_build.checks import find_problems
from site_build.edit import format_files, new_ledger, new_question
from site_build.edit.kinds import KINDS
from site_build.problems import Faults
from site_build.source import read_ledger


@pytest.fixture
def started(tmp_path: Path) -> Path:
    """A folder with a new ledger."""
    new_ledger(tmp_path / "deep" / "mine")
    sys.modules.pop("starter_numbers", None)
    return tmp_path / "deep" / "mine"


def test_a_new_ledger_has_no_fault(started: Path) -> None:
    """The check finds nothing, formatting has nothing to do, and every schema is there."""
    reading = read_ledger(started)
    assert find_problems(reading) == ()
    assert reading.ledger is not None
    assert len(reading.ledger.values) == 3
    assert format_files(started, check=True).changed == ()
    assert {path.stem for path in (started / "ledger/schema").iterdir()} == set(KINDS)
    assert (started / ".gitignore").read_text() == "site/\n"


def test_a_new_ledger_takes_records(started: Path) -> None:
    """The first question after the starter's own gets the next number."""
    assert new_question(started).place.field == "Q02"


def test_a_new_ledger_builds(started: Path) -> None:
    """Its pages stand where those of any ledger stand; one language is enough."""
    info = started / "ledger/ledger.yaml"
    info.write_text(info.read_text(encoding="utf-8").replace("  - zh\n", ""), encoding="utf-8")
    (started / "content/about.zh.md").unlink()
    done = run_python("-m", "site_build", "build", "--root", str(started), cwd=started)
    assert done.code == 0, done.output + done.errors
    assert "600" in (started / "site/questions/Q01/index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["file", "full"])
def test_what_is_there_stays(tmp_path: Path, name: str) -> None:
    """A folder that holds anything is not written into."""
    (tmp_path / "file").write_text("mine")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    with pytest.raises(Faults) as raised:
        new_ledger(tmp_path / name)
    assert [problem.code for problem in raised.value.problems] == ["new-exists"]
    assert {path.name for path in tmp_path.rglob("*")} == {"file", "full", "mine"}


def test_an_empty_folder_will_do(tmp_path: Path) -> None:
    """A folder made for the ledger is taken."""
    new_ledger(tmp_path)
    assert (tmp_path / "ledger/ledger.yaml").is_file()
