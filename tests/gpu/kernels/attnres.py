"""Block Attention Residuals: sources mixed by a softmax that is built up source by source, in one pass."""

from typing import Any

import numpy as np
from gpu.target import div, exp, kernel, mul, sqrt
from numba import cuda

WIDEST = 256
"""The most threads of a block."""


@kernel
def attnres_mix(sources: Any, query: Any, eps: Any, out: Any) -> None:
    """Mix the sources of each token: sum of softmax(query . rmsnorm(source)) source.

    sources (N, T, D), N at least 1; query (D,); out (T, D). Grid: T. Block: a power of two of at most 256 threads.
    Shared memory: two sums per thread. Invariant: after each source, `weight` and `out` hold the mixture so far on the
    scale of the largest score so far, the same in all threads; each element of `out` is one thread's.
    """
    squares = cuda.shared.array((WIDEST,), np.float32)
    products = cuda.shared.array((WIDEST,), np.float32)
    t, x, threads, D = cuda.blockIdx.x, cuda.threadIdx.x, cuda.blockDim.x, query.shape[0]
    largest, weight = np.float32(0), np.float32(0)
    for i in range(sources.shape[0]):
        square, product = np.float32(0), np.float32(0)
        for d in range(x, D, threads):
            square += mul(sources[i, t, d], sources[i, t, d])
            product += mul(sources[i, t, d], query[d])
        squares[x], products[x] = square, product
        half = threads // 2
        while half > 0:
            cuda.syncthreads()
            if x < half:
                squares[x] += squares[x + half]
                products[x] += products[x + half]
            half //= 2
        cuda.syncthreads()
        score = div(products[0], sqrt(div(squares[0], np.float32(D)) + eps))
        reached = score if i == 0 else max(largest, score)
        # the first source has nothing before it to be put on another scale
        kept = np.float32(0) if i == 0 else exp(largest - reached)
        share = exp(score - reached)
        weight = mul(weight, kept) + share
        for d in range(x, D, threads):
            before = np.float32(0) if i == 0 else mul(out[t, d], kept)
            out[t, d] = before + mul(share, sources[i, t, d])
        # the sums may be overwritten only when every thread has read them
        largest = reached
        cuda.syncthreads()
    for d in range(x, D, threads):
        out[t, d] = div(out[t, d], weight)
