"""Build generated ledgers of 100, 1,000, 4,000 and 10,000 entries, search and browse them; build the real one.

Processor time may grow at most 1.2 times faster than the work. A browser is timed where there is one: from the first
key of a word to the first result, with nothing fetched before, and a page until it is whole. Run from the
repository's root: `.venv/bin/python tests/bench/bench_site.py`.
"""

import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser.servers import serving
from generated import generate
from playwright.sync_api import sync_playwright

GROWTH = ((100, 1_000), (1_000, 10_000))
GROWTH_AT_MOST = 1.2
LARGEST = 10_000
SECONDS_AT_MOST = 120.0
MEMORY_AT_MOST_MB = 1536
SEARCHED = 4_000
SEARCH_AT_MOST = 3.0
SEARCH = "first search result"
PAGES = {"home page": "", "list of questions": "questions/", "question": "questions/Q2/"}
PAGE_AT_MOST = 3.0
REAL_AIM_SECONDS = 10.0


def build(root: Path, site: Path) -> tuple[float, float, float]:
    """Seconds on the clock, seconds of the processor, and peak memory in MB of one build, in a process of its own."""
    command = [sys.executable, "-m", "site_build", "build", "--root", str(root), "--out", str(site)]
    start = time.perf_counter()
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    assert running.returncode == 0, f"{' '.join(command)} ended with {running.returncode}"
    return time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def look(site: Path) -> dict[str, float]:
    """Seconds from the first key to the first result, and from a link to the whole page; none without a browser."""
    chromium = shutil.which("chromium")
    if chromium is None:
        return {}
    with serving(site) as served, sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"]).new_page()
        page.goto(served.url)
        page.locator(".md-search__input").click()
        start = time.perf_counter()
        # key by key: a small index is there before the word is, and then only keys are listened to
        page.locator(".md-search__input").press_sequentially("residual")
        page.locator(".md-search-result__link").first.wait_for(timeout=60_000)
        found = {SEARCH: time.perf_counter() - start}
        for name, path in PAGES.items():
            start = time.perf_counter()
            page.goto(served.url + path)
            found[name] = time.perf_counter() - start
    return found


def at_most(name: str, size: int) -> float:
    """The limit of what a browser was timed at; the largest ledger is only reported."""
    if size > SEARCHED:
        return math.inf
    return SEARCH_AT_MOST if name == SEARCH else PAGE_AT_MOST


def main() -> int:
    """Print times, memory and ratios; return 1 where a limit is missed."""
    missed = []
    used = {}
    with tempfile.TemporaryDirectory() as folder:
        for size in sorted({SEARCHED, *(size for pair in GROWTH for size in pair)}):
            root, site = generate(Path(folder) / str(size), size), Path(folder) / f"site-{size}"
            clock, used[size], memory = build(root, site)
            sys.stdout.write(f"{size:>6} entries: {clock:.1f} s, {used[size]:.1f} s of processor, {memory:.0f} MB\n")
            if size == LARGEST and (clock > SECONDS_AT_MOST or memory > MEMORY_AT_MOST_MB):
                missed.append(f"{size} entries in {SECONDS_AT_MOST} s and {MEMORY_AT_MOST_MB} MB")
            if size >= SEARCHED:
                found = look(site)
                seconds = ", ".join(f"{name} {value:.2f} s" for name, value in found.items())
                sys.stdout.write(f"        {seconds or 'no browser'}\n")
                missed += [f"{name} of {size}" for name, value in found.items() if value > at_most(name, size)]
            shutil.rmtree(site)
        real = build(Path.cwd(), Path(folder) / "real")
    for small, large in GROWTH:
        growth = used[large] / used[small] / (large / small)
        sys.stdout.write(
            f"{small} to {large}: time grew {growth:.2f} times as fast as the work, at most {GROWTH_AT_MOST}\n"
        )
        if growth > GROWTH_AT_MOST:
            missed.append(f"growth {small} to {large}")
    sys.stdout.write(f"real ledger: {real[0]:.1f} s, {real[1]:.1f} s of processor, aim {REAL_AIM_SECONDS} s\n")
    sys.stdout.write("".join(f"missed: {line}\n" for line in missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
