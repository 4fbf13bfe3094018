"""A kill, a full disk, a place that cannot be written, a file that cannot be read: one line, and nothing is lost.

A sample of kills: `tests/soak` takes hundreds.
"""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from builds import Built, Run
from faults import COMMAND, VERSION, VICTIMS, Victim, assert_said, at_once, kept, short_of_room, write_mini
from html_pages import tree_of
from typer.testing import CliRunner

from site_build.cli import app
from site_build.edit import in_turn, new_value, write_all
from site_build.source import parse_yaml
from site_build.swap import built_aside

pytestmark = pytest.mark.slow

SAMPLE = ("fmt", "new-ledger")
READ = "Check its name and permissions."
WRITE = "Check the name and its permissions."
LONG_ENOUGH = 2
"""Seconds; who does not wait has added a record long before."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The mini ledger."""
    write_mini(tmp_path / "project")
    return tmp_path / "project"


def answer(root: Path, *asked: str) -> Run:
    """Run a command on a project in this process."""
    sys.modules.pop("mini_numerics", None)
    done = CliRunner().invoke(app, [*asked, "--root", str(root)])
    return Run(done.exit_code, done.stdout, done.stderr)


def same(old: bytes, new: bytes) -> bool:
    """Whether two texts hold the same data."""
    return bool(parse_yaml(old.decode(), "old").data == parse_yaml(new.decode(), "new").data)


@pytest.mark.parametrize("victim", [one for one in VICTIMS if one.name in SAMPLE], ids=lambda one: one.name)
def test_a_kill_leaves_old_or_new(tmp_path: Path, victim: Victim) -> None:
    """Whenever it comes, every file and the site are whole, and the next run completes what it cut short."""
    assert replace(victim, folder=tmp_path).kill(1, seed=1) == 1


@pytest.mark.parametrize(
    ("asked", "blocks", "place"),
    [
        pytest.param(("build",), 20, "{root}/site: ", id="build"),
        pytest.param(("fmt",), 1, "{root}/ledger/", id="fmt"),
        pytest.param(("new", "value", "tally"), 1, "{root}/ledger/values.yaml: ", id="new"),
    ],
)
def test_a_full_disk_is_said(root: Path, asked: tuple[str, ...], blocks: int, place: str) -> None:
    """A write that fails for want of room: the place, and that some room helps. Files are old, or formatted."""
    before = kept(root)
    assert_said(short_of_room(root, blocks, *asked), place.format(root=root), "no file is half written.")
    after = kept(root)
    assert after.keys() == before.keys()
    assert asked == ("fmt",) or after == before
    assert all(same(before[name], after[name]) for name in before if name.endswith(".yaml"))


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param(("build", "--out", "{root}/file/site"), id="build"),
        pytest.param(("release", VERSION, "--allow-example", "--out", "{root}/file/release"), id="release"),
        pytest.param(("schema", "--out", "{root}/file/schema"), id="schema"),
        pytest.param(("new", "ledger", "{root}/file/ledger"), id="new"),
    ],
)
def test_an_output_that_cannot_be_written_is_named(root: Path, asked: tuple[str, ...]) -> None:
    """A file where a folder would have to be."""
    (root / "file").write_text("mine", encoding="utf-8")
    before = kept(root)
    assert_said(answer(root, *(part.format(root=root) for part in asked)), f"{root}/file", WRITE)
    assert kept(root) == before


@pytest.mark.parametrize("way", ["folder", "link"])
@pytest.mark.parametrize(
    ("file", "asked"),
    [
        pytest.param("ledger/values.yaml", ("check",), id="check-values"),
        pytest.param("ledger/ledger.yaml", ("build",), id="build-ledger"),
        pytest.param("ledger/questions/N1.yaml", ("build",), id="build-question"),
        pytest.param("ledger/reading/references.bib", ("build",), id="build-bibliography"),
        pytest.param("content/more.zh.md", ("check",), id="check-prose"),
        pytest.param("ledger/questions/N1.yaml", ("new", "claim", "N1"), id="new-claim"),
        pytest.param("ledger/values.yaml", ("release", VERSION, "--allow-example"), id="release-values"),
    ],
)
def test_an_input_that_cannot_be_read_is_named(root: Path, file: str, asked: tuple[str, ...], way: str) -> None:
    """A folder or a broken link in a file's place; nothing is written."""
    (root / file).unlink(missing_ok=True)
    if way == "folder":
        (root / file).mkdir()
    else:
        (root / file).symlink_to("nowhere")
    before = kept(root)
    assert_said(answer(root, *asked), f"{file}:1:1: ", READ)
    assert kept(root) == before


@pytest.mark.parametrize(("name", "text"), [("coverage", ""), ("parity", '{"build": '), ("regress", "folder")])
def test_a_broken_result_of_a_command_is_named(root: Path, name: str, text: str) -> None:
    """Half a file of evidence, or none that can be read, stops a build with one line."""
    file = root / f"evidence/{name}.json"
    file.parent.mkdir()
    if text == "folder":
        file.mkdir()
    else:
        file.write_text(text, encoding="utf-8")
    assert_said(answer(root, "build"), f"evidence/{name}.json: ", "take the file back from version control.")
    assert not (root / "site").exists()


def test_builds_at_once_leave_one_site(root: Path, mini: Built) -> None:
    """Two first builds that begin together both succeed, and leave one whole site and nothing else."""
    assert [(done.code, done.errors) for done in at_once(root, ("build",), ("build",))] == [(0, "")] * 2
    assert tree_of(root / "site") == tree_of(mini.site)
    assert [path.name for path in root.iterdir() if "site" in path.name] == ["site"]


def test_who_adds_a_record_waits_for_another(root: Path) -> None:
    """Of two that add to one file, the second reads what the first has written, and both records stand there."""
    with in_turn(root):
        second = subprocess.Popen([*COMMAND, "new", "value", "tally", "--root", str(root)], stdout=subprocess.DEVNULL)
        with pytest.raises(subprocess.TimeoutExpired):
            second.wait(LONG_ENOUGH)
        new_value(root, "count")
    assert second.wait() == 0
    values = (root / "ledger/values.yaml").read_text(encoding="utf-8")
    assert [values.count(f"- id: {id_}\n") for id_ in ("tally", "count")] == [1, 1]


def test_another_first_build_in_between_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A site that appears between the look and the renaming is exchanged like any old one."""
    rename = Path.rename

    def late(self: Path, target: Path) -> Path:
        (target / "other").mkdir(parents=True)
        monkeypatch.undo()
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", late)
    with built_aside(tmp_path / "site") as aside:
        (aside / "mine").mkdir()
    assert [path.name for path in tmp_path.rglob("*")] == ["site", "mine"]


def test_a_living_process_keeps_what_it_has_aside(tmp_path: Path) -> None:
    """Of the files beside a record only those of the dead go."""
    living, dead = (tmp_path / f".values.yaml.{number}.new" for number in (1, 999_999_999))
    for path in (living, dead):
        path.write_text("half", encoding="utf-8")
    write_all({tmp_path / "values.yaml": "whole"})
    assert {path.name for path in tmp_path.iterdir()} == {living.name, "values.yaml"}
