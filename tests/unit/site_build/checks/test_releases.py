"""What was published stays: each way of losing it gives one message at one place."""

from pathlib import Path

import pytest
from builders import Check, Edit, assert_refused, edit, problems_of, write
from released_worlds import QUESTION, release

from site_build.checks.releases import releases_are_kept, steps_are_true

C4 = "  - id: c4\n    text: {en: 'A model floor.', zh: '模型地面。'}\n    grade: T\n"
R_TO_T = edit(QUESTION, "    grade: R\n    locators: ['report §1 eq.1']\n  - id: c3", "    grade: T\n  - id: c3")


@pytest.mark.parametrize(
    ("check", "change", "want"),
    [
        pytest.param(
            releases_are_kept,
            edit(QUESTION, C4, ""),
            (
                "ledger/questions/Q1.yaml:8:3: Q1.claims: expected the claim, since release 2026.1.0 published it, got "
                "Q1.c4. Put it back, and set `withdrawn` with the reason if it no longer stands."
            ),
            id="claim-lost",
        ),
        pytest.param(
            releases_are_kept,
            R_TO_T,
            (
                "ledger/questions/Q1.yaml:14:5: Q1.claims[1]: expected grade R, as in release 2026.1.0, or a step in "
                "history, got T. Add the step to the question's history."
            ),
            id="grade-unexplained",
        ),
    ],
)
def test_check_refuses(tmp_path: Path, check: Check, change: Edit, want: str) -> None:
    """A released ledger with one fault gives one message, from this check."""
    release(tmp_path, "2026.1.0")
    assert problems_of(tmp_path) == []
    change.apply(tmp_path)
    assert problems_of(tmp_path) == [want]
    assert check is releases_are_kept


def history(claim: str, was: str, now: str) -> Edit:
    """One step of the question's history."""
    step = f"  - {{release: '2026.1.0', claim: {claim}, was: {was}, now: {now}, why: {{en: 'Read.', zh: '读过。'}}}}"
    return edit(QUESTION, "would_change:", f"history:\n{step}\nwould_change:")


@pytest.mark.parametrize(
    ("check", "change", "want"),
    [
        pytest.param(
            steps_are_true,
            history("c9", "R", "T"),
            "ledger/questions/Q1.yaml:43:5: Q1.history[0]: expected a claim of this question: c1, c2, c3, c4, got c9. "
            "Correct the id.",
            id="step-without-claim",
        ),
        pytest.param(
            steps_are_true,
            history("c2", "R", "T"),
            "ledger/questions/Q1.yaml:43:5: Q1.history[0]: expected R, the grade of c2, after its last step, got T. "
            "Correct the step, or add the one that is missing.",
            id="step-ends-elsewhere",
        ),
        pytest.param(
            steps_are_true,
            history("c2", "R", "P"),
            "ledger/questions/Q1.yaml:43:5: Q1.history[0]: expected R, the grade of c2, after its last step, got P. "
            "Correct the step, or add the one that is missing.",
            id="step-ends-at-a-letter-before",
        ),
        pytest.param(steps_are_true, history("c2", "R", "R"), "", id="other-words-on-the-same-evidence"),
    ],
)
def test_history_ends_where_the_claim_stands(tmp_path: Path, check: Check, change: Edit, want: str) -> None:
    """A step of no claim, and a last step to another grade, are told; a reason for other words is none of these."""
    assert_refused(tmp_path, check, [change], want)


def test_an_id_is_not_used_again(tmp_path: Path) -> None:
    """What was withdrawn under an id stays its statement."""
    withdrawn = edit(QUESTION, C4, f"{C4}    withdrawn: {{en: 'No model.', zh: '没有模型。'}}\n")
    release(tmp_path, "2026.1.0", withdrawn)
    assert problems_of(tmp_path) == []
    edit(QUESTION, "A model floor.", "A model wall.").apply(tmp_path)
    assert problems_of(tmp_path) == [
        (
            "ledger/questions/Q1.yaml:22:5: Q1.claims[3]: expected the statement that release 2026.1.0 withdrew "
            "under this id, got Q1.c4. Put it back, and give the new statement the next free id."
        )
    ]


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("{", "expected the snapshot of a release, got Invalid JSON: EOF while parsing an object"),
        ("{}", "expected the snapshot of a release, got version: Field required."),
    ],
)
def test_a_broken_snapshot_is_told(tmp_path: Path, text: str, want: str) -> None:
    """A snapshot that cannot be read is a fault with its file; nothing else is."""
    release(tmp_path, "2026.1.0")
    write("ledger/releases/2026.1.0.json", text).apply(tmp_path)
    (found,) = problems_of(tmp_path)
    assert found.startswith(f"ledger/releases/2026.1.0.json:1:1: {want}")
