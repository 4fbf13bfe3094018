"""Five hundred mutants that a seed draws from the checks and the mechanisms, each tried on the tests that reach it."""

import json
from pathlib import Path

from builds import run_python
from drawn_mutants.outcomes import Outcome, disagreements, figures, read_reasons
from drawn_mutants.runs import SEED
from soak.conftest import Keep

ROOT = Path(__file__).parents[2]
COUNT = 500
LEAST = 80.0
"""Percent that must be killed."""


def test_most_mutants_are_killed_and_the_others_have_a_reason(keep_figures: Keep, tmp_path: Path) -> None:
    """Drawn mutants are noticed; `tests/drawn_mutants/survivors.json` says of every other one why, and of no other."""
    lines = tmp_path / "outcomes.jsonl"
    done = run_python("-m", "drawn_mutants", str(COUNT), str(lines), path=ROOT / "tests", cwd=ROOT)
    assert done.code == 0, done.output + done.errors
    outcomes = [Outcome(**json.loads(line)) for line in lines.read_text("utf-8").splitlines()]
    found = figures(outcomes)
    keep_figures("mutation", seed=SEED, **found)
    assert found["mutants"] == COUNT
    assert found["killed, %"] > LEAST
    faults = list(disagreements(outcomes, read_reasons()))
    assert not faults, "\n".join(faults)
