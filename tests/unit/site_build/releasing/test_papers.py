"""What a release writes into the changelog and into the project's own citation."""

from pathlib import Path

import pytest
from builders import edit, ledger_of
from released_worlds import QUESTION, release

from site_build.model import Release
from site_build.releasing import papers


@pytest.fixture
def releases(tmp_path: Path) -> tuple[Release, ...]:
    """Two releases, between which a claim was reworded."""
    release(tmp_path, "2026.1.0")
    release(tmp_path, "2026.2.0", edit(QUESTION, "The report gives 2 rows.", "The report gives two rows."))
    release(tmp_path, "2026.2.1")
    return ledger_of(tmp_path).releases


def test_a_sentence_tells_what_changed(releases: tuple[Release, ...]) -> None:
    """The first release counts what is there, later ones what differs from the last."""
    first, second, third = releases
    assert papers.told(first, None, "en").startswith("First release: 4 claims on 1 questions, 4 values; build ")
    assert papers.told(second, first, "en") == "Since 2026.1.0: 1 changed; build build-2026.2.0."
    assert papers.told(second, first, "zh") == "自 2026.1.0 以来：改动 1 条；构建 build-2026.2.0。"
    assert papers.told(third, second, "en") == "Since 2026.2.0: no claim and no value differs; build build-2026.2.1."


WAITING = "# Log\n\n## 0.1.0 (unreleased)\n\n- Waited.\n\n## Old\n\n- Was.\n"
HEADING = "## 2026.1.0 (2026-01-02)\n\n- Said.\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("", f"# Changelog\n\n{HEADING}", id="none"),
        pytest.param(WAITING, f"# Log\n\n{HEADING}- Waited.\n\n## Old\n\n- Was.\n", id="waiting"),
        pytest.param("# Log\n\n## [Unreleased]\n\n- W.\n", f"# Log\n\n{HEADING}- W.\n", id="brackets"),
        pytest.param("# Log\n\n## Old\n\n- Was.\n", f"# Log\n\n{HEADING}\n## Old\n\n- Was.\n", id="old"),
        pytest.param("# Log\n", f"# Log\n\n{HEADING}", id="title"),
    ],
)
def test_the_changelog_gets_an_entry_once(releases: tuple[Release, ...], before: str, after: str) -> None:
    """What waited belongs to the release; older entries stay; a second attempt adds nothing."""
    assert papers.with_entry(before, releases[0], "Said.", "en") == after
    assert papers.with_entry(after, releases[0], "Said.", "en") == after


def test_the_project_is_cited_with_its_version(releases: tuple[Release, ...]) -> None:
    """Version and date change, and nothing else; the form's own version is another field."""
    text = "cff-version: 1.2.0\ntitle: T\nversion: 0.1.0\ndate-released: '2020-01-01'\n"
    want = "cff-version: 1.2.0\ntitle: T\nversion: 2026.1.0\ndate-released: '2026-01-02'\n"
    assert papers.with_version(text, releases[0]) == want
