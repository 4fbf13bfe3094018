"""Quantile Balancing: the report's example, the histogram, the solver, and what one step does not promise."""

from itertools import product

import numpy as np
import pytest
from comparers import assert_close
from hypothesis import given, settings
from hypothesis import strategies as st
from numeric_vectors import expected, inputs

from k3core import quantile_balancing
from k3core.guards import InputError
from k3core.quantile_balancing import (
    centred_bias,
    expert_share,
    qb_alternating,
    qb_dual_value,
    qb_exact_update,
    qb_histogram,
    qb_histogram_update,
    qb_pooled,
    sign_balance_step,
    token_cutoffs,
)
from k3core.routing import expert_loads, top_experts

SCORES = np.array(inputs("10.1")["scores"])
ZERO = np.zeros(4)


def random_scores(seed: int, m: int, n: int) -> np.ndarray:
    """Return skewed scores in (0, 1): some experts are liked by most tokens."""
    rng = np.random.default_rng(seed)
    return np.asarray(1 / (1 + np.exp(-(rng.normal(size=(m, n)) + rng.normal(size=n)))))


def test_one_step_meets_the_vector() -> None:
    """Cutoffs, centred bias, loads and assignment of the report's example of eight tokens."""
    promised = expected("10.1")
    assert expert_loads(SCORES, ZERO, 1).tolist() == promised["loads_before"]
    assert_close(token_cutoffs(SCORES, ZERO, 1), promised["alpha"])
    bias = qb_exact_update(SCORES, ZERO, 1)
    assert_close(bias, promised["b_centered"])
    assert expert_loads(SCORES, bias, 1).tolist() == promised["loads_after"]
    assert top_experts(SCORES + bias, 1)[:, 0].tolist() == promised["assignment_after"]


def test_the_minus_sign_is_needed() -> None:
    """Without the minus of eq.14 the example gets worse instead of balanced."""
    bias = qb_exact_update(SCORES, ZERO, 1)
    assert expert_loads(SCORES, -bias, 1).tolist() == expected("10.1")["loads_if_sign_dropped"]


def test_balance_is_a_fixed_point() -> None:
    """A second step changes the balanced bias by nothing."""
    bias = qb_exact_update(SCORES, ZERO, 1)
    assert_close(qb_exact_update(SCORES, bias, 1), bias)


def test_histogram_is_within_a_bin() -> None:
    """The estimate lies within a bin width of the q-th required bias, and balances the example too."""
    promised = expected("10.2")
    counted = qb_histogram(SCORES, ZERO, 1)
    assert (counted.low, counted.width) == (promised["range"][0], promised["w"])
    bias = qb_histogram_update(counted, 1)
    second_smallest = centred_bias(promised["r_q_ascending(2nd)"])
    assert np.abs(bias - second_smallest).max() <= 2 * promised["w"]
    assert np.abs(bias - np.array(promised["b_hist_centered"])).max() <= 0.0021
    assert expert_loads(SCORES, bias, 1).tolist() == promised["loads_after"]


@pytest.mark.parametrize("block", [1, 25, 128])
def test_histogram_counts_a_few_rows_at_a_time(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    """However many rows are looked at together, every score is counted once, in the same bin."""
    scores = random_scores(5, 37, 8)
    whole = qb_histogram(scores, np.zeros(8), 2, bins=16)
    monkeypatch.setattr(quantile_balancing, "BLOCK", block)
    np.testing.assert_array_equal(qb_histogram(scores, np.zeros(8), 2, bins=16).counts, whole.counts)
    assert whole.counts.sum(axis=1).tolist() == [37] * 8


def test_solver_meets_the_vector() -> None:
    """Three rounds reach the dual value that brute force finds for the best balanced assignment."""
    promised = expected("10.3")
    solved = qb_alternating(SCORES, 1, rounds=3)
    assert_close(solved.beta, promised["beta"])
    assert_close(solved.dual[-1], promised["dual"])
    assert expert_loads(SCORES, -solved.beta, 1).tolist() == promised["loads"]


def test_cutoff_expert_sits_exactly_on_its_bias() -> None:
    """For every token one expert's margin is minus its bias, so ties are never absent."""
    promised = expected("10.4")
    margins = SCORES - token_cutoffs(SCORES, ZERO, 1)[:, None]
    counts = np.sum(margins == -ZERO, axis=0)
    assert counts.tolist() == promised["counts"]
    assert counts.sum() == promised["total"]


@settings(max_examples=25, deadline=None, derandomize=True, database=None)
@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(4, 8))
def test_held_cutoffs_balance_exactly(seed: int, k: int, n: int) -> None:
    """With the cutoffs held still, q margins of every expert pass its threshold, ties on it counted or not."""
    scores, q = random_scores(seed, 8 * n, n), 8 * k
    margins = scores - token_cutoffs(scores, np.zeros(n), k)[:, None]
    bias = qb_exact_update(scores, np.zeros(n), k)
    # the bias is centred; the constant taken away is found again from the order statistics themselves
    common = np.mean([sorted(margins[:, j], reverse=True)[q] for j in range(n)])
    assert np.all(np.sum(margins + bias > common + 1e-12, axis=0) <= q)
    assert np.all(np.sum(margins + bias >= common - 1e-12, axis=0) > q)


@settings(max_examples=20, deadline=None, derandomize=True, database=None)
@given(st.integers(0, 10**6), st.integers(1, 3))
def test_a_few_steps_balance_skewed_loads(seed: int, k: int) -> None:
    """From a skewed start repeated steps bring the worst load near its share."""
    m, n = 512, 8
    scores = random_scores(seed, m, n)
    bias = np.zeros(n)
    before = expert_loads(scores, bias, k).max()
    for _ in range(20):
        bias = qb_exact_update(scores, bias, k)
    after = expert_loads(scores, bias, k).max()
    assert after <= 1.1 * expert_share(m, n, k)
    assert after <= before
    assert abs(bias.mean()) < 1e-12


@settings(max_examples=20, deadline=None, derandomize=True, database=None)
@given(st.integers(0, 10**6), st.integers(1, 2))
def test_dual_falls_and_bounds_every_assignment(seed: int, k: int) -> None:
    """The solver's value never rises and never passes below the best balanced assignment."""
    scores = random_scores(seed, 4, 4)
    solved = qb_alternating(scores, k, rounds=6)
    assert np.all(np.diff(solved.dual) <= 1e-12)
    sets = [set_ for set_ in product([0, 1], repeat=4) if sum(set_) == k]
    best = max(
        sum(float(scores[i] @ np.array(row)) for i, row in enumerate(rows))
        for rows in product(sets, repeat=4)
        if np.all(np.sum(rows, axis=0) == k)
    )
    assert solved.dual[-1] >= best - 1e-12
    assert_close(solved.dual[-1], qb_dual_value(scores, solved.alpha, solved.beta, k))


def test_first_round_of_the_solver_is_the_update() -> None:
    """One round from price 0 is the exact update, up to sign and centring."""
    scores = random_scores(3, 40, 5)
    assert_close(centred_bias(-qb_alternating(scores, 2, rounds=1).beta), qb_exact_update(scores, np.zeros(5), 2))


@settings(max_examples=15, deadline=None, derandomize=True, database=None)
@given(st.integers(0, 10**6), st.integers(1, 63))
def test_micro_batches_pool_exactly(seed: int, cut: int) -> None:
    """Counting in two parts is counting at once, in either order."""
    scores, bias = random_scores(seed, 64, 6), np.random.default_rng(seed).normal(size=6)
    whole = qb_histogram(scores, bias, 2, bins=50)
    first, second = qb_histogram(scores[:cut], bias, 2, bins=50), qb_histogram(scores[cut:], bias, 2, bins=50)
    for both in (qb_pooled(first, second), qb_pooled(second, first)):
        np.testing.assert_array_equal(both.counts, whole.counts)
    assert whole.counts.sum(axis=1).tolist() == [64] * 6


@settings(max_examples=15, deadline=None, derandomize=True, database=None)
@given(st.integers(0, 10**6), st.integers(1, 4))
def test_histogram_estimates_the_order_statistic(seed: int, k: int) -> None:
    """Before centring, the estimate is within one bin of the ceil(q)-th smallest required bias."""
    scores, bias = random_scores(seed, 50, 6), 0.3 * np.random.default_rng(seed).normal(size=6)
    counted = qb_histogram(scores, bias, k, bins=200)
    required = np.sort(token_cutoffs(scores, bias, k)[:, None] - scores, axis=0)
    rank = int(np.ceil(expert_share(50, 6, k))) - 1
    # centring moves all experts alike, so differences between experts are compared
    error = qb_histogram_update(counted, k) - required[rank]
    assert np.ptp(error) <= 2 * counted.width


def test_edges_fall_into_the_last_bin() -> None:
    """A required bias on the right edge is counted, not lost."""
    counted = qb_histogram([[1.0, 1.0, 0.0]] * 2, np.zeros(3), 1, bins=4)
    assert counted.counts.sum() == 6
    assert counted.counts[:, -1].tolist() == [0, 0, 2]


def test_sign_step_only_nudges() -> None:
    """The older rule moves by its step against the load and leaves the example unbalanced."""
    bias = sign_balance_step(SCORES, ZERO, 1, 0.001)
    np.testing.assert_allclose(bias, [-0.001, -0.001, 0.001, 0.001])
    assert expert_loads(SCORES, bias, 1).tolist() != [2, 2, 2, 2]


@pytest.mark.parametrize(
    ("scores", "k", "message"),
    [
        pytest.param(SCORES, 4, "k: expected a whole number from 1 to 3, got 4", id="no cutoff left"),
        pytest.param(2 * SCORES, 1, r"scores: expected 0\.\.1, got 1\.9 at \(0, 0\)", id="not sigmoid scores"),
    ],
)
def test_bad_scores_are_refused(scores: np.ndarray, k: int, message: str) -> None:
    """A refused argument is named with what was expected and what came."""
    with pytest.raises(InputError, match=message):
        qb_exact_update(scores, ZERO, k)


def test_sizes_of_a_histogram() -> None:
    """The report's thousand bins unless told otherwise, one token at least, and no more than 2^20 bins."""
    assert qb_histogram(SCORES, ZERO, 1).counts.shape == (4, 1000)
    assert qb_histogram(SCORES[:1], ZERO, 1).counts.sum() == 4
    assert qb_histogram(SCORES[:1], ZERO, 1, bins=2**20).counts.shape == (4, 2**20)
    with pytest.raises(InputError, match="bins: expected a whole number from 1 to 1048576, got 1048577"):
        qb_histogram(SCORES, ZERO, 1, bins=2**20 + 1)
    with pytest.raises(InputError, match="tokens: expected a whole number from 1, got 0"):
        qb_histogram(SCORES[:0], ZERO, 1)


def test_other_refusals() -> None:
    """Histograms with other edges do not pool, and a broken share stops the solver."""
    with pytest.raises(InputError, match=r"second: expected bins from -1 by 0\.2"):
        qb_pooled(qb_histogram(SCORES, ZERO, 1, bins=10), qb_histogram(SCORES, ZERO, 1, bins=20))
    with pytest.raises(InputError, match=r"scores: expected m k / n a whole number, got 1\.75"):
        qb_alternating(SCORES[:7], 1, rounds=1)
