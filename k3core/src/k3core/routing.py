"""Which experts a token goes to: chosen by biased scores, weighed by the scores alone."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from k3core.guards import Array, Float, as_count, as_float, has_shape


class Routing(NamedTuple):
    """The chosen experts of T tokens."""

    experts: Array
    """(T, k) int64, from the largest biased score down."""
    weights: Float
    """(T, k) mixture weights in the same order, summing to the scaling factor."""


def top_experts(biased: npt.ArrayLike, k: int) -> Array:
    """Return the k largest of each row, largest first; of equals the lowest index first.

    Args:
        biased: (T, n) scores plus bias.
        k: 1 to n.

    Raises:
        InputError: not a finite matrix, or k out of range.
    Source: report §2.3.3 eq.13. The rule for equals is this package's; the report has none.
    """
    biased = as_float("biased", biased, ndim=2)
    k = as_count("k", k, 1, biased.shape[1])
    return np.argsort(-biased, axis=1, kind="stable")[:, :k]


def route_tokens(scores: npt.ArrayLike, bias: npt.ArrayLike, k: int, scaling: float = 1.0) -> Routing:
    """Choose k experts per token and weigh them.

    Args:
        scores: (T, n) in [0, 1], after the sigmoid.
        bias: (n,) moves the choice and nothing else.
        k: 1 to n.
        scaling: `routed_scaling_factor`, 1 in K3.

    Returns:
        experts and weights; a weight is its score over the chosen scores' sum, which 1e-20 keeps from 0.

    Raises:
        InputError: a shape disagrees, a value is not finite, or k is out of range.
    Source: report §2.3.3 eq.13. Weights are read from the stored scores: (s + b) - b would lose small ones.
    """
    scores, bias = as_float("scores", scores, ndim=2), as_float("bias", bias)
    has_shape("bias", bias, scores.shape[1:])
    experts = top_experts(scores + bias, k)
    picked = np.take_along_axis(scores, experts, axis=1)  # (T, k)
    weights = picked / (np.sum(picked, axis=1, keepdims=True) + 1e-20)
    return Routing(experts, np.asarray(weights * float(as_float("scaling", scaling, 0))))


def expert_loads(scores: npt.ArrayLike, bias: npt.ArrayLike, k: int) -> Array:
    """Count the tokens that each expert receives: (n,) int64, summing to T k.

    Raises:
        InputError: as `route_tokens`.
    Source: report §2.3.3 eq.13. Exact: whole numbers.
    """
    scores, bias = as_float("scores", scores, ndim=2), as_float("bias", bias)
    has_shape("bias", bias, scores.shape[1:])
    # in a browser NumPy's own choice of width would be 32 bits
    return np.bincount(top_experts(scores + bias, k).ravel(), minlength=scores.shape[1]).astype(np.int64)
