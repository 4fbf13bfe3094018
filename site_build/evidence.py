"""Committed results of commands: what was compared or looked at last, and in which build."""

import json
from pathlib import Path
from typing import Any

FOLDER = "evidence"


def read_evidence(root: Path, name: str) -> dict[str, Any] | None:
    """The last result of a command of that name; none before its first run."""
    file = root / FOLDER / f"{name}.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else None


def read_parity(root: Path) -> dict[str, Any] | None:
    """The last comparison of engines, and under `kernels` what each `gpu-*.json` says of the numerics' kernels."""
    found = read_evidence(root, "parity")
    files = sorted((root / FOLDER).glob("gpu-*.json"))
    return found and {**found, "kernels": [json.loads(file.read_text(encoding="utf-8")) for file in files]}


def write_evidence(root: Path, name: str, result: dict[str, Any]) -> None:
    """Put a result in the place of the last one."""
    file = root / FOLDER / f"{name}.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(result, indent=2, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
