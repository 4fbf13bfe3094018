"""Gate and convolution step against k3core."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from gpu import arithmetic as a
from gpu.launching import InOut, Out, launch
from gpu.suite import Array, Compiled, Limits, Mechanism, Mutation, judge
from gpu.witnesses.situ import sigmoid

from k3core.gates import bounded_log_decay
from k3core.shortconv import projected_heads, short_conv

ULPS = 64
"""On a device: an exponential off by two units inside a sigmoid, times a rate; sixteen such terms are summed."""
LOWEST, EPS = np.float32(-5), np.float32(1e-6)


def gate_case(spread: float, *lengths: int, rate: float = 0.3, H: int = 2, K: int = 5) -> Callable[[Any], float]:
    """Packed sequences of logits with standard deviation `spread`."""

    def run(kernels: Any) -> float:
        T, rng = sum(lengths), np.random.default_rng(sum(lengths))
        logit = np.asarray(rng.normal(size=(T, H, K)) * spread, np.float32)
        bias = np.asarray(rng.normal(size=(H, K)), np.float32)
        log_rate = np.asarray(rng.normal(size=H) * rate, np.float32)
        bounds = np.asarray(np.cumsum([0, *lengths]), np.int32)
        arguments = (logit, bias, log_rate, LOWEST, bounds, Out((T, H, K)), Out((T, H, K)))
        decay, summed = launch(kernels.gate_cumulative, (len(lengths) * H, -(-K // 4)), 4, *arguments)
        mirrored = LOWEST * sigmoid(a.exp(log_rate)[:, None] * (logit + bias))
        truth = bounded_log_decay(logit, bias, log_rate)
        with np.errstate(over="ignore"):
            plain = LOWEST / (1 + np.exp(-np.exp(log_rate)[:, None] * (logit + bias)))
        sums = [chunk_sums(array, bounds) for array in (mirrored, truth, plain)]
        return max(judge(decay, mirrored, truth, plain, ulps=ULPS), judge(summed, *sums, ulps=ULPS))

    return run


def chunk_sums(decay: Array, bounds: Array) -> Array:
    """Running sums in the array's own precision, anew every sixteen tokens of a sequence."""
    sums = np.empty_like(decay)
    for start, stop in pairwise(bounds):
        for t in range(start, stop):
            # the kernel adds the first one to zero, which loses the sign of a zero
            sums[t] = decay[t] + (0 if (t - start) % 16 == 0 else sums[t - 1])
    return sums


def conv_case(spread: float, N: int, H: int, K: int, normed: int) -> Callable[[Any], float]:
    """One token for each of N sequences, as many heads scaled as `normed` says."""

    def run(kernels: Any) -> float:
        rng = np.random.default_rng(N * K)
        x = np.asarray(rng.normal(size=(N, H, K)) * spread, np.float32)
        history = np.asarray(rng.normal(size=(N, 3, H, K)) * spread, np.float32)
        weight = np.asarray(rng.normal(size=(H, K, 4)), np.float32)
        threads = 1 << (K - 1).bit_length()
        arguments = (x, weight, EPS, normed, InOut(history), Out((N, H, K)))
        after, out = launch(kernels.conv_step, N * H, threads, *arguments)
        seen = np.concatenate([history, x[:, None]], axis=1)  # (N, 4, H, K)
        mirrored = mirrored_conv(seen, weight, normed, threads)
        truth = np.stack([true_conv(rows, weight, normed) for rows in seen])
        plain = np.einsum("nwhk,hkw->nhk", seen, weight)
        with np.errstate(over="ignore"):
            plain = plain / (1 + np.exp(-plain))
        scaled = plain / np.sqrt(np.sum(plain * plain, axis=-1, keepdims=True) + EPS)
        plain = np.where(np.arange(H)[:, None] < normed, scaled, plain)
        if not np.array_equal(after, seen[:, 1:]):
            raise AssertionError("bits differ: the history is not the last three inputs")
        return judge(out, mirrored, truth, plain, ulps=ULPS)

    return run


def mirrored_conv(seen: Array, weight: Array, normed: int, threads: int) -> Array:
    """Round where the kernel rounds: taps in order, squares in halves."""
    total = weight[..., 0] * seen[:, 0]
    for tap in range(1, 4):
        total = total + weight[..., tap] * seen[:, tap]
    active = total * sigmoid(total)
    squares = np.zeros((*active.shape[:-1], threads), np.float32)
    squares[..., : active.shape[-1]] = active * active
    scaled = active / a.sqrt(a.in_halves(squares) + EPS)[..., None]
    return np.asarray(np.where(np.arange(active.shape[1])[:, None] < normed, scaled, active))


def true_conv(seen: Array, weight: Array, normed: int) -> Array:
    """k3core's convolution, activation and norm of the last of four tokens (4, H, K)."""
    H, K = seen.shape[1:]
    convolved = short_conv(seen[3:].reshape(1, H * K), weight.reshape(H * K, 4), seen[:3].reshape(3, H * K)).output
    unit, raw = projected_heads(convolved, H, normalise=True)[0], projected_heads(convolved, H, normalise=False)[0]
    return np.concatenate([unit[:normed], raw[normed:]])


ROWS = "f4[:,:,::1]"
GATE = Mechanism(
    name="gate",
    module="gpu.kernels.inputs",
    cases={
        **{f"t{T}": gate_case(2.0, T) for T in (1, 15, 16, 17, 60, 63, 80)},
        "t1000": gate_case(2.0, 1000, H=1, K=3),
        "packed": gate_case(2.0, 0, 3, 0, 17, 16),
        "saturated": gate_case(60.0, 33, rate=2.0),
        "forgets-nothing": gate_case(0.0, 17, rate=0.0, K=128, H=1),
    },
    kernels=[
        Compiled("gate_cumulative", f"{ROWS} f4[:,::1] f4[::1] f4 i4[::1] {ROWS} {ROWS}", Limits(40)),
    ],
    mutations=[
        Mutation(
            "bias after the rate",
            "mul(rate, logit[t, h, k] + bias[h, k])",
            "mul(rate, logit[t, h, k]) + bias[h, k]",
            "t17",
        ),
        Mutation("chunks counted from the first sequence", "(t - bounds[n]) % CHUNK", "t % CHUNK", "packed"),
        Mutation("heads swapped", "exp(log_rate[h])", "exp(log_rate[1 - h])", "t17"),
        Mutation("sum never starts anew", "% CHUNK == 0", "% 1024 == 0", "t17"),
    ],
)
CONV = Mechanism(
    name="conv-step",
    module="gpu.kernels.inputs",
    cases={
        **{f"k{K}": conv_case(1.0, 2, 3, K, 2) for K in (1, 15, 16, 17, 60, 63, 80)},
        "widest": conv_case(1.0, 1, 2, 128, 1),
        "zeros": conv_case(0.0, 2, 3, 5, 2),
        "short": conv_case(1e-4, 2, 3, 5, 2),
        "long": conv_case(1e3, 2, 3, 5, 2),
    },
    kernels=[
        Compiled("conv_step", f"{ROWS} {ROWS} f4 i8 f4[:,:,:,::1] {ROWS}", Limits(40, 512)),
    ],
    mutations=[
        Mutation(
            "taps backwards",
            "mul(weight[h, k, 0], history[n, 0, h, k])",
            "mul(weight[h, k, 3], history[n, 0, h, k])",
            "k17",
        ),
        Mutation(
            "history not moved", "history[n, 2, h, k] = x[n, h, k]", "history[n, 2, h, k] = history[n, 1, h, k]", "k17"
        ),
        Mutation("values scaled too", "if h < normed else active", "if h <= normed else active", "k17"),
        Mutation("no barrier between halves", "while half > 0:\n        cuda.syncthreads()", "while half > 0:", "k17"),
        Mutation("no barrier after the sum", "half //= 2\n    cuda.syncthreads()", "half //= 2", "k17"),
    ],
)
