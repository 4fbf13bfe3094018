"""The feed of changes, as another program's parser reads it."""

from pathlib import Path
from typing import Any

import feedparser
import pytest
from builders import Edit, edit, ledger_of, project
from released_worlds import QUESTION, release

from site_build.exports import Edition, language_files
from site_build.model import Language

ADDRESS = "https://feed.example/"
WITHDRAWN = "    grade: P\n    withdrawn: {en: 'The leaflet was a forgery.', zh: '传单是伪造的。'}\n"
STEPS: tuple[tuple[Edit, ...], ...] = (
    (),
    (
        edit(QUESTION, "'A model floor.'", "'A model of a floor.'"),
        edit(
            QUESTION,
            "    grade: P\n    locators: ['node smith-2020']\n",
            WITHDRAWN + "    locators: ['node smith-2020']\n",
        ),
    ),
    (
        edit(QUESTION, WITHDRAWN, "    grade: P\n"),
        edit(
            QUESTION,
            "    grade: T\nboundary",
            "    grade: P\n    locators: ['node smith-2020']\n  - id: c5\n"
            "    text: {en: 'A new one.', zh: '新的一条。'}\n    grade: T\nboundary",
        ),
    ),
)
"""What each release changes: the first adds all; then one claim is reworded and one withdrawn; then that one is
restored, the other's evidence upgraded, and one is new."""


def parsed(root: Path, language: Language = "en") -> Any:
    """The feed of a project, read."""
    found = feedparser.parse(
        language_files(Edition(ledger_of(root), ADDRESS, "0123456789ab"), language)["changes.atom"]
    )
    assert not found.bozo, found.get("bozo_exception")
    assert found.version == "atom10"
    return found


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny project after three releases."""
    root = tmp_path_factory.mktemp("feed") / "tiny"
    for number, edits in enumerate(STEPS, 1):
        release(root, f"2026.{number}.0", *edits)
    return root


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_feed_without_releases_is_whole(tmp_path: Path, language: Language) -> None:
    """Before the first release it has what RFC 4287 demands, and no entry."""
    found = parsed(project(tmp_path), language)
    root = ADDRESS if language == "en" else f"{ADDRESS}zh/"
    assert found.feed.id == f"{root}changes.atom"
    assert found.feed.title
    assert found.feed.updated == "2026-01-02T00:00:00Z"
    assert found.feed.author == "Testers"
    assert {link.rel: link.href for link in found.feed.links}["self"] == found.feed.id
    assert found.entries == []


def test_each_change_is_an_entry(released: Path) -> None:
    """The newest release comes first, with what it added, changed, upgraded, withdrew and restored."""
    found = [(entry.title, entry.tags[0].term) for entry in parsed(released).entries]
    assert found == [
        ("Release 2026.3.0", "release"),
        ("Q1.c3 restored", "restored"),
        ("Q1.c4 evidence upgraded", "upgraded"),
        ("Q1.c5 added", "added"),
        ("Release 2026.2.0", "release"),
        ("Q1.c3 withdrawn", "withdrawn"),
        ("Q1.c4 changed", "changed"),
        ("Release 2026.1.0", "release"),
    ]


def test_an_entry_says_what_became_of_its_claim(released: Path) -> None:
    """Statement, grades, boundary, hash and the reason of a withdrawal stand there, and the address in that release."""
    entries = {entry.id: entry for entry in parsed(released).entries}
    gone = entries[f"{ADDRESS}r/2026.2.0/Q1/#c3"]
    assert gone.link == gone.id
    for words in ("A leaflet agrees.", "Withdrawn: The leaflet was a forgery.", "For this floor only.", "Q1.c3@"):
        assert words in gone.summary
    assert "Grade: T → P" in entries[f"{ADDRESS}r/2026.3.0/Q1/#c4"].summary
    first = entries[f"{ADDRESS}r/#2026.1.0"]
    assert first.summary == "First release, with 4 claims."


def test_ids_are_unique_and_moments_complete(released: Path) -> None:
    """No two entries share an id, and each has a moment with its zone."""
    entries = parsed(released, "zh").entries
    assert len({entry.id for entry in entries}) == len(entries) == 8
    assert all(entry.id.startswith(f"{ADDRESS}zh/r/") and entry.updated == "2026-01-02T00:00:00Z" for entry in entries)
    assert "等级: T → P" in next(entry.summary for entry in entries if "c4" in entry.id and "2026.3.0" in entry.id)
