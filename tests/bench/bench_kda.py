"""Time chunkwise KDA against the package's own token scan, in one run; a missed "at least" exits 1.

Run from the repository's root: `.venv/bin/python tests/bench/bench_kda.py`.
"""

import os

# one BLAS thread per worker: two pools that wait for each other would be measured instead of the work
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from comparers import assert_close
from kda_cases import random_tokens

from k3core.chunk import kda_chunked
from k3core.kda import KdaResult, KdaTokens, kda_recurrent

AT_LEAST = 4.0
"""Scan time over chunked time that must be reached by the best of the forms below."""
ROUNDS = 9
SHAPE = {"T": 1024, "H": 8, "K": 128, "V": 128}


def main() -> int:
    """Print times and ratios; return 1 where the ratio is missed."""
    tokens = KdaTokens(*(array.astype(np.float32) for array in random_tokens(0, rate=5.0, **SHAPE)))
    forms: dict[str, Callable[[], KdaResult]] = {
        "token scan": lambda: kda_recurrent(*tokens, dtype="float32"),
        "chunk 16, 1 thread": lambda: kda_chunked(*tokens, dtype="float32"),
        "chunk 16, 2 threads": lambda: kda_chunked(*tokens, dtype="float32", threads=2),
        "chunk 32, 2 threads": lambda: kda_chunked(*tokens, dtype="float32", chunk=32, threads=2),
    }
    truth = kda_recurrent(*tokens).output
    for form in forms.values():
        assert_close(form().output, truth, ratio=2e-6)
    # the forms take turns, so that a busy machine slows all of them alike
    best = dict.fromkeys(forms, float("inf"))
    for _ in range(ROUNDS):
        for name, form in forms.items():
            start = time.perf_counter()
            form()
            best[name] = min(best[name], time.perf_counter() - start)
    scan = best["token scan"]
    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    lines = [
        f"KDA forward, float32, {SHAPE}; best of {ROUNDS}; {os.cpu_count()} cores",
        f"BLAS: {blas['name']} {blas['version']}, {os.environ['OPENBLAS_NUM_THREADS']} thread(s) per product",
        *(f"{name:<20} {1e3 * seconds:8.1f} ms  {scan / seconds:5.2f}x" for name, seconds in best.items()),
    ]
    reached = scan / min(best.values())
    lines.append(f"at least {AT_LEAST:g}x wanted, {reached:.2f}x reached")
    sys.stdout.write("\n".join(lines) + "\n")
    return 0 if reached >= AT_LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
