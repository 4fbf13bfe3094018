"""Check generated ledgers of 100, 1,000 and 10,000 entries: time may grow at most 1.2 times faster than the work.

Time is that of the processor. Run from the repository's root: `.venv/bin/python tests/bench/bench_check.py`.
"""

import gc
import json
import resource
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from generated import generate

from site_build.checks import CHECKS, NUMERIC_CHECKS
from site_build.source import read_bibliography, read_ledger, read_yaml

SIZES = (100, 1_000, 10_000)
GROWTH_AT_MOST = 1.2
MEMORY_AT_MOST_MB = 1024
REAL_AIM_SECONDS = 1.0


def measure(root: Path) -> dict[str, float]:
    """Seconds of the processor in each phase, and peak memory of a check, in a process of its own."""
    gc.disable()  # as the command does
    start = time.process_time()
    for path in (root / "ledger").rglob("*.yaml"):
        read_yaml(root, path.relative_to(root).as_posix())
    phases = {"YAML alone": time.process_time() - start}
    start = time.process_time()
    read_bibliography(root, "ledger/reading/references.bib")
    phases["BibTeX alone"] = time.process_time() - start
    start = time.process_time()
    reading = read_ledger(root)
    phases["reading"] = time.process_time() - start
    assert reading.ledger is not None
    start = time.process_time()
    problems = [*reading.problems]
    for check in CHECKS:
        problems += check(reading.ledger)
    for numeric_check in NUMERIC_CHECKS:
        problems += numeric_check(reading.ledger, reading.numerics)
    phases["checks"] = time.process_time() - start
    assert not problems, problems[:3]
    phases["total"] = phases["reading"] + phases["checks"]
    phases["MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return phases


def measured(root: Path) -> dict[str, float]:
    """Run `measure` in a fresh process."""
    command = [sys.executable, __file__, str(root)]
    result: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return result


def main() -> int:
    """Print times and ratios; return 1 where a limit is missed."""
    found: dict[int, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            root = generate(Path(folder) / str(size), size)
            found[size] = min(
                (measured(root) for _ in range(3 if size < SIZES[-1] else 1)), key=lambda run: run["total"]
            )
            phases = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in found[size].items() if name != "MB")
            sys.stdout.write(f"{size:>6} entries: {phases}; {found[size]['MB']:.0f} MB\n")
    missed = []
    for small, large in pairwise(SIZES):
        growth = found[large]["total"] / found[small]["total"] / (large / small)
        sys.stdout.write(
            f"{small} to {large}: time grew {growth:.2f} times as fast as the work, at most {GROWTH_AT_MOST}\n"
        )
        if growth > GROWTH_AT_MOST:
            missed.append(f"growth {small} to {large}")
    if found[SIZES[-1]]["MB"] > MEMORY_AT_MOST_MB:
        missed.append("memory")
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "site_build", "check"], check=False, capture_output=True)
    sys.stdout.write(f"real ledger: {time.perf_counter() - start:.2f} s, aim {REAL_AIM_SECONDS} s\n")
    return 1 if missed else 0


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.stdout.write(json.dumps(measure(Path(sys.argv[1]))))
        sys.exit(0)
    sys.exit(main())
