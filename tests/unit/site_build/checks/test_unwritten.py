"""What a fresh record still asks for is refused until it is written."""

from pathlib import Path

import pytest
from builders import Check, Edit, assert_refused, edit

from site_build.checks.unwritten import nothing_is_unwritten


@pytest.mark.parametrize(
    ("check", "edits", "want"),
    [
        pytest.param(
            nothing_is_unwritten,
            [edit("ledger/figures/F1.yaml", "A floor.", "TO WRITE: what it shows")],
            "ledger/figures/F1.yaml:3:13: F1.shows.en: expected the text itself, got TO WRITE: what it shows. "
            "Write it in place of the placeholder.",
            id="text",
        ),
        pytest.param(
            nothing_is_unwritten,
            [edit("ledger/questions/Q1.yaml", "floor-plan", "to-write")],
            "ledger/questions/Q1.yaml:32:14: Q1.acceptance.component: expected the text itself, got to-write. "
            "Write it in place of the placeholder.",
            id="name",
        ),
    ],
)
def test_check_refuses(tmp_path: Path, check: Check, edits: list[Edit], want: str) -> None:
    """A placeholder gives one message, from this check."""
    assert_refused(tmp_path, check, edits, want)
