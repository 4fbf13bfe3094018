"""Composition of segments against k3core, on segments that tokens made."""

from collections.abc import Callable
from typing import Any

import numpy as np
from gpu.launching import Out, launch
from gpu.suite import Array, Compiled, Limits, Mechanism, Mutation, judge
from gpu.witnesses.chunk import products
from gpu.worlds import ADVERSARIAL, cut, world

from k3core.kcp import KcpSegment, compose_segments, segment_by_steps

ULPS = 0
"""Sums and products only, each rounded as written: a device gives the same bits."""


def mirrored(late: KcpSegment, early: KcpSegment) -> tuple[Array, Array]:
    """Round where the kernel rounds; the last tile's padding adds zeros, which change no bit but a zero's sign."""
    joined = products(late.transition, early.transition) + np.float32(0)
    return joined, products(late.transition, early.state) + np.float32(0) + late.state


def single(segment: KcpSegment) -> KcpSegment:
    """The segment in float32."""
    return KcpSegment(*(np.asarray(panel, np.float32) for panel in segment))


def compose_case(kind: str, first: int, second: int, **shape: int) -> Callable[[Any], float]:
    """Two segments of the given numbers of tokens."""

    def run(kernels: Any) -> float:
        whole = world(kind, first + second, **shape)
        early = single(segment_by_steps(cut(whole, slice(first))))
        late = single(segment_by_steps(cut(whole, slice(first, None))))
        H, K, V = early.state.shape
        grid = (H, -(-K // 16), -(-(K + V) // 16))
        arguments = (*late, *early, Out((H, K, K)), Out((H, K, V)))
        joined, state = launch(kernels.kcp_compose, grid, (16, 16), *arguments)
        mirror = mirrored(late, early)
        truth = compose_segments(*(KcpSegment(*(panel.astype(np.float64) for panel in part)) for part in (early, late)))
        plain = (late.transition @ early.transition, late.transition @ early.state + late.state)
        return max(
            judge(joined, mirror[0], truth.transition, plain[0], ulps=ULPS),
            judge(state, mirror[1], truth.state, plain[1], ulps=ULPS),
        )

    return run


PANELS = "f4[:,:,::1] f4[:,:,::1]"
COMPOSE = Mechanism(
    name="kcp-compose",
    module="gpu.kernels.kcp",
    cases={
        **{kind: compose_case(kind, 3, 4) for kind in ("ordinary", *ADVERSARIAL)},
        "empty-first": compose_case("ordinary", 0, 3),
        "empty-second": compose_case("ordinary", 3, 0),
        **{f"k{K}": compose_case("ordinary", 3, 4, H=1, K=K, V=2) for K in (1, 15, 16)},
        "tiles": compose_case("ordinary", 3, 4, H=1, K=17, V=15),
    },
    kernels=[Compiled("kcp_compose", f"{PANELS} {PANELS} {PANELS}", Limits(40, 2048))],
    mutations=[
        Mutation(
            "the earlier factor on the left", "late[h, row, start + x] if", "early[h, row, start + x] if", "ordinary"
        ),
        Mutation(
            "states added", "column - K] = total +", "column - K] = early_state[h, row, column - K] +", "ordinary"
        ),
        Mutation("no barrier before the product", "cuda.syncthreads()\n        for m", "for m", "ordinary"),
        Mutation("no barrier after the product", "right[m, x])\n        cuda.syncthreads()", "right[m, x])", "tiles"),
        Mutation("one tile only", "range(0, K, TILE)", "range(0, TILE, TILE)", "tiles"),
    ],
)
