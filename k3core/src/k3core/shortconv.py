"""The short causal convolution before KDA, with SiLU and the L2 norm, and the history that decoding needs."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from k3core.guards import Float, InputError, as_count, as_float, has_shape
from k3core.primitives import l2norm, silu

TAPS = 4
"""`short_conv_kernel_size` of the released configuration; the last tap is the current token."""


class ConvResult(NamedTuple):
    """What a convolution leaves behind."""

    output: Float
    """(T, D) before the activation."""
    history: Float
    """(W-1, D): the last inputs, oldest first, that the next token still sees."""


def short_conv_naive(x: npt.ArrayLike, weight: npt.ArrayLike, history: npt.ArrayLike | None = None) -> ConvResult:
    """Compute `short_conv` one token and one tap at a time: the slow truth; arguments, errors and source as there."""
    x, weight, past = _checked(x, weight, history)
    T, D = x.shape
    W = weight.shape[1]
    seen = [*past, *x]
    output = np.zeros((T, D))
    for t in range(T):
        for w in range(W):
            output[t] += weight[:, w] * seen[t + w]
    return ConvResult(output, np.array(seen[len(seen) - (W - 1) :]).reshape(W - 1, D))


def short_conv(x: npt.ArrayLike, weight: npt.ArrayLike, history: npt.ArrayLike | None = None) -> ConvResult:
    """Convolve each channel with its own few taps, looking backwards only.

    Args:
        x: (T, D) float64, projections before the convolution; T may be 0.
        weight: (D, W), tap W-1 for the current token; no bias.
        history: (W-1, D) the inputs before `x`, oldest first; zeros at the start of a sequence.

    Raises:
        InputError: a shape disagrees or a value is not finite.
    Source: report §2.1.1 eq.2. Exact: y_t = sum_w weight_w x_(t-W+1+w); decoding token by token gives the same
    bits as one call, as the taps are always added in the same order.
    """
    x, weight, past = _checked(x, weight, history)
    T, D = x.shape
    W = weight.shape[1]
    seen = np.concatenate([past, x])  # (W-1+T, D)
    output = np.zeros((T, D))
    for w in range(W):
        output += weight[:, w] * seen[w : w + T]
    return ConvResult(output, seen[len(seen) - (W - 1) :].copy())


def rolled_back_history(x: npt.ArrayLike, history: npt.ArrayLike, accepted: int) -> Float:
    """Return the history after only the first `accepted` of the drafted inputs `x`.

    Args:
        x: (T, D) drafted projections.
        history: (W-1, D) before the draft.
        accepted: 0 to T.

    Returns:
        (W-1, D). Rejected tokens must leave this state as well as the KDA state.

    Raises:
        InputError: a width disagrees or `accepted` is out of range.
    Source: derived from report §5.4.2, which rolls back rejected drafts.
    """
    x, history = as_float("x", x, ndim=2), as_float("history", history, ndim=2)
    has_shape("history", history, (len(history), x.shape[1]))
    kept = as_count("accepted", accepted, 0, len(x))
    return np.concatenate([history, x[:kept]])[kept:]


def projected_heads(convolved: npt.ArrayLike, heads: int, *, normalise: bool) -> Float:
    """Turn convolved projections into heads: SiLU, split, and for queries and keys the L2 norm per head.

    Args:
        convolved: (T, H * K) output of `short_conv`.
        heads: H, which divides the width.
        normalise: true for queries and keys; values are not normalised.

    Returns:
        (T, H, K) float64.

    Raises:
        InputError: the width is no multiple of H.
    Source: report §2.1.1 eq.2: L2Norm(Swish(ShortConv(W x))).
    """
    convolved = as_float("convolved", convolved, ndim=2)
    T, D = convolved.shape
    if D % as_count("heads", heads, 1):
        raise InputError("convolved", f"a width that {heads} heads divide", str(D))
    split = silu(convolved).reshape(T, heads, D // heads)
    return l2norm(split) if normalise else split


def _checked(x: npt.ArrayLike, weight: npt.ArrayLike, history: npt.ArrayLike | None) -> tuple[Float, Float, Float]:
    x, weight = as_float("x", x, ndim=2), as_float("weight", weight, ndim=2)
    D = x.shape[1]
    W = as_count("weight taps", weight.shape[1], 1)
    has_shape("weight", weight, (D, W))
    past = np.zeros((W - 1, D)) if history is None else as_float("history", history, ndim=2)
    has_shape("history", past, (W - 1, D))
    return x, weight, past
