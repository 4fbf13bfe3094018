"""Chunkwise KDA: the recurrence regrouped into matrix products, chunk by chunk."""

import math
from collections.abc import Callable
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
GROUP = 64
"""Chunks, counted for each head, whose products are formed together."""
LONGEST_CHUNK = 1024
"""A longer chunk would cost more than the scan it replaces."""


class _Chunks(NamedTuple):
    """Tokens cut into N chunks of C, padded with zeros; heads before tokens so that products are dense."""

    pair: Array
    """(N, H, 2, C, K): keys, then scaled queries, as most products need both."""
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
    factor = as_scale(scale, tokens.key.shape[-1])
    output = np.empty_like(tokens.value)

    def work(heads: slice) -> None:
        step = C * max(1, GROUP // len(memory[heads]))
        # a few chunks at a time keep the temporaries in cache; the state is all that passes between them
        for start in range(0, T, step):
            group = slice(start, start + step)
            cut = _cut(KdaTokens(*(array[group, heads] for array in tokens)), C, factor)
            products = _anchored(cut, anchor_rate) if exponentials == "anchored" else _direct(cut)
            output[group, heads] = _run(cut, products, memory[heads], inverse)[: T - start]

    _over_heads(work, H, as_count("threads", threads, 1, 64))
    return KdaResult(output, memory)


def _over_heads(work: Callable[[slice], None], H: int, threads: int) -> None:
    if threads == 1 or H <= 1:
        work(slice(None))
        return
    groups = np.array_split(np.arange(H), min(threads, H))
    with ThreadPoolExecutor(len(groups)) as pool:
        # a list waits for all of them, and raises what one of them raised
        list(pool.map(work, (slice(int(group[0]), int(group[-1]) + 1) for group in groups)))


def _cut(tokens: KdaTokens, C: int, scale: float) -> _Chunks:
    T, H, K = tokens.key.shape
    N = -(-T // C)

    def cut(array: Array) -> Array:
        full = array
        if T != N * C:
            # a padded token neither decays nor writes, so the state passes it unchanged
            full = np.zeros((N * C, *array.shape[1:]), array.dtype)
            full[:T] = array
        return full.reshape(N, C, *array.shape[1:]).swapaxes(1, 2)

    pair = np.empty((N, H, 2, C, K), tokens.key.dtype)
    pair[:, :, 0] = cut(tokens.key)
    np.multiply(cut(tokens.query), pair.dtype.type(scale), out=pair[:, :, 1])
    # a copy in any case: with one head the cut is a view of the caller's own array
    summed = cut(tokens.log_decay).copy()  # (N, H, C, K)
    # the sums of cumsum, in its order, but whole rows at a time
    for i in range(1, C):
        summed[:, :, i] += summed[:, :, i - 1]
    return _Chunks(pair, np.ascontiguousarray(cut(tokens.value)), summed, cut(tokens.beta)[..., None])


def _anchored(cut: _Chunks, rate: float) -> Array:
    """Return key-key and query-key products with their decay, (N, H, 2, C, C); the upper parts are noise."""
    N, H, _, C, K = cut.pair.shape
    # the anchor may look at the chunk's first row only: one that saw later rows would let a later token
    # change an earlier output through rounding
    distance = cut.log_decay - cut.log_decay[:, :, :1]  # (N, H, C, K), at most 0
    half_way = (C - 1) * rate / 2
    limit = math.log(float(np.finfo(distance.dtype).max)) - 8.0
    steepest = max(half_way, -float(distance.min()) - half_way)
    if steepest > limit:
        raise InputError("log_decay", f"exponents within {limit:.0f} of the anchor (or direct)", f"{steepest:.0f}")
    distance += distance.dtype.type(half_way)
    grown = np.exp(distance)  # (N, H, C, K), multiplies the later token
    earlier = (cut.pair[:, :, 0] / grown).swapaxes(2, 3)  # (N, H, K, C)
    later = (cut.pair * grown[:, :, None]).reshape(N, H, 2 * C, K)
    # entries above the diagonal may overflow; they are never selected
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(later @ earlier).reshape(N, H, 2, C, C)


def _direct(cut: _Chunks) -> Array:
    """Return the same products as `_anchored`, from the differences G_i - G_j <= 0 themselves; slow truth."""
    N, H, _, C, _ = cut.pair.shape
    products = np.zeros((N, H, 2, C, C), cut.pair.dtype)
    for i in range(C):
        decay = np.exp(cut.log_decay[:, :, i : i + 1] - cut.log_decay[:, :, : i + 1])  # (N, H, i+1, K)
        earlier = (cut.pair[:, :, 0, : i + 1] * decay).swapaxes(2, 3)  # (N, H, K, i+1)
        products[:, :, :, i, : i + 1] = cut.pair[:, :, :, i] @ earlier
    return products


def _run(cut: _Chunks, products: Array, memory: Array, inverse: str) -> Array:
    """Undo the writes inside each chunk at once, then walk the state over the chunks, in place; return (T, H, V)."""
    N, H, _, C, K = cut.pair.shape
    V = cut.value.shape[-1]
    index = np.arange(C)
    # selection and not multiplication with zeros: the unused entries may be infinite, and inf * 0 is NaN
    lower = np.where(index[:, None] > index, cut.beta * products[:, :, 0], 0.0)  # (N, H, C, C)
    attend = np.where(index[:, None] >= index, products[:, :, 1], 0.0)  # (N, H, C, C)
    undo = INVERSES[inverse](lower).astype(memory.dtype, copy=False) * cut.beta.swapaxes(2, 3)
    decay = np.exp(cut.log_decay)  # (N, H, C, K), from the chunk's start
    # what the incoming state contributes to the writes and to the reads, in one product per chunk
    probes = (cut.pair * decay[:, :, None]).reshape(N, H, 2 * C, K)
    restored = (cut.pair[:, :, 0] * np.exp(cut.log_decay[:, :, -1:] - cut.log_decay)).swapaxes(2, 3)  # (N, H, K, C)
    kept = decay[:, :, -1, :, None]  # (N, H, K, 1)
    pseudo, output = np.empty_like(cut.value), np.empty_like(cut.value)  # (N, H, C, V)
    seen, written = np.empty((H, 2 * C, V), memory.dtype), np.empty_like(memory)
    for n in range(N):
        np.matmul(probes[n], memory, out=seen)
        np.matmul(undo[n], cut.value[n] - seen[:, :C], out=pseudo[n])
        output[n] = seen[:, C:]
        memory *= kept[n]
        memory += np.matmul(restored[n], pseudo[n], out=written)
    output += attend @ pseudo
    return np.asarray(output.swapaxes(1, 2).reshape(N * C, H, V))
