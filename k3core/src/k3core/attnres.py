"""Attention Residuals: each module reads a learned mixture of earlier outputs instead of their plain sum."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from k3core.guards import Float, InputError, as_count, as_float, has_shape
from k3core.primitives import RMS_EPS, rmsnorm, softmax

Sublayer = Callable[[Float], Float]
"""An attention or MLP module with its own input norm: (..., d) in, (..., d) out."""


class AttnResPartial(NamedTuple):
    """A mixture over some of the sources, kept unnormalised so that another part can join."""

    largest: Float
    """(...,) the largest score."""
    weight: Float
    """(...,) sum of e^(score - largest)."""
    total: Float
    """(..., d) sum of e^(score - largest) times the source."""


class AttnResRun(NamedTuple):
    """A pass through a block AttnRes stack."""

    prefixes: list[Float]
    """(..., d) per decoder layer: the running sum of its block after that layer."""
    bank: list[Float]
    """(..., d) per finished block, the embedding first."""
    final: Float
    """(..., d) the mixture that the final norm reads."""


def attnres_mix(sources: Sequence[npt.ArrayLike], query: npt.ArrayLike, eps: float = RMS_EPS) -> Float:
    """Weigh sources by how their normalised direction meets a query, and add the raw sources.

    Args:
        sources: N arrays (..., d), N at least 1.
        query: (d,) pseudo-query of the reading module, its norm weight folded in; 0 gives the plain mean.
        eps: of the RMS norm that makes keys of sources.

    Returns:
        (..., d): sum_i softmax_i(query . rmsnorm(v_i)) v_i; no 1/sqrt(d).

    Raises:
        InputError: no source, a shape disagrees, or a value is not finite.
    Source: report §2.2 eq.8-9. Exact: float64. Not claimed: where a kernel rounds the key.
    """
    stacked, query = _checked(sources, query)
    weights = softmax(rmsnorm(stacked, eps=eps) @ query, axis=0)  # (N, ...)
    return np.asarray(np.sum(weights[..., None] * stacked, axis=0))


def attnres_partial(sources: Sequence[npt.ArrayLike], query: npt.ArrayLike, eps: float = RMS_EPS) -> AttnResPartial:
    """Start a mixture over some of the sources; arguments and errors as in `attnres_mix`.

    Source: report §5.4.2: two phases joined by an online softmax.
    """
    stacked, query = _checked(sources, query)
    scores = rmsnorm(stacked, eps=eps) @ query  # (N, ...)
    largest = np.max(scores, axis=0)
    weights = np.exp(scores - largest)
    return AttnResPartial(largest, np.sum(weights, axis=0), np.sum(weights[..., None] * stacked, axis=0))


def attnres_merged(first: AttnResPartial, second: AttnResPartial) -> AttnResPartial:
    """Join two partial mixtures on the larger of their two largest scores. Commutative and associative.

    Source: as `attnres_partial`. Exact: the algebra; rounding may depend on the order.
    """
    largest = np.maximum(first.largest, second.largest)
    left, right = np.exp(first.largest - largest), np.exp(second.largest - largest)
    return AttnResPartial(
        largest,
        first.weight * left + second.weight * right,
        first.total * left[..., None] + second.total * right[..., None],
    )


def attnres_finished(partial: AttnResPartial) -> Float:
    """Divide by the collected weight: the mixture, (..., d).

    Source: as `attnres_partial`.
    """
    return np.asarray(partial.total / partial.weight[..., None])


def attnres_full(embedding: npt.ArrayLike, sublayers: Sequence[Sublayer], queries: npt.ArrayLike) -> Float:
    """Run a stack in which every sublayer reads all outputs before it.

    Args:
        embedding: (..., d).
        sublayers: L modules in order.
        queries: (L + 1, d), the last for the read before the final norm.

    Returns:
        (..., d) the final mixture.

    Raises:
        InputError: a shape disagrees or a value is not finite.
    Source: report §2.2 eq.8-9. Cost: L sources kept; the block form keeps one per block.
    """
    sources = [as_float("embedding", embedding)]
    queries = as_float("queries", queries, ndim=2)
    has_shape("queries", queries, (len(sublayers) + 1, sources[0].shape[-1]))
    for sublayer, query in zip(sublayers, queries[:-1], strict=True):
        sources.append(_output(sublayer, attnres_mix(sources, query)))
    return attnres_mix(sources, queries[-1])


def attnres_block(
    embedding: npt.ArrayLike, layers: Sequence[tuple[Sublayer, Sublayer]], queries: npt.ArrayLike, block: int
) -> AttnResRun:
    """Run a stack that keeps one sum per block of decoder layers and the running sum of the current block.

    Args:
        embedding: (..., d).
        layers: L pairs (attention, MLP).
        queries: (2L + 1, d): attention and MLP of each layer in turn, then the final read.
        block: decoder layers per block, 12 in K3.

    Returns:
        running sums, bank and final mixture. The first attention reads the embedding itself, its query unused;
        the attention that opens a later block reads the bank only; every other module reads the bank and the
        running sum. There is no other residual stream.

    Raises:
        InputError: a shape disagrees, a value is not finite, or `block` is below 1.
    Source: report §2.2 eq.10, with sublayers and order as in the released code.
    """
    prefix: Float | None = as_float("embedding", embedding)
    queries = as_float("queries", queries, ndim=2)
    has_shape("queries", queries, (2 * len(layers) + 1, np.shape(embedding)[-1]))
    as_count("block", block, 1)
    bank: list[Float] = []
    prefixes: list[Float] = []
    for l, (attention, mlp) in enumerate(layers):
        sources = bank + ([] if prefix is None else [prefix])
        h = attnres_mix(sources, queries[2 * l]) if l else sources[0]
        if l % block == 0 and prefix is not None:
            # a boundary layer reads the block just finished as one source, then starts a sum of its own
            bank.append(prefix)
            prefix = None
        a = _output(attention, h)
        prefix = a if prefix is None else prefix + a
        prefix = prefix + _output(mlp, attnres_mix([*bank, prefix], queries[2 * l + 1]))
        prefixes.append(prefix)
    last = bank + ([] if prefix is None else [prefix])
    return AttnResRun(prefixes, bank, attnres_mix(last, queries[-1]))


def attnres_source_counts(layers: int, block: int) -> list[int]:
    """Count the sources that each module of a block stack mixes; 0 where the embedding is read as it is.

    Args:
        layers: decoder layers, at least 1.
        block: decoder layers per block, at least 1.

    Returns:
        2 * layers + 1 counts: attention and MLP of each layer in turn, then the final read.

    Raises:
        InputError: a count is not a whole number in its range.
    Source: derived from report §2.2 eq.10: 186 mixes and 1002 source reads per token for 93 layers in blocks of
    12, at most 9 at a time.
    """
    layers, block = as_count("layers", layers, 1), as_count("block", block, 1)
    counts = []
    for l in range(layers):
        # a boundary layer's attention still finds the block before it as a running sum, one source either way
        counts.append(-(-l // block) + 1 if l else 0)
        counts.append(l // block + 2)
    return [*counts, (layers - 1) // block + 2]


def attnres_mixes(layers: int, block: int) -> int:
    """Count the mixtures a token passes in a block stack: 186 in K3. Source: as `attnres_source_counts`."""
    return sum(1 for count in attnres_source_counts(layers, block) if count)


def attnres_source_reads(layers: int, block: int) -> int:
    """Count the sources all mixtures of a token read: 1002 in K3. Source: as `attnres_source_counts`."""
    return sum(attnres_source_counts(layers, block))


def attnres_kept_sources(layers: int, block: int) -> int:
    """Return the most sources held at once: 9 in K3. Source: as `attnres_source_counts`."""
    return max(attnres_source_counts(layers, block))


def attnres_blocks(layers: int, block: int) -> int:
    """Count the blocks of a stack, a started one included: 8 in K3.

    Raises:
        InputError: a count is not a whole number in its range.
    Source: derived from report §2.2.
    """
    return -(-as_count("layers", layers, 1) // as_count("block", block, 1))


def attnres_last_block_layers(layers: int, block: int) -> int:
    """Count the decoder layers of the last block: 9 in K3.

    Raises:
        InputError: a count is not a whole number in its range.
    Source: derived from report §2.2.
    """
    return (as_count("layers", layers, 1) - 1) % as_count("block", block, 1) + 1


def _output(sublayer: Sublayer, h: Float) -> Float:
    result = as_float("sublayer output", sublayer(h))
    has_shape("sublayer output", result, h.shape)
    return result


def _checked(sources: Sequence[npt.ArrayLike], query: npt.ArrayLike) -> tuple[Float, Float]:
    if not len(sources):
        raise InputError("sources", "at least 1", "0")
    read = [as_float("sources", source) for source in sources]
    for source in read:
        has_shape("sources", source, read[0].shape)
    query = as_float("query", query, ndim=1)
    has_shape("query", query, read[0].shape[-1:])
    return np.stack(read), query
