"""Strips are counted from values: runs repeat, single pieces change their mark, and what is no count is refused."""

from pathlib import Path

import pytest
from builders import assert_refused, ledger_of, project, write

from site_build.checks import strip_pieces
from site_build.checks.components import components_hold, scattered
from site_build.checks.labs import at_path
from site_build.model.components import Run, Strip, Swap

FILE = "ledger/components/floor-plan.yaml"
HEAD = """\
id: floor-plan
title: {en: 'The floor', zh: '地面'}
caption: {en: 'Drawn from the ledger.', zh: '取自台账。'}
basis: records
marks: [{id: tile, name: {en: 'tile', zh: '地砖'}}, {id: drain, name: {en: 'drain', zh: '地漏'}}]
twin: {en: 'Tiles.', zh: '地砖。'}
bodies:
"""
ROW = Run(parts=("tile",), times="area")


def strip(*swaps: Swap) -> Strip:
    """Six tiles with some of them changed."""
    return Strip(kind="strip", runs=(ROW,), instead=swaps)


@pytest.mark.parametrize(
    ("swaps", "want"),
    [
        pytest.param((), "tttttt", id="none"),
        pytest.param((Swap(mark="drain", at="rows"),), "tdtttt", id="at-the-place-of-a-value"),
        pytest.param((Swap(mark="drain", at="area"),), "tttttd", id="at-the-last-place"),
        pytest.param((Swap(mark="drain", count="columns"),), None, id="as-many-as-a-value"),
    ],
)
def test_single_pieces_carry_another_mark(tmp_path: Path, swaps: tuple[Swap, ...], want: str | None) -> None:
    """A piece is counted from one; scattered pieces are as many as the value says."""
    marks = "".join(mark[0] for mark in strip_pieces(ledger_of(project(tmp_path)), strip(*swaps)))
    assert marks == want if want else (len(marks), marks.count("d")) == (6, 3)


def test_places_without_a_pattern_are_the_same_in_every_build() -> None:
    """The places are distinct, inside the strip, and do not change."""
    places = scattered(896, 16)
    assert len(set(places)) == 16
    assert set(places) <= set(range(896))
    assert places == scattered(896, 16)
    assert places != sorted(places)


@pytest.mark.parametrize(
    ("field", "column", "path"),
    [
        pytest.param("instead: [{mark: drain, at: ratio}]", 72, "instead[0].at", id="no-whole-number"),
        pytest.param("instead: [{mark: drain, count: nothing}]", 75, "instead[0].count", id="no-value"),
        pytest.param("group: ratio", 51, "group", id="group"),
    ],
)
def test_what_is_no_count_is_refused(tmp_path: Path, field: str, column: int, path: str) -> None:
    """A value that is missing, or no whole number above zero, cannot count pieces."""
    name = "nothing" if "nothing" in field else "ratio"
    body = f"  - {{kind: strip, runs: [{{parts: [tile]}}], {field}}}\n"
    want = (
        f"{FILE}:8:{column}: floor-plan.bodies[0].{path}: expected a value that is there, got {name}. "
        "Correct the id, or add the record."
    )
    assert_refused(tmp_path, components_hold, [write(FILE, HEAD + body)], want)


def test_a_path_leads_through_lists_by_place() -> None:
    """Places count from zero; what is not there is None."""
    result = {"steps": [{"loads": [4, 3]}, {"loads": [2, 2]}]}
    assert at_path(result, "steps.1.loads") == [2, 2]
    assert at_path(result, "steps.2.loads") is None
    assert at_path(result, "steps.first.loads") is None
