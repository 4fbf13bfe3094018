"""The router: sixteen of 896 experts by biased score, and the weights by the scores alone."""

from typing import Any

import numpy as np
from gpu.target import div, kernel, mul, sigmoid
from numba import cuda

MOST = 1024
"""The most experts."""
CHOSEN = 32
"""The most experts of a token."""


@kernel
def route(logits: Any, bias: Any, scaling: Any, experts: Any, weights: Any, cutoffs: Any) -> None:
    """Choose each token's experts, weigh them, and keep the best score that was not good enough.

    logits (T, n), n at most 1024; bias (n,); experts int32 and weights (T, k), from the largest biased score down, k
    below n and at most 32; cutoffs (T,), the (k + 1)-th largest biased score. Grid: T. Block: any. Shared memory: two
    numbers per expert, one index per chosen one. Invariant: an expert's rank is the number of experts that beat it, of
    equals those before it; ranks are all different, so each place is written once and by one thread.
    """
    scores = cuda.shared.array((MOST,), np.float32)
    biased = cuda.shared.array((MOST,), np.float32)
    chosen = cuda.shared.array((CHOSEN,), np.int32)
    t, n, k = cuda.blockIdx.x, bias.shape[0], experts.shape[1]
    for e in range(cuda.threadIdx.x, n, cuda.blockDim.x):
        scores[e] = sigmoid(logits[t, e])
        biased[e] = scores[e] + bias[e]
    cuda.syncthreads()
    for e in range(cuda.threadIdx.x, n, cuda.blockDim.x):
        rank, mine = 0, biased[e]
        for other in range(n):
            if biased[other] > mine or (biased[other] == mine and other < e):
                rank += 1
        if rank < k:
            chosen[rank] = e
        elif rank == k:
            cutoffs[t] = mine
    cuda.syncthreads()
    for place in range(cuda.threadIdx.x, k, cuda.blockDim.x):
        total = np.float32(0)
        for other in range(k):
            total += scores[chosen[other]]
        experts[t, place] = chosen[place]
        # the stored score and not the biased one less the bias, which would lose small scores
        weights[t, place] = mul(div(scores[chosen[place]], total + np.float32(1e-20)), scaling)
