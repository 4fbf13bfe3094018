from pathlib import Path

import pytest
from browser.conftest import find_chromium


def test_no_browser_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Chromium the tests fail and name the command that helps; nothing is skipped."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(pytest.fail.Exception, match=r"bash setup\.sh browser"):
        find_chromium(tmp_path / ".browser")


def test_recorded_browser_comes_first(tmp_path: Path) -> None:
    """The browser that set-up wrote down is used; a record of one that is gone is not."""
    own = tmp_path / "own-chromium"
    own.touch()
    record = tmp_path / ".browser"
    record.write_text(f"{own}\n", encoding="utf-8")
    assert find_chromium(record) == str(own)
    own.unlink()
    assert find_chromium(record) != str(own)
