"""A sample of the long run of drawn mutants: what tests assert is noticed, and what they do not assert is told."""

import json
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from builds import run_python
from drawn_mutants.draw import draw
from drawn_mutants.outcomes import Outcome, Reason, disagreements, figures, read_reasons
from drawn_mutants.runs import targets

ROOT = Path(__file__).parents[2]
SUMS = '''\
"""Sums."""


def total(prices: list[int | float], most: int | None = None) -> int | float:
    """The sum, 2 + 3."""
    result = 0
    for price in prices:
        result += price
    return result


def label(count: int) -> str:
    return "many" if count > 3 else "few"
'''
TEST = """\
from sums import label, total


def test_total():
    assert total([1, 2]) == 3


def test_label():
    assert label(9) == "many"
"""
TRY = """\
import json, sys
from dataclasses import asdict
from pathlib import Path
from drawn_mutants.runs import run, targets

name, count, tests = sys.argv[1:]
source = targets().get(name) or Path(name + ".py").read_text("utf-8")
print(json.dumps([asdict(outcome) for outcome in run({name: source}, int(count), [Path(tests)])]))
"""
ENDLESS = """\
from drawn_mutants.trials import apart, limit_processor


def endless():
    limit_processor(0.2)
    while True:
        pass


print(apart(endless))
"""
SURVIVOR = Outcome("m", "f", "a > 1", "a > 2", "survived")
KILLED = Outcome("m", "f", "a > 1", "a > 2", "killed", "test_f")
EXPLAINED = Reason("m", "f", "a > 1", "a > 2", "nothing lies between")


def python(*arguments: str, cwd: Path) -> str:
    """What a process of its own prints, in which no module to mutate has been imported."""
    done = run_python(*arguments, path=ROOT / "tests", cwd=cwd)
    assert done.code == 0, done.errors
    return done.output


def tried(module: str, count: int, tests: Path, cwd: Path) -> list[Outcome]:
    """Mutants of one module, each tried on some tests."""
    return [Outcome(**row) for row in json.loads(python("-c", TRY, module, str(count), str(tests), cwd=cwd))]


@pytest.mark.slow
def test_what_no_test_asserts_survives(tmp_path: Path) -> None:
    """Nobody asks for the border of `label`, so its change is told; its function's test notices every other change."""
    (tmp_path / "sums.py").write_text(SUMS, "utf-8")
    (tmp_path / "test_sums.py").write_text(TEST, "utf-8")
    outcomes = tried("sums", 50, tmp_path / "test_sums.py", tmp_path)
    assert [outcome.after for outcome in outcomes if outcome.end == "survived"] == [
        'return "many" if count > 4 else "few"'
    ]
    assert {(outcome.function, outcome.by) for outcome in outcomes if outcome.end == "killed"} == {
        ("total", "test_sums.py::test_total"),
        ("label", "test_sums.py::test_label"),
    }


@pytest.mark.slow
def test_the_tests_of_a_mechanism_notice_its_mutants() -> None:
    """The whole way on a real module: what is drawn is imported in place of the sound one, and its own tests fail."""
    outcomes = tried("k3core.rounding", 4, ROOT / "tests" / "unit" / "k3core" / "test_rounding.py", ROOT)
    assert [outcome.end for outcome in outcomes] == ["killed"] * 4
    assert all(outcome.by.startswith("tests/unit/k3core/test_rounding.py::") for outcome in outcomes)


@pytest.mark.slow
def test_an_endless_mutant_is_ended() -> None:
    """It counts by the time that it used, not by the time that passed."""
    assert python("-c", ENDLESS, cwd=ROOT) == f"({-signal.SIGPROF}, None)\n"


def test_the_same_mutants_are_drawn_after_an_edit_elsewhere() -> None:
    """A function that moves down keeps its mutants, and the seed chooses others."""
    moved = SUMS.replace("def total", "def first() -> int:\n    return 1\n\n\ndef total")
    keys = [
        {(m.before, m.after) for m in draw({"sums": text}, 50, 1) if m.function != "first"} for text in (SUMS, moved)
    ]
    assert keys[0] == keys[1]
    assert len({tuple(m.after for m in draw({"sums": SUMS}, 3, seed)) for seed in range(5)}) > 1


def test_docstrings_and_annotations_are_not_mutated() -> None:
    """They do not run, so nobody can notice."""
    changed = {mutant.before for mutant in draw({"sums": SUMS}, 50, 1)}
    assert changed == {"result = 0", "for price in prices:", 'return "many" if count > 3 else "few"'}


@pytest.mark.parametrize(
    ("outcome", "reasons", "want"),
    [
        pytest.param(SURVIVOR, [EXPLAINED], "", id="explained"),
        pytest.param(SURVIVOR, [], "no reason is listed", id="unexplained"),
        pytest.param(SURVIVOR, [replace(EXPLAINED, reason=" ")], "no reason is listed", id="blank-reason"),
        pytest.param(KILLED, [], "", id="killed"),
        pytest.param(KILLED, [EXPLAINED], "listed as a survivor, but it is killed now", id="killed-and-listed"),
    ],
)
def test_survivors_and_reasons_agree(outcome: Outcome, reasons: list[Reason], want: str) -> None:
    """Each survivor has its reason and each reason its survivor."""
    found = list(disagreements([outcome], reasons))
    assert len(found) == bool(want)
    assert want in "".join(found)


def test_figures_count_every_end() -> None:
    """A mutant that time ended counts as killed and is told apart."""
    assert figures([SURVIVOR, KILLED, KILLED, replace(KILLED, end="killed by time")]) == {
        "mutants": 4,
        "killed by a test": 2,
        "killed by time": 1,
        "survived": 1,
        "killed, %": 75.0,
    }


def test_reasons_speak_of_lines_that_are_there() -> None:
    """Between long runs, a listed survivor whose line was edited shows at once; none is listed twice."""
    sources, reasons = targets(), read_reasons()
    assert len({reason.key for reason in reasons}) == len(reasons)
    gone = [r.key for r in reasons if not all(line in sources[r.module] for line in r.before.splitlines())]
    assert gone == []
