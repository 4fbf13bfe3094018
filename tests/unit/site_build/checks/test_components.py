"""Components and what promises them: each way of breaking them gives one message at one place."""

from pathlib import Path

import pytest
from builders import Check, Edit, assert_refused, edit, write

from site_build.checks.components import acceptances_are_there, components_hold
from site_build.checks.evidence import derivations_end, teaching_models_are_marked

FILE = "ledger/components/floor-plan.yaml"
QUESTION = "ledger/questions/Q1.yaml"
HEAD = """\
id: floor-plan
title: {en: 'The floor', zh: '地面'}
caption: {en: 'Drawn from the ledger.', zh: '取自台账。'}
basis: records
marks: [{id: tile, name: {en: 'tile', zh: '地砖'}}]
twin: {en: 'Tiles.', zh: '地砖。'}
bodies:
"""

COMPOSER = (
    "  - {kind: composer, columns: [{en: 'a', zh: 'a'}], groups: [{name: {en: 'g', zh: 'g'}, options: "
    "[{name: {en: 'o', zh: 'o'}, texts: [{en: 'x', zh: 'x'}]}, "
    "{name: {en: 'p', zh: 'p'}, texts: [{en: 'x', zh: 'x'}, {en: 'y', zh: 'y'}]}]}]}\n"
)
TABLE = "  - {kind: table, columns: [{en: 'a', zh: 'a'}], rows: [[{en: 'x', zh: 'x'}, {en: 'y', zh: 'y'}]]}\n"


def component(body: str) -> Edit:
    """The tiny ledger's component with one drawing."""
    return write(FILE, HEAD + body)


@pytest.mark.parametrize(
    ("check", "edits", "want"),
    [
        pytest.param(
            components_hold,
            [component("  - {kind: strip, runs: [{parts: [tile]}], total: area}\n")],
            f"{FILE}:8:51: floor-plan.bodies[0].total: expected 6 pieces, the total it names, got 1. "
            "Correct the runs or the value.",
            id="components-hold-count",
        ),
        pytest.param(
            components_hold,
            [component("  - {kind: strip, runs: [{parts: [stone]}]}\n")],
            f"{FILE}:8:5: floor-plan.bodies[0]: expected a mark of the legend: tile, got stone. "
            "Add it to marks, or correct it.",
            id="components-hold-mark",
        ),
        pytest.param(
            components_hold,
            [component(TABLE)],
            f"{FILE}:8:56: floor-plan.bodies[0].rows: expected rows of 1, got [2]. Fill or remove cells.",
            id="components-hold-shape",
        ),
        pytest.param(
            components_hold,
            [component(COMPOSER)],
            f"{FILE}:8:61: floor-plan.bodies[0].groups: expected rows of 1, got [1, 2]. Fill or remove cells.",
            id="components-hold-options",
        ),
        pytest.param(
            components_hold,
            [component("  - {kind: specs, rows: [nothing]}\n")],
            f"{FILE}:8:26: floor-plan.bodies[0].rows[0]: expected a spec that is there, got nothing. "
            "Correct the id, or add the record.",
            id="components-hold-row",
        ),
        pytest.param(
            components_hold,
            [component("  - {kind: specs, rows: [side], columns: [nothing]}\n")],
            f"{FILE}:8:43: floor-plan.bodies[0].columns[0]: expected a column that is there, got nothing. "
            "Correct the id, or add the record.",
            id="components-hold-column",
        ),
        pytest.param(
            components_hold,
            [component("  - {kind: chart, spec: {mark: bar}}\n")],
            f"{FILE}:8:5: floor-plan.bodies[0]: expected points to draw, got no points. "
            "Name a lab and its lists, or write points.",
            id="components-hold-points",
        ),
        pytest.param(
            acceptances_are_there,
            [edit(QUESTION, "state: planned", "state: shown")],
            f"{QUESTION}:32:14: Q1.acceptance.component: expected a component with this id, got floor-plan. "
            "Add it, or set the state to planned.",
            id="acceptances-are-there",
        ),
        pytest.param(
            acceptances_are_there,
            [edit("ledger/figures/F1.yaml", "picture:", "component: floor-plan\npicture:")],
            "ledger/figures/F1.yaml:4:12: F1.component: expected a component that is there, got floor-plan. "
            "Correct the id, or add the record.",
            id="acceptances-are-there-of-a-figure",
        ),
        pytest.param(
            derivations_end,
            [
                edit("ledger/values.yaml", "first: {value: rows}", "first: {value: area}"),
                edit("ledger/values.yaml", "number: 6", "number: 0"),
            ],
            "ledger/values.yaml:24:7: area.derivation.inputs: expected a derivation that ends in given values, "
            "got area. Take area out of its own inputs.",
            id="derivations-end",
        ),
        pytest.param(
            teaching_models_are_marked,
            [
                edit("ledger/ledger.yaml", "  - id: 'tiles'\n", "  - id: 'tiles'\n    measured: true\n"),
                edit(QUESTION, "'A model floor.', zh: '模型地面。'", "'A floor of :value[area].', zh: '模型地面。'"),
            ],
            f"{QUESTION}:23:16: Q1.claims[3].text.en: expected a word that marks a model: model, teaching, "
            "got tiles. Say that a model gives this number.",
            id="teaching-models-are-marked",
        ),
    ],
)
def test_check_refuses(tmp_path: Path, check: Check, edits: list[Edit], want: str) -> None:
    """A ledger with one fault gives one message, from this check."""
    assert_refused(tmp_path, check, edits, want)
