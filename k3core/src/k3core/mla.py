"""Gated multi-head latent attention without positions: expanded and absorbed forms, and the latent cache."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from k3core.guards import Float, InputError, as_float, has_shape
from k3core.output_gates import mla_output_gate
from k3core.primitives import LATENT_RMS_EPS, rmsnorm, softmax


class MlaCache(NamedTuple):
    """What MLA keeps per token, shared by all heads."""

    latent: Float
    """(S, C) after its RMS norm."""
    extra: Float
    """(S, R) further key dimensions, neither rotated nor normalised; no positions does not mean no such part."""


class MlaWeights(NamedTuple):
    """One layer's projections; d is the model width, H the heads."""

    query_down: Float
    """(Q, d)."""
    query_norm: Float
    """(Q,)."""
    query_up: Float
    """(H, N + R, Q): per head N plain rows, then R rows that meet the shared extra key."""
    latent_down: Float
    """(C + R, d): the latent's rows, then the extra key's."""
    latent_norm: Float
    """(C,)."""
    key_up: Float
    """(H, N, C)."""
    value_up: Float
    """(H, V, C)."""
    gate: Float
    """(H * V, d)."""
    out: Float
    """(d, H * V)."""


class MlaRead(NamedTuple):
    """Attention's output with the weights it used."""

    output: Float
    """(T, H, V)."""
    weights: Float
    """(T, H, S), each row summing to 1; exactly 0 for later tokens."""


def empty_cache(weights: MlaWeights) -> MlaCache:
    """Return a cache of no tokens for a layer.

    Source: report §2.1.2: C latent and R extra numbers per token.
    """
    C = weights.latent_norm.size
    return MlaCache(np.zeros((0, C)), np.zeros((0, len(weights.latent_down) - C)))


def mla_expanded(
    query: npt.ArrayLike, query_extra: npt.ArrayLike, cache: MlaCache, key_up: npt.ArrayLike, value_up: npt.ArrayLike
) -> MlaRead:
    """Attend by building every head's keys and values from the latents: the slow truth.

    Args:
        query: (T, H, N), the last T of the S cached tokens.
        query_extra: (T, H, R).
        cache: S tokens, S at least T.
        key_up: (H, N, C).
        value_up: (H, V, C).

    Returns:
        output (T, H, V) and weights (T, H, S); scores are scaled by 1 / sqrt(N + R).

    Raises:
        InputError: a shape disagrees, a value is not finite, or S is below T.
    Source: report §2.1.2. Exact: causal softmax attention in float64. Not claimed: a kernel's accumulation.
    """
    query, query_extra, cache, key_up, value_up = _checked(query, query_extra, cache, key_up, value_up)
    keys = np.einsum("sc,hnc->shn", cache.latent, key_up)  # (S, H, N)
    values = np.einsum("sc,hvc->shv", cache.latent, value_up)  # (S, H, V)
    scores = np.einsum("thn,shn->ths", query, keys) + np.einsum("thr,sr->ths", query_extra, cache.extra)
    weights = _causal_softmax(scores, query.shape[-1] + query_extra.shape[-1])
    return MlaRead(np.einsum("ths,shv->thv", weights, values), weights)


def mla_absorbed(
    query: npt.ArrayLike, query_extra: npt.ArrayLike, cache: MlaCache, key_up: npt.ArrayLike, value_up: npt.ArrayLike
) -> MlaRead:
    """Attend in the latent itself: the up-projections move to the query and behind the sum.

    Arguments, shapes, errors and source as in `mla_expanded`, to which it is equal by associativity. What is
    read per cached token is C + R numbers instead of H (N + R + V).
    """
    query, query_extra, cache, key_up, value_up = _checked(query, query_extra, cache, key_up, value_up)
    moved = np.einsum("thn,hnc->thc", query, key_up)  # (T, H, C)
    scores = np.einsum("thc,sc->ths", moved, cache.latent) + np.einsum("thr,sr->ths", query_extra, cache.extra)
    weights = _causal_softmax(scores, query.shape[-1] + query_extra.shape[-1])
    mixed = np.einsum("ths,sc->thc", weights, cache.latent)  # (T, H, C)
    return MlaRead(np.einsum("thc,hvc->thv", mixed, value_up), weights)


def gated_mla(
    x: npt.ArrayLike, weights: MlaWeights, cache: MlaCache | None = None, *, absorbed: bool = True
) -> tuple[Float, MlaCache]:
    """Run one Gated MLA layer over new tokens.

    Args:
        x: (T, d) normalised layer input; queries, latent and gate all read the same.
        weights: the layer's projections.
        cache: the tokens before; none at the start. Not changed.
        absorbed: which of the two equal forms to use.

    Returns:
        (T, d), and the cache with T more tokens.

    Raises:
        InputError: a shape disagrees or a value is not finite.
    Source: report §2.1.2 eq.7. Exact: the algebra in float64, with 1e-6 in the two latent norms as in the
    released code. Not claimed: the real weights.
    """
    x = as_float("x", x, ndim=2)
    H, N, C = weights.key_up.shape
    has_shape("x", x, (len(x), weights.query_down.shape[1]))
    query = np.einsum(
        "hnq,tq->thn", weights.query_up, rmsnorm(x @ weights.query_down.T, weights.query_norm, LATENT_RMS_EPS)
    )
    down = x @ weights.latent_down.T  # (T, C + R)
    latent = rmsnorm(down[:, :C], weights.latent_norm, LATENT_RMS_EPS)
    before = empty_cache(weights) if cache is None else cache
    grown = MlaCache(np.concatenate([before.latent, latent]), np.concatenate([before.extra, down[:, C:]]))
    attend = mla_absorbed if absorbed else mla_expanded
    read = attend(query[..., :N], query[..., N:], grown, weights.key_up, weights.value_up).output
    gate = (x @ weights.gate.T).reshape(len(x), H, -1)
    return mla_output_gate(read, gate).reshape(len(x), -1) @ weights.out.T, grown


def _causal_softmax(scores: Float, width: int) -> Float:
    """Weigh (T, H, S) scores over the tokens up to each query's own; queries are the last T of S."""
    T, _, S = scores.shape
    visible = np.arange(S) <= np.arange(T)[:, None] + (S - T)  # (T, S)
    weights = np.zeros_like(scores)
    # each row is cut to what it may see, so a later token cannot enter even as a rounding error
    for t in range(T):
        weights[t][:, visible[t]] = softmax(scores[t][:, visible[t]] / np.sqrt(width))
    return weights


def _checked(
    query: npt.ArrayLike, query_extra: npt.ArrayLike, cache: MlaCache, key_up: npt.ArrayLike, value_up: npt.ArrayLike
) -> tuple[Float, Float, MlaCache, Float, Float]:
    query, query_extra = as_float("query", query, ndim=3), as_float("query_extra", query_extra, ndim=3)
    latent, extra = as_float("cache.latent", cache.latent, ndim=2), as_float("cache.extra", cache.extra, ndim=2)
    key_up, value_up = as_float("key_up", key_up, ndim=3), as_float("value_up", value_up, ndim=3)
    T, H, N = query.shape
    S, C = latent.shape
    has_shape("query_extra", query_extra, (T, H, query_extra.shape[-1]))
    has_shape("cache.extra", extra, (S, query_extra.shape[-1]))
    has_shape("key_up", key_up, (H, N, C))
    has_shape("value_up", value_up, (H, value_up.shape[1], C))
    if S < T:
        raise InputError("cache", f"at least {T} tokens", str(S))
    return query, query_extra, MlaCache(latent, extra), key_up, value_up
