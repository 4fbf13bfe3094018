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
    side = 1 if shape == "square" else 2
    laid = [{"row": row, "laid": float(side * rows * row)} for row in range(1, rows + 1)]
    return {"tiles": side * rows * rows, "edge": {"ratio": 1 / rows}, "laid": laid}


DERIVATIONS = {"tiny.product": product}
LABS = {"tiny.floor": lab_floor}
'''
OUTPUT = """\
  - id: laid
    name: {en: 'Row by row', zh: '逐行铺设'}
    type: frames
    label: exact
"""
PICTURE = """\
picture:
  title: {en: 'Tiles laid after each row', zh: '每行之后铺好的砖'}
  series: {row: laid.row, laid: laid.laid}
  spec:
    width: 200
    height: 100
    mark: bar
    encoding:
      x: {field: row, type: ordinal, title: {en: 'Row', zh: '行'}}
      y: {field: laid, type: quantitative, title: {en: 'Laid', zh: '已铺'}}
"""
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
        edit("ledger/labs/A.yaml", "examples:\n", f"{OUTPUT}examples:\n"),
        edit("ledger/labs/A.yaml", "questions: [Q1]\n", f"questions: [Q1]\n{PICTURE}"),
        edit("ledger/ledger.yaml", "numerics: 'tiny_numerics'", "numerics: 'tiny_live.registry'"),
        *edits,
    )
