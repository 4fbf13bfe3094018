"""One KDA layer end to end: projections, short convolutions, gates, recurrence, output gate."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from k3core.chunk import kda_chunked
from k3core.gates import LOWER_BOUND, bounded_log_decay
from k3core.guards import Float, as_float, has_shape
from k3core.output_gates import kda_output_gate
from k3core.primitives import sigmoid
from k3core.sequences import KdaForm
from k3core.shortconv import projected_heads, short_conv


class KdaWeights(NamedTuple):
    """One layer's weights; d is the model width, H the heads, R the rank of the decay projection, W the taps."""

    query: Float
    """(H * K, d)."""
    key: Float
    """(H * K, d)."""
    value: Float
    """(H * V, d)."""
    query_taps: Float
    """(H * K, W)."""
    key_taps: Float
    """(H * K, W)."""
    value_taps: Float
    """(H * V, W)."""
    decay_down: Float
    """(R, d)."""
    decay_up: Float
    """(H * K, R)."""
    decay_bias: Float
    """(H, K)."""
    log_rate: Float
    """(H,)."""
    beta: Float
    """(H, d)."""
    gate: Float
    """(H * V, d), full rank."""
    norm: Float
    """(V,), shared by all heads."""
    out: Float
    """(d, H * V)."""


class KdaMemory(NamedTuple):
    """All that a layer carries from token to token, of one size for any context."""

    query_history: Float
    """(W-1, H * K)."""
    key_history: Float
    """(W-1, H * K)."""
    value_history: Float
    """(W-1, H * V)."""
    state: Float
    """(H, K, V)."""


def empty_memory(weights: KdaWeights) -> KdaMemory:
    """Return the memory before the first token: zeros.

    Source: derived from report §2.1.1: a sequence begins with an empty state and no history.
    """
    H, K = weights.decay_bias.shape
    query, key, value = (np.zeros((taps.shape[1] - 1, len(taps))) for taps in weights[3:6])
    return KdaMemory(query, key, value, np.zeros((H, K, weights.norm.size)))


def kda_layer(
    x: npt.ArrayLike,
    weights: KdaWeights,
    memory: KdaMemory | None = None,
    *,
    lower_bound: float = LOWER_BOUND,
    form: KdaForm = kda_chunked,
) -> tuple[Float, KdaMemory]:
    """Run a layer over new tokens of one sequence.

    Args:
        x: (T, d) normalised layer input; every projection and the output gate read the same.
        weights: the layer's weights.
        memory: what earlier tokens left; none at the start. Not changed.
        lower_bound: of the decay gate, below 0.
        form: the recurrence to run, `kda_chunked` or `kda_recurrent`.

    Returns:
        (T, d), and the memory after the last token.

    Raises:
        InputError: a shape disagrees or a value is not finite.
    Source: report §2.1.1 eq.1, eq.2, eq.5, eq.6. Exact: the algebra in float64. Not claimed: real weights, or the
    roundings of a BF16 layer.
    """
    x = as_float("x", x, ndim=2)
    has_shape("x", x, (len(x), weights.query.shape[1]))
    before = empty_memory(weights) if memory is None else memory
    H, K = weights.decay_bias.shape
    query = short_conv(x @ weights.query.T, weights.query_taps, before.query_history)
    key = short_conv(x @ weights.key.T, weights.key_taps, before.key_history)
    value = short_conv(x @ weights.value.T, weights.value_taps, before.value_history)
    logit = (x @ weights.decay_down.T @ weights.decay_up.T).reshape(len(x), H, K)
    result = form(
        projected_heads(query.output, H, normalise=True),
        projected_heads(key.output, H, normalise=True),
        projected_heads(value.output, H, normalise=False),
        bounded_log_decay(logit, weights.decay_bias, weights.log_rate, lower_bound),
        sigmoid(x @ weights.beta.T),
        state=before.state,
    )
    gate = (x @ weights.gate.T).reshape(result.output.shape)
    gated = kda_output_gate(result.output, gate, weights.norm).reshape(len(x), weights.out.shape[1])  # (T, H * V)
    return gated @ weights.out.T, KdaMemory(query.history, key.history, value.history, result.state)
