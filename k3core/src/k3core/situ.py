"""SiTU-GLU, the bounded activation of K3's experts, with GLU and SwiGLU beside it."""

import numpy as np
import numpy.typing as npt

from k3core.guards import Float, InputError, as_float, has_shape
from k3core.primitives import sigmoid

GATE_BETA = 4.0
"""beta_1: the gate branch stays below it."""
UP_BETA = 25.0
"""beta_2: the up branch stays within plus and minus it."""


def situ_gate(gate: npt.ArrayLike, beta: float = GATE_BETA) -> Float:
    """Return beta tanh(g / beta) sigmoid(g), any shape: SiLU near 0, never above beta.

    Raises:
        InputError: a value is not finite, or beta is not above 0; there is no default of 1.
    Source: report §2.3.2 eq.12. Range: above -0.2698 for beta 4, at g = -1.2188.
    """
    gate = as_float("gate", gate)
    beta = _as_beta("beta", beta)
    return np.asarray(beta * np.tanh(gate / beta) * sigmoid(gate))


def situ_up(up: npt.ArrayLike, beta: float = UP_BETA) -> Float:
    """Return beta tanh(u / beta), any shape: u near 0, within plus and minus beta.

    Raises:
        InputError: as `situ_gate`.
    Source: report §2.3.2 eq.12.
    """
    up = as_float("up", up)
    beta = _as_beta("beta", beta)
    return np.asarray(beta * np.tanh(up / beta))


def situ_glu(gate: npt.ArrayLike, up: npt.ArrayLike, gate_beta: float = GATE_BETA, up_beta: float = UP_BETA) -> Float:
    """Multiply the two bounded branches, element by element.

    Args:
        gate: any shape.
        up: the same shape.
        gate_beta: beta_1, above 0.
        up_beta: beta_2, above 0.

    Returns:
        the same shape, of magnitude at most beta_1 * beta_2 = 100; in reals strictly below, in floats a
        saturated tanh reaches it.

    Raises:
        InputError: shapes differ, a value is not finite, or a beta is not above 0.
    Source: report §2.3.2 eq.12. Exact: the function in float64. Not claimed: training behaviour.
    """
    gate, up = _pair(gate, up)
    return np.asarray(situ_gate(gate, gate_beta) * situ_up(up, up_beta))


def situ_glu_gradients(
    gate: npt.ArrayLike, up: npt.ArrayLike, gate_beta: float = GATE_BETA, up_beta: float = UP_BETA
) -> tuple[Float, Float]:
    """Differentiate `situ_glu` with respect to gate and up; arguments and errors are the same.

    Source: derived from report §2.3.2 eq.12 and app.B:
    df/dg = [(1 - t^2) s + beta_1 t s (1 - s)] b and df/du = a (1 - tanh(u / beta_2)^2).
    """
    gate, up = _pair(gate, up)
    t, s = np.tanh(gate / _as_beta("gate_beta", gate_beta)), sigmoid(gate)
    flat = np.tanh(up / _as_beta("up_beta", up_beta))
    by_gate = ((1 - t * t) * s + gate_beta * t * s * (1 - s)) * up_beta * flat
    return np.asarray(by_gate), np.asarray(gate_beta * t * s * (1 - flat * flat))


def swiglu(gate: npt.ArrayLike, up: npt.ArrayLike) -> Float:
    """Return g sigmoid(g) u, which has no bound: K2's activation. Source: report §2.3.2, fig.4."""
    gate, up = _pair(gate, up)
    return np.asarray(gate * sigmoid(gate) * up)


def glu(gate: npt.ArrayLike, up: npt.ArrayLike) -> Float:
    """Return sigmoid(g) u, the plain gated unit. Source: report §2.3.2, fig.4."""
    gate, up = _pair(gate, up)
    return np.asarray(sigmoid(gate) * up)


def situ_output(*, gate: float, up: float, gate_beta: float, up_beta: float) -> float:
    """Return one coordinate of SiTU-GLU: 96.40 at gate = up = 50 under K3's betas, where SwiGLU gives 2,500.

    Raises:
        InputError: as `situ_glu`.
    Source: report §2.3.2 eq.12. Exact: the function in float64. Not claimed: that K3 meets such an input.
    """
    return float(situ_glu(gate, up, gate_beta, up_beta))


def swiglu_output(*, gate: float, up: float) -> float:
    """Return one coordinate of SwiGLU. Source: report §2.3.2.

    Raises:
        InputError: a value is not finite.
    """
    return float(swiglu(gate, up))


def situ_mlp(x: npt.ArrayLike, gate: npt.ArrayLike, up: npt.ArrayLike, down: npt.ArrayLike) -> Float:
    """Run an MLP with SiTU-GLU inside: down (situ(gate x, up x)).

    Args:
        x: (..., d).
        gate: (f, d).
        up: (f, d).
        down: (d, f).

    Raises:
        InputError: a shape disagrees or a value is not finite.
    Source: report §2.3.1 eq.11, the expert.
    """
    x, gate, up, down = as_float("x", x), as_float("gate", gate, 2), as_float("up", up, 2), as_float("down", down, 2)
    has_shape("gate", gate, (len(gate), x.shape[-1]))
    has_shape("up", up, gate.shape)
    has_shape("down", down, gate.shape[::-1])
    return np.asarray(situ_glu(x @ gate.T, x @ up.T) @ down.T)


def _pair(gate: npt.ArrayLike, up: npt.ArrayLike) -> tuple[Float, Float]:
    gate, up = as_float("gate", gate), as_float("up", up)
    has_shape("up", up, gate.shape)
    return gate, up


def _as_beta(name: str, beta: float) -> float:
    number = float(as_float(name, beta, ndim=0))
    if number <= 0:
        raise InputError(name, "a number above 0", f"{number:g}")
    return number
