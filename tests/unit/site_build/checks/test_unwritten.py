"""Placeholders of a new record are found wherever they were left."""

from pathlib import Path

import pytest
from builders import Check, Edit, assert_refused, edit, problems_of, project

from site_build.checks.unwritten import nothing_is_unwritten

END = ": expected the text itself, got {}. Write it in place of the placeholder."


@pytest.mark.parametrize(
    ("change", "want"),
    [
        pytest.param(
            edit("ledger/values.yaml", "en: 'Rows'", "en: 'TO WRITE'"),
            ["ledger/values.yaml:2:14: rows.name.en" + END.format("TO WRITE")],
            id="english",
        ),
        pytest.param(
            edit("ledger/values.yaml", "zh: '行数'", "zh: '待写：行数'"),
            ["ledger/values.yaml:2:26: rows.name.zh" + END.format("待写：行数")],
            id="chinese-with-more",
        ),
        pytest.param(
            edit("ledger/questions/Q1.yaml", "component: floor-plan", "component: to-write"),
            ["ledger/questions/Q1.yaml:32:14: Q1.acceptance.component" + END.format("to-write")],
            id="name",
        ),
        pytest.param(
            edit("ledger/questions/Q1.yaml", "selector: '.floor'", "selector: '[data-component=\"to-write\"]'"),
            ["ledger/questions/Q1.yaml:33:13: Q1.acceptance.selector" + END.format('[data-component="to-write"]')],
            id="selector",
        ),
        pytest.param(edit("ledger/values.yaml", "en: 'Rows'", "en: 'How TO WRITE rows'"), [], id="inside-a-text"),
        pytest.param(
            edit("ledger/questions/Q1.yaml", "component: floor-plan", "component: to-write-rows"), [], id="longer-name"
        ),
    ],
)
def test_placeholders_are_reported(tmp_path: Path, change: Edit, want: list[str]) -> None:
    """A text that begins with the placeholder is still to be written; the words inside a text are words."""
    assert problems_of(project(tmp_path, change)) == want


@pytest.mark.parametrize(
    ("check", "edits", "want"),
    [
        pytest.param(
            nothing_is_unwritten,
            [edit("ledger/figures/F1.yaml", "A floor.", "TO WRITE: what it shows")],
            "ledger/figures/F1.yaml:3:13: F1.shows.en" + END.format("TO WRITE: what it shows"),
            id="nothing-is-unwritten",
        )
    ],
)
def test_check_refuses(tmp_path: Path, check: Check, edits: list[Edit], want: str) -> None:
    """A placeholder gives one message, from this check."""
    assert_refused(tmp_path, check, edits, want)
