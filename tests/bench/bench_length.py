"""Check that chunkwise KDA takes time and memory in proportion to the sequence, up to 65,536 tokens.

Run from the repository's root: `.venv/bin/python tests/bench/bench_length.py`. A missed "at most" exits 1.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
import time
import tracemalloc
from itertools import pairwise

import numpy as np

from k3core.chunk import kda_chunked
from k3core.kda import KdaTokens

LENGTHS = (2048, 4096, 8192, 16384, 32768, 65536)
HEADS, DIM = 2, 128
DOUBLING_AT_MOST = 2 * 1.1
BYTES_PER_TOKEN = HEADS * DIM * 4
"""The output, float32; nothing else that a pass allocates may grow with the sequence."""
FIXED_BYTES_AT_MOST = 8 * 2**20
ROUNDS = 9


def made(length: int) -> KdaTokens:
    """Random tokens with unit keys and log-decays down to -5, all float32."""
    rng = np.random.default_rng(length)
    query, key, value = (rng.standard_normal((length, HEADS, DIM), dtype=np.float32) for _ in range(3))
    key /= np.linalg.norm(key, axis=-1, keepdims=True)
    log_decay = -5 * rng.random((length, HEADS, DIM), dtype=np.float32)
    return KdaTokens(query, key, value, log_decay, rng.random((length, HEADS), dtype=np.float32))


def peak_of(tokens: KdaTokens) -> int:
    """Bytes that a pass holds at most, beside its inputs."""
    tracemalloc.start()
    kda_chunked(*tokens, dtype="float32")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def main() -> int:
    """Print time, peak and their growth for each length; return 1 where a limit is missed."""
    sequences = {length: made(length) for length in LENGTHS}
    best = dict.fromkeys(LENGTHS, float("inf"))
    # the lengths take turns, so that a busy machine slows all of them alike
    for _ in range(ROUNDS):
        for length, tokens in sequences.items():
            start = time.perf_counter()
            kda_chunked(*tokens, dtype="float32")
            best[length] = min(best[length], time.perf_counter() - start)
    fixed = {length: peak_of(tokens) - BYTES_PER_TOKEN * length for length, tokens in sequences.items()}
    sys.stdout.write(f"KDA forward, float32, H={HEADS}, K=V={DIM}, chunk 16, 1 thread; best of {ROUNDS}\n")
    for length in LENGTHS:
        sys.stdout.write(
            f"{length:>6} tokens: {1e3 * best[length]:7.1f} ms, {1e6 * best[length] / length:.2f} us a token; "
            f"memory {BYTES_PER_TOKEN} bytes a token and {fixed[length] / 2**20:.2f} MiB\n"
        )
    doublings = [best[long] / best[short] for short, long in pairwise(LENGTHS)]
    sys.stdout.write(
        f"twice the tokens: {max(doublings):.2f} times the time at worst, at most {DOUBLING_AT_MOST:g}\n"
        f"memory that does not grow: {max(fixed.values()) / 2**20:.2f} MiB, at most {FIXED_BYTES_AT_MOST / 2**20:g}\n"
    )
    return 1 if max(doublings) > DOUBLING_AT_MOST or max(fixed.values()) > FIXED_BYTES_AT_MOST else 0


if __name__ == "__main__":
    sys.exit(main())
