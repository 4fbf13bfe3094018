"""Ledgers of 100, 1,000 and 10,000 entries: checking, building, searching and browsing grow no faster than the work.

The limits are those of `tests/bench`; processor time is compared, and a browser's seconds are those of a clock.
"""

import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from bench import bench_check, bench_site
from generated import generate


def test_a_check_grows_with_the_work(tmp_path: Path, keep_figures: Callable[..., None]) -> None:
    """Time and memory of `k3 check`."""
    found = {size: bench_check.measured(generate(tmp_path / str(size), size)) for size in bench_check.SIZES}
    figures = {str(size): {"s": round(one["total"], 2), "MB": round(one["MB"])} for size, one in found.items()}
    keep_figures("size", **{f"check of {size}": figure for size, figure in figures.items()})
    for small, large in pairwise(bench_check.SIZES):
        grown = found[large]["total"] / found[small]["total"] / (large / small)
        keep_figures("size", **{f"check, growth {small} to {large}": round(grown, 2)})
        assert grown <= bench_check.GROWTH_AT_MOST
    assert found[bench_check.SIZES[-1]]["MB"] <= bench_check.MEMORY_AT_MOST_MB


def test_a_site_grows_with_the_work(tmp_path: Path, keep_figures: Callable[..., None]) -> None:
    """Time and memory of `k3 build`, the first result of a search, and pages until they are whole."""
    used, sizes = {}, sorted({bench_site.SEARCHED, *(size for pair in bench_site.GROWTH for size in pair)})
    for size in sizes:
        root, site = generate(tmp_path / str(size), size), tmp_path / f"site-{size}"
        clock, used[size], memory = bench_site.build(root, site)
        seconds = bench_site.look(site)
        figures = {"s": clock, "s of processor": used[size], "MB": memory, **seconds}
        keep_figures("size", **{f"build of {size}": {name: round(value, 2) for name, value in figures.items()}})
        assert seconds.keys() == {bench_site.SEARCH, *bench_site.PAGES}, "there is no browser"
        assert {name for name, value in seconds.items() if value > bench_site.at_most(name, size)} == set()
        if size == bench_site.LARGEST:
            assert clock <= bench_site.SECONDS_AT_MOST
            assert memory <= bench_site.MEMORY_AT_MOST_MB
        shutil.rmtree(site)
    for small, large in bench_site.GROWTH:
        grown = used[large] / used[small] / (large / small)
        keep_figures("size", **{f"build, growth {small} to {large}": round(grown, 2)})
        assert grown <= bench_site.GROWTH_AT_MOST
