"""Time the import of the numerics against that of NumPy alone, in fresh processes, from compiled files.

Run from the repository's root: `.venv/bin/python tests/bench/bench_import.py`. A missed "at most" exits 1.
"""

import json
import os
import subprocess
import sys
import tempfile

AT_MOST = 1.0
"""Seconds of the numerics' own modules over seconds of NumPy."""
ROUNDS = 9
_PROBE = """
import json, time
start = time.perf_counter()
import numpy
middle = time.perf_counter()
import k3core.browser
print(json.dumps([middle - start, time.perf_counter() - middle]))
"""


def main() -> int:
    """Print both times and their ratio; return 1 where the ratio is too high."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = folder
        command = [sys.executable, "-c", _PROBE]
        runs = [
            json.loads(subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout)
            for _ in range(1 + ROUNDS)
        ]
    # the first run writes the compiled files
    numpy, own = (min(times) for times in zip(*runs[1:], strict=True))
    sys.stdout.write(
        f"import numpy {1e3 * numpy:.0f} ms, then k3core.browser with all it needs {1e3 * own:.0f} ms: "
        f"{own / numpy:.2f} times, at most {AT_MOST:g}\n"
    )
    return 1 if own / numpy > AT_MOST else 0


if __name__ == "__main__":
    sys.exit(main())
