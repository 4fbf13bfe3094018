"""The tiny project with numerics that are a package: its lab can run in a page, and can be made to hang."""

from pathlib import Path

from builders import Edit, edit, project, write

PYPROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "tiny-live"
version = "1.2"
requires-python = ">=3.12"

[tool.hatch.build.targets.wheel]
packages = ["tiny_live"]
"""
REGISTRY = '''\
"""Numerics of the tiny project; nine rows never end."""


def product(first: int, second: int) -> int:
    return first * second


def lab_floor(rows: int, shape: str) -> dict[str, object]:
    while rows == 9:
        pass
    return {"tiles": rows * rows if shape == "square" else 2 * rows * rows, "edge": {"ratio": 1 / rows}}


DERIVATIONS = {"tiny.product": product}
LABS = {"tiny.floor": lab_floor}
'''
BROWSER = '''\
"""The door."""

import json

from tiny_live.registry import LABS


def run(lab_id: str, inputs: str) -> str:
    reply = {"lab": lab_id, "ok": True, "result": LABS["tiny.floor"](**json.loads(inputs))}
    return json.dumps(reply, sort_keys=True)
'''


def live_project(root: Path, *edits: Edit) -> Path:
    """Write the project to `root`."""
    return project(
        root,
        write("pyproject.toml", PYPROJECT),
        write("tiny_live/__init__.py", '"""Numerics."""\n'),
        write("tiny_live/registry.py", REGISTRY),
        write("tiny_live/browser.py", BROWSER),
        edit("ledger/ledger.yaml", "numerics: 'tiny_numerics'", "numerics: 'tiny_live.registry'"),
        *edits,
    )
