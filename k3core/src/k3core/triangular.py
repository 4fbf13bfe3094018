"""Inverses of I + L with L strictly lower triangular: one that is safe and one that is only exact in algebra."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from k3core.guards import Array, Float, InputError, as_float
from k3core.rounding import rounding_named


def substituted_inverse(lower: npt.ArrayLike) -> Float:
    """Invert I + L row by row by forward substitution: the slow truth.

    Args:
        lower: (..., C, C) strictly lower triangular, float64.

    Returns:
        (..., C, C) unit lower triangular.

    Raises:
        InputError: not square, not strictly lower, or not finite.
    Source: report §2.1.1 eq.3. Exact: the algebra; backward stable.
    """
    lower = _checked(lower)
    inverse = np.zeros_like(lower) + np.eye(lower.shape[-1])
    for i in range(1, lower.shape[-1]):
        # row i needs finished rows only, which is why a triangular system needs no inverse power
        inverse[..., i, :i] = -(lower[..., i : i + 1, :i] @ inverse[..., :i, :i])[..., 0, :]
    return inverse


def halved_inverse(lower: Array) -> Array:
    """Invert I + L by splitting it into halves, unchecked, in the dtype of `lower`: the fast form.

    Args:
        lower: (..., C, C) strictly lower triangular, any C.

    Source: the identity [[P, 0], [Q, R]]^-1 = [[P^-1, 0], [-R^-1 Q P^-1, R^-1]].
    Not claimed: the order of operations of a particular kernel.
    """
    C = lower.shape[-1]
    inverse = np.zeros_like(lower)
    if C <= 2:
        inverse[..., range(C), range(C)] = 1.0
        inverse[..., -1, :-1] = -lower[..., -1, :-1]
        return inverse
    half = C // 2
    first = halved_inverse(lower[..., :half, :half])
    second = halved_inverse(lower[..., half:, half:])
    inverse[..., :half, :half] = first
    inverse[..., half:, half:] = second
    inverse[..., half:, :half] = -(second @ (lower[..., half:, :half] @ first))
    return inverse


def neumann_inverse(lower: npt.ArrayLike, *, product_rounding: str = "float64") -> Float:
    """Invert I + L by the doubling series (I - L)(I + L^2)(I + L^4)...: an option that shows its failure.

    Args:
        lower: (..., C, C) strictly lower triangular, float64.
        product_rounding: a name of `k3core.rounding.ROUNDINGS`, applied to L and to every product and sum.

    Returns:
        (..., C, C); in a narrow format possibly far from the inverse, or not finite.

    Raises:
        InputError: not square, not strictly lower, not finite, or no such rounding.
    Source: report §2.1.1 eq.3 for the matrix; the series is the finite geometric sum, as L^C = 0.
    Exact: in real numbers. Not claimed: accuracy. Entries of the inverse may stay within 1 while those of L^8
    pass 3000, and what should cancel does not.
    """
    rounded = rounding_named(product_rounding)
    power = rounded(_checked(lower))
    C = power.shape[-1]
    inverse = rounded(np.eye(C) - power)
    reach = 2
    with np.errstate(over="ignore", invalid="ignore"):
        while reach < C:
            power = rounded(power @ power)
            inverse = rounded(inverse + rounded(inverse @ power))
            reach *= 2
    return inverse


INVERSES: Mapping[str, Callable[[Array], Array]] = MappingProxyType(
    {"solve": halved_inverse, "neumann": neumann_inverse}
)
"""The two ways a chunk can undo its own writes, by the name that arguments use."""


def _checked(lower: npt.ArrayLike) -> Float:
    matrix = as_float("lower", lower)
    if matrix.ndim < 2 or matrix.shape[-1] != matrix.shape[-2]:
        raise InputError("lower", "square matrices (..., C, C)", f"shape {matrix.shape}")
    if np.any(np.triu(matrix)):
        raise InputError("lower", "zeros on and above the diagonal", "others")
    return matrix
