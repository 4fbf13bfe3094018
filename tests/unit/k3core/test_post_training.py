"""Effort budgets, verbosity, partial rollout and the distillation reward."""

from dataclasses import asdict

import numpy as np
import pytest
from comparers import assert_close
from hypothesis import given, settings
from hypothesis import strategies as st
from numeric_vectors import expected, inputs

from k3core import post_training as pt
from k3core.guards import InputError


def test_effort_override_is_strict() -> None:
    """Exactly the budget keeps its reward; one token more costs it."""
    case = inputs("14.1")
    got = pt.effort_reward(case["task_reward"], case["T"], case["b0"], case["tau"])
    assert got.tolist() == expected("14.1")["reward"]


@pytest.mark.parametrize(("domain", "want"), [("general", 100), ("agentic", 157)])
def test_what_a_budget_counts(domain: str, want: int) -> None:
    """General work is charged for thinking alone, agentic work for all output with tool-call arguments."""
    assert pt.budget_tokens(thinking=100, response=50, tool_arguments=7, domain=domain) == want


@pytest.mark.parametrize(
    ("scores", "tokens", "want"),
    [
        pytest.param((0.9, 0.1), (1201, 900), "second", id="longer-loses-despite-score"),
        pytest.param((0.9, 0.1), (1200, 900), "first", id="exactly-the-limit-is-allowed"),
        pytest.param((0.1, 0.9), (900, 5000), "first", id="second-too-long"),
        pytest.param((0.1, 0.9), (2000, 5000), "second", id="both-too-long"),
        pytest.param((0.5, 0.5), (10, 20), "tie", id="tie"),
    ],
)
def test_verbosity_decides_before_the_score(scores: tuple[float, float], tokens: tuple[int, int], want: str) -> None:
    """A candidate longer than sigma times the reference loses; otherwise the score decides."""
    assert pt.compare_candidates(scores, tokens, reference_tokens=1000, sigma=1.2) == want


def test_budgets_may_be_below_one() -> None:
    """Base, tau, reference and sigma are any numbers above 0: only their products are compared with tokens."""
    assert pt.compare_candidates((0.9, 0.1), (10, 9), reference_tokens=0.5, sigma=19.0) == "second"
    assert pt.compare_candidates((0.9, 0.1), (10, 9), reference_tokens=19.0, sigma=0.5) == "second"
    assert pt.effort_reward([1.0, 1.0], [9.0, 10.0], 0.5, 19.0).tolist() == [1.0, -1.0]
    assert pt.effort_reward([1.0, 1.0], [9.0, 10.0], 19.0, 0.5).tolist() == [1.0, -1.0]


def test_distillation_reward() -> None:
    """The reward is the log ratio, clipped, and symmetric when teacher and student agree."""
    case, want = inputs("14.2"), expected("14.2")
    teacher, student = np.log(case["pT"]), np.log(case["pS"])
    assert_close(pt.mopd_reward(teacher, student, case["R"]), want["r"], ratio=1e-14)
    assert pt.mopd_reward(teacher, student, 100.0)[1] == pytest.approx(want["unclipped_second"], rel=1e-14)


def test_a_teacher_that_excludes_a_token_gives_the_bound() -> None:
    """Teacher probability zero is a legal input with the lowest reward."""
    assert pt.mopd_reward([-np.inf], [-0.5], 5.0).tolist() == [-5.0]


def test_partial_rollout_of_the_vector() -> None:
    """Three prompts of four completions, pausing at half, take two iterations as logged."""
    case = {"durations": inputs("14.5")["durations"], "fraction": 0.5}
    want = expected("14.5")
    got = pt.partial_rollout(**case)
    rows = [{**asdict(row), "prompts_complete": list(row.prompts_complete)} for row in got.iterations]
    assert [{**row, "iteration": row["number"]} for row in rows] == [
        {**row, "number": row["iteration"]} for row in want["log"]
    ]
    assert got.most_iterations_spanned == want["max_iterations_spanned"]
    assert got.segments[2][2] == ((1, 6), (2, 6))


def test_paused_resume_before_new_prompts_start() -> None:
    """A long trajectory keeps its slot, so the second prompt waits until a whole prompt fits."""
    got = pt.partial_rollout([[1, 5], [2, 2], [1, 1]], fraction=0.5, prompts_per_iteration=1)
    assert [(row.finished, row.paused) for row in got.iterations] == [(1, 1), (1, 0), (2, 0), (2, 0)]
    assert got.segments[0][1] == ((1, 1), (2, 4))
    assert got.segments[1][0] == ((3, 2),)


def test_a_decimal_fraction_is_meant_exactly() -> None:
    """A tenth of thirty is three, although 0.1 * 30 rounds to a little more in some orders."""
    durations = [[i + 1 for i in range(30)]]
    assert pt.partial_rollout(durations, fraction=0.1).iterations[0].steps == 3


@settings(max_examples=40, derandomize=True, deadline=None, database=None)
@given(
    durations=st.integers(1, 3).flatmap(
        lambda k: st.lists(st.lists(st.integers(1, 12), min_size=k, max_size=k), min_size=1, max_size=5)
    ),
    fraction=st.sampled_from([0.1, 0.25, 0.5, 0.9, 1.0]),
    width=st.integers(1, 5),
)
def test_accounting_equals_token_by_token(durations: list[list[int]], fraction: float, width: int) -> None:
    """The order statistic gives what stepping token by token gives, and no token is lost or made twice."""
    fast = pt.partial_rollout(durations, fraction=fraction, prompts_per_iteration=width)
    slow = pt.partial_rollout(durations, fraction=fraction, prompts_per_iteration=width, advance=pt.steps_by_token)
    assert fast == slow
    assert [[sum(n for _, n in parts) for parts in prompt] for prompt in fast.segments] == durations
    assert fast.iterations[-1].prompts_complete == tuple(range(len(durations)))
    assert sum(row.finished for row in fast.iterations) == sum(map(len, durations))
    for prompt in fast.segments:
        for parts in prompt:
            versions = [version for version, _ in parts]
            assert versions == list(range(versions[0], versions[0] + len(versions)))
            steps = [fast.iterations[version - 1].steps for version in versions]
            assert all(n == step for (_, n), step in zip(parts[:-1], steps[:-1], strict=True))
            assert 1 <= parts[-1][1] <= steps[-1]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        pytest.param(lambda: pt.effort_reward([1.0], [1.0, 2.0], 10, 1), r"tokens: expected shape \(1,\)", id="shape"),
        pytest.param(lambda: pt.effort_reward([1.0], [1.0], 0, 1), "base: expected a finite number above 0", id="base"),
        pytest.param(lambda: pt.effort_reward([1.0], [-1.0], 1, 1), "tokens: .*at least 0, got -1", id="tokens"),
        pytest.param(
            lambda: pt.budget_tokens(thinking=1, response=1, tool_arguments=1, domain="chat"),
            "domain: expected general or agentic, got 'chat'",
            id="domain",
        ),
        pytest.param(
            lambda: pt.compare_candidates((1.0, 2.0), (1, 2), 10, sigma=0.0), "sigma: expected a finite", id="sigma"
        ),
        pytest.param(lambda: pt.mopd_reward([-1.0], [-np.inf], 5.0), "log_student: expected finite", id="impossible"),
        pytest.param(lambda: pt.mopd_reward([0.1], [-1.0], 5.0), "log_teacher: .*at most 0, got 0.1", id="positive"),
        pytest.param(lambda: pt.mopd_reward([np.nan], [-1.0], 5.0), "log_teacher: .*got nan", id="nan"),
        pytest.param(lambda: pt.mopd_reward([-1.0], [-1.0], 0.0), "bound: expected a number above 0", id="bound"),
        pytest.param(lambda: pt.partial_rollout([[1], [1, 2]], fraction=1), r"durations\[1\]: .*got 2", id="ragged"),
        pytest.param(lambda: pt.partial_rollout([[1, 2], [1]], fraction=1), r"durations\[1\]: .*got 1", id="shorter"),
        pytest.param(lambda: pt.partial_rollout([[0]], fraction=1), r"durations\[0\]\[0\]: .*from 1, got 0", id="zero"),
        pytest.param(lambda: pt.partial_rollout([], fraction=1), "durations: expected at least one", id="empty"),
        pytest.param(lambda: pt.partial_rollout([[1]], fraction=0), "fraction: expected a number above 0", id="none"),
    ],
)
def test_bad_input_is_named(call: object, message: str) -> None:
    """What no rule covers is refused with its name."""
    assert callable(call)
    with pytest.raises(InputError, match=message):
        call()
