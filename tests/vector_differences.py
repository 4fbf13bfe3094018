"""Why a function of the numerics may end on another last digit in another engine, and by how much at most."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from vector_parity import Difference


@dataclass(frozen=True)
class Reason:
    """A source of differences."""

    limit: float
    """Units in the last place that it may cost, the arguments being the same to the bit."""
    en: str
    zh: str


REASONS = {
    "exponential": Reason(
        8,
        "exponentials and hyperbolic tangents: vector instructions here, the C library's routine in WebAssembly",
        "指数和双曲正切：这边用向量指令，WebAssembly 里用 C 库的例程",
    ),
    "sum": Reason(
        256,
        "sums of products taken in another order: a blocked BLAS here, plain loops in WebAssembly",
        "乘积求和的次序不同：这边是分块的 BLAS，WebAssembly 里是普通循环",
    ),
    "both": Reason(256, "exponentials and the order of sums, together", "指数与求和次序两者兼有"),
    "iteration": Reason(
        256,
        "the order of sums, enlarged by five Newton-Schulz steps at the smallest singular values",
        "求和次序不同，再经五步 Newton-Schulz 迭代，在最小的奇异值上放大",
    ),
    "series": Reason(
        256,
        "large terms that cancel, so that the series enlarges what its arguments differ by",
        "很大的项相互抵消，级数因此放大了参数之间的差异",
    ),
    "factorisation": Reason(
        256,
        "a singular value decomposition by another build of LAPACK",
        "奇异值分解由另一份 LAPACK 完成",
    ),
}
REASON_OF = {
    "attnres_block": "both",
    "attnres_mix": "both",
    "bounded_log_decay": "exponential",
    "compose_segments": "sum",
    "halved_inverse": "sum",
    "incoming_states": "sum",
    "kda_chunked": "both",
    "kda_recurrent": "both",
    "kda_step": "both",
    "l2norm": "sum",
    "mla_absorbed": "both",
    "mla_expanded": "both",
    "moe_layer": "both",
    "moe_layer_naive": "both",
    "neumann_inverse": "series",
    "newton_schulz": "iteration",
    "per_head_update": "iteration",
    "polar_factor": "factorisation",
    "prefix_segments": "sum",
    "projected_heads": "both",
    "record_draft": "both",
    "replay_draft": "both",
    "rmsnorm": "sum",
    "route_tokens": "both",
    "router_scores": "both",
    "segment_by_steps": "both",
    "sigmoid": "exponential",
    "silu": "exponential",
    "situ_gate": "exponential",
    "situ_glu": "exponential",
    "situ_glu_gradients": "exponential",
    "situ_mlp": "both",
    "situ_up": "exponential",
    "softmax": "both",
    "substituted_inverse": "sum",
}
"""Functions that round where engines may round differently; every other one returns the same bits for the same bits."""
INHERITED_LIMIT = 2**14
"""Units in the last place that may come of arguments that differ already; about four parts in a million million."""


def beyond_limits(found: Mapping[str, Difference]) -> Iterator[str]:
    """Name each function that differs by more than its reason allows."""
    for name, difference in found.items():
        limit = REASONS[REASON_OF[name]].limit if name in REASON_OF else 0.0
        if difference.own_ulp > limit or difference.inherited_ulp > INHERITED_LIMIT:
            yield f"{name}: {max(difference.own_ulp, difference.inherited_ulp):.3g} ulp"
