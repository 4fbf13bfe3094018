"""The generator and the numerics as wheels in an environment of their own, with the libraries of this one."""

import os
import subprocess
import sys
from pathlib import Path

import mkdocs
from builds import Run

ROOT = Path(__file__).parents[1]
LIBRARIES = Path(mkdocs.__file__).parents[1]
"""Where the packages of this environment lie; its links to the checkout are not followed from there."""


def install(folder: Path) -> Path:
    """Build both wheels and install them into a new environment; returns its folder of programs."""
    wheels = folder / "wheels"
    for project in (ROOT, ROOT / "k3core"):
        _do([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(wheels)], project)
    _do([sys.executable, "-m", "venv", str(folder / "venv")], folder)
    programs = folder / "venv" / "bin"
    files = sorted(str(file) for file in wheels.glob("*.whl"))
    assert len(files) == 2, files
    _do([str(programs / "pip"), "install", "--quiet", "--no-index", "--no-deps", *files], folder)
    (packages,) = (folder / "venv" / "lib").glob("python*/site-packages")
    (packages / "libraries.pth").write_text(f"{LIBRARIES}\n", encoding="utf-8")
    return programs


def run_installed(program: Path, *arguments: str, **environment: str) -> Run:
    """Run a program of that environment away from the checkout, which no variable names."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")} | environment
    own["PYTHONDONTWRITEBYTECODE"] = "1"
    done = subprocess.run(
        [str(program), *arguments],
        cwd=program.parent,
        env=own,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return Run(done.returncode, done.stdout, done.stderr)


def _do(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
