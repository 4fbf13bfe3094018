"""A build that cannot have the runtime: the site is whole, its labs are static, and it says so loudly."""

import subprocess
import sys
from pathlib import Path

import pytest
from live_ledger import live_project

pytestmark = pytest.mark.slow


@pytest.fixture
def no_runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project whose lab could run, and no source that has the runtime."""
    monkeypatch.setenv("K3_RUNTIME_DIR", str(tmp_path / "nothing"))
    return live_project(tmp_path / "project")


def test_log_and_pages_say_it(no_runtime: Path, tmp_path: Path) -> None:
    """In both languages, with the static result, without a script of labs or a byte of the runtime."""
    command = [sys.executable, "-m", "site_build", "build", "--root", str(no_runtime), "--out", str(tmp_path / "site")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "LABS ARE STATIC" in done.stderr
    pages = {path: (tmp_path / "site" / path / "index.html").read_text("utf-8") for path in ("labs/A", "zh/labs/A")}
    assert "This build was made without the runtime" in pages["labs/A"]
    assert "本次构建没有取得运行时" in pages["zh/labs/A"]
    for page in pages.values():
        assert 'data-output="tiles"' in page
        assert "data-manifest" not in page
    assert not list((tmp_path / "site" / "assets").glob("runtime*"))
