"""Chunkwise KDA: the recurrence regrouped into matrix products, chunk by chunk."""

import math
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from k3core.guards import Array, InputError, as_count, in_range, one_of
from k3core.kda import KdaResult, KdaTokens, as_scale, check_state, check_tokens
from k3core.triangular import INVERSES

EXPONENTIALS = ("anchored", "direct")
"""Factors around a common anchor, as matrix products need; or each difference on its own, slow and safe."""
ANCHOR_RATE = 5.0
"""Log-decay per token for which the two anchored factors are equally far from 1; K3's bound."""
LONGEST_CHUNK = 1024
"""A longer chunk would cost more than the scan it replaces."""


class _Chunks(NamedTuple):
    """Tokens cut into N chunks of C, padded with zeros; heads before tokens so that products are dense."""

    query: Array
    """(N, H, C, K), scaled."""
    key: Array
    """(N, H, C, K)."""
    value: Array
    """(N, H, C, V)."""
    log_decay: Array
    """(N, H, C, K), summed inside the chunk up to and including the token: G."""
    beta: Array
    """(N, H, C, 1)."""


def kda_chunked(
    query: npt.ArrayLike,
    key: npt.ArrayLike,
    value: npt.ArrayLike,
    log_decay: npt.ArrayLike,
    beta: npt.ArrayLike,
    *,
    state: npt.ArrayLike | None = None,
    scale: float | None = None,
    chunk: int = 16,
    inverse: str = "solve",
    exponentials: str = "anchored",
    anchor_rate: float = ANCHOR_RATE,
    dtype: str = "float64",
    threads: int = 1,
) -> KdaResult:
    """Compute what `kda_recurrent` computes, a chunk at a time.

    Args:
        query: (T, Hk, K), grouped as in `kda_recurrent`.
        key: (T, Hk, K).
        value: (T, H, V).
        log_decay: (T, H, K) natural log, at most 0.
        beta: (T, H) in [0, 1].
        state: (H, K, V) before the first token; zeros where none is given. Not changed.
        scale: finite; K^-1/2 where none is given.
        chunk: C, 1 to 1024 tokens; T need not be a multiple.
        inverse: `solve`, or `neumann` for the doubling series.
        exponentials: `anchored`, or `direct` for decays too steep to be split into two factors.
        anchor_rate: at least 0; where the anchor lies, a matter of range and not of the result.
        dtype: `float64`, or `float32` when speed is measured.
        threads: 1 to 64 groups of heads worked on at the same time; heads do not mix, so bits do not change.

    Returns:
        output (T, H, V) and state (H, K, V).

    Raises:
        InputError: as `kda_recurrent`; also where an anchored factor would leave the dtype's range.
    Source: report §2.1.1 eq.3-4. Exact: the algebra; the order of sums differs from the recurrence, so equality
    holds to rounding. Not claimed: the rounding points of a kernel.
    """
    tokens = check_tokens(query, key, value, log_decay, beta, dtype=dtype)
    memory = check_state(state, tokens)
    one_of("inverse", inverse, tuple(INVERSES))
    one_of("exponentials", exponentials, EXPONENTIALS)
    in_range("anchor_rate", anchor_rate, 0.0, 1e6)
    C = as_count("chunk", chunk, 1, LONGEST_CHUNK)
    T, H, _ = tokens.value.shape
    if T == 0:
        return KdaResult(np.empty_like(tokens.value), memory)
    factor = as_scale(scale, tokens.key.shape[-1])

    def work(heads: slice) -> KdaResult:
        cut = _cut(KdaTokens(*(array[:, heads] for array in tokens)), C, factor)
        similarity = _anchored(cut, anchor_rate) if exponentials == "anchored" else _direct(cut)
        return _run(cut, *similarity, memory[heads], inverse)

    groups = np.array_split(np.arange(H), min(as_count("threads", threads, 1, 64), H))
    parts = [slice(int(group[0]), int(group[-1]) + 1) for group in groups]
    if len(parts) == 1:
        output, final = work(parts[0])
        return KdaResult(output[:T], final)
    with ThreadPoolExecutor(len(parts)) as pool:
        results = list(pool.map(work, parts))
    outputs = np.concatenate([result.output[:T] for result in results], axis=1)
    return KdaResult(outputs, np.concatenate([result.state for result in results]))


def _cut(tokens: KdaTokens, C: int, scale: float) -> _Chunks:
    T = len(tokens.value)
    N = -(-T // C)

    def cut(array: Array) -> Array:
        # a padded token neither decays nor writes, so the state passes it unchanged
        full = np.zeros((N * C, *array.shape[1:]), array.dtype)
        full[:T] = array
        return np.ascontiguousarray(full.reshape(N, C, *array.shape[1:]).swapaxes(1, 2))

    query = cut(tokens.query)
    query *= query.dtype.type(scale)
    summed = np.cumsum(cut(tokens.log_decay), axis=2)  # (N, H, C, K)
    return _Chunks(query, cut(tokens.key), cut(tokens.value), summed, cut(tokens.beta)[..., None])


def _anchored(cut: _Chunks, rate: float) -> tuple[Array, Array]:
    """Return key-key and query-key products with their decay, (N, H, C, C) each; the upper part is noise."""
    C = cut.key.shape[2]
    # the anchor may look at the chunk's first row only: one that saw later rows would let a later token
    # change an earlier output through rounding
    distance = cut.log_decay - cut.log_decay[:, :, :1]  # (N, H, C, K), at most 0
    half_way = (C - 1) * rate / 2
    limit = math.log(float(np.finfo(distance.dtype).max)) - 8.0
    steepest = max(half_way, -float(distance.min()) - half_way)
    if steepest > limit:
        raise InputError("log_decay", f"exponents within {limit:.0f} of the anchor (or direct)", f"{steepest:.0f}")
    away = distance + distance.dtype.type(half_way)
    grown = np.exp(away)  # (N, H, C, K), multiplies the later token
    shrunk = cut.key * np.exp(-away)  # (N, H, C, K), the earlier token
    turned = shrunk.swapaxes(2, 3)
    # entries above the diagonal may overflow; they are never selected
    with np.errstate(over="ignore", invalid="ignore"):
        return (cut.key * grown) @ turned, (cut.query * grown) @ turned


def _direct(cut: _Chunks) -> tuple[Array, Array]:
    """Return the same products as `_anchored`, from the differences G_i - G_j <= 0 themselves; slow truth."""
    C = cut.key.shape[2]
    shape = (*cut.key.shape[:2], C, C)
    keys, queries = np.zeros(shape, cut.key.dtype), np.zeros(shape, cut.key.dtype)
    for i in range(C):
        decay = np.exp(cut.log_decay[:, :, i : i + 1] - cut.log_decay[:, :, : i + 1])  # (N, H, i+1, K)
        earlier = (cut.key[:, :, : i + 1] * decay).swapaxes(2, 3)  # (N, H, K, i+1)
        keys[:, :, i, : i + 1] = (cut.key[:, :, i : i + 1] @ earlier)[:, :, 0]
        queries[:, :, i, : i + 1] = (cut.query[:, :, i : i + 1] @ earlier)[:, :, 0]
    return keys, queries


def _run(cut: _Chunks, keys: Array, queries: Array, memory: Array, inverse: str) -> KdaResult:
    """Undo the writes inside each chunk at once, then walk the state over the chunks."""
    N, H, C, V = cut.value.shape
    index = np.arange(C)
    # selection and not multiplication with zeros: the unused entries may be infinite, and inf * 0 is NaN
    lower = np.where(index[:, None] > index, cut.beta * keys, 0.0)  # (N, H, C, C)
    attend = np.where(index[:, None] >= index, queries, 0.0)  # (N, H, C, C)
    undo = INVERSES[inverse](lower).astype(memory.dtype, copy=False) * cut.beta.swapaxes(2, 3)
    decay = np.exp(cut.log_decay)  # (N, H, C, K), from the chunk's start
    total = cut.log_decay[:, :, -1:]  # (N, H, 1, K)
    restored = (cut.key * np.exp(total - cut.log_decay)).swapaxes(2, 3)  # (N, H, K, C)
    pseudo = undo @ cut.value  # (N, H, C, V)
    # what the incoming state contributes to the writes and to the reads, in one product per chunk
    from_state = np.concatenate([undo @ (cut.key * decay), cut.query * decay], axis=2)  # (N, H, 2C, K)
    kept = decay[:, :, -1, :, None]  # (N, H, K, 1)
    output = np.empty_like(cut.value)
    for n in range(N):
        seen = from_state[n] @ memory  # (H, 2C, V)
        pseudo[n] -= seen[:, :C]
        output[n] = seen[:, C:]
        memory = memory * kept[n]
        memory += restored[n] @ pseudo[n]
    output += attend @ pseudo
    return KdaResult(output.swapaxes(1, 2).reshape(N * C, H, V), memory)
