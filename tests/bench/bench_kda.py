"""Time chunkwise KDA against the package's own token scan and against plain products, in one run.

Run from the repository's root: `.venv/bin/python tests/bench/bench_kda.py`. A missed "at least" exits 1; an "aim" is
reported only.
"""

import os

# one BLAS thread per worker: two pools that wait for each other would be measured instead of the work
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from comparers import assert_close
from kda_cases import random_tokens

from k3core.chunk import kda_chunked
from k3core.kda import KdaResult, KdaTokens, kda_recurrent

AT_LEAST = 4.0
"""Scan time over chunked time that must be reached by the best of the forms below."""
AIM = 0.35
"""Share of the rate of plain products that the best of the forms below should reach on as many threads."""
ROUNDS = 15
SHAPE = {"T": 1024, "H": 8, "K": 128, "V": 128}
COUNTED_CHUNK = 16
"""C in the count of operations, whatever chunk a form uses."""
SIDE = 1024
"""Rows and columns of the plain products."""


def operations() -> int:
    """Operations of a pass: T H (6 D^2 + 10 C D + 4 C^2)."""
    D, C = SHAPE["K"], COUNTED_CHUNK
    return SHAPE["T"] * SHAPE["H"] * (6 * D**2 + 10 * C * D + 4 * C**2)


def best_times(forms: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Least seconds of each form; the forms take turns, so that a busy machine slows all of them alike."""
    best = dict.fromkeys(forms, float("inf"))
    for _ in range(ROUNDS):
        for name, form in forms.items():
            start = time.perf_counter()
            form()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def products(threads: int) -> Callable[[], object]:
    """Plain float32 products of square matrices, one on each thread."""
    rng = np.random.default_rng(0)
    given = [rng.random((2, SIDE, SIDE), dtype=np.float32) for _ in range(threads)]
    out = [np.empty((SIDE, SIDE), np.float32) for _ in range(threads)]
    pool = ThreadPoolExecutor(threads)
    return lambda: list(pool.map(lambda one, into: np.matmul(one[0], one[1], out=into), given, out))


def forms(tokens: KdaTokens, cores: int) -> dict[tuple[int, int], Callable[[], KdaResult]]:
    """The chunked forms by chunk and threads, each seen to agree with the scan."""

    def form(chunk: int, threads: int) -> Callable[[], KdaResult]:
        return lambda: kda_chunked(*tokens, dtype="float32", chunk=chunk, threads=threads)

    made = {size: form(*size) for size in ((16, 1), (16, cores), (32, cores))}
    truth = kda_recurrent(*tokens).output
    for chunked in made.values():
        assert_close(chunked().output, truth, ratio=2e-6)
    return made


def main() -> int:
    """Print times, ratios and shares; return 1 where the ratio is missed."""
    tokens = KdaTokens(*(array.astype(np.float32) for array in random_tokens(0, rate=5.0, **SHAPE)))
    cores = os.cpu_count() or 1
    chunked = forms(tokens, cores)
    best = best_times(
        {
            "scan": lambda: kda_recurrent(*tokens, dtype="float32"),
            **{f"products {threads}": products(threads) for threads in {1, cores}},
            **{f"chunk {size}": form for size, form in chunked.items()},
        }
    )
    rates = {threads: threads * 2 * SIDE**3 / best[f"products {threads}"] for threads in {1, cores}}
    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    lines = [
        f"KDA forward, float32, {SHAPE}; best of {ROUNDS}; {cores} cores",
        f"BLAS: {blas['name']} {blas['version']}, {os.environ['OPENBLAS_NUM_THREADS']} thread(s) per product",
        *(f"plain products, {threads} thread(s): {rate / 1e9:.0f} GFLOP/s" for threads, rate in rates.items()),
        f"token scan: {1e3 * best['scan']:.1f} ms",
    ]
    speedups, shares = [], []
    for chunk, threads in chunked:
        seconds = best[f"chunk {(chunk, threads)}"]
        speedups.append(best["scan"] / seconds)
        shares.append(operations() / seconds / rates[threads])
        lines.append(
            f"chunk {chunk}, {threads} thread(s): {1e3 * seconds:.1f} ms, {speedups[-1]:.2f}x the scan, "
            f"{shares[-1]:.1%} of plain products on as many threads"
        )
    lines.append(f"at least {AT_LEAST:g}x the scan wanted, {max(speedups):.2f}x reached")
    lines.append(f"aim {AIM:.0%} of plain products, {max(shares):.1%} reached")
    sys.stdout.write("\n".join(lines) + "\n")
    return 0 if max(speedups) >= AT_LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
