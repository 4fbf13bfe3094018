"""`k3 diff`: releases, trees, folders and git revisions, for a terminal, a pull request and a page."""

import subprocess
from pathlib import Path

import pytest
from builders import edit, project
from released_worlds import QUESTION, release
from typer.testing import CliRunner

from site_build.cli import app

EDITED = edit(QUESTION, "The report gives 2 rows.", "The report gives two rows.")
WITHDRAWN = edit(QUESTION, "    grade: T\n", "    grade: T\n    withdrawn: {en: 'No model.', zh: '没有模型。'}\n")


def told(root: Path, *arguments: str) -> tuple[int, list[str], str]:
    """Exit code, lines and complaint of a comparison."""
    done = CliRunner().invoke(app, ["diff", *arguments, "--root", str(root)])
    return done.exit_code, done.stdout.splitlines(), done.stderr


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A release, then two changes that are not released."""
    release(tmp_path, "2026.1.0")
    EDITED.apply(tmp_path)
    WITHDRAWN.apply(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("form", "want"),
    [
        ("text", ["Q1.c2: changed (text)", "Q1.c4: withdrawn"]),
        ("markdown", ["- `Q1.c2`: changed (text)", "- `Q1.c4`: withdrawn"]),
        (
            "html",
            [
                "<ul>",
                "<li><code>Q1.c2</code>: changed (text)<br>The report gives <del>2</del><ins>two</ins> rows.</li>",
                "<li><code>Q1.c4</code>: withdrawn</li>",
                "</ul>",
            ],
        ),
    ],
)
def test_a_release_is_compared_with_the_tree(root: Path, form: str, want: list[str]) -> None:
    """Each form tells the same differences."""
    code, lines, complaint = told(root, "2026.1.0", "--format", form)
    assert (code, lines) == (0, want)
    assert complaint == ("" if form == "html" else "2 differences from 2026.1.0 to the files as they are\n")


def test_a_folder_and_a_revision_are_states_too(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The tree of another folder, and of a git revision, is read as it is there."""
    other = project(tmp_path_factory.mktemp("other"))
    assert told(root, str(other))[1] == ["Q1.c2: changed (text)", "Q1.c4: withdrawn"]
    for command in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]):
        subprocess.run(["git", "-C", str(other), *command], check=True)
    EDITED.apply(other)
    assert told(other, "HEAD")[1] == ["Q1.c2: changed (text)"]
    assert told(other, "HEAD", "HEAD") == (0, [], "0 differences from HEAD to HEAD\n")


def test_an_unknown_state_is_refused(root: Path) -> None:
    """A name that stands for nothing gives one line and exit code 1."""
    code, lines, complaint = told(root, "2025.9.9")
    assert (code, lines) == (1, [])
    assert complaint.startswith("2025.9.9: expected a release (2026.1.0), a project's folder or a git revision")
    assert complaint.count("\n") == 1
