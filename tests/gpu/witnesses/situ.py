"""SiTU-GLU against k3core: ordinary and saturated inputs, zeros, and the backward pass."""

from collections.abc import Callable
from typing import Any

import numpy as np
from gpu import arithmetic as a
from gpu.launching import Out, launch
from gpu.suite import Array, Compiled, Limits, Mechanism, Mutation, judge

from k3core.situ import situ_glu, situ_glu_gradients

ULPS = 16
"""On a device: two tangents and an exponential, each off by up to two units, and the products after them."""
F1, F4, F25 = np.float32(1), np.float32(4), np.float32(25)


def sigmoid(x: Array) -> Array:
    """Mirror the kernels' sigmoid."""
    small = a.exp(-np.abs(x))
    return np.asarray(np.where(x >= 0, F1, small) / (F1 + small))


def mirrored_forward(gate: Array, up: Array) -> Array:
    """Round where the forward kernel rounds."""
    return np.asarray(F4 * a.tanh(gate / F4) * sigmoid(gate) * (F25 * a.tanh(up / F25)))


def mirrored_backward(gate: Array, up: Array, slope: Array) -> tuple[Array, Array]:
    """Round where the backward kernel rounds."""
    t, s, flat = a.tanh(gate / F4), sigmoid(gate), a.tanh(up / F25)
    by_gate = slope * (((F1 - t * t) * s + F4 * (t * s) * (F1 - s)) * (F25 * flat))
    return by_gate, slope * (F4 * (t * s) * (F1 - flat * flat))


def plain_forward(gate: Array, up: Array) -> Array:
    """The formula as one would write it in float32."""
    with np.errstate(over="ignore"):
        return np.asarray(F4 * np.tanh(gate / F4) / (F1 + np.exp(-gate)) * F25 * np.tanh(up / F25))


def plain_backward(gate: Array, up: Array, slope: Array) -> tuple[Array, Array]:
    """The derivatives as one would write them in float32."""
    with np.errstate(over="ignore"):
        t, s, flat = np.tanh(gate / F4), F1 / (F1 + np.exp(-gate)), np.tanh(up / F25)
    by_gate = slope * ((F1 - t * t) * s + F4 * t * s * (F1 - s)) * F25 * flat
    return by_gate, slope * F4 * t * s * (F1 - flat * flat)


def case(n: int, spread: float) -> Callable[[Any], float]:
    """Forward and backward over n elements of standard deviation `spread`."""

    def run(kernels: Any) -> float:
        rng = np.random.default_rng(n)
        gate, up, slope = (np.asarray(rng.normal(size=n) * width, np.float32) for width in (spread, 6 * spread, 1.0))
        grid, block = max(1, -(-n // 16)), 16
        (out,) = launch(kernels.situ_forward, grid, block, gate, up, Out((n,)))
        by_gate, by_up = launch(kernels.situ_backward, grid, block, gate, up, slope, Out((n,)), Out((n,)))
        truth = [np.float64(slope) * share for share in situ_glu_gradients(gate, up)]
        mirrored, plain = mirrored_backward(gate, up, slope), plain_backward(gate, up, slope)
        return max(
            judge(out, mirrored_forward(gate, up), situ_glu(gate, up), plain_forward(gate, up), ulps=ULPS),
            judge(by_gate, mirrored[0], truth[0], plain[0], ulps=ULPS),
            judge(by_up, mirrored[1], truth[1], plain[1], ulps=ULPS),
        )

    return run


SITU = Mechanism(
    name="situ-glu",
    module="gpu.kernels.situ",
    cases={
        **{f"n{n}": case(n, 2.0) for n in (0, 1, 15, 16, 17, 60, 63, 80, 1000)},
        "zeros": case(17, 0.0),
        "saturated": case(33, 60.0),
    },
    kernels=[
        Compiled("situ_forward", "f4[::1] f4[::1] f4[::1]", Limits(32)),
        Compiled("situ_backward", "f4[::1] f4[::1] f4[::1] f4[::1] f4[::1]", Limits(32)),
    ],
    mutations=[
        Mutation(
            "no cap on the up branch", "mul(bounded, mul(UP_BETA, tanh(div(u, UP_BETA))))", "mul(bounded, u)", "n17"
        ),
        Mutation("the neighbour's gate", "g, u = gate[i], up[i]", "g, u = gate[i - 1], up[i]", "n17"),
        Mutation("one thread too many", "if i < out.shape[0]:", "if i <= out.shape[0]:", "n15"),
        Mutation("half of the gate's slope", "mul(rising + turning,", "mul(rising,", "n17"),
    ],
)
