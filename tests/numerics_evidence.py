"""Run the deliberate faults and the checked vectors in two engines, and write the evidence and its page.

Run from the repository's root, after a site with labs was built: `.venv/bin/python tests/numerics_evidence.py`.
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from browser.pyodide import run_there
from mutation_results import listed_faults, run_faults
from numerics_page import MUTATIONS, NUMERICS, ROOT, TEXTS, VECTORS, numerics_page, page_file
from vector_differences import beyond_limits
from vector_parity import Difference, differences, packed, run_here

from site_build.regress.chromium import open_site


def fault_evidence() -> dict[str, Any]:
    """Every fault, where it was made, who had to notice it, and whether that happened."""
    noticed = run_faults()
    faults = {name: {**asdict(fault), "noticed": noticed[name]} for name, fault in listed_faults().items()}
    return {"numerics": NUMERICS, "faults": faults}


def vector_evidence(site: Path) -> tuple[dict[str, Any], list[str]]:
    """How far both engines agree, and what they should not have done."""
    here, archive = run_here(), packed()
    with open_site(site) as (browser, address):
        page = browser.new_page()
        page.goto(f"{address}labs/A/")
        there = run_there(page, archive, here["made"])
        name = f"Chromium {browser.version}"
    found = differences(here, there)
    functions = {name: _rounded(difference) for name, difference in sorted(found.items())}
    engines = {"CPython": here["engine"], "Pyodide": {**there["engine"], "browser": name}}
    evidence = {"numerics": NUMERICS, "engines": engines, "tests": len(there["passed"]), "vectors": there["vectors"]}
    return {**evidence, "functions": functions}, [*here["failed"], *there["failed"], *beyond_limits(found)]


def _rounded(difference: Difference) -> dict[str, float]:
    return {name: float(f"{value:.3g}") if value % 1 else int(value) for name, value in asdict(difference).items()}


def main() -> int:
    """Write two files of evidence and the pages; return 1 where a fault went unnoticed or a result is wrong."""
    mutations = fault_evidence()
    vectors, wrong = vector_evidence(ROOT / "site")
    for path, found in ((MUTATIONS, mutations), (VECTORS, vectors)):
        path.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    for language in TEXTS:
        page_file(language).write_text(numerics_page(language, mutations, vectors), encoding="utf-8")
    wrong += [name for name, fault in mutations["faults"].items() if not fault["noticed"]]
    sys.stdout.writelines(f"{line}\n" for line in wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
