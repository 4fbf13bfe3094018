"""Quantile Balancing: the router's bias set, in one step, to where each expert would get its share."""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from k3core.guards import Array, Float, InputError, as_count, as_float, has_shape, in_range
from k3core.routing import expert_loads

BLOCK = 2**20
"""Scores that a histogram looks at together."""


class Histogram(NamedTuple):
    """Counts of required biases in equal bins, which micro-batches may add up."""

    low: float
    """Left edge of the first bin: the smallest bias less 1."""
    width: float
    """Width of a bin."""
    counts: Array
    """(n, B) int64."""


class Alternation(NamedTuple):
    """Where the alternating solver stands."""

    alpha: Float
    """(m,) cutoff per token."""
    beta: Float
    """(n,) price per expert; the bias is its negative."""
    dual: Float
    """(rounds,) dual value after each round, not rising."""


def expert_share(tokens: int, experts: int, k: int) -> float:
    """Return q = m k / n, the load of every expert in perfect balance.

    Raises:
        InputError: a count is not a whole number in its range.
    Source: report §2.3.3.
    """
    return as_count("tokens", tokens, 1) * as_count("k", k, 1) / as_count("experts", experts, 1)


def token_cutoffs(scores: npt.ArrayLike, bias: npt.ArrayLike, k: int) -> Float:
    """Return each token's (k+1)-th largest biased score: what an expert must beat to be chosen.

    Args:
        scores: (m, n) in [0, 1].
        bias: (n,).
        k: 1 to n-1.

    Returns:
        (m,) float64.

    Raises:
        InputError: a shape disagrees, a value leaves its range, or k is n or more.
    Source: report §2.3.3. A cutoff belongs to a token, not to an expert.
    """
    scores, bias, k = _checked(scores, bias, k)
    return np.asarray(-np.sort(-(scores + bias), axis=1)[:, k])


def qb_exact_update(scores: npt.ArrayLike, bias: npt.ArrayLike, k: int) -> Float:
    """Return the next step's bias by exact order statistics, centred to mean 0.

    Args:
        scores: (m, n) in [0, 1], raw.
        bias: (n,) in force while the scores were routed.
        k: 1 to n-1.

    Returns:
        (n,): minus the (q+1)-th largest margin (raw score less cutoff) per expert, less the mean; where q is
        no whole number, it is rounded down.

    Raises:
        InputError: as `token_cutoffs`.
    Source: report §2.3.3 eq.14, app.C. Exact: balance if the cutoffs stood still. Not claimed: balance after
    one step, as cutoffs move with the bias; nor the interpolation of a general quantile function.
    """
    scores, bias, k = _checked(scores, bias, k)
    m, n = scores.shape
    margins = scores - token_cutoffs(scores, bias, k)[:, None]  # (m, n)
    return centred_bias(-_nth_largest(margins, math.floor(expert_share(m, n, k))))


def qb_histogram(scores: npt.ArrayLike, bias: npt.ArrayLike, k: int, bins: int = 1000) -> Histogram:
    """Count required biases (cutoff less raw score) of a micro-batch in equal bins.

    Args:
        scores: (m, n) in [0, 1].
        bias: (n,); its range sets the edges, so all micro-batches of a step must share it.
        k: 1 to n-1.
        bins: B.

    Raises:
        InputError: as `token_cutoffs`.
    Source: report app.D. What lies on the right edge counts in the last bin. Working memory: a few arrays of
    2^20 numbers and two of n B, beside the scores in float64, however many tokens there are.
    """
    scores, bias, k = _checked(scores, bias, k)
    B = as_count("bins", bins, 1, 2**20)
    m, n = scores.shape
    low = float(np.min(bias)) - 1.0
    width = (float(np.max(bias)) - float(np.min(bias)) + 2.0) / B
    counts = np.zeros(n * B, np.int64)
    rows = max(1, BLOCK // n)
    # counts add up, so a few rows at a time do, and the memory does not grow with the tokens
    for start in range(0, m, rows):
        block = scores[start : start + rows]
        required = token_cutoffs(block, bias, k)[:, None] - block  # (rows, n)
        index = np.clip(np.floor((required - low) / width).astype(np.int64), 0, B - 1)
        counts += np.bincount((index + np.arange(n) * B).ravel(), minlength=n * B)
    return Histogram(low, width, counts.reshape(n, B))


def qb_pooled(first: Histogram, second: Histogram) -> Histogram:
    """Add the counts of two micro-batches; integers, so the order does not matter.

    Raises:
        InputError: the edges or shapes differ.
    Source: report app.D.
    """
    if (first.low, first.width) != (second.low, second.width):
        raise InputError("second", f"bins from {first.low:g} by {first.width:g}", f"{second.low:g}, {second.width:g}")
    has_shape("second.counts", second.counts, first.counts.shape)
    return Histogram(first.low, first.width, first.counts + second.counts)


def qb_histogram_update(counted: Histogram, k: int) -> Float:
    """Estimate the next step's bias from pooled counts, centred to mean 0.

    Args:
        counted: counts of all the step's tokens.
        k: 1 to n-1.

    Returns:
        (n,): in the first bin whose running count reaches ceil(q), interpolated.

    Raises:
        InputError: k is out of range or the experts' totals differ.
    Source: report app.D. Exact: within one bin width of the q-th smallest required bias. Not claimed: the
    (q+1)-th of eq.14, from which it differs where samples are sparse.
    """
    n, _ = counted.counts.shape
    totals = counted.counts.sum(axis=1)
    in_range("counts", totals, float(totals[0]), float(totals[0]))
    q = expert_share(int(totals[0]), n, as_count("k", k, 1, n - 1))
    running = np.cumsum(counted.counts, axis=1)  # (n, B)
    bin_of = np.argmax(running >= math.ceil(q), axis=1)  # (n,)
    rows = np.arange(n)
    inside = counted.counts[rows, bin_of]
    before = running[rows, bin_of] - inside
    fraction = np.clip((q - before) / inside, 0.0, 1.0)
    return centred_bias(counted.low + (bin_of + fraction) * counted.width)


def qb_alternating(scores: npt.ArrayLike, k: int, rounds: int) -> Alternation:
    """Solve for cutoffs and prices in turn, from price 0.

    Args:
        scores: (m, n) in [0, 1].
        k: 1 to n-1.
        rounds: at least 1.

    Returns:
        alpha, beta and the dual value after each round; route with scores - beta.

    Raises:
        InputError: as `token_cutoffs`, or m k / n is not whole.
    Source: report app.C alg.1, eq.20-27. Exact: each half-step minimises the dual in its own variable, so the
    value does not rise and bounds the best balanced assignment from above. Not claimed: the minimum.
    """
    scores, beta, k = _checked(scores, np.zeros(np.shape(scores)[-1]), k)
    m, n = scores.shape
    q = expert_share(m, n, k)
    if q != int(q):
        raise InputError("scores", "m k / n a whole number", f"{q:g}")
    values = []
    for _ in range(as_count("rounds", rounds, 1, 10_000)):
        alpha = token_cutoffs(scores, -beta, k)
        beta = _nth_largest(scores - alpha[:, None], int(q))
        values.append(qb_dual_value(scores, alpha, beta, k))
    return Alternation(alpha, beta, np.array(values))


def qb_dual_value(scores: npt.ArrayLike, alpha: npt.ArrayLike, beta: npt.ArrayLike, k: int) -> float:
    """Return sum max(0, s - alpha - beta) + k sum alpha + q sum beta.

    Raises:
        InputError: as `token_cutoffs`, or alpha has another shape.
    Source: report app.C: at least the total score of any assignment with k experts a token, q tokens an expert.
    """
    scores, beta, k = _checked(scores, beta, k)
    m, n = scores.shape
    alpha = as_float("alpha", alpha)
    has_shape("alpha", alpha, (m,))
    slack = np.maximum(0.0, scores - alpha[:, None] - beta)
    return float(np.sum(slack) + k * np.sum(alpha) + expert_share(m, n, k) * np.sum(beta))


def sign_balance_step(scores: npt.ArrayLike, bias: npt.ArrayLike, k: int, step: float) -> Float:
    """Move each bias by a fixed step against its expert's load: the older rule, for comparison.

    Args:
        scores: (m, n).
        bias: (n,).
        k: 1 to n-1.
        step: at least 0.

    Returns:
        (n,): bias + step * sign(q - load), not centred.

    Raises:
        InputError: as `token_cutoffs`, or the step is below 0.
    Source: the sign rule of auxiliary-loss-free balancing. Not K3's rule.
    """
    scores, bias, k = _checked(scores, bias, k)
    in_range("step", step, 0.0, 1e6)
    m, n = scores.shape
    return np.asarray(bias + step * np.sign(expert_share(m, n, k) - expert_loads(scores, bias, k)))


def centred_bias(bias: npt.ArrayLike) -> Float:
    """Take the mean away: a bias common to all experts changes no choice.

    Args:
        bias: (n,).

    Returns:
        (n,) float64.

    Raises:
        InputError: not a vector of finite numbers.
    Source: report §2.3.3 eq.14.
    """
    bias = as_float("bias", bias, ndim=1)
    return np.asarray(bias - np.mean(bias))


def _nth_largest(columns: Float, rank: int) -> Float:
    """Return the (rank+1)-th largest of every column."""
    return np.asarray(-np.sort(-columns, axis=0)[rank])


def _checked(scores: npt.ArrayLike, bias: npt.ArrayLike, k: int) -> tuple[Float, Float, int]:
    scores, bias = as_float("scores", scores, ndim=2), as_float("bias", bias)
    in_range("scores", scores, 0.0, 1.0)
    has_shape("bias", bias, scores.shape[1:])
    as_count("tokens", len(scores), 1)
    return scores, bias, as_count("k", k, 1, scores.shape[1] - 1)
