"""A small site with something for every suite of `k3 regress`: two languages, a lab that runs, rows, a release."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from browser.once import once
from builders import Edit, edit, write
from live_ledger import live_project
from released_worlds import release

from site_build.packing import sealed

ROOT = Path(__file__).parents[1]
RUNTIME = ROOT / ".cache" / "runtime"
VERSION = "2026.01"
QUESTION = "ledger/questions/Q1.yaml"
COMPONENT = """\
id: floor-plan
title: {en: 'The floor, row by row', zh: '逐行铺成的地面'}
caption: {en: 'Computed by the lab.', zh: '由实验算出。'}
basis: computed
locators: ['report §1 fig.1']
twin:
  en: 'Three rows of three tiles each, laid one after the other from the door.'
  zh: >-
    从门口起一行接一行铺，共三行，每行三块，合起来是整块地面，
    没有一处空缺，也没有一块重叠，更没有多余的砖，角上也铺满。
bodies:
  - kind: chart
    lab: A
    series: {row: laid.row, laid: laid.laid}
    spec:
      width: 200
      height: 100
      mark: bar
      encoding:
        x: {field: row, type: ordinal, title: {en: 'Row', zh: '行'}}
        y: {field: laid, type: quantitative, title: {en: 'Laid', zh: '已铺'}}
"""
BENCHMARKS = "ledger/benchmarks.yaml"
ROW = """\
  - id: levelness
    name: 'Levelness'
    table: T1
    group: floors
    scores:
      ours: {number: 12.5}
    protocol: [all-tools]
    silent: [judge]
    locators: ['report §1 table 1']
"""
SETTING = """\
  - id: all-tools
    dimension: tools
    text: {en: 'All.', zh: '全部。'}
groups:
"""
WHOLE = (
    write("ledger/components/floor-plan.yaml", COMPONENT),
    edit(QUESTION, "selector: '.floor'", "selector: '[data-component=\"floor-plan\"]'"),
    edit(QUESTION, "state: planned", "state: shown"),
    edit("ledger/figures/F1.yaml", "locators:", "component: floor-plan\nlocators:"),
    edit(BENCHMARKS, "groups:\n", SETTING),
)
"""What the tiny project lacks."""
LATER = (
    edit(QUESTION, "The report gives 2 rows.", "The report gives 2 rows of tiles."),
    edit(QUESTION, "报告给出 2 行。", "报告给出 2 行地砖。"),
    edit(QUESTION, "    grade: T\n", "    grade: T\n    withdrawn: {en: 'No such floor.', zh: '没有这样的地面。'}\n"),
)
"""What changed since the release."""


def sound_project(root: Path, *edits: Edit) -> Path:
    """Write the project to `root`: it had a release, and has changed since."""
    live_project(root, *WHOLE, *edits)
    rows = root / BENCHMARKS
    rows.write_text(rows.read_text(encoding="utf-8") + ROW, encoding="utf-8")
    release(root, VERSION)
    for change in LATER:
        change.apply(root)
    return root


def sound_site(folder: Path, name: str = "sound", address: str = "https://tiny.example/") -> Path:
    """The site of it, built once for all workers."""

    def build(unfinished: Path) -> None:
        root = sound_project(unfinished / "project")
        runtime = os.environ.get("K3_RUNTIME_DIR") or str(next(RUNTIME.glob("*.*.*"), RUNTIME))
        command = [sys.executable, "-m", "site_build", "build", "--root", str(root), "--address", address]
        environment = os.environ | {"K3_RUNTIME_DIR": runtime}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "LABS ARE STATIC" not in done.stderr, "run k3 runtime fetch"

    once(folder / name, build)
    return folder / name / "project" / "site"


def released(site: Path) -> Path:
    """Make a site a release: a manifest names every file."""
    sealed(site, VERSION, "none", "https://tiny.example/", "2026-01-02")
    return site


def copied(site: Path, folder: Path) -> Path:
    """A copy of a site that may be broken; large files are shared until then."""
    return Path(shutil.copytree(site, folder, copy_function=os.link))
