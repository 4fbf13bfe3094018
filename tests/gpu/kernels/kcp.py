"""Two neighbouring segments of context-parallel KDA joined into one: (M2 M1, M2 S1 + S2)."""

from typing import Any

import numpy as np
from gpu.target import kernel, mul
from numba import cuda

TILE = 16
"""Rows and columns of a block."""


@kernel
def kcp_compose(late: Any, late_state: Any, early: Any, early_state: Any, joined: Any, joined_state: Any) -> None:
    """Multiply both panels of the earlier segment by the later one's transition, and add the later one's state.

    late, early, joined (H, K, K), transitions; late_state, early_state, joined_state (H, K, V).
    Grid: (H, K over 16, K + V over 16). Block: (16, 16). Shared memory: two tiles. Invariant: the later factor stands
    on the left; both panels are one product, column by column; a tile is read between two barriers.
    """
    left = cuda.shared.array((TILE, TILE), np.float32)
    right = cuda.shared.array((TILE, TILE), np.float32)
    h, y, x = cuda.blockIdx.x, cuda.threadIdx.y, cuda.threadIdx.x
    row, column = cuda.blockIdx.y * TILE + y, cuda.blockIdx.z * TILE + x
    K, V = late.shape[1], late_state.shape[2]
    total = np.float32(0)
    for start in range(0, K, TILE):
        left[y, x] = late[h, row, start + x] if row < K and start + x < K else np.float32(0)
        inner = start + y
        if inner < K and column < K:
            right[y, x] = early[h, inner, column]
        elif inner < K and column < K + V:
            right[y, x] = early_state[h, inner, column - K]
        else:
            right[y, x] = np.float32(0)
        cuda.syncthreads()
        for m in range(TILE):
            total += mul(left[y, m], right[m, x])
        cuda.syncthreads()
    if row < K and column < K:
        joined[h, row, column] = total
    elif row < K and column < K + V:
        joined_state[h, row, column - K] = total + late_state[h, row, column - K]
