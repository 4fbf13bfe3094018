"""The small functions every mechanism leans on: sigmoid, softplus, SiLU, two norms, softmax."""

import numpy as np
import numpy.typing as npt

from k3core.guards import Float, InputError, as_float, has_shape, in_range

L2_EPS = 1e-6
"""Added to the sum of squares, under the root, when queries and keys are normalised."""
RMS_EPS = 1e-5
"""`rms_norm_eps` of the released configuration."""
LATENT_RMS_EPS = 1e-6
"""What the released code falls back to for the two low-rank MLA norms."""


def sigmoid(x: npt.ArrayLike) -> Float:
    """Return 1 / (1 + e^-x) without overflow, any shape, float64.

    Raises:
        InputError: `x` is not finite.
    Source: report §2.1.1 eq.5. Exact: the function, to rounding. Not claimed: the tanh form that kernels use.
    """
    x = as_float("x", x)
    # e^-|x| never overflows; the two branches are one function written from both ends
    small = np.exp(-np.abs(x))
    return np.asarray(np.where(x >= 0, 1.0, small) / (1.0 + small))


def softplus(x: npt.ArrayLike) -> Float:
    """Return ln(1 + e^x) without overflow, any shape, float64.

    Raises:
        InputError: `x` is not finite.
    Source: report §2.1.1, the gate of Kimi Linear. Exact: the function, to rounding.
    """
    x = as_float("x", x)
    return np.asarray(np.maximum(x, 0.0) + np.log1p(np.exp(-np.abs(x))))


def silu(x: npt.ArrayLike) -> Float:
    """Return x * sigmoid(x), which the report calls Swish, any shape, float64.

    Raises:
        InputError: `x` is not finite.
    Source: report §2.1.1 eq.2.
    """
    x = as_float("x", x)
    return np.asarray(x * sigmoid(x))


def l2norm(x: npt.ArrayLike, eps: float = L2_EPS) -> Float:
    """Scale the last axis to unit length: x / sqrt(sum x^2 + eps).

    Args:
        x: (..., D) float64.
        eps: at least 0, in units of x squared; it is added to the *sum*, so an RMS norm would need eps / D.

    Returns:
        (..., D). A zero row stays zero; a row of length 1e-3 comes out 0.707 long at the default eps.

    Raises:
        InputError: `x` is not finite or `eps` is negative.
    Source: report §2.1.1 eq.2. Exact: the formula. Not claimed: unit length for short rows.
    """
    x = _rows(x)
    in_range("eps", eps, 0.0, np.inf)
    squares = np.sum(x * x, axis=-1, keepdims=True)  # (..., 1)
    # with eps 0 a zero row would be 0/0; its direction is undefined and it stays zero
    return np.asarray(x / np.sqrt(np.where(squares + eps > 0, squares + eps, 1.0)))


def rmsnorm(x: npt.ArrayLike, weight: npt.ArrayLike | None = None, eps: float = RMS_EPS) -> Float:
    """Divide the last axis by its root mean square, then multiply by a weight.

    Args:
        x: (..., D) float64.
        weight: (D,), or none for a weight of one.
        eps: at least 0, added to the mean of squares under the root.

    Returns:
        (..., D) float64.

    Raises:
        InputError: a value is not finite, `weight` is not (D,), or `eps` is negative.
    Source: report §2.3.1 eq.11. Exact: the formula in float64. Not claimed: the model's cast before the weight.
    """
    x = _rows(x)
    in_range("eps", eps, 0.0, np.inf)
    mean = np.mean(x * x, axis=-1, keepdims=True)  # (..., 1)
    normed = x / np.sqrt(np.where(mean + eps > 0, mean + eps, 1.0))
    if weight is None:
        return np.asarray(normed)
    weight = as_float("weight", weight)
    has_shape("weight", weight, x.shape[-1:])
    return np.asarray(normed * weight)


def softmax(x: npt.ArrayLike, axis: int = -1) -> Float:
    """Return e^x normalised to sum 1 along `axis`, shifted by the maximum so that nothing overflows.

    Raises:
        InputError: `x` is not finite.
    Source: report §2.2 eq.9. Exact: the function, to rounding.
    """
    x = _rows(x)
    weights = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return np.asarray(weights / np.sum(weights, axis=axis, keepdims=True))


def _rows(x: npt.ArrayLike) -> Float:
    """Read an array whose last axis holds something to sum."""
    array = as_float("x", x)
    if array.ndim == 0 or array.shape[-1] == 0:
        raise InputError("x", "at least 1 number on the last axis", f"shape {array.shape}")
    return array
