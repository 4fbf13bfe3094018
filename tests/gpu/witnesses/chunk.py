"""The chunk kernel against k3core's recurrence, and the FP16 series that repeated keys break."""

from collections.abc import Callable
from typing import Any

import numpy as np
from comparers import assert_same_bits, error_ratio
from gpu import arithmetic as a
from gpu.launching import InOut, Out, launch
from gpu.suite import Array, Compiled, Limits, Mechanism, Mutation, judge
from gpu.target import SIMULATED
from gpu.witnesses.kda import recurrent
from gpu.worlds import ADVERSARIAL, World, cut, world

from k3core.chunk import kda_chunked
from k3core.kda import KdaResult

CHUNK = 16
ULPS = 4096
"""As for the scan."""
Untangle = Callable[[Array, Array], Array]


def products(left: Array, right: Array) -> Array:
    """Multiply (..., i, m) by (..., m, j), adding in the order of m, each step rounded."""
    total = np.zeros((*left.shape[:-1], right.shape[-1]), np.float32)
    for m in range(left.shape[-1]):
        total = total + left[..., m, None] * right[..., m, None, :]
    return total


def solved(lower: Array, pseudo: Array) -> Array:
    """Forward substitution, row by row, in the kernel's order."""
    done = pseudo.copy()
    for i in range(1, pseudo.shape[1]):
        for j in range(i):
            done[:, i] = done[:, i] - lower[:, i, j, None] * done[:, j]
    return done


def series(lower: Array, pseudo: Array) -> Array:
    """The doubling series with every product in FP16; a short chunk is padded with zeros."""
    rows = lower.shape[1]
    power = np.zeros((len(lower), CHUNK, CHUNK), np.float32)
    power[:, :rows, :rows] = a.to_fp16(lower)
    inverse = np.eye(CHUNK, dtype=np.float32) - power
    for _ in range(3):
        power = a.to_fp16(products(power, power))
        inverse = a.to_fp16(inverse + a.to_fp16(products(inverse, power)))
    # the kernel's sum stops at the diagonal, beyond which stand zeros
    return products(inverse[:, :rows, :rows], pseudo)


def mirrored_chunk(part: Any, state: Array, scale: np.float32, untangle: Untangle) -> tuple[Array, Array]:
    """Round where the kernel rounds, one chunk: output (C, H, V) and state (H, K, V)."""
    query, key, value, log_decay, beta = (array.swapaxes(0, 1) for array in part)
    totals = np.zeros_like(log_decay)  # (H, C, K)
    running = np.zeros_like(log_decay[:, 0])
    for i in range(totals.shape[1]):
        running = running + log_decay[:, i]
        totals[:, i] = running
    decay, end = a.exp(totals), totals[:, -1:]
    keys, grown, queries = key * decay, key * a.exp(-totals), query * scale * decay
    lower = np.tril(beta[..., None] * products(keys, grown.swapaxes(1, 2)), -1)
    attend = np.tril(products(queries, grown.swapaxes(1, 2)))
    pseudo = untangle(lower, beta[..., None] * (value - products(keys, state)))
    out = products(queries, state)
    for i in range(out.shape[1]):
        for j in range(i + 1):
            out[:, i] = out[:, i] + attend[:, i, j, None] * pseudo[:, j]
    restored, after = key * a.exp(end - totals), a.exp(end)[:, 0, :, None] * state
    for i in range(out.shape[1]):
        after = after + restored[:, i, :, None] * pseudo[:, i, None]
    return out.swapaxes(0, 1), after


def mirrored(whole: World, untangle: Untangle) -> KdaResult:
    """Round where the kernel rounds, all sequences."""
    out, states = np.empty_like(whole.tokens.value), []
    for tokens, start in whole.sequences:
        state = start
        for first in range(tokens.start, tokens.stop, CHUNK):
            rows = slice(first, min(first + CHUNK, tokens.stop))
            out[rows], state = mirrored_chunk(cut(whole, rows), state, whole.scale, untangle)
        states.append(state)
    return KdaResult(out, np.stack(states))


def plain(whole: World) -> KdaResult:
    """k3core's chunks in float32."""
    runs = [
        kda_chunked(*cut(whole, tokens), state=state, scale=float(whole.scale), dtype="float32")
        for tokens, state in whole.sequences
    ]
    return KdaResult(np.concatenate([run.output for run in runs]), np.stack([run.state for run in runs]))


def launched(kernel: Any, whole: World, threads: int) -> KdaResult:
    """Run a chunk kernel."""
    N, H, _, V = whole.state.shape
    arguments = (*whole.tokens, whole.scale, whole.bounds, InOut(whole.state), Out(whole.tokens.value.shape))
    state, out = launch(kernel, (N * H, -(-V // 16)), threads, *arguments)
    return KdaResult(out, state)


def chunk_case(kind: str, *lengths: int, threads: int = 24, **shape: int) -> Callable[[Any], float]:
    """The kernel with its triangular solve."""

    def run(kernels: Any) -> float:
        whole = world(kind, *lengths, **shape)
        found, mirror = launched(kernels.kda_chunk, whole, threads), mirrored(whole, solved)
        truth, floor = recurrent(whole, "float64"), plain(whole)
        return max(
            judge(found.output, mirror.output, truth.output, floor.output, ulps=ULPS),
            judge(found.state, mirror.state, truth.state, floor.state, ulps=ULPS),
        )

    return run


def series_case(kind: str, T: int, low: float, high: float) -> Callable[[Any], float]:
    """The specimen: bit-equal to its mirror, and as wrong as `low` to `high` says."""

    def run(kernels: Any) -> float:
        whole = world(kind, T)
        found, mirror = launched(kernels.kda_chunk_neumann, whole, 24), mirrored(whole, series)
        if SIMULATED:
            assert_same_bits(found.output, mirror.output)
        ratio = error_ratio(found.output, recurrent(whole, "float64").output)
        if not low <= ratio <= high:
            raise AssertionError(f"error ratio {ratio:.3e}, expected {low:g} to {high:g}")
        return ratio

    return run


TYPES = "f4[:,:,::1] f4[:,:,::1] f4[:,:,::1] f4[:,:,::1] f4[:,::1] f4 i4[::1] f4[:,:,:,::1] f4[:,:,::1]"
CHUNKS = Mechanism(
    name="kda-chunk",
    module="gpu.kernels.chunk",
    cases={
        **{f"t{T}": chunk_case("ordinary", T) for T in (1, 15, 16, 17, 60, 63, 80)},
        **{kind: chunk_case(kind, 33) for kind in ADVERSARIAL},
        "packed": chunk_case("ordinary", 0, 3, 0, 17, 13, 0),
        "wide": chunk_case("ordinary", 18, threads=32, H=1, K=128, V=17),
    },
    kernels=[Compiled("kda_chunk", TYPES, Limits(128, 44544))],
    mutations=[
        Mutation("heads swapped", "value[start + i, h, v] - recall", "value[start + i, 1 - h, v] - recall", "t17"),
        Mutation("decay dropped", "total = mul(kept[k], tile[k, x])", "total = tile[k, x]", "t17"),
        Mutation("token shifted", "mul(key[start + i, h, k], decay)", "mul(key[start + i - 1, h, k], decay)", "t17"),
        Mutation("state transposed", "state[n, h, k, first + x] if", "state[n, h, first + x, k] if", "t17"),
        Mutation("no solve", "            pseudo[i, x] = left", "            pseudo[i, x] = pseudo[i, x]", "t17"),
        Mutation(
            "reads the token's future",
            "for j in range(i + 1):\n                total += mul(attend",
            "for j in range(rows):\n                total += mul(attend",
            "t17",
        ),
        Mutation(
            "neighbour's tokens in the tail",
            "rows = min(CHUNK, bounds[n + 1] - start)",
            "rows = min(CHUNK, out.shape[0] - start)",
            "packed",
        ),
        *(
            Mutation(f"no barrier before {after}", f"cuda.syncthreads()\n            {after}(", f"{after}(", "t17")
            for after in ("_products", "untangle", "_read", "_advance")
        ),
        Mutation(
            "no barrier at the end",
            "pseudo, tile)\n            cuda.syncthreads()\n        for",
            "pseudo, tile)\n        for",
            "t17",
        ),
    ],
    large={kind: chunk_case(kind, 1, 60, 19, threads=128, H=2, K=128, V=128) for kind in ("ordinary", *ADVERSARIAL)},
)
SERIES = Mechanism(
    name="kda-chunk-fp16-series",
    module="gpu.kernels.chunk",
    cases={
        "ordinary": series_case("ordinary", 33, 1e-6, 1e-2),
        "repeated": series_case("repeated", 80, 0.1, np.inf),
    },
    kernels=[Compiled("kda_chunk_neumann", TYPES, Limits(128, 48640))],
    mutations=[
        Mutation("the series in float32", "to_fp16(total)", "total", "repeated"),
        Mutation("one doubling too few", "for _ in range(3):", "for _ in range(2):", "ordinary"),
        Mutation(
            "no barrier between product and store",
            "to_fp16(total)\n    cuda.syncthreads()",
            "to_fp16(total)",
            "ordinary",
        ),
    ],
)
