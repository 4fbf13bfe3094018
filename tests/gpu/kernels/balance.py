"""Quantile Balancing from counts: how much bias each token would ask for, in bins, and the quantile of the bins."""

from typing import Any

import numpy as np
from gpu.target import div, floor, kernel, mul
from numba import cuda

MOST = 1024
"""The most experts, and threads of the block that finds the quantile."""


@kernel
def qb_count(scores: Any, cutoffs: Any, low: Any, width: Any, counts: Any) -> None:
    """Count required biases, cutoff less score, in equal bins from `low`; the ends belong to the outer bins.

    scores (T, n); cutoffs (T,); counts (n, B) int32, added to. Grid: T n over the block's threads. Block: any. Shared
    memory: none. Invariant: counts are whole numbers and every addition is atomic, so their order leaves no trace.
    """
    place, n = cuda.grid(1), scores.shape[1]
    if place < scores.shape[0] * n:
        t, e = place // n, place % n
        bin_of = floor(div(cutoffs[t] - scores[t, e] - low, width))
        cuda.atomic.add(counts, (e, max(0, min(bin_of, counts.shape[1] - 1))), 1)


@kernel
def qb_quantile(counts: Any, share: Any, low: Any, width: Any, bias: Any) -> None:
    """Find, in each expert's counts, where `share` tokens ask for no more, and centre what is found.

    counts (n, B) int32, n at most 1024; bias (n,). Grid: one block. Block: any number of threads up to n. Shared
    memory: one number per expert. Invariant: every thread adds the same numbers in the same order, so all subtract one
    mean; a thread writes the experts it read.
    """
    found = cuda.shared.array((MOST,), np.float32)
    n = counts.shape[0]
    for e in range(cuda.threadIdx.x, n, cuda.blockDim.x):
        before, bin_of = np.int64(0), 0
        # counts are whole: the first bin that reaches the share is the first that reaches it rounded up
        while np.float32(before + counts[e, bin_of]) < share:
            before += counts[e, bin_of]
            bin_of += 1
        inside = div(share - np.float32(before), np.float32(counts[e, bin_of]))
        found[e] = low + mul(np.float32(bin_of) + inside, width)
    cuda.syncthreads()
    total = np.float32(0)
    for e in range(n):
        total += found[e]
    for e in range(cuda.threadIdx.x, n, cuda.blockDim.x):
        bias[e] = found[e] - div(total, np.float32(n))
