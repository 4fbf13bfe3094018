"""A new ledger passes every check, is in form, and builds."""

import sys
from pathlib import Path

import pytest
from builds import run_python
from html_pages import tree_of

from site_build.checks import find_problems
from site_build.edit import format_files, new_ledger, new_question
from site_build.edit.kinds import KINDS
from site_build.problems import Faults
from site_build.source import read_ledger

pytestmark = pytest.mark.slow


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


@pytest.mark.parametrize("left", ["none", "changed", "whole"])
def test_a_start_that_was_cut_short_is_completed(started: Path, left: str) -> None:
    """Without its last file a start is made again, over its own files alone; a ledger never is."""
    whole = tree_of(started)
    if left != "whole":
        (started / "ledger/ledger.yaml").unlink()
        (started / "content/.about.en.md.999999999.new").write_text("half", encoding="utf-8")
    if left == "changed":
        (started / "mkdocs.yml").write_text("mine", encoding="utf-8")
    before = tree_of(started)
    if left == "none":
        new_ledger(started)
        assert tree_of(started) == whole
    else:
        with pytest.raises(Faults):
            new_ledger(started)
        assert tree_of(started) == before


def test_the_file_that_makes_it_a_ledger_comes_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kill on the way leaves a start that can be completed."""
    replace, done = Path.replace, list[Path]()

    def noted(self: Path, new: Path) -> Path:
        done.append(new)
        return replace(self, new)

    monkeypatch.setattr(Path, "replace", noted)
    new_ledger(tmp_path)
    assert len(done) > 20
    assert done[-1] == tmp_path / "ledger/ledger.yaml"
