"""KDA context parallelism: each rank summarises its segment alone, and an ordered scan joins the summaries."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from k3core.chunk import kda_chunked
from k3core.guards import Array, Float, InputError, as_count, as_float, has_shape
from k3core.kda import KdaResult, KdaTokens, check_tokens
from k3core.sequences import check_boundaries


class KcpSegment(NamedTuple):
    """What a run of tokens does to any incoming state: S goes to transition @ S + state."""

    transition: Array
    """(H, K, K): the product of the token matrices, newest on the left."""
    state: Array
    """(H, K, V): where the segment ends if it starts from zero."""


def identity_segment(heads: int, key_dim: int, value_dim: int) -> KcpSegment:
    """Return the segment of no tokens: the neutral element of `compose_segments`.

    Raises:
        InputError: a count is not a whole number in its range.
    Source: derived from report §5.1.2 eq.17.
    """
    H, K = as_count("heads", heads, 1), as_count("key_dim", key_dim, 1)
    return KcpSegment(np.tile(np.eye(K), (H, 1, 1)), np.zeros((H, K, as_count("value_dim", value_dim, 1))))


def segment_by_steps(tokens: KdaTokens) -> KcpSegment:
    """Summarise a segment token by token with explicit transition matrices: the slow truth.

    Args:
        tokens: T tokens, shapes as in `KdaTokens`.

    Raises:
        InputError: as `kda_recurrent`.
    Source: report §5.1.2 eq.17. The product is ordered: a new factor multiplies on the left.
    """
    _, key, value, log_decay, beta = check_tokens(*tokens)
    T, H, K = key.shape
    transition, state = identity_segment(H, K, value.shape[-1])
    for t in range(T):
        k, b = key[t], beta[t][:, None, None]  # (H, K), (H, 1, 1)
        erase = np.eye(K) - b * (k[:, :, None] * k[:, None, :])  # (H, K, K)
        step = erase * np.exp(log_decay[t])[:, None, :]  # (H, K, K): erase @ Diag(decay)
        transition = step @ transition
        state = step @ state + b * (k[:, :, None] * value[t][:, None, :])
    return KcpSegment(transition, state)


def segment_by_chunks(tokens: KdaTokens, *, chunk: int = 16) -> KcpSegment:
    """Summarise a segment by one chunkwise pass with K extra value columns: the fast form.

    The transition is the final state of a run that writes nothing and starts from the identity, and a run is
    linear in (value, initial state) column by column, so both panels travel side by side.

    Source: derived from report §5.1.2 eq.17. Equal to `segment_by_steps` to rounding.
    """
    query, key, value, log_decay, beta = check_tokens(*tokens)
    T, H, K = key.shape
    V = value.shape[-1]
    panels = np.concatenate([np.zeros((T, H, K)), value], axis=2)  # (T, H, K+V)
    start = np.concatenate([np.tile(np.eye(K), (H, 1, 1)), np.zeros((H, K, V))], axis=2)  # (H, K, K+V)
    final = kda_chunked(query, key, panels, log_decay, beta, state=start, chunk=chunk).state
    return KcpSegment(final[..., :K], final[..., K:])


def compose_segments(first: KcpSegment, second: KcpSegment) -> KcpSegment:
    """Join two neighbouring segments, the earlier one first.

    Returns:
        (M2 M1, M2 S1 + S2). Associative, with `identity_segment` neutral; not commutative.

    Raises:
        InputError: the segments differ in shape.
    Source: report §5.1.2 eq.17. Adding the states alone, as additive linear attention would, is wrong.
    """
    has_shape("second.transition", second.transition, first.transition.shape)
    has_shape("second.state", second.state, first.state.shape)
    return KcpSegment(second.transition @ first.transition, second.transition @ first.state + second.state)


def incoming_states(segments: Sequence[KcpSegment], initial: npt.ArrayLike | None = None) -> Float:
    """Return the state with which each rank must start, by folding the ranks before it in order.

    Args:
        segments: N summaries of one document, first rank first.
        initial: (H, K, V) before the first rank; zeros where none is given.

    Returns:
        (N, H, K, V).

    Raises:
        InputError: no segment, or a shape disagrees.
    Source: report §5.1.2 eq.17.
    """
    if not segments:
        raise InputError("segments", "at least 1", "0")
    state = np.zeros_like(segments[0].state) if initial is None else as_float("initial", initial)
    has_shape("initial", state, segments[0].state.shape)
    found = []
    for segment in segments:
        found.append(state)
        state = segment.transition @ state + segment.state
    return np.stack(found)


def prefix_segments(segments: Sequence[KcpSegment]) -> list[KcpSegment]:
    """Return every inclusive prefix in about log2(N) rounds of independent compositions.

    Source: derived: eq.17 is associative, so any bracketing gives the fold. Order is kept in every bracket.
    """
    prefixes = list(segments)
    reach = 1
    while reach < len(prefixes):
        prefixes = [
            compose_segments(prefixes[n - reach], segment) if n >= reach else segment
            for n, segment in enumerate(prefixes)
        ]
        reach *= 2
    return prefixes


def kda_context_parallel(
    tokens: KdaTokens, boundaries: npt.ArrayLike, *, state: npt.ArrayLike | None = None, chunk: int = 16
) -> KdaResult:
    """Run one document split over ranks: summaries, one exchange, then every rank alone.

    Args:
        tokens: T tokens of one document.
        boundaries: (N+1,) whole numbers rising from 0 to T; rank n holds the tokens from entry n to n+1.
        state: (H, K, V) before the document.
        chunk: chunk length inside a rank.

    Raises:
        InputError: as `kda_recurrent`, or the boundaries are not as described.
    Source: report §5.1.2. Exact: the algebra. Not claimed: the overlap of communication with work.
    """
    tokens = check_tokens(*tokens)
    ranks = [
        KdaTokens(*(array[start:stop] for array in tokens))
        for start, stop in pairwise(check_boundaries(boundaries, len(tokens.value)))
    ]
    starts = incoming_states([segment_by_chunks(rank, chunk=chunk) for rank in ranks], state)
    runs = [kda_chunked(*rank, state=start, chunk=chunk) for rank, start in zip(ranks, starts, strict=True)]
    return KdaResult(np.concatenate([run.output for run in runs]), runs[-1].state)


def kcp_payload_bytes(heads: int, key_dim: int, value_dim: int, layers: int, bytes_per_element: int) -> int:
    """Count what one rank contributes to the exchange: K (K + V) numbers per head, whatever its tokens.

    Raises:
        InputError: a count is not a whole number from 1 (layers from 0).
    Source: derived from report §5.1.2; 12 MiB a layer and 828 MiB over 69 layers in float32.
    """
    K, V = as_count("key_dim", key_dim, 1), as_count("value_dim", value_dim, 1)
    elements = as_count("heads", heads, 1) * K * (K + V) * as_count("layers", layers)
    return elements * as_count("bytes_per_element", bytes_per_element, 1)


def kcp_halo_bytes(width: int, taps: int, bytes_per_element: int) -> int:
    """Count the convolution inputs a rank needs from the one before it: (taps - 1) rows of `width`.

    Raises:
        InputError: a count is not a whole number in its range.
    Source: derived from report §2.1.1 eq.2; three rows of 3 * 12288 in the released shape.
    """
    rows = as_count("taps", taps, 1) - 1
    return rows * as_count("width", width, 1) * as_count("bytes_per_element", bytes_per_element, 1)
