"""A preview follows the editor: faults stand in the page, the broken record stays visible, a mended one comes back."""

from pathlib import Path

import pytest
from builders import edit, project

from site_build.live import LiveSite

pytestmark = pytest.mark.slow

QUESTION = "ledger/questions/Q1.yaml"


def page(site: LiveSite, path: str) -> str:
    """A page of the preview."""
    return (site.folder / path / "index.html").read_text(encoding="utf-8")


# jieba never closes the dictionary that it was told to read
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_preview_follows_edits(tmp_path: Path) -> None:
    """Whole, broken, unreadable, whole again: each state is what the next look at the preview shows."""
    root = project(tmp_path / "ledger")
    site = LiveSite(root, tmp_path / "preview", "en")
    assert site.follow()
    assert not site.follow()
    whole = site.newest
    assert "ledger/questions/Q1.yaml:1" in page(site, "questions/Q1")
    assert "rl-faults" not in page(site, "questions/Q1")

    broken = edit(QUESTION, "grade: T", "grade: X")
    broken.apply(root)
    assert site.follow()
    assert site.newest != whole
    shown = page(site, "questions/Q1")
    assert "This record has faults" in shown
    assert "Q1.claims[3].grade: expected" in shown
    assert "got &#39;X&#39;" in page(site, "faults")
    assert "rl-record" in page(site, "figures/F1")

    info = root / "ledger/ledger.yaml"
    text = info.read_text(encoding="utf-8")
    info.write_text(text + "x: [\n", encoding="utf-8")
    assert site.follow()
    assert "ledger/ledger.yaml" in page(site, ".")

    info.write_text(text, encoding="utf-8")
    edit(QUESTION, "grade: X", "grade: T").apply(root)
    assert site.follow()
    assert site.newest == whole
    assert "rl-faults" not in page(site, "questions/Q1")
