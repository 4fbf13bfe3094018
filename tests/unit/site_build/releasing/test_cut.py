"""A release of the mini ledger: the same bytes each time, whole or not at all, and true to what it says."""

import hashlib
import json
import shutil
import signal
from pathlib import Path
from textwrap import dedent

import pytest
from builders import TESTS, edit, project
from builds import Built, Run, blocked, made_once, run_python
from faults import folders, kept
from html_pages import read_html, tree_of
from typer.testing import CliRunner

from site_build.cli import app

pytestmark = pytest.mark.slow

VERSION = "2026.2.0"


def cut(root: Path, path: Path | None = None, hash_seed: int = 0) -> Run:
    """Cut a release in a process of its own."""
    asked = ("-m", "site_build", "release", VERSION, "--root", str(root), "--allow-example")
    return run_python(*asked, path=path, hash_seed=hash_seed, cwd=root)


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The mini ledger, released twice from the same files under different hash seeds."""

    def make(folder: Path) -> None:
        for seed, name in enumerate(("project", "again")):
            shutil.copytree(TESTS / "mini_ledger", folder / name)
            done = cut(folder / name, path=blocked(folder / "blocked"), hash_seed=seed)
            assert done.code == 0, done.output + done.errors

    folder = made_once(tmp_path_factory, "released", make)
    return Built(folder / "project", folder / "project" / "dist" / VERSION)


def test_two_releases_are_the_same(released: Built) -> None:
    """Site, archive, image, snapshot, evidence and changelog, byte for byte."""
    first, second = kept(released.root), kept(released.root.parent / "again")
    assert first.keys() == second.keys()
    assert [name for name in first if first[name] != second[name]] == []
    new = {name for name in first if not (TESTS / "mini_ledger" / name).exists() and not name.startswith("dist/")}
    assert new == {"CHANGELOG.md", f"evidence/release-{VERSION}.json", f"ledger/releases/{VERSION}.json"}


@pytest.mark.parametrize("form", ["site", "image", f"ledger-{VERSION}.tar.gz"])
def test_a_release_can_be_verified(released: Built, form: str) -> None:
    """In each form, against the digest that the project keeps."""
    evidence = json.loads((released.root / f"evidence/release-{VERSION}.json").read_text(encoding="utf-8"))
    asked = CliRunner().invoke(app, ["verify", str(released.site / form), "--digest", evidence["manifest"]])
    assert (asked.exit_code, asked.stdout) == (0, "")
    archive = (released.site / f"ledger-{VERSION}.tar.gz").read_bytes()
    assert evidence["archive"] == hashlib.sha256(archive).hexdigest()
    assert (released.site / "image/blobs/sha256" / evidence["image"].removeprefix("sha256:")).is_file()


def test_manifest_note_and_snapshot_agree(released: Built) -> None:
    """One version, one build id, on every page too; the manifest names all files but two."""
    note = json.loads((released.site / "site/release.json").read_text(encoding="utf-8"))
    manifest = json.loads((released.site / "site/manifest.json").read_text(encoding="utf-8"))
    snapshot = json.loads((released.root / f"ledger/releases/{VERSION}.json").read_text(encoding="utf-8"))
    assert {(told["version"], told["build"]) for told in (note, manifest, snapshot)} == {(VERSION, note["build"])}
    assert note.keys() == {"version", "build", "manifest", "address", "date"}
    files = tree_of(released.site / "site")
    assert manifest["files"].keys() == files.keys() - {"manifest.json", "release.json"}
    page = read_html(files["questions/N1/index.html"].decode())
    assert page.one(class_="rl-foot").text.endswith(f"版本 {VERSION} · 构建 {note['build']}")
    assert note["manifest"] not in "".join(text.decode() for name, text in files.items() if name.endswith(".html"))


def test_building_the_released_files_gives_the_released_site(released: Built, tmp_path: Path) -> None:
    """Whoever has the project as it was released can make the same site, and needs no archive for it."""
    asked = ("-m", "site_build", "build", "--root", str(released.root), "--out", str(tmp_path / "site"))
    done = run_python(*asked, cwd=tmp_path)
    assert done.code == 0, done.errors
    built, site = tree_of(tmp_path / "site"), tree_of(released.site / "site")
    assert site.keys() - built.keys() == {"manifest.json", "release.json"}
    assert [name for name, content in built.items() if site.get(name) != content] == []


def test_a_release_is_cut_once(released: Built) -> None:
    """The second attempt is refused, and leaves the first as it is."""
    before = kept(released.root)
    done = cut(released.root)
    assert (done.code, done.output.partition(": ")[0]) == (1, f"ledger/releases/{VERSION}.json")
    assert kept(released.root) == before


_KILLED = """
    import os, signal, sys
    from pathlib import Path
    from site_build import swap
    from site_build.releasing import cut

    def die(*_, **__):
        os.kill(os.getpid(), signal.SIGKILL)

    def publish(draft, out):
        out.mkdir()
        (out / "index.html").write_text(draft.identity)
        {building}

    cut.publish = publish
    {plant}
    cut.cut_release(Path(sys.argv[1]), "2026.1.0", Path(sys.argv[1]) / "dist" / "2026.1.0", trial=True)
"""
_REPLACING = """replace, done = Path.replace, []
    Path.replace = lambda self, new: (replace(self, new), done.append(new), len(done) == {count} and die())"""


def attempt(root: Path, plant: str = "", building: str = "pass") -> int:
    """Cut a release of a site of one file; returns how the process ended."""
    return run_python("-c", dedent(_KILLED.format(plant=plant, building=building)), str(root)).code


@pytest.mark.parametrize(
    ("plant", "building", "papers"),
    [
        pytest.param("", "die()", set(), id="while-building"),
        pytest.param("cut.write_archive = die", "pass", set(), id="while-packing"),
        pytest.param("swap._swap = die", "pass", set(), id="before-the-swap"),
        pytest.param("cut.write_all = die", "pass", set(), id="after-the-swap"),
        pytest.param(_REPLACING.format(count=1), "pass", {"CHANGELOG.md"}, id="after-the-first-paper"),
        pytest.param(
            _REPLACING.format(count=2),
            "pass",
            {"CHANGELOG.md", "evidence/release-2026.1.0.json"},
            id="before-the-snapshot",
        ),
    ],
)
def test_a_kill_leaves_the_project_whole(tmp_path: Path, plant: str, building: str, papers: set[str]) -> None:
    """No snapshot without a whole release; the next attempt completes what a kill left, as if nothing had been."""
    whole = project(tmp_path / "whole")
    assert attempt(whole) == 0
    root = project(tmp_path / "killed")
    before = kept(root)
    assert attempt(root, plant, building) == -signal.SIGKILL
    after = {name: text for name, text in kept(root).items() if "/." not in f"/{name}" and not name.startswith("dist/")}
    assert {name for name in after if after[name] != before.get(name)} == papers
    assert before.keys() <= after.keys()
    assert attempt(root) == 0
    assert kept(root) == kept(whole)


def test_a_failing_build_takes_everything_back(tmp_path: Path) -> None:
    """A project that MkDocs refuses is found out late, and nothing is left of the attempt."""
    root = project(tmp_path, edit("mkdocs.yml", "  - material/search\n", ""))
    before = kept(root), folders(root)
    asked = CliRunner().invoke(app, ["release", "2026.1.0", "--root", str(root), "--allow-example"])
    assert (asked.exit_code, asked.stdout.partition(":")[0]) == (1, "mkdocs.yml")
    assert (kept(root), folders(root)) == before


def test_papers_that_cannot_be_written_take_everything_back(tmp_path: Path) -> None:
    """A changelog that is a folder: one line, no snapshot, no release."""
    root = project(tmp_path)
    (root / "CHANGELOG.md").mkdir()
    before = kept(root), folders(root)
    assert attempt(root) == 1
    assert (kept(root), folders(root)) == before
