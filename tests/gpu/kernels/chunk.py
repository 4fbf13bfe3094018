"""Chunkwise KDA: sixteen tokens at once, their writes untangled by a triangular solve.

`kda_chunk` is the kernel. `kda_chunk_neumann` is a specimen of what not to do: it inverts the same triangle by the
doubling series in FP16, whose powers grow while the inverse stays small, and fails where keys repeat.
"""

from typing import Any

import numpy as np
from gpu.target import device, exp, kernel, mul, to_fp16
from numba import cuda

CHUNK = 16
"""Tokens of a chunk; log-decays of at least -5 keep e^80, the largest factor, inside float32."""
WIDEST = 128
"""The most key channels."""
LANES = 16
"""Columns of the state that a block owns."""


@device
def _solve(lower: Any, pseudo: Any, rows: Any) -> None:
    """Solve (I + L) U = pseudo in place, a thread per column: row i needs finished rows only."""
    x = cuda.threadIdx.x
    if x < LANES:
        for i in range(1, rows):
            left = pseudo[i, x]
            for j in range(i):
                left -= mul(lower[i, j], pseudo[j, x])
            pseudo[i, x] = left


@device
def _multiply(left: Any, right: Any, out: Any, add: Any) -> None:
    """Store left @ right in FP16, or left + left @ right where `add`, into `out`, which may be one of the two."""
    products = cuda.shared.array((CHUNK, CHUNK), np.float32)
    x, threads = cuda.threadIdx.x, cuda.blockDim.x
    cuda.syncthreads()
    for place in range(x, CHUNK * CHUNK, threads):
        i, j = place // CHUNK, place % CHUNK
        total = np.float32(0)
        for m in range(CHUNK):
            total += mul(left[i, m], right[m, j])
        products[i, j] = to_fp16(total)
    cuda.syncthreads()
    for place in range(x, CHUNK * CHUNK, threads):
        i, j = place // CHUNK, place % CHUNK
        out[i, j] = to_fp16(left[i, j] + products[i, j]) if add else products[i, j]
    cuda.syncthreads()


@device
def _series(lower: Any, pseudo: Any, rows: Any) -> None:
    """Multiply pseudo by (I - L)(I + L^2)(I + L^4)(I + L^8), every product stored in FP16."""
    power = cuda.shared.array((CHUNK, CHUNK), np.float32)
    inverse = cuda.shared.array((CHUNK, CHUNK), np.float32)
    x, threads = cuda.threadIdx.x, cuda.blockDim.x
    for place in range(x, CHUNK * CHUNK, threads):
        i, j = place // CHUNK, place % CHUNK
        entry = to_fp16(lower[i, j]) if j < i < rows else np.float32(0)
        power[i, j] = entry
        inverse[i, j] = (np.float32(1) if i == j else np.float32(0)) - entry
    for _ in range(3):
        _multiply(power, power, power, False)
        _multiply(inverse, power, inverse, True)
    if x < LANES:
        # from the last row up: a row needs itself and those before it
        for back in range(rows):
            i = rows - 1 - back
            total = np.float32(0)
            for j in range(i + 1):
                total += mul(inverse[i, j], pseudo[j, x])
            pseudo[i, x] = total


@device
def _decayed(query: Any, key: Any, log_decay: Any, scale: Any, h: Any, start: Any, rows: Any, parts: Any) -> None:
    """Fill the chunk's operands: keys and queries decayed from its start, keys grown, keys decayed to its end."""
    keys, grown, queries, restored, kept = parts
    for k in range(cuda.threadIdx.x, key.shape[2], cuda.blockDim.x):
        total = np.float32(0)
        for i in range(rows):
            total += log_decay[start + i, h, k]
            decay = exp(total)
            keys[i, k] = mul(key[start + i, h, k], decay)
            grown[i, k] = mul(key[start + i, h, k], exp(-total))
            queries[i, k] = mul(mul(query[start + i, h, k], scale), decay)
        kept[k] = exp(total)
        passed = np.float32(0)
        for i in range(rows):
            passed += log_decay[start + i, h, k]
            restored[i, k] = mul(key[start + i, h, k], exp(total - passed))


@device
def _products(beta: Any, h: Any, start: Any, rows: Any, K: Any, parts: Any, lower: Any, attend: Any) -> None:
    """Key-key and query-key products up to the diagonal; what lies above is never formed, as it may be infinite."""
    keys, grown, queries, _, _ = parts
    for place in range(cuda.threadIdx.x, rows * rows, cuda.blockDim.x):
        i, j = place // rows, place % rows
        if j <= i:
            by_key, by_query = np.float32(0), np.float32(0)
            for k in range(K):
                by_key += mul(keys[i, k], grown[j, k])
                by_query += mul(queries[i, k], grown[j, k])
            lower[i, j] = mul(beta[start + i, h], by_key)
            attend[i, j] = by_query


@device
def _missing(value: Any, beta: Any, h: Any, start: Any, rows: Any, K: Any, keys: Any, tile: Any, pseudo: Any) -> None:
    """What each token would write if it stood first in the chunk."""
    for place in range(cuda.threadIdx.x, rows * LANES, cuda.blockDim.x):
        i, x = place // LANES, place % LANES
        v = cuda.blockIdx.y * LANES + x
        if v < value.shape[2]:
            recall = np.float32(0)
            for k in range(K):
                recall += mul(keys[i, k], tile[k, x])
            pseudo[i, x] = mul(beta[start + i, h], value[start + i, h, v] - recall)


@device
def _read(out: Any, h: Any, start: Any, rows: Any, K: Any, queries: Any, tile: Any, attend: Any, pseudo: Any) -> None:
    """Read the old state and the chunk's own writes up to each token."""
    for place in range(cuda.threadIdx.x, rows * LANES, cuda.blockDim.x):
        i, x = place // LANES, place % LANES
        v = cuda.blockIdx.y * LANES + x
        if v < out.shape[2]:
            total = np.float32(0)
            for k in range(K):
                total += mul(queries[i, k], tile[k, x])
            for j in range(i + 1):
                total += mul(attend[i, j], pseudo[j, x])
            out[start + i, h, v] = total


@device
def _advance(rows: Any, K: Any, kept: Any, restored: Any, pseudo: Any, tile: Any) -> None:
    """Carry the block's columns of the state over the chunk."""
    for place in range(cuda.threadIdx.x, K * LANES, cuda.blockDim.x):
        k, x = place // LANES, place % LANES
        total = mul(kept[k], tile[k, x])
        for i in range(rows):
            total += mul(restored[i, k], pseudo[i, x])
        tile[k, x] = total


def _chunk(untangle: Any) -> Any:
    @kernel
    def kda_chunk(
        query: Any, key: Any, value: Any, log_decay: Any, beta: Any, scale: Any, bounds: Any, state: Any, out: Any
    ) -> None:
        """Write packed sequences chunk by chunk; arguments as `kda_scan`.

        Grid: (N H, V over 16). Block: at least 16 threads, any number. Shared memory: four operands of 16 rows, the
        block's 16 columns of the state, two triangles and the pseudo-values, about 45 KB. Invariant: between two
        barriers every thread reads what others wrote before the first and writes places that no other touches.
        """
        keys = cuda.shared.array((CHUNK, WIDEST), np.float32)
        grown = cuda.shared.array((CHUNK, WIDEST), np.float32)
        queries = cuda.shared.array((CHUNK, WIDEST), np.float32)
        restored = cuda.shared.array((CHUNK, WIDEST), np.float32)
        kept = cuda.shared.array((WIDEST,), np.float32)
        tile = cuda.shared.array((WIDEST, LANES), np.float32)
        lower = cuda.shared.array((CHUNK, CHUNK), np.float32)
        attend = cuda.shared.array((CHUNK, CHUNK), np.float32)
        pseudo = cuda.shared.array((CHUNK, LANES), np.float32)
        n, h = cuda.blockIdx.x // state.shape[1], cuda.blockIdx.x % state.shape[1]
        K, V, first = state.shape[2], state.shape[3], cuda.blockIdx.y * LANES
        for place in range(cuda.threadIdx.x, K * LANES, cuda.blockDim.x):
            k, x = place // LANES, place % LANES
            tile[k, x] = state[n, h, k, first + x] if first + x < V else np.float32(0)
        for start in range(bounds[n], bounds[n + 1], CHUNK):
            rows = min(CHUNK, bounds[n + 1] - start)
            parts = (keys, grown, queries, restored, kept)
            _decayed(query, key, log_decay, scale, h, start, rows, parts)
            cuda.syncthreads()
            _products(beta, h, start, rows, K, parts, lower, attend)
            _missing(value, beta, h, start, rows, K, keys, tile, pseudo)
            cuda.syncthreads()
            untangle(lower, pseudo, rows)
            cuda.syncthreads()
            _read(out, h, start, rows, K, queries, tile, attend, pseudo)
            cuda.syncthreads()
            _advance(rows, K, kept, restored, pseudo, tile)
            cuda.syncthreads()
        for place in range(cuda.threadIdx.x, K * LANES, cuda.blockDim.x):
            k, x = place // LANES, place % LANES
            if first + x < V:
                state[n, h, k, first + x] = tile[k, x]

    return kda_chunk


kda_chunk = _chunk(_solve)
kda_chunk_neumann = _chunk(_series)
