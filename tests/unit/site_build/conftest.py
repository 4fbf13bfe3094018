"""Two sites, built once for all tests: the mini ledger, and the tiny project full of hostile text."""

import shutil
import sys
from pathlib import Path

import pytest
from builders import TESTS, project
from builds import Built, blocked, made_once, run_python
from hostile import HOSTILE
from released_worlds import three_releases

# a project's numerics are imported in the tests' own process, and leave no bytecode in the project
sys.dont_write_bytecode = True


@pytest.fixture(scope="session")
def mini(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The mini ledger, built twice under different hash seeds while `k3core` cannot be imported."""

    def make(folder: Path) -> None:
        shutil.copytree(TESTS / "mini_ledger", folder / "project")
        for seed, name in enumerate(("site", "again")):
            _build(folder / "project", folder / name, path=blocked(folder / "blocked"), hash_seed=seed)

    folder = made_once(tmp_path_factory, "mini", make)
    return Built(folder / "project", folder / "site")


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The tiny project in two languages, full of text that wants to be executed."""

    def make(folder: Path) -> None:
        project(folder / "project", *HOSTILE)
        _build(folder / "project", folder / "site")

    folder = made_once(tmp_path_factory, "hostile", make)
    return Built(folder / "project", folder / "site")


@pytest.fixture(scope="session")
def quoted(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The tiny project in two languages after three releases."""

    def make(folder: Path) -> None:
        three_releases(folder / "project")
        _build(folder / "project", folder / "site")

    folder = made_once(tmp_path_factory, "quoted", make)
    return Built(folder / "project", folder / "site")


def _build(root: Path, site: Path, path: Path | None = None, hash_seed: int = 0) -> None:
    done = run_python(
        "-m", "site_build", "build", "--root", str(root), "--out", str(site), path=path, hash_seed=hash_seed, cwd=root
    )
    assert done.code == 0, done.output + done.errors
