"""What the simulator does by itself and a device must be told to do: leave NaN where a kernel will find its memory."""

from typing import Any

import numpy as np
from gpu.target import kernel
from numba import cuda

FLOATS = 12288
"""Numbers in 48 KB, the most static shared memory of a block."""


@kernel
def fill_shared(out: Any) -> None:
    """Fill each block's shared memory with NaN; out (blocks,) takes one of them, or the stores would be dropped.

    Grid: enough blocks for every multiprocessor. Block: any. Shared memory: all that a block may have. Invariant: none;
    a device does not promise that the next kernel finds what was left, but it usually does.
    """
    shared = cuda.shared.array((FLOATS,), np.float32)
    for place in range(cuda.threadIdx.x, FLOATS, cuda.blockDim.x):
        shared[place] = np.float32(np.nan)
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        out[cuda.blockIdx.x] = shared[cuda.blockIdx.x % FLOATS]
