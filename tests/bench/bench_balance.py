"""Count the required biases of 65,536 tokens at 896 experts, in memory that does not grow with the tokens.

Run from the repository's root: `.venv/bin/python tests/bench/bench_balance.py`. A missed "at most" exits 1.
"""

import sys
import time
import tracemalloc

import numpy as np

from k3core.quantile_balancing import qb_histogram, qb_histogram_update

TOKENS, EXPERTS, PICKED = 65_536, 896, 16
PEAK_AT_MOST_MIB = 64
"""Beside the scores themselves; one more array of the scores' size would take 448."""


def main() -> int:
    """Print time and peak of half and of all tokens; return 1 where the peak is too high."""
    scores = np.random.default_rng(0).random((TOKENS, EXPERTS))
    peaks = []
    for tokens in (TOKENS // 2, TOKENS):
        tracemalloc.start()
        start = time.perf_counter()
        bias = qb_histogram_update(qb_histogram(scores[:tokens], np.zeros(EXPERTS), PICKED), PICKED)
        seconds = time.perf_counter() - start
        peaks.append(tracemalloc.get_traced_memory()[1] / 2**20)
        tracemalloc.stop()
        sys.stdout.write(
            f"{tokens:,} tokens, {EXPERTS} experts, {PICKED} picked: {seconds:.2f} s, peak {peaks[-1]:.1f} MiB; "
            f"biases within {np.abs(bias).max():.1e}\n"
        )
    sys.stdout.write(f"peak {max(peaks):.1f} MiB beside the scores, at most {PEAK_AT_MOST_MIB}\n")
    return 1 if max(peaks) > PEAK_AT_MOST_MIB else 0


if __name__ == "__main__":
    sys.exit(main())
