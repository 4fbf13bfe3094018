"""A claim edited, downgraded, withdrawn and restored over releases: every pinned address stays right."""

from pathlib import Path

import pytest
from builders import ledger_of, problems_of
from html_pages import Element, read_html
from released_worlds import DOWNGRADED, EDITED, RESTORED, WITHDRAWN, release
from typer.testing import CliRunner

from site_build.cli import app
from site_build.history import claim_hash
from site_build.model import Language
from site_build.render import render_page
from site_build.views import Results, pages


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Three releases: the claim as first written, then downgraded with another text, then withdrawn."""
    release(tmp_path, "2026.1.0")
    release(tmp_path, "2026.2.0", EDITED, *DOWNGRADED)
    release(tmp_path, "2026.10.0", WITHDRAWN)
    return tmp_path


def pinned(root: Path, language: Language, version: str) -> Element:
    """The claim `Q1.c2` on its pinned page."""
    found = {page.path: page for page in pages(ledger_of(root), language, Results())}
    return next(read_html(render_page(found[f"r/{version}/Q1"], language)).all(id="c2"))


@pytest.mark.parametrize(
    ("language", "version", "want"),
    [
        ("en", "2026.1.0", ("The report gives 2 rows.", "R", "Withdrawn since. No such row.")),
        ("zh", "2026.1.0", ("报告给出 2 行。", "R", "此后已撤回。 没有这样的行。")),
        ("en", "2026.2.0", ("The report gives two rows.", "T", "Withdrawn since. No such row.")),
        ("zh", "2026.2.0", ("报告给出两行。", "T", "此后已撤回。 没有这样的行。")),
        ("en", "2026.10.0", ("The report gives two rows.", "T", "")),
    ],
)
def test_a_pinned_page_keeps_what_was_said(
    root: Path, language: Language, version: str, want: tuple[str, str, str]
) -> None:
    """Text, grade and boundary are those of the release; a banner tells what became of the claim."""
    text, letter, since = want
    claim = pinned(root, language, version)
    assert claim.one(class_="rl-claim__text").text == text
    assert claim.one(class_="rl-grade__letter").text == letter
    boundary = {"en": "For this floor only.", "zh": "只限这块地面。"}[language]
    assert claim.one(class_="rl-claim__boundary").text.endswith(boundary)
    notes = [next(note.all("p")).text for note in claim.all(class_="rl-since")]
    assert [note.startswith(since) for note in notes] == ([True] if since else [])
    assert len([*claim.all(class_="rl-withdrawn")]) == (version == "2026.10.0")


def test_a_banner_shows_the_difference(root: Path) -> None:
    """Words that went are struck out, words that came are marked, and so is the grade."""
    note = pinned(root, "en", "2026.1.0").one(class_="rl-since")
    assert [part.text for part in note.all("del")] == ["R", "2", "report §1 eq.1"]
    assert [part.text for part in note.all("ins")] == ["T", "two"]


def test_a_restored_claim_is_told_as_restored(root: Path) -> None:
    """What a release had withdrawn may stand again; older pages compare with today."""
    RESTORED.apply(root)
    assert problems_of(root) == []
    assert pinned(root, "en", "2026.10.0").one(class_="rl-since").text.startswith("Restored since.")
    assert not any(pinned(root, "en", "2026.2.0").all(class_="rl-since"))
    assert pinned(root, "en", "2026.1.0").one(class_="rl-since").text.startswith("Evidence downgraded since.")


def test_a_withdrawn_claim_stays_on_its_page(root: Path) -> None:
    """The question shows the claim with the reason."""
    (page,) = (page for page in pages(ledger_of(root), "en", Results()) if page.path == "questions/Q1")
    claim = next(read_html(render_page(page, "en")).all(id="c2"))
    assert claim.one(class_="rl-withdrawn").text.endswith("No such row.")


def test_a_quotation_can_be_checked(root: Path) -> None:
    """A pin leads to the releases that say it; what happened since is told, with exit code 1."""
    releases = {one.version: one for one in ledger_of(root).releases}
    assert list(releases) == ["2026.1.0", "2026.2.0", "2026.10.0"]
    pins = {version: claim_hash("Q1.c2", one.claims["Q1.c2"])[:8] for version, one in releases.items()}
    asked = CliRunner().invoke(app, ["cite", "check", f"Q1.c2@{pins['2026.1.0']}", "--root", str(root)])
    assert (asked.exit_code, asked.stdout.splitlines()) == (
        1,
        [
            f"Q1.c2@{pins['2026.1.0']}: 2026.1.0",
            "Q1.c2: Withdrawn since (text, grade, locators)",
            "Q1.c2: Withdrawn: No such row.",
        ],
    )
    RESTORED.apply(root)
    asked = CliRunner().invoke(app, ["cite", "check", f"Q1.c2@{pins['2026.2.0']}", "--root", str(root)])
    assert (asked.exit_code, asked.stdout) == (
        0,
        f"Q1.c2@{pins['2026.2.0']}: 2026.2.0, 2026.10.0, the files as they are\n",
    )


@pytest.mark.parametrize(
    ("pin", "line"),
    [
        ("Q9.c1@00000000", "Q9.c1: expected a claim of the ledger or of a release, got none."),
        ("Q1.c1@00000000", "Q1.c1@00000000: expected the hash of Q1.c1 in some state, got none."),
    ],
)
def test_a_wrong_pin_is_refused(root: Path, pin: str, line: str) -> None:
    """An unknown claim and a wrong hash give one line and exit code 1."""
    asked = CliRunner().invoke(app, ["cite", "check", pin, "--root", str(root)])
    assert (asked.exit_code, asked.stdout) == (1, "")
    assert asked.stderr.startswith(line)
    assert asked.stderr.count("\n") == 1


def test_a_pin_has_a_form(root: Path) -> None:
    """What is no pin is wrong usage."""
    assert CliRunner().invoke(app, ["cite", "check", "Q1.c2", "--root", str(root)]).exit_code == 2
