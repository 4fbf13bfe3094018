"""The real ledger as a release, labs and search included: what is built again from the released files is the same."""

import shutil
from pathlib import Path

from builds import run_python
from html_pages import tree_of

from site_build.source import read_ledger

ROOT = Path(__file__).parents[2]
FOLDERS = ("content", "evidence", "ledger")
FILES = ("CHANGELOG.md", "CITATION.cff", "mkdocs.yml", "requirements.txt")
LIKE_LABS = ("pyodide.mjs", ".wasm", ".whl", "labs.json")


def copy_inputs(source: Path, target: Path) -> None:
    """Copy what a release is made from; the runtime is shared."""
    for name in FOLDERS:
        shutil.copytree(source / name, target / name)
    for name in FILES:
        shutil.copy(source / name, target / name)
    (target / ".cache").mkdir()
    (target / ".cache" / "runtime").symlink_to(ROOT / ".cache" / "runtime")


def test_two_builds_of_the_released_files_are_the_same(tmp_path: Path) -> None:
    """In another folder and under another hash seed, byte for byte; a release adds nothing but its seals."""
    root, again = tmp_path / "project", tmp_path / "longer" / "name"
    copy_inputs(ROOT, root)
    ledger = read_ledger(root).ledger
    assert ledger is not None
    year, month, _ = ledger.info.date.split("-")
    version = f"{year}.{int(month)}.9999"
    cut = ("-m", "site_build", "release", version, "--root", str(root), "--allow-example")
    done = run_python(*cut, cwd=root)
    assert done.code == 0, done.output + done.errors
    copy_inputs(root, again)
    build = ("-m", "site_build", "build", "--root", str(again), "--out", str(tmp_path / "site"))
    done = run_python(*build, cwd=again, hash_seed=1)
    assert done.code == 0, done.output + done.errors
    released, built = tree_of(root / "dist" / version / "site"), tree_of(tmp_path / "site")
    assert released.keys() - built.keys() == {"manifest.json", "release.json"}
    assert [name for name, content in built.items() if released.get(name) != content] == []
    assert all(any(part in name for name in built) for part in (*LIKE_LABS, "search/search_index.json"))
    verify = ("-m", "site_build", "verify", str(root / "dist" / version / "image"))
    assert run_python(*verify, cwd=tmp_path).code == 0
