"""Kills at hundreds of moments, no room at many places, and builds that begin together: nothing is ever half there."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from builders import ledger_of
from faults import VERSION, VICTIMS, Victim, assert_said, at_once, folders, kept, short_of_room, write_mini
from html_pages import tree_of

KILLS = {"build": 60, "first-build": 30, "fmt": 30, "new-value": 30, "new-ledger": 30, "release": 40}
SEED = 20261130
ROUNDS = 10
BUILDS = 3
ROOM = (1, 4, 16, 64, 256, 1024)
"""In KiB; the site's smallest files are below the first, and its archive is above all but the last."""


@pytest.mark.parametrize("victim", VICTIMS, ids=lambda victim: victim.name)
def test_kills_leave_old_or_new(tmp_path: Path, keep_figures: Callable[..., None], victim: Victim) -> None:
    """At each of many moments spread over a command's run: every file is whole, and the next run completes it."""
    kills = replace(victim, folder=tmp_path).kill(KILLS[victim.name], SEED)
    keep_figures("faults", **{f"kills of {victim.name}": kills, "seed": SEED})


def test_hundreds_of_kills(keep_figures: Callable[..., None]) -> None:
    """Every command of the table is killed, two hundred times and more in all."""
    assert KILLS.keys() == {victim.name for victim in VICTIMS}
    assert sum(KILLS.values()) >= 200
    keep_figures("faults", kills=sum(KILLS.values()))


@pytest.mark.parametrize("asked", [("build",), ("release", VERSION, "--allow-example"), ("export-docs", "out")])
def test_no_room_leaves_the_project_as_it_was(
    tmp_path: Path, keep_figures: Callable[..., None], asked: tuple[str, ...]
) -> None:
    """Wherever a write fails there is one line; where none fails the command is done."""
    write_mini(root := tmp_path / "project")
    before, there, refused = kept(root), folders(root), 0
    for blocks in ROOM:
        done = short_of_room(root, blocks, *asked)
        if done.code == 0:
            break
        assert_said(done, "/", "no file is half written.")
        assert (kept(root), folders(root)) == (before, there), blocks
        refused += 1
    assert refused >= 3
    keep_figures("faults", **{f"no room for {asked[0]}": refused})


def test_builds_at_once_leave_one_site(tmp_path: Path, keep_figures: Callable[..., None]) -> None:
    """Round after round of builds that begin together: all succeed, and one whole site stands there alone."""
    write_mini(root := tmp_path / "project")
    wanted: dict[str, bytes] = {}
    for number in range(ROUNDS):
        done = at_once(root, *[("build",)] * BUILDS)
        assert [(one.code, one.errors) for one in done] == [(0, "")] * BUILDS, number
        wanted = wanted or tree_of(root / "site")
        assert tree_of(root / "site") == wanted, number
        assert [path.name for path in root.iterdir() if "site" in path.name] == ["site"], number
    keep_figures("faults", **{"builds at once": ROUNDS * BUILDS})


def test_records_at_once_are_all_there(tmp_path: Path, keep_figures: Callable[..., None]) -> None:
    """Round after round of values, claims and formatting that begin together: nothing is lost or refused."""
    write_mini(root := tmp_path / "project")
    claims = len(ledger_of(root).questions["N1"].claims)
    for number in range(ROUNDS):
        asked = [("new", "value", f"tally{number}{letter}") for letter in "abc"]
        done = at_once(root, *asked, ("new", "claim", "N1"), ("fmt",))
        assert [(one.code, one.errors) for one in done] == [(0, "")] * len(done), number
    ledger = ledger_of(root)
    assert sum(id_.startswith("tally") for id_ in ledger.values) == 3 * ROUNDS
    assert len(ledger.questions["N1"].claims) == claims + ROUNDS
    keep_figures("faults", **{"records at once": 4 * ROUNDS})
