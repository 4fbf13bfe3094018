"""SiTU-GLU, forward and backward: two bounded branches and their product, element by element.

Grid and block: one thread per element, any number of blocks of any size; threads past the end do nothing. Shared
memory: none. Invariant: every thread reads and writes its own element only, so the order of threads is free.
"""

from typing import Any

import numpy as np
from gpu.target import div, kernel, mul, sigmoid, tanh
from numba import cuda

GATE_BETA = np.float32(4)
UP_BETA = np.float32(25)


@kernel
def situ_forward(gate: Any, up: Any, out: Any) -> None:
    """Write 4 tanh(g/4) sigmoid(g) * 25 tanh(u/25): three arrays (n,) float32."""
    i = cuda.grid(1)
    if i < out.shape[0]:
        g, u = gate[i], up[i]
        bounded = mul(mul(GATE_BETA, tanh(div(g, GATE_BETA))), sigmoid(g))
        out[i] = mul(bounded, mul(UP_BETA, tanh(div(u, UP_BETA))))


@kernel
def situ_backward(gate: Any, up: Any, slope: Any, by_gate: Any, by_up: Any) -> None:
    """Write the slope's share of both inputs: five arrays (n,) float32; nothing is kept from the forward pass."""
    i = cuda.grid(1)
    if i < by_gate.shape[0]:
        one = np.float32(1)
        t, s, flat = tanh(div(gate[i], GATE_BETA)), sigmoid(gate[i]), tanh(div(up[i], UP_BETA))
        rising = mul(one - mul(t, t), s)
        turning = mul(mul(GATE_BETA, mul(t, s)), one - s)
        by_gate[i] = mul(slope[i], mul(rising + turning, mul(UP_BETA, flat)))
        by_up[i] = mul(slope[i], mul(mul(GATE_BETA, mul(t, s)), one - mul(flat, flat)))
