"""What stops a release before anything is written, each in one line, all at once."""

import subprocess
from pathlib import Path

import pytest
from builders import Edit, edit, project, write
from html_pages import tree_of
from live_ledger import live_project
from released_worlds import release
from typer.testing import CliRunner, Result

from site_build.cli import app

DAY = edit("ledger/ledger.yaml", "date: '2026-01-02'", "date: '2026-11-02'")
OWN = "https://ledger.real.net/"


def cut(root: Path, *arguments: str) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(app, ["release", "--root", str(root), *arguments])


def refused(root: Path, *arguments: str) -> list[str]:
    """The lines of a refusal; nothing of the project has changed, and nothing was built."""
    before = {name: content for name, content in tree_of(root).items() if not name.startswith(".cache/")}
    result = cut(root, *arguments)
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    assert {name: content for name, content in tree_of(root).items() if not name.startswith(".cache/")} == before
    assert not (root / "dist").exists()
    return result.stdout.splitlines()


@pytest.mark.parametrize(
    "version", ["1.0", "2026.11", "2026.11.0.1", "2026.13.0", "2026.0.1", "2026.011.0", "v2026.11.0"]
)
def test_a_version_has_one_form(tmp_path: Path, version: str) -> None:
    """Year, month and count; anything else is wrong usage."""
    assert cut(project(tmp_path), version).exit_code == 2


@pytest.mark.parametrize(
    "arguments", [("--address", "ledger.real.net"), ("--out", "ledger"), ("--out", "."), ("--lang", "fr")]
)
def test_wrong_usage_ends_with_2(tmp_path: Path, arguments: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """An address without http, and an outcome that would take the place of the project."""
    monkeypatch.chdir(project(tmp_path))
    assert cut(tmp_path, "2026.1.0", *arguments).exit_code == 2


@pytest.mark.parametrize(
    ("version", "line"),
    [
        pytest.param(
            "2026.11.0", "ledger/releases/2026.11.0.json: expected a version not released before, got", id="there"
        ),
        pytest.param("2026.9.1", "ledger/releases/2026.9.1.json: expected a version after 2026.11.0", id="before"),
    ],
)
def test_versions_go_up(tmp_path: Path, version: str, line: str) -> None:
    """A version is used once, and later ones come later, counted as numbers."""
    release(tmp_path, "2026.11.0", DAY)
    if version == "2026.9.1":
        edit("ledger/ledger.yaml", "2026-11", "2026-09").apply(tmp_path)
    lines = refused(tmp_path, version, "--address", OWN)
    assert len(lines) == 1
    assert lines[0].startswith(line)


def test_a_version_is_of_the_ledgers_month(tmp_path: Path) -> None:
    """The date that the site shows and the version do not contradict each other."""
    (line,) = refused(project(tmp_path), "2026.11.0", "--address", OWN)
    assert line == (
        "ledger/ledger.yaml:6:7: ledger.date: expected a day of 2026-11, the month of version 2026.11.0, "
        "got 2026-01-02. Set the date, or choose another version."
    )


@pytest.mark.parametrize(
    "address",
    [
        "",
        "https://a.example/",
        "https://example.org/x/",
        "http://localhost:8000/",
        "http://127.0.0.1/",
        "http://[::1]/",
    ],
)
def test_a_reserved_address_is_no_place_to_publish(tmp_path: Path, address: str) -> None:
    """Neither the ledger's own nor a given one; the line says how to go on."""
    (line,) = refused(project(tmp_path), "2026.1.0", *(["--address", address] if address else []))
    assert f"expected an address of your own, got {address or 'https://tiny.example/'}. Set it in ledger.yaml" in line


def test_a_ledger_with_faults_is_not_released(tmp_path: Path) -> None:
    """Faults are reported as `k3 check` reports them."""
    lines = refused(project(tmp_path, edit("ledger/values.yaml", "  number: 6", "  number: 7")), "2026.1.0")
    assert [line.partition(": ")[0] for line in lines] == ["ledger/values.yaml:18:11"]


def test_labs_that_could_run_are_released_running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the runtime the labs of a release would be static for ever."""
    monkeypatch.delenv("K3_RUNTIME_DIR", raising=False)
    (line,) = refused(live_project(tmp_path / "project"), "2026.1.0", "--address", OWN)
    assert line.startswith(".cache/runtime: expected the runtime that the labs need, got none.")


def git(root: Path, *arguments: str) -> None:
    """Run git as somebody."""
    who = ["-c", "user.name=a", "-c", "user.email=a@tiny.example", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(root), *who, *arguments], check=True, capture_output=True)


@pytest.mark.parametrize(
    ("change", "name"),
    [
        pytest.param(edit("mkdocs.yml", "site_name: Tiny", "site_name: Other"), "mkdocs.yml", id="changed"),
        pytest.param(write("ledger/new.txt", "x"), "ledger/new.txt", id="new"),
        pytest.param(write("ledger/表.txt", "x"), "ledger/表.txt", id="chinese"),
    ],
)
@pytest.mark.parametrize("folder", ["", "inner"])
def test_what_is_released_is_committed(tmp_path: Path, change: Edit, name: str, folder: str) -> None:
    """A release can be built again from version control; what it writes itself may be there from an attempt."""
    root = project(tmp_path / folder)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "Begin")
    for own in ("CHANGELOG.md", "site/index.html", "evidence/release-2026.1.0.json"):
        write(own, "x").apply(root)
    (line,) = refused(root, "2026.1.0")
    assert "ledger.address" in line
    change.apply(root)
    lines = refused(root, "2026.1.0", "--address", OWN)
    got = f"{folder}/{name}" if folder else name
    told = f".: expected every change committed, got {got}. Commit what belongs to the release, undo the rest."
    assert lines == [told]


def test_everything_wrong_is_said_at_once(tmp_path: Path) -> None:
    """One attempt tells all, in the language asked for."""
    lines = refused(project(tmp_path), "2026.11.0", "--lang", "zh")
    assert [line.partition("：")[0].partition("，实为")[0] for line in lines] == [
        "ledger/ledger.yaml:4:10: ledger.address: 应为自己的地址",
        "ledger/ledger.yaml:6:7: ledger.date: 应为 2026-11 的某一天，即版本 2026.11.0 的月份",
    ]
