"""Per-Head Muon: orthogonalise the momentum of each attention head as a matrix of its own."""

import numpy as np
import numpy.typing as npt

from k3core.guards import Float, InputError, as_count, as_float, one_of

COEFFICIENTS = (3.4445, -4.7750, 2.0315)
"""a, b, c of the public fifth-order iteration. The report publishes neither these nor a scale."""
SCALES = ("none", "moonlight", "keller")
"""Which factor multiplies the update; see `update_scale`."""


def newton_schulz(
    matrix: npt.ArrayLike,
    *,
    steps: int = 5,
    coefficients: tuple[float, float, float] = COEFFICIENTS,
    eps: float = 1e-7,
) -> Float:
    """Push all singular values of a matrix towards 1 by X <- aX + (bA + cA^2)X with A = X X^T.

    The start is X = M / (|M|_F + eps), transposed where M is tall so that A is the smaller square. With the public
    coefficients the map does not converge to 1: singular values end in about 0.68 to 1.13.

    Args:
        matrix: (..., rows, cols) float64, finite; leading axes are a batch of independent matrices.
        steps: at least 0.
        coefficients: a, b, c.
        eps: keeps a zero matrix zero; more than 0.

    Returns:
        The shape of `matrix`.

    Raises:
        InputError: fewer than two axes, a value that is not finite, or `eps` not above 0.
    Source: report §2.5; the public Muon code for iteration and coefficients. Exact: the polynomial in float64. Not
    claimed: the coefficients, scale or precision that K3 trained with.
    """
    m = as_float("matrix", matrix)
    if m.ndim < 2:
        raise InputError("matrix", "at least two axes", f"shape {m.shape}")
    if not eps > 0:
        raise InputError("eps", "a number above 0", f"{eps:g}")
    a, b, c = coefficients
    tall = m.shape[-2] > m.shape[-1]
    x = np.swapaxes(m, -1, -2) if tall else m
    x = x / (np.linalg.norm(x, axis=(-2, -1), keepdims=True) + eps)
    for _ in range(as_count("steps", steps)):
        square = x @ np.swapaxes(x, -1, -2)
        x = a * x + (b * square + c * square @ square) @ x
    return np.asarray(np.swapaxes(x, -1, -2) if tall else x)


def newton_schulz_scalar(
    sigma: npt.ArrayLike, *, steps: int = 5, coefficients: tuple[float, float, float] = COEFFICIENTS
) -> Float:
    """Map singular values as `newton_schulz` does, one by one: s <- a s + b s^3 + c s^5.

    Args:
        sigma: any shape, singular values after the division by the Frobenius norm.
        steps: at least 0.
        coefficients: a, b, c.

    Raises:
        InputError: a value that is not finite, or a bad number of steps.
    Source: report §2.5; the public Muon code. Exact: the polynomial.
    """
    s = as_float("sigma", sigma)
    a, b, c = coefficients
    for _ in range(as_count("steps", steps)):
        s = a * s + b * s**3 + c * s**5
    return s


def newton_schulz_by_svd(matrix: npt.ArrayLike, *, steps: int = 5, eps: float = 1e-7) -> Float:
    """Apply the scalar map to the singular values of one matrix: the slow truth of `newton_schulz`.

    Raises:
        InputError: as `newton_schulz`, or more than two axes.
    Source: report §2.5. Exact up to the rounding of the decomposition.
    """
    m = as_float("matrix", matrix, ndim=2)
    u, s, vt = np.linalg.svd(m, full_matrices=False)
    mapped = newton_schulz_scalar(s / (np.linalg.norm(m) + eps), steps=steps)
    return np.asarray((u * mapped) @ vt)


def polar_factor(matrix: npt.ArrayLike) -> Float:
    """The nearest matrix whose singular values are all 1, from the decomposition: what Newton-Schulz approximates.

    Args:
        matrix: (rows, cols) of full rank; a direction of singular value 0 has no defined answer.

    Raises:
        InputError: not two axes, or a value that is not finite.
    Source: report §2.5. Exact up to the rounding of the decomposition.
    """
    u, _, vt = np.linalg.svd(as_float("matrix", matrix, ndim=2), full_matrices=False)
    return np.asarray(u @ vt)


def update_scale(*, rows: int, cols: int, rule: str) -> float:
    """The factor that makes updates of matrices of different shapes comparable.

    `moonlight` is 0.2 sqrt(max(rows, cols)), `keller` is sqrt(max(1, rows / cols)), `none` is 1. With heads as
    matrices of their own, rows are those of a head: 16.93 for 128 x 7168 under `moonlight`, 22.17 for the full matrix.

    Raises:
        InputError: a count below 1, or an unknown rule.
    Source: the public Moonlight and Muon codes. Exact: the formula. Not claimed: that K3 uses either.
    """
    as_count("rows", rows, low=1)
    as_count("cols", cols, low=1)
    if one_of("rule", rule, SCALES) == "moonlight":
        return 0.2 * float(np.sqrt(max(rows, cols)))
    return float(np.sqrt(max(1.0, rows / cols))) if rule == "keller" else 1.0


def per_head_update(momentum: npt.ArrayLike, heads: int, *, scale: str = "none", steps: int = 5) -> Float:
    """Orthogonalise each head's rows alone, with a head's own scale factor; `heads=1` is plain Muon.

    Args:
        momentum: (heads * rows, cols) float64: the rows of a projection belong to heads in order.
        heads: blocks to split into. K3's KDA projections have 96 of 128 rows, MLA's query 96 of 192, its latent
            expansion 96 of 256.
        scale: `none`, `moonlight` or `keller`.
        steps: Newton-Schulz steps.

    Returns:
        The shape of `momentum`.

    Raises:
        InputError: the rows do not split evenly, a value is not finite, or a word is unknown.
    Source: report §2.5. Exact: the split. A cut over tensor-parallel ranks leaves it unchanged only where the cut
    runs between heads. Not claimed: coefficients and scale of K3's training.
    """
    m = as_float("momentum", momentum, ndim=2)
    rows, cols = m.shape
    if rows % as_count("heads", heads, low=1):
        raise InputError("heads", f"a divisor of the rows ({rows})", str(heads))
    blocks = m.reshape(heads, rows // heads, cols)
    factor = update_scale(rows=rows // heads, cols=cols, rule=scale)
    return factor * newton_schulz(blocks, steps=steps).reshape(rows, cols)


def per_head_update_by_loop(momentum: npt.ArrayLike, heads: int, *, scale: str = "none", steps: int = 5) -> Float:
    """Orthogonalise head after head through the decomposition: the slow truth of `per_head_update`.

    Raises:
        InputError: as `per_head_update`.
    Source: report §2.5.
    """
    m = as_float("momentum", momentum, ndim=2)
    updates = []
    for block in np.split(m, as_count("heads", heads, low=1)):
        factor = update_scale(rows=block.shape[0], cols=block.shape[1], rule=scale)
        updates.append(factor * newton_schulz_by_svd(block, steps=steps))
    return np.concatenate(updates)
