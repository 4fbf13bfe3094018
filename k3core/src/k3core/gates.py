"""How fast a KDA channel forgets: the bounded gate of K3 beside the unbounded one of Kimi Linear."""

import math
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from k3core.guards import Float, InputError, as_count, as_float, has_shape, in_range
from k3core.primitives import sigmoid, softplus

LOWER_BOUND = -5.0
"""g_min of the report: the most negative log-decay of one token."""
LARGEST_FINITE_LOG = MappingProxyType(
    {
        "bf16": math.log(3.3895313892515355e38),
        "fp16": math.log(65504.0),
        "fp32": math.log(3.4028234663852886e38),
    }
)
"""Natural log of the largest finite number per format, no unit."""


class GateGradients(NamedTuple):
    """Derivatives of the log-decay, element by element, with the shape of the logits."""

    logit: Float
    """(..., H, K): with respect to the logit, and equally to the bias."""
    log_rate: Float
    """(..., H, K): with respect to A; sum over tokens and channels for the parameter itself."""


def bounded_log_decay(
    logit: npt.ArrayLike, bias: npt.ArrayLike, log_rate: npt.ArrayLike, lower_bound: float = LOWER_BOUND
) -> Float:
    """Map decay logits to log-decays inside (lower_bound, 0): g = g_min * sigmoid(e^A (z + b)).

    Args:
        logit: (..., H, K) float64, the low-rank projection z, no unit.
        bias: (H, K) added before the rate; the other order is another function.
        log_rate: (H,) A, the natural log of the rate; 0 at initialisation.
        lower_bound: below 0.

    Returns:
        (..., H, K) natural log of the retention. Open interval in reals; in floats a saturated sigmoid
        reaches both ends.

    Raises:
        InputError: a shape disagrees, a value is not finite, or the bound is not below 0.
    Source: report §2.1.1 eq.5. Exact: the function. Not claimed: the model's learned A or b.
    """
    scaled, _ = _scaled_logit(logit, bias, log_rate)
    return np.asarray(_as_bound(lower_bound) * sigmoid(scaled))


def softplus_log_decay(logit: npt.ArrayLike, bias: npt.ArrayLike, log_rate: npt.ArrayLike) -> Float:
    """Map decay logits to log-decays in (-inf, 0): g = -e^A softplus(z + b), the gate of Kimi Linear.

    Args:
        logit: (..., H, K) float64, no unit.
        bias: (H, K).
        log_rate: (H,).

    Returns:
        (..., H, K) natural log of the retention, unbounded below.

    Raises:
        InputError: a shape disagrees or a value is not finite.
    Source: report §2.1.1, fig.3. A checkpoint trained with one gate does not work with the other.
    """
    shifted, rate = _shifted_logit(logit, bias, log_rate)
    return np.asarray(-rate * softplus(shifted))


def bounded_log_decay_gradients(
    logit: npt.ArrayLike, bias: npt.ArrayLike, log_rate: npt.ArrayLike, lower_bound: float = LOWER_BOUND
) -> GateGradients:
    """Differentiate `bounded_log_decay`; arguments, shapes and errors are the same.

    Source: derived from report §2.1.1 eq.5: dg/dz = g_min e^A s (1 - s), dg/dA = (z + b) dg/dz.
    """
    scaled, rate = _scaled_logit(logit, bias, log_rate)
    s = sigmoid(scaled)
    by_scaled = _as_bound(lower_bound) * s * (1.0 - s)  # (..., H, K)
    return GateGradients(np.asarray(by_scaled * rate), np.asarray(by_scaled * scaled))


def softplus_log_decay_gradients(logit: npt.ArrayLike, bias: npt.ArrayLike, log_rate: npt.ArrayLike) -> GateGradients:
    """Differentiate `softplus_log_decay`; arguments, shapes and errors are the same.

    Source: derived: dg/dz = -e^A sigmoid(z + b), dg/dA = g.
    """
    shifted, rate = _shifted_logit(logit, bias, log_rate)
    return GateGradients(np.asarray(-rate * sigmoid(shifted)), np.asarray(-rate * softplus(shifted)))


def in_log2_units(log_decay: npt.ArrayLike) -> Float:
    """Convert natural-log decays to base 2, the unit in which FlashKDA accumulates them.

    Raises:
        InputError: a value is not finite.
    Source: derived: g log2(e), rounded once.
    """
    return np.asarray(as_float("log_decay", log_decay) * math.log2(math.e))


def read_log_rates(stored: npt.ArrayLike, heads: int) -> Float:
    """Take the first `heads` rates of a stored vector that was padded with exact zeros.

    Args:
        stored: (at least `heads`,) as released: 128 entries of which 96 are used.
        heads: H, at least 1.

    Raises:
        InputError: there are too few entries, or one that should be padding is not zero.
    Source: the released checkpoint, as third parties describe it. Exact: a selection.
    """
    stored = as_float("stored", stored, ndim=1)
    heads = as_count("heads", heads, 1)
    if stored.size < heads:
        raise InputError("stored", f"at least {heads} entries", str(stored.size))
    in_range("stored padding", stored[heads:], 0.0, 0.0)
    return stored[:heads].copy()


def min_retention(lower_bound: float) -> float:
    """Return e^lower_bound, the smallest share of a channel that one token can leave standing.

    Raises:
        InputError: the bound is not below 0.
    Source: report §2.1.1 eq.5: alpha > e^-5, about 6.7e-3. No unit.
    """
    return math.exp(_as_bound(lower_bound))


def tile_log_decay_bound(lower_bound: float, tile: int) -> float:
    """Return tile * lower_bound, which the summed log-decay of a tile stays above.

    Raises:
        InputError: the bound is not below 0, or the tile is not a whole number.
    Source: report §2.1.1: 16 tokens at -5 give -80. Natural log.
    """
    return as_count("tile", tile) * _as_bound(lower_bound)


def reciprocal_bound(lower_bound: float, tile: int) -> float:
    """Return e^(-tile * lower_bound), which the reciprocal of a tile's cumulative decay stays below.

    Raises:
        InputError: also where the bound itself leaves float64 (an exponent above 709).
    Source: report §2.1.1: below e^80, inside BF16. Not claimed: accuracy of a kernel that uses it.
    """
    exponent = -tile_log_decay_bound(lower_bound, tile)
    in_range("tile", exponent, 0.0, 709.0)
    return math.exp(exponent)


def longest_safe_chunk(lower_bound: float, largest_finite_log: float) -> int:
    """Count the tokens whose worst cumulative reciprocal still fits a format.

    Args:
        lower_bound: below 0.
        largest_finite_log: natural log of the format's largest finite number, above 0 (88.72 for BF16).

    Returns:
        floor(largest_finite_log / -lower_bound): 17 for K3's bound and BF16.

    Raises:
        InputError: the bound is not below 0, or the logarithm is not above 0.
    Source: derived from report §2.1.1. Not claimed: that other factors of the same product stay finite.
    """
    in_range("largest_finite_log", largest_finite_log, 0.0, 1e300)
    return math.floor(largest_finite_log / -_as_bound(lower_bound))


def first_overflow_step(rate: float, largest_finite_log: float) -> int:
    """Return the first token at which e^(rate * tokens) exceeds a format, for a constant rate above 0.

    Source: derived; 18 for the bounded gate's worst rate 5 in BF16, 8 for a softplus gate at z=0, A=ln 16.
    """
    return longest_safe_chunk(-rate, largest_finite_log) + 1


def _as_bound(lower_bound: float) -> float:
    number = float(as_float("lower_bound", lower_bound, ndim=0))
    if number >= 0:
        raise InputError("lower_bound", "a number below 0", f"{number:g}")
    return number


def _shifted_logit(logit: npt.ArrayLike, bias: npt.ArrayLike, log_rate: npt.ArrayLike) -> tuple[Float, Float]:
    """Return z + b (..., H, K) and e^A (H, 1)."""
    logit, log_rate = as_float("logit", logit), as_float("log_rate", log_rate, ndim=1)
    bias = as_float("bias", bias, ndim=2)
    if logit.ndim < 2:
        raise InputError("logit", "at least 2 dimensions (..., H, K)", f"shape {logit.shape}")
    has_shape("bias", bias, logit.shape[-2:])
    has_shape("log_rate", log_rate, logit.shape[-2:-1])
    in_range("log_rate", log_rate, -700.0, 700.0)
    return logit + bias, np.exp(log_rate)[:, None]


def _scaled_logit(logit: npt.ArrayLike, bias: npt.ArrayLike, log_rate: npt.ArrayLike) -> tuple[Float, Float]:
    """Return e^A (z + b) (..., H, K) and e^A (H, 1)."""
    shifted, rate = _shifted_logit(logit, bias, log_rate)
    return np.asarray(rate * shifted), rate
