"""Kimi Delta Attention, token by token: the slow form that every faster one is held against."""

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from k3core.guards import Array, InputError, as_count, as_float, as_real, has_shape, in_range, one_of

DTYPES = ("float64", "float32")
"""Working precisions; float32 is there for speed comparisons and must be asked for."""
WRITES = ("delta", "additive")
"""The report's write, and the plain linear-attention write it is compared with."""
MIB = 2**20
"""Bytes in a mebibyte."""


class KdaTokens(NamedTuple):
    """One sequence of T tokens with their scale, checked, grouped and in one dtype."""

    query: Array
    """(T, H, K), not yet scaled."""
    key: Array
    """(T, H, K), unit length in the model."""
    value: Array
    """(T, H, V)."""
    log_decay: Array
    """(T, H, K) natural log, at most 0."""
    beta: Array
    """(T, H) write strength in [0, 1], after the sigmoid."""


class KdaResult(NamedTuple):
    """What a pass over a sequence leaves behind."""

    output: Array
    """(T, H, V)."""
    state: Array
    """(H, K, V) after the last token; the initial state where T is 0."""


def kda_step(
    state: npt.ArrayLike,
    key: npt.ArrayLike,
    value: npt.ArrayLike,
    log_decay: npt.ArrayLike,
    beta: npt.ArrayLike,
    *,
    write: str = "delta",
) -> Array:
    """Forget, then write one token into the state.

    Args:
        state: (H, K, V) float64, memory before the token.
        key: (H, K), unit length in the model.
        value: (H, V).
        log_decay: (H, K) natural log, at most 0, no unit.
        beta: (H,) write strength in [0, 1].
        write: `delta` removes what the key already returns; `additive` does not, for comparison only.

    Returns:
        (H, K, V) memory after the token, a new array.

    Raises:
        InputError: a shape disagrees, a value leaves its range or is not finite.
    Source: report §2.1.1 eq.1. Exact: the algebra. Not claimed: the real model's recall.
    """
    state = as_float("state", state, ndim=3)
    H, K, V = state.shape
    key, value = as_float("key", key), as_float("value", value)
    log_decay, beta = as_float("log_decay", log_decay), as_float("beta", beta)
    for name, array, shape in (
        ("key", key, (H, K)),
        ("value", value, (H, V)),
        ("log_decay", log_decay, (H, K)),
        ("beta", beta, (H,)),
    ):
        has_shape(name, array, shape)
    in_range("log_decay", log_decay, -np.inf, 0.0)
    in_range("beta", beta, 0.0, 1.0)
    return _written(state, key, value, np.exp(log_decay), beta, write=one_of("write", write, WRITES))


def kda_read(state: npt.ArrayLike, query: npt.ArrayLike, *, scale: float | None = None) -> Array:
    """Read the state with a query: o = scale * S^T q.

    Args:
        state: (H, K, V) float64, *after* the token's own write.
        query: (H, K).
        scale: finite; K^-1/2 where none is given.

    Returns:
        (H, V) float64.

    Raises:
        InputError: a shape disagrees or a value is not finite.
    Source: report §2.1.1 eq.1, second half.
    """
    state = as_float("state", state, ndim=3)
    H, K, _ = state.shape
    as_count("state key width", K, 1)
    query = as_float("query", query)
    has_shape("query", query, (H, K))
    return _read(state, query * as_scale(scale, K))


def kda_recurrent(
    query: npt.ArrayLike,
    key: npt.ArrayLike,
    value: npt.ArrayLike,
    log_decay: npt.ArrayLike,
    beta: npt.ArrayLike,
    *,
    state: npt.ArrayLike | None = None,
    scale: float | None = None,
    write: str = "delta",
    dtype: str = "float64",
) -> KdaResult:
    """Scan a sequence token by token, vectorised over heads only. This form is the truth.

    Args:
        query: (T, Hk, K); Hk divides H, and each of these heads serves H / Hk neighbouring value heads.
        key: (T, Hk, K), unit length in the model.
        value: (T, H, V).
        log_decay: (T, H, K) natural log, at most 0.
        beta: (T, H) in [0, 1].
        state: (H, K, V) before the first token; zeros where none is given. Not changed.
        scale: finite; K^-1/2 where none is given.
        write: `delta`, or `additive` for comparison.
        dtype: `float64`, or `float32` when speed is measured.

    Raises:
        InputError: a shape disagrees, a value leaves its range or is not finite.
    Source: report §2.1.1 eq.1. Exact: the algebra, in the dtype asked for.
    Not claimed: what a kernel with BF16 operands returns.
    """
    tokens = check_tokens(query, key, value, log_decay, beta, dtype=dtype)
    memory = check_state(state, tokens)
    one_of("write", write, WRITES)
    queries = tokens.query * tokens.query.dtype.type(as_scale(scale, tokens.query.shape[-1]))  # (T, H, K)
    decays = np.exp(tokens.log_decay)  # (T, H, K)
    output = np.empty_like(tokens.value)  # (T, H, V)
    for t in range(len(output)):
        memory = _written(memory, tokens.key[t], tokens.value[t], decays[t], tokens.beta[t], write=write)
        output[t] = _read(memory, queries[t])
    return KdaResult(output, memory)


def check_tokens(
    query: npt.ArrayLike,
    key: npt.ArrayLike,
    value: npt.ArrayLike,
    log_decay: npt.ArrayLike,
    beta: npt.ArrayLike,
    *,
    dtype: str = "float64",
) -> KdaTokens:
    """Read the five arrays of a sequence as one checked whole; shapes, errors and source as in `kda_recurrent`."""
    kind = np.dtype(one_of("dtype", dtype, DTYPES))
    query, key = as_real("query", query, kind, ndim=3), as_real("key", key, kind, ndim=3)
    value, log_decay = as_real("value", value, kind, ndim=3), as_real("log_decay", log_decay, kind, ndim=3)
    beta = as_real("beta", beta, kind, ndim=2)
    T, H, _ = value.shape
    Hk, K = query.shape[1:]
    as_count("query width", K, 1)
    as_count("value heads", H, 1)
    if Hk == 0 or H % Hk:
        raise InputError("query", f"a number of heads that divides {H}", str(Hk))
    has_shape("query", query, (T, Hk, K))
    has_shape("key", key, (T, Hk, K))
    has_shape("log_decay", log_decay, (T, H, K))
    has_shape("beta", beta, (T, H))
    in_range("log_decay", log_decay, -np.inf, 0.0)
    in_range("beta", beta, 0.0, 1.0)
    if Hk != H:
        query, key = np.repeat(query, H // Hk, axis=1), np.repeat(key, H // Hk, axis=1)
    return KdaTokens(query, key, value, log_decay, beta)


def check_state(state: npt.ArrayLike | None, tokens: KdaTokens) -> Array:
    """Read an initial state (H, K, V) for `tokens` as a fresh array; none means zeros.

    Raises:
        InputError: another shape, or a number that is not finite.
    Source: the state of report §2.1.1 eq.1, key dimension first.
    """
    _, H, V = tokens.value.shape
    shape = (H, tokens.key.shape[-1], V)
    kind: np.dtype[Any] = tokens.value.dtype
    if state is None:
        return np.zeros(shape, kind)
    memory = as_float("state", state)
    has_shape("state", memory, shape)
    return memory.astype(kind, copy=True)


def as_scale(scale: float | None, key_dim: int) -> float:
    """Read the query scale; K^-1/2 where none is given.

    Raises:
        InputError: the scale is not one finite number.
    Source: the default of public implementations. Not claimed: their rounding of the scale.
    """
    if scale is None:
        return 1.0 / math.sqrt(key_dim)
    return float(as_float("scale", scale, ndim=0))


def state_elements(heads: int, key_dim: int, value_dim: int) -> int:
    """Count the numbers in one layer's KDA state: H * K * V, whatever the context length.

    Raises:
        InputError: a count is not a whole number from 1.
    Source: derived from report §2.1.1 eq.1; 96 * 128 * 128 = 1,572,864 in the released shape.
    """
    return as_count("heads", heads, 1) * as_count("key_dim", key_dim, 1) * as_count("value_dim", value_dim, 1)


def state_bytes(heads: int, key_dim: int, value_dim: int, layers: int, bytes_per_element: int) -> int:
    """Count the bytes of the KDA states of `layers` layers for one sequence.

    Raises:
        InputError: a count is not a whole number (layers from 0, the others from 1).
    Source: derived. Not claimed: convolution history, padding or an engine's page size.
    """
    elements = state_elements(heads, key_dim, value_dim) * as_count("layers", layers)
    return elements * as_count("bytes_per_element", bytes_per_element, 1)


def state_mib(heads: int, key_dim: int, value_dim: int, layers: int, bytes_per_element: int) -> float:
    """Return `state_bytes` in MiB of 2^20 bytes: 207 in BF16 and 414 in float32 in K3; errors and source as there."""
    return state_bytes(heads, key_dim, value_dim, layers, bytes_per_element) / MIB


def delta_recalled_share(strength: float, writes: int) -> float:
    """Return the share of a value that its unit key reads back after equal writes by the delta rule.

    Args:
        strength: beta of every write, in [0, 1].
        writes: at least 0, all of one value under one key of unit length, into an empty state without decay.

    Returns:
        1 - (1 - beta)^n: never above 1.

    Raises:
        InputError: the strength lies outside its range, or the count is not whole.
    Source: derived from report §2.1.1 eq.1. Not claimed: keys that overlap, or recall of the trained model.
    """
    return 1.0 - (1.0 - _as_strength(strength)) ** as_count("writes", writes)


def additive_recalled_share(strength: float, writes: int) -> float:
    """Return n * beta, what plain addition reads back where `delta_recalled_share` stays below 1; the same errors.

    Source: derived; the write of linear attention without the correction of report §2.1.1 eq.1.
    """
    return _as_strength(strength) * as_count("writes", writes)


def _as_strength(strength: float) -> float:
    number = as_float("strength", strength, ndim=0)
    in_range("strength", number, 0.0, 1.0)
    return float(number)


def _written(state: Array, key: Array, value: Array, decay: Array, beta: Array, *, write: str) -> Array:
    """Write one checked token: (H, K, V) from (H, K), (H, V), (H, K), (H,)."""
    # eq.1 forgets before it compares; the other order gives another state
    state = state * decay[..., None]  # (H, K, V)
    if write == "delta":
        # the difference is formed before anything is rounded, or a small correction to a large value is lost
        value = value - _read(state, key)  # (H, V)
    return np.asarray(state + key[:, :, None] * (beta[:, None] * value)[:, None, :])


def _read(state: Array, key: Array) -> Array:
    """Return S^T k per head: (H, V) from (H, K, V) and (H, K)."""
    return np.asarray((key[:, None, :] @ state)[:, 0, :])
