"""A claim's profile follows from the records, and changes with them."""

from pathlib import Path

import pytest
from builders import Edit, edit, ledger_of, project

from site_build.model import Profile, evidence_profile, makers_circle
from site_build.source import read_ledger

QUESTION = "ledger/questions/Q1.yaml"
LAB = "ledger/labs/A.yaml"
SOURCES = "ledger/sources.yaml"
BIBLIOGRAPHY = "ledger/reading/references.bib"
AUTHORS = "Smith, Ann and Li, Wei"
C3 = "    grade: P\n    locators: ['node smith-2020']\n"
CONFIG_BY = "  kind: configuration\n  by: ['Floor office']\n"


def profile(root: Path, reference: str, *edits: Edit) -> Profile:
    """The profile of a claim of the tiny project with `edits`."""
    ledger = ledger_of(project(root, *edits))
    found = ledger.claim(reference)
    assert found is not None
    return evidence_profile(ledger, makers_circle(ledger), *found)


@pytest.mark.parametrize(
    ("reference", "edits", "want"),
    [
        pytest.param("Q1.c1", (), ("derived", "makers", "recomputed"), id="derived"),
        pytest.param("Q1.c2", (), ("stated", "makers", "open"), id="stated"),
        pytest.param("Q1.c3", (), ("stated", "outside", "open"), id="work-of-others"),
        pytest.param("Q1.c4", (), ("modelled", "none", "runs"), id="model-with-lab"),
        pytest.param(
            "Q1.c4",
            (edit(LAB, "questions: [Q1]\n", "questions: []\n"),),
            ("modelled", "none", "described"),
            id="model-without-lab",
        ),
        pytest.param(
            "Q1.c3",
            (edit(QUESTION, C3, "    grade: P\n    locators: ['config rows.count']\n"),),
            ("read", "makers", "open"),
            id="a-field",
        ),
        pytest.param(
            "Q1.c3",
            (edit(QUESTION, C3, "    grade: P\n    locators: ['code floor/tiles@abc1234:lay.py#lay']\n"),),
            ("read", "outside", "open"),
            id="code-of-others",
        ),
        pytest.param(
            "Q1.c3",
            (
                edit(QUESTION, C3, "    grade: P\n    locators: ['code floor/tiles@abc1234:lay.py']\n"),
                edit(SOURCES, CONFIG_BY, "  kind: configuration\n  by: ['Floor office', 'floor/tiles']\n"),
            ),
            ("read", "makers", "open"),
            id="a-copy-of-the-makers-code",
        ),
        pytest.param(
            "Q1.c3",
            (edit(QUESTION, C3, "    grade: P\n    locators: ['node smith-2020', 'report §1']\n"),),
            ("stated", "mixed", "open"),
            id="both",
        ),
        pytest.param(
            "Q1.c3",
            (edit(BIBLIOGRAPHY, AUTHORS, f"{{Floor Office}} and {AUTHORS}"),),
            ("stated", "makers", "open"),
            id="published-with-the-makers",
        ),
    ],
)
def test_words_follow_from_the_records(
    tmp_path: Path, reference: str, edits: tuple[Edit, ...], want: tuple[str, str, str]
) -> None:
    """Grade, places, names and labs decide, and nothing else."""
    found = profile(tmp_path, reference, *edits)
    assert (found.directness, found.independence, found.reproduction) == want


@pytest.mark.parametrize(
    ("by", "want"),
    [
        pytest.param("'Tilers', 'Smith, Ann'", 1, id="a-shared-name"),
        pytest.param("'Tilers', 'smith, ann'", 1, id="in-any-case"),
        pytest.param("'Tilers'", 2, id="none-shared"),
    ],
)
def test_parties_that_share_a_name_count_once(tmp_path: Path, by: str, want: int) -> None:
    """Two sources by one author are one party."""
    found = profile(
        tmp_path,
        "Q1.c3",
        edit(QUESTION, C3, "    grade: P\n    locators: ['node smith-2020', 'config rows.count']\n"),
        edit(SOURCES, CONFIG_BY, f"  kind: configuration\n  by: [{by}]\n"),
    )
    assert (found.others, found.independence) == (want, "outside")


def test_dates_and_places_are_counted(tmp_path: Path) -> None:
    """The newest place, the last review and a review that is due at the ledger's own date."""
    due = edit(QUESTION, "reviewed: '2026-01-02'\n", "reviewed: '2026-01-01'\nreview_by: '2026-01-01'\n")
    both = edit(QUESTION, C3, "    grade: P\n    locators: ['node smith-2020', 'report §1 eq.1']\n")
    found = profile(tmp_path, "Q1.c3", due, both)
    assert (found.newest, found.reviewed, found.overdue) == ("2026-01-01", "2026-01-01", "2026-01-01")
    assert (found.exact_places, found.places) == (1, 2)
    assert profile(tmp_path / "again", "Q1.c1").overdue == ""


def test_the_makers_code_is_known_by_its_repository() -> None:
    """In the ledger of this repository, software and copies count with those who made them."""
    ledger = read_ledger(Path(__file__).parents[4]).ledger
    assert ledger is not None
    circle = makers_circle(ledger)
    for question, _, claim in ledger.claims():
        found = evidence_profile(ledger, circle, question, claim)
        own = [text for text in claim.locators if text.startswith(("code TOOLS-", "node flashkda", "report", "config"))]
        if own:
            assert found.independence in {"makers", "mixed"}, (question.id, claim.id)
        assert found.makers == "Kimi Team"
