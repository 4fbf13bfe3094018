"""Two hundred thousand inputs for the readers of strangers' texts, each in a process whose memory is bounded."""

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

import pytest
from fuzz_runs import fuzz_in_parts
from fuzz_targets import TARGETS

COUNTS = {
    "yaml": 30_000,
    "bibtex": 14_000,
    "locators": 60_000,
    "markers": 50_000,
    "markdown": 20_000,
    "xtml": 12_000,
    "archives": 10_000,
    "labs": 10_000,
}
MOST_MB = 1_000


def test_every_target_has_its_inputs() -> None:
    """None is forgotten, and together there are enough."""
    assert COUNTS.keys() == TARGETS.keys()
    assert sum(COUNTS.values()) >= 200_000


@pytest.mark.parametrize("name", COUNTS)
def test_readers_answer_every_input(keep_figures: Callable[..., None], name: str) -> None:
    """A target reads its inputs: no error but the declared ones, no hang, and memory that does not grow with them."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        parts = pool.submit(fuzz_in_parts, name, COUNTS[name]).result()
    inputs = sum(part.inputs for part in parts)
    peak = max(part.peak_mb for part in parts)
    assert inputs >= COUNTS[name]
    assert peak <= MOST_MB
    figures = {"inputs": inputs, "seconds": round(sum(part.seconds for part in parts)), "peak_mb": peak}
    keep_figures("fuzzing", **{name: figures | {"slowest_ms": round(1000 * max(part.slowest_s for part in parts))}})
