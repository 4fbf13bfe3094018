"""What KDA reads: the bounded gate with its decay summed over chunks, and the short convolution's decode step."""

from typing import Any

import numpy as np
from gpu.target import div, exp, kernel, mul, sigmoid, sqrt
from numba import cuda

CHUNK = 16
"""Tokens over which the decay is summed before the sum starts again."""
WIDEST = 128
"""The most channels of a head."""


@kernel
def gate_cumulative(
    logit: Any, bias: Any, log_rate: Any, lowest: Any, bounds: Any, log_decay: Any, summed: Any
) -> None:
    """Write each token's log-decay and its running sum inside the chunk, for packed sequences.

    logit, log_decay, summed (T, H, K); bias (H, K); log_rate (H,); lowest below 0; bounds (N + 1,).
    Grid: (N H, K over the block's threads). Block: any. Shared memory: none. Invariant: a channel's sum is one
    thread's, in the order of tokens, and starts anew at every sixteenth token of its own sequence.
    """
    n, h = cuda.blockIdx.x // bias.shape[0], cuda.blockIdx.x % bias.shape[0]
    k = cuda.blockIdx.y * cuda.blockDim.x + cuda.threadIdx.x
    if k < bias.shape[1]:
        rate, total = exp(log_rate[h]), np.float32(0)
        for t in range(bounds[n], bounds[n + 1]):
            decay = mul(lowest, sigmoid(mul(rate, logit[t, h, k] + bias[h, k])))
            if (t - bounds[n]) % CHUNK == 0:
                total = np.float32(0)
            total += decay
            log_decay[t, h, k] = decay
            summed[t, h, k] = total


@kernel
def conv_step(x: Any, weight: Any, eps: Any, normed: Any, history: Any, out: Any) -> None:
    """Convolve one token of each sequence with the three before it, apply SiLU, and scale heads to unit length.

    x, out (N, H, K); weight (H, K, 4), tap 3 for the token itself; history (N, 3, H, K) in place, oldest first; the
    first `normed` heads are scaled, the others (values) are not. Grid: N H. Block: a power of two of at least K
    threads, at most 128. Shared memory: one number per thread. Invariant: a channel is one thread's; squares are added
    in halves, and a barrier stands between any two halves.
    """
    squares = cuda.shared.array((WIDEST,), np.float32)
    n, h = cuda.blockIdx.x // x.shape[1], cuda.blockIdx.x % x.shape[1]
    k, K = cuda.threadIdx.x, x.shape[2]
    active = np.float32(0)
    if k < K:
        total = mul(weight[h, k, 0], history[n, 0, h, k])
        total += mul(weight[h, k, 1], history[n, 1, h, k])
        total += mul(weight[h, k, 2], history[n, 2, h, k])
        total += mul(weight[h, k, 3], x[n, h, k])
        active = mul(total, sigmoid(total))
        history[n, 0, h, k] = history[n, 1, h, k]
        history[n, 1, h, k] = history[n, 2, h, k]
        history[n, 2, h, k] = x[n, h, k]
    squares[k] = mul(active, active)
    half = cuda.blockDim.x // 2
    while half > 0:
        cuda.syncthreads()
        if k < half:
            squares[k] += squares[k + half]
        half //= 2
    cuda.syncthreads()
    if k < K:
        out[n, h, k] = div(active, sqrt(squares[0] + eps)) if h < normed else active
