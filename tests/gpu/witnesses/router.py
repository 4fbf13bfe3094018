"""Router, counts and quantile against k3core: choices exactly, weights and biases to rounding."""

from collections.abc import Callable
from typing import Any

import numpy as np
from comparers import assert_same_bits
from gpu.launching import InOut, Out, launch
from gpu.suite import Array, Compiled, Limits, Mechanism, Mutation, judge
from gpu.target import SIMULATED
from gpu.witnesses.situ import sigmoid

from k3core.quantile_balancing import Histogram, qb_histogram_update
from k3core.routing import route_tokens

ULPS = 16
"""On a device: a sigmoid off by a few units, and a sum of up to sixteen."""


def route_case(
    T: int, n: int, k: int, *, spread: float = 1.0, tilt: float = 0.1, tied: bool = False
) -> Callable[[Any], float]:
    """T tokens, k of n experts, biases of standard deviation `tilt`."""

    def run(kernels: Any) -> float:
        rng = np.random.default_rng(n)
        logits = np.asarray(rng.normal(size=(T, n)) * spread, np.float32)
        if tied:
            logits = np.round(logits)
        bias = np.asarray(np.round(rng.normal(size=n) * tilt * 64) / 64, np.float32)
        arguments = (logits, bias, np.float32(1), Out((T, k), np.int32), Out((T, k)), Out((T,)))
        experts, weights, cutoffs = launch(kernels.route, max(T, 1), 8 if n < 100 else 64, *arguments)
        scores = sigmoid(logits)
        order = np.argsort(-(scores + bias), axis=1, kind="stable")
        picked = np.take_along_axis(scores, order[:, :k], axis=1)
        if SIMULATED:
            # on a device a sigmoid's last place may swap two near equals; the weights below still hold
            assert_same_bits(experts, np.asarray(order[:, :k], np.int32))
        total = np.zeros(T, np.float32)
        for place in range(k):
            total = total + picked[:, place]
        mirrored = picked / (total + np.float32(1e-20))[:, None] * np.float32(1)
        plain = picked / (picked.sum(axis=1, keepdims=True) + np.float32(1e-20))
        truth = route_tokens(scores, bias, k)
        biased = np.take_along_axis(scores + bias, order[:, k : k + 1], axis=1)[:, 0]
        exact = np.take_along_axis(np.float64(scores) + bias, order[:, k : k + 1], axis=1)[:, 0]
        return max(
            judge(weights, mirrored, truth.weights, plain, ulps=ULPS),
            judge(cutoffs, biased, exact, biased, ulps=ULPS),
        )

    return run


def balance_case(T: int, n: int, B: int, k: int, *, tilt: float = 0.1, steps: float = 0.0) -> Callable[[Any], float]:
    """T tokens' scores, whole multiples of 1 / `steps` where given, counted in B bins; the quantile of the counts."""

    def run(kernels: Any) -> float:
        rng = np.random.default_rng(T * n)
        scores: Array = np.asarray(rng.random((T, n)), np.float32)
        if steps:
            scores = np.round(scores * np.float32(steps)) / np.float32(steps)
        bias = np.asarray(rng.normal(size=n) * tilt, np.float32)
        cutoffs = -np.sort(-(scores + bias), axis=1)[:, k]
        low, share = bias.min() - np.float32(1), np.float32(T * k / n)
        width = (bias.max() - bias.min() + np.float32(2)) / np.float32(B)
        grid = -(-T * n // 16)
        (counts,) = launch(kernels.qb_count, grid, 16, scores, cutoffs, low, width, InOut(np.zeros((n, B), np.int32)))
        assert_same_bits(counts, counted(scores, cutoffs, low, width, B))
        (found,) = launch(kernels.qb_quantile, 1, 8, counts, share, low, width, Out((n,)))
        truth = qb_histogram_update(Histogram(float(low), float(width), counts.astype(np.int64)), k)
        values = quantiles(counts, share, low, width)
        total = np.float32(0)
        for value in values:
            total = total + value
        plain = values - values.mean()
        return judge(found, values - total / np.float32(n), truth, plain, ulps=ULPS)

    return run


def counted(scores: Array, cutoffs: Array, low: np.float32, width: np.float32, B: int) -> Array:
    """Count in the kernel's rounding."""
    bins = np.clip(np.floor((cutoffs[:, None] - scores - low) / width).astype(np.int64), 0, B - 1)  # (T, n)
    counts = np.zeros((scores.shape[1], B), np.int32)
    for row in bins:
        counts[np.arange(len(counts)), row] += 1
    return counts


def quantiles(counts: Array, share: np.float32, low: np.float32, width: np.float32) -> Array:
    """Find where the counts reach the share, in the kernel's rounding."""
    running = np.cumsum(counts, axis=1)
    bin_of = np.argmax(running >= share, axis=1)
    inside = np.take_along_axis(counts, bin_of[:, None], axis=1)[:, 0]
    before = np.float32(np.take_along_axis(running, bin_of[:, None], axis=1)[:, 0] - inside)
    return np.asarray(low + (np.float32(bin_of) + (share - before) / np.float32(inside)) * width)


ROUTER = Mechanism(
    name="router",
    module="gpu.kernels.router",
    cases={
        **{f"n{n}": route_case(3, n, 4) for n in (15, 16, 17, 60, 63, 80)},
        "k3": route_case(1, 896, 16),
        "ties": route_case(3, 33, 8, tied=True, tilt=0.0),
        "saturated": route_case(3, 33, 8, spread=60.0),
        "tiny-scores": route_case(3, 17, 4, spread=8.0, tilt=4.0),
    },
    kernels=[Compiled("route", "f4[:,::1] f4[::1] f4 i4[:,::1] f4[:,::1] f4[::1]", Limits(48, 8320))],
    mutations=[
        Mutation("weighed by biased scores", "total += scores[chosen[other]]", "total += biased[chosen[other]]", "n17"),
        Mutation("the bias left out of the choice", "biased[e] = scores[e] + bias[e]", "biased[e] = scores[e]", "n17"),
        Mutation("of equals the last", "and other < e", "and other > e", "ties"),
        Mutation("the cutoff one rank too high", "elif rank == k:", "elif rank == k + 1:", "n17"),
        Mutation(
            "no barrier after the scores", "scores[e] + bias[e]\n    cuda.syncthreads()", "scores[e] + bias[e]", "n17"
        ),
        Mutation(
            "no barrier after the choice", "cutoffs[t] = mine\n    cuda.syncthreads()", "cutoffs[t] = mine", "n17"
        ),
    ],
    large={"k3": route_case(80, 896, 16)},
)
BALANCE = Mechanism(
    name="quantile-balancing",
    module="gpu.kernels.balance",
    cases={
        **{f"t{T}": balance_case(T, 5, 20, 2) for T in (1, 15, 16, 17, 60, 63, 80)},
        "t1000": balance_case(1000, 4, 50, 1),
        "k3-bins": balance_case(9, 8, 1000, 2),
        "edges": balance_case(16, 5, 20, 2, steps=1.0, tilt=0.0),
    },
    kernels=[
        Compiled("qb_count", "f4[:,::1] f4[::1] f4 f4 i4[:,::1]", Limits(32)),
        Compiled("qb_quantile", "i4[:,::1] f4 f4 f4 f4[::1]", Limits(40, 4096)),
    ],
    mutations=[
        Mutation("score less cutoff", "cutoffs[t] - scores[t, e] - low", "scores[t, e] - cutoffs[t] - low", "t17"),
        Mutation("last bin not kept inside", "counts.shape[1] - 1)", "counts.shape[1])", "edges"),
        Mutation(
            "addition not atomic",
            "cuda.atomic.add(counts, (e, max(0, min(bin_of, counts.shape[1] - 1))), 1)",
            "counts[e, max(0, min(bin_of, counts.shape[1] - 1))] = 1",
            "t17",
        ),
        Mutation("not centred", "found[e] - div(total, np.float32(n))", "found[e]", "t17"),
        Mutation("no interpolation", "np.float32(bin_of) + inside", "np.float32(bin_of)", "t17"),
        Mutation("no barrier before the mean", "inside, width)\n    cuda.syncthreads()", "inside, width)", "t17"),
    ],
)
