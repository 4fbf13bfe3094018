"""Try mutants of the checks and the mechanisms, a line of JSON for each: `python -m drawn_mutants 500 lines.jsonl`."""

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path

from drawn_mutants.runs import ROOT, run, targets


def main(count: str, path: str) -> None:
    """Write a line as soon as its mutant has ended."""
    out = Path(path).resolve()
    os.chdir(ROOT)
    with out.open("w", encoding="utf-8") as lines:
        for outcome in run(targets(), int(count)):
            lines.write(json.dumps(asdict(outcome), ensure_ascii=False) + "\n")
            lines.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
