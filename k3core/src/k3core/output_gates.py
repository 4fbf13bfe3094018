"""The two output gates: KDA normalises each head and then gates, MLA only gates."""

import numpy as np
import numpy.typing as npt

from k3core.guards import Float, as_float, has_shape
from k3core.primitives import RMS_EPS, rmsnorm, sigmoid


def kda_output_gate(output: npt.ArrayLike, gate: npt.ArrayLike, weight: npt.ArrayLike, eps: float = RMS_EPS) -> Float:
    """Normalise every head, then let a sigmoid gate through: sigmoid(gate) * rmsnorm(output) * weight.

    Args:
        output: (..., H, V) what KDA read.
        gate: (..., H, V) logits W_g x, before the sigmoid.
        weight: (V,), one vector for all heads.
        eps: of the RMS norm.

    Returns:
        (..., H, V), before the output projection.

    Raises:
        InputError: a shape disagrees or a value is not finite.
    Source: report §2.1.1 eq.6. The norm comes first; the other order is another function.
    """
    output, gate = as_float("output", output), as_float("gate", gate)
    has_shape("gate", gate, output.shape)
    return np.asarray(rmsnorm(output, weight, eps) * sigmoid(gate))


def mla_output_gate(output: npt.ArrayLike, gate: npt.ArrayLike) -> Float:
    """Let a sigmoid gate through without a norm: sigmoid(gate) * output.

    Args:
        output: (..., H, V) what attention read.
        gate: (..., H, V) logits.

    Raises:
        InputError: a shape disagrees or a value is not finite.
    Source: report §2.1.2 eq.7. A gate scales channels; it routes nothing.
    """
    output, gate = as_float("output", output), as_float("gate", gate)
    has_shape("gate", gate, output.shape)
    return np.asarray(output * sigmoid(gate))
