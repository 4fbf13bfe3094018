"""The simulator's switch is read when numba is imported: each process sees the tests of its own kind."""

import os

collect_ignore_glob = ["compiled/*" if os.environ.get("NUMBA_ENABLE_CUDASIM") == "1" else "simulated/*"]
