"""Every example of every lab in two engines: Python here, and Python in a browser through the page a reader has.

Run as `python -m site_build.regress.parity SITE`; `k3 parity --run` does so. Writes `evidence/parity.json`.
"""

import importlib
import json
import math
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any

from playwright.sync_api import Browser

from site_build.evidence import write_evidence
from site_build.model import LabContract
from site_build.regress.chromium import build_id_of, open_site
from site_build.regress.lab_pages import Compared, ask, compare, example_inputs
from site_build.source import read_ledger


def measure(root: Path, site: Path) -> dict[str, Any]:
    """Compare the engines on a built site, and say with which versions."""
    ledger = read_ledger(root).ledger
    bundles = sorted((site / "assets" / "labs").glob("*/labs.json"))
    if ledger is None or not bundles:
        sys.exit(f"{site}: expected a site whose labs can run, got none. Run: k3 runtime fetch, then k3 build")
    about = json.loads(bundles[0].read_text(encoding="utf-8"))
    door = getattr(importlib.import_module(about["door"]["module"]), about["door"]["run"])
    with open_site(site) as (browser, address):
        found = [one for lab in ledger.labs.values() for one in _lab(browser, address, lab, door)]
        browser_version = browser.version
    engines = {
        "CPython": {"python": python_version(), "numpy": version("numpy")},
        "Pyodide": {**_versions(about["runtime"]), "browser": f"Chromium {browser_version}"},
        "CUDA": None,
    }
    return {
        "build": build_id_of(site),
        "numerics": about["numerics"],
        "engines": engines,
        "labs": dict(_summaries(found)),
    }


def _versions(runtime: dict[str, str]) -> dict[str, str]:
    return {"pyodide": runtime["version"], "python": runtime["python"]}


def _lab(browser: Browser, address: str, lab: LabContract, door: Any) -> Iterator[Compared]:
    page = browser.new_page()
    page.goto(f"{address}labs/{lab.id}/")
    inputs = example_inputs(lab)
    for place, (given, answer) in enumerate(zip(inputs, ask(page, inputs), strict=True)):
        yield from compare(lab, place, door(lab.id, json.dumps(given)), answer.reply or "{}")
    page.close()


def _summaries(found: list[Compared]) -> Iterator[tuple[str, dict[str, Any]]]:
    """By lab: how much was compared, the worst difference, and where it stands."""
    for lab in dict.fromkeys(one.lab for one in found):
        own = [one for one in found if one.lab == lab]
        worst = max(own, key=lambda one: one.worst)
        yield (
            lab,
            {
                "runs": len({one.example for one in own}),
                "outputs": len(own),
                "worst_ulp": worst.worst if math.isfinite(worst.worst) else None,
                "worst_output": worst.output if worst.worst else None,
                "within_limits": all(one.worst <= one.limit for one in own),
            },
        )


def main() -> None:
    """Measure, write the evidence, and end with 1 if an engine differs by more than a contract allows."""
    root, site = (Path(argument) for argument in sys.argv[1:3])
    measured = measure(root, site)
    write_evidence(root, "parity", measured)
    sys.exit(0 if all(lab["within_limits"] for lab in measured["labs"].values()) else 1)


if __name__ == "__main__":
    main()
