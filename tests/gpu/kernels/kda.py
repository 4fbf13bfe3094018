"""The KDA recurrence: one decode step in place, a scan over packed sequences, and the replay of accepted drafts.

A thread owns columns of the state, since a column is updated from its own numbers and the key alone; what all columns
share (key, query, decay) is put into shared memory once per token. K and V are at most 128.
"""

from typing import Any

import numpy as np
from gpu.target import device, exp, from_bf16, kernel, mul, to_bf16
from numba import cuda

WIDEST = 128
"""The most key channels; shared arrays have room for them."""
LANES = 32
"""The most columns of a block."""
GROUPS = 4
"""The most groups of rows of a block of the step."""


@device
def _as_it_is(x: Any) -> Any:
    return x


@device
def _together(sums: Any, groups: Any, x: Any) -> Any:
    total = np.float32(0)
    for group in range(groups):
        total += sums[group, x]
    return total


def _step(load: Any, store: Any) -> Any:
    @kernel
    def kda_step(query: Any, key: Any, value: Any, log_decay: Any, beta: Any, scale: Any, state: Any, out: Any) -> None:
        """Write one token of each sequence into its state and read it.

        query, key, log_decay (N, H, K); value, out (N, H, V); beta (N, H); state (N, H, K, V) in place.
        Grid: (N H, V over the block's columns). Block: (columns, groups of rows), at most (32, 4). Shared memory: three
        rows of K and two sums per thread. Invariant: a state element is read and written by one thread; the sums of
        the groups are added in the groups' order after a barrier.
        """
        keys = cuda.shared.array((WIDEST,), np.float32)
        queries = cuda.shared.array((WIDEST,), np.float32)
        decays = cuda.shared.array((WIDEST,), np.float32)
        recalls = cuda.shared.array((GROUPS, LANES), np.float32)
        reads = cuda.shared.array((GROUPS, LANES), np.float32)
        n, h = cuda.blockIdx.x // state.shape[1], cuda.blockIdx.x % state.shape[1]
        x, y, groups = cuda.threadIdx.x, cuda.threadIdx.y, cuda.blockDim.y
        v = cuda.blockIdx.y * cuda.blockDim.x + x
        K, V = state.shape[2], state.shape[3]
        for k in range(y * cuda.blockDim.x + x, K, groups * cuda.blockDim.x):
            keys[k] = key[n, h, k]
            queries[k] = mul(query[n, h, k], scale)
            decays[k] = exp(log_decay[n, h, k])
        cuda.syncthreads()
        recall = np.float32(0)
        if v < V:
            for k in range(y, K, groups):
                recall += mul(keys[k], mul(decays[k], load(state[n, h, k, v])))
        recalls[y, x] = recall
        cuda.syncthreads()
        if v < V:
            written = mul(beta[n, h], value[n, h, v] - _together(recalls, groups, x))
            read = np.float32(0)
            for k in range(y, K, groups):
                element = mul(decays[k], load(state[n, h, k, v])) + mul(keys[k], written)
                state[n, h, k, v] = store(element)
                read += mul(queries[k], element)
            reads[y, x] = read
        cuda.syncthreads()
        if v < V and y == 0:
            out[n, h, v] = _together(reads, groups, x)

    return kda_step


kda_step_fp32 = _step(_as_it_is, _as_it_is)
kda_step_bf16 = _step(from_bf16, to_bf16)


@kernel
def kda_scan(
    query: Any, key: Any, value: Any, log_decay: Any, beta: Any, scale: Any, bounds: Any, state: Any, out: Any
) -> None:
    """Write packed sequences token by token, each into its own state.

    query, key, log_decay (T, H, K); value, out (T, H, V); beta (T, H); bounds (N + 1,) where sequences begin and end;
    state (N, H, K, V) in place. Grid: (N H, V over the block's columns). Block: at most 32 columns. Shared memory: the
    block's part of the state, and two rows of K for each of key, query, decay. Invariant: a column of the state belongs
    to one thread; rows alternate between two places, so one barrier a token keeps a fast thread out of a row that a
    slow one still reads.
    """
    tile = cuda.shared.array((WIDEST, LANES), np.float32)
    keys = cuda.shared.array((2, WIDEST), np.float32)
    queries = cuda.shared.array((2, WIDEST), np.float32)
    decays = cuda.shared.array((2, WIDEST), np.float32)
    n, h = cuda.blockIdx.x // state.shape[1], cuda.blockIdx.x % state.shape[1]
    x = cuda.threadIdx.x
    v = cuda.blockIdx.y * cuda.blockDim.x + x
    K, V = state.shape[2], state.shape[3]
    if v < V:
        for k in range(K):
            tile[k, x] = state[n, h, k, v]
    for t in range(bounds[n], bounds[n + 1]):
        place = t % 2
        for k in range(x, K, cuda.blockDim.x):
            keys[place, k] = key[t, h, k]
            queries[place, k] = mul(query[t, h, k], scale)
            decays[place, k] = exp(log_decay[t, h, k])
        cuda.syncthreads()
        if v < V:
            recall = np.float32(0)
            for k in range(K):
                recall += mul(keys[place, k], mul(decays[place, k], tile[k, x]))
            written = mul(beta[t, h], value[t, h, v] - recall)
            read = np.float32(0)
            for k in range(K):
                element = mul(decays[place, k], tile[k, x]) + mul(keys[place, k], written)
                tile[k, x] = element
                read += mul(queries[place, k], element)
            out[t, h, v] = read
    if v < V:
        for k in range(K):
            state[n, h, k, v] = tile[k, x]


@kernel
def kda_replay(key: Any, written: Any, log_decay: Any, accepted: Any, state: Any) -> None:
    """Bring each state to where it stands after the accepted tokens of its draft, without a serial scan.

    key, log_decay (N, T, H, K); written (N, T, H, V), what the delta rule wrote; accepted (N,) counts; state
    (N, H, K, V) in place, before the draft. Grid: (N H, K V over the block's threads). Block: any. Shared memory: none.
    Invariant: an element is read and written by one thread, and every exponent is at most 0.
    """
    n, h = cuda.blockIdx.x // state.shape[1], cuda.blockIdx.x % state.shape[1]
    place = cuda.blockIdx.y * cuda.blockDim.x + cuda.threadIdx.x
    k, v = place // state.shape[3], place % state.shape[3]
    if k < state.shape[2]:
        # from the last token back, so that each exponent is a sum of later decays and never a difference of two sums
        element, later = np.float32(0), np.float32(0)
        for back in range(accepted[n]):
            t = accepted[n] - 1 - back
            element += mul(mul(exp(later), key[n, t, h, k]), written[n, t, h, v])
            later += log_decay[n, t, h, k]
        state[n, h, k, v] = element + mul(exp(later), state[n, h, k, v])
