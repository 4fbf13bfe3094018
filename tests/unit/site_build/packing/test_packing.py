"""The archive and the image depend on the site's names and contents, and on nothing else of the machine."""

import gzip
import hashlib
import json
import os
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest
from sealed_sites import FILES, SECONDS, Sealed, seal

from site_build.packing import write_archive


@pytest.fixture
def made(tmp_path: Path) -> Sealed:
    """A sealed site."""
    return seal(tmp_path)


def test_the_same_site_gives_the_same_archive(made: Sealed, tmp_path: Path) -> None:
    """Times, modes and the order in which files were made leave no trace."""
    other = tmp_path / "other"
    for path in sorted((path for path in made.site.rglob("*") if path.is_file()), reverse=True):
        copy = other / path.relative_to(made.site)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
        copy.chmod(0o600)
        os.utime(copy, (1, 1))
    packed = write_archive(other, tmp_path / "other.tar.gz", SECONDS)
    assert (tmp_path / "other.tar.gz").read_bytes() == made.archive.read_bytes()
    assert packed == made.packed
    assert packed.sha256 == hashlib.sha256(made.archive.read_bytes()).hexdigest()


def test_an_archive_holds_the_site_in_one_folder(made: Sealed) -> None:
    """One owner, one date, two modes, names in order, every file whole."""
    with tarfile.open(made.archive) as archive:
        members = archive.getmembers()
        texts = {m.name: archive.extractfile(m).read().decode() for m in members if m.isfile()}  # type: ignore[union-attr]
    assert {(m.uid, m.gid, m.uname, m.gname, m.mtime) for m in members} == {(0, 0, "", "", SECONDS)}
    assert {(m.isdir(), m.mode) for m in members} == {(True, 0o755), (False, 0o644)}
    names = [m.name.split("/") for m in members]
    assert names == sorted(names)
    assert {name: texts[f"site/{name}"] for name in FILES} == FILES
    assert texts.keys() - {f"site/{name}" for name in FILES} == {"site/manifest.json", "site/release.json"}


def test_the_manifest_names_every_file_but_itself_and_the_note(made: Sealed) -> None:
    """Hash and size of each, as another program counts them."""
    manifest = json.loads((made.site / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["files"] == {
        name: {"sha256": hashlib.sha256(text.encode()).hexdigest(), "size": len(text.encode())}
        for name, text in FILES.items()
    }
    note = json.loads((made.site / "release.json").read_text(encoding="utf-8"))
    assert note["manifest"] == hashlib.sha256((made.site / "manifest.json").read_bytes()).hexdigest()


def skopeo(*arguments: str) -> str:
    """What skopeo answers; it has to be there."""
    program = shutil.which("skopeo")
    if program is None:
        pytest.fail("expected skopeo on the path, got none. Run: bash setup.sh browser")
    done = subprocess.run([program, *arguments], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("architecture", ["amd64", "arm64"])
def test_a_registry_tool_reads_the_image(made: Sealed, architecture: str) -> None:
    """Labels, platform and layer are what another program finds, by the version's name."""
    image = f"oci:{made.image}:2026.1.0"
    found = json.loads(skopeo(f"--override-arch={architecture}", "inspect", image))
    assert (found["Architecture"], found["Os"], found["Created"]) == (architecture, "linux", "2026-01-01T00:00:00Z")
    assert found["Layers"] == [f"sha256:{made.packed.sha256}"]
    assert found["Labels"]["org.opencontainers.image.version"] == "2026.1.0"
    assert found["Labels"]["org.opencontainers.image.title"] == "Tiny 台账"


def test_a_registry_tool_copies_the_image(made: Sealed, tmp_path: Path) -> None:
    """A copy checks every blob on its way; the layer is the archive, and the configuration knows it unpacked."""
    skopeo("--insecure-policy", "copy", "--all", f"oci:{made.image}:2026.1.0", f"dir:{tmp_path / 'all'}")
    config = json.loads(skopeo("inspect", "--config", "--raw", f"oci:{made.image}:2026.1.0"))
    assert (tmp_path / "all" / made.packed.sha256).read_bytes() == made.archive.read_bytes()
    unpacked = hashlib.sha256(gzip.decompress(made.archive.read_bytes())).hexdigest()
    assert config["rootfs"] == {"type": "layers", "diff_ids": [f"sha256:{unpacked}"]}
