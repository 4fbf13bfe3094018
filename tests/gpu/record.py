"""Run one level of the suite and write what it found into `evidence/`; the page of kernels is written from it.

From the repository's root, with `tests` on the path: `python -m gpu.record compiled` or `hardware`, and with
`NUMBA_ENABLE_CUDASIM=1` `python -m gpu.record simulated`. Ends with 1 where something came out wrong, with 2 where it
cannot be run.
"""

import sys
from importlib.metadata import version
from pathlib import Path

from gpu.page import LANGUAGES, kernels_page, page_file
from gpu.results import compiled, faults, file_name, hardware, simulated
from gpu.target import SIMULATED
from numba import cuda

from site_build.evidence import read_evidence, write_evidence
from site_build.regress.chromium import build_id_of

ROOT = Path(__file__).parents[2]
LEVELS = {"simulated": simulated, "compiled": compiled, "hardware": hardware}


def main(level: str) -> int:
    """Run the level, write its file and the pages, and say what is wrong."""
    if (level == "simulated") != SIMULATED:
        sys.stderr.write(f"{level}: NUMBA_ENABLE_CUDASIM is set for `simulated` and for nothing else\n")
        return 2
    if level == "hardware" and not cuda.is_available():
        sys.stderr.write("gpu: no CUDA device is here, so nothing was run on hardware and no file was written.\n")
        return 2
    if not (ROOT / "site" / "index.html").is_file():
        sys.stderr.write(f"{ROOT / 'site'}: expected a built site, whose build id goes into the file. Run: make site\n")
        return 2
    found = {"build": build_id_of(ROOT / "site"), "numerics": f"k3core {version('k3core')}", **LEVELS[level]()}
    write_evidence(ROOT, file_name(found), found)
    other = {name: read_evidence(ROOT, f"gpu-{name}") for name in ("simulated", "compiled")}
    if other["simulated"] and other["compiled"]:
        for language in LANGUAGES:
            text = kernels_page(language, other["simulated"], other["compiled"])
            page_file(ROOT, language).write_text(text, encoding="utf-8")
    wrong = faults(found)
    sys.stdout.writelines(f"{line}\n" for line in [*wrong, f"evidence/{file_name(found)}.json: {len(wrong)} faults"])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
