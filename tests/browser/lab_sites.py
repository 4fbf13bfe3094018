"""Sites whose labs run: files that a browser fetches only when a reader acts, and copies that were tampered with."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from browser.once import once
from builders import Edit
from live_ledger import live_project
from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]
RUNTIME = ROOT / ".cache" / "runtime"

OpenLab = Callable[..., Page]
"""Opens the lab of the small site."""


def tiles(page: Page) -> str:
    """The number in the result of the small site's lab."""
    return page.locator('.rl-lab__result [data-output="tiles"] .rl-lab__value').inner_text().split()[0]


def live_site(folder: Path, name: str = "live", *edits: Edit) -> Path:
    """The tiny project with a lab that runs, built once for all workers."""

    def build(unfinished: Path) -> None:
        root = live_project(unfinished / "project", *edits)
        runtime = os.environ.get("K3_RUNTIME_DIR") or str(next(RUNTIME.glob("*.*.*"), RUNTIME))
        command = [sys.executable, "-m", "site_build", "build", "--root", str(root), "--out", str(unfinished / "site")]
        environment = os.environ | {"K3_RUNTIME_DIR": runtime}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "LABS ARE STATIC" not in done.stderr, "run k3 runtime fetch"

    once(folder / name, build)
    return folder / name / "site"


def tampered(site: Path, folder: Path, name: str, change: str) -> Path:
    """A copy of a site in which the first file of that name is changed or missing."""
    copy = Path(shutil.copytree(site, folder / "tampered"))
    file = next(copy.glob(f"assets/**/{name}"))
    if change == "missing":
        file.unlink()
    else:
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(content)
    return copy
