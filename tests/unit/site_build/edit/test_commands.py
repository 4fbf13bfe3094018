"""The editor's commands: what they print, and their exit codes."""

from pathlib import Path
from typing import Any

import pytest
from builders import REPOSITORY, TINY, edit, project
from typer.testing import CliRunner, Result

from site_build.cli import app
from site_build.source import parse_yaml


def run(root: Path, *arguments: str | Path) -> Result:
    """Run a command on a project, in this process."""
    return CliRunner().invoke(app, [str(argument) for argument in (*arguments, "--root", root)])


def test_new_says_where_and_what_is_missing(tmp_path: Path) -> None:
    """The first line is the record's place; the others are what is still to be written, in the language asked for."""
    result = run(project(tmp_path), "new", "claim", "Q1", "--lang", "zh")
    file = "ledger/questions/Q1.yaml"
    assert (result.exit_code, result.stdout.splitlines()) == (
        0,
        [
            f"{file}:25: Q1.c5",
            f"{file}:26:5: Q1.claims[4]: 应为出处（等级为 R），实为无。补上出处，例如 report §2.1 eq.1。",
            f"{file}:29:11: Q1.claims[4].text.en: 应为正式的文本，实为 TO WRITE。用正文替换占位文字。",
            f"{file}:30:11: Q1.claims[4].text.zh: 应为正式的文本，实为待写。用正文替换占位文字。",
        ],
    )


def test_new_refuses_with_a_place(tmp_path: Path) -> None:
    """An id that is taken is shown where it stands."""
    result = run(project(tmp_path), "new", "value", "rows")
    assert result.exit_code == 1
    assert result.stdout.startswith(
        "ledger/values.yaml:1:3: rows: expected an id or file that is not there yet, got rows"
    )


@pytest.mark.parametrize(
    ("arguments", "want"),
    [
        pytest.param(["claim"], "expected a question's id, got nothing", id="claim-of-what"),
        pytest.param(["value"], "expected an id, got nothing", id="value-without-id"),
        pytest.param(["node"], "expected an id, got nothing", id="node-without-id"),
        pytest.param(["question", "Q7"], "expected nothing: a new id is taken, got Q7", id="chosen-id"),
        pytest.param(["node", "x", "--arxiv", "12"], "expected a number such as 2510.26692, got 12", id="arxiv"),
        pytest.param(
            ["node", "--arxiv", "2510.26692"], "expected a file with the node's BibTeX, got none", id="no-file"
        ),
        pytest.param(["chapter"], "'chapter' is not one of", id="kind"),
    ],
)
def test_wrong_usage_of_new_ends_with_2(arguments: list[str], want: str) -> None:
    """Usage is checked before anything is read."""
    result = run(TINY, "new", *arguments)
    assert result.exit_code == 2
    assert want in " ".join(result.stderr.replace("│", " ").split())


def test_new_node_from_an_export(tmp_path: Path) -> None:
    """A BibTeX file and an arXiv number make a node."""
    export = tmp_path / "export.bib"
    export.write_text("@misc{Ann:2025,\n title={T},\n author={Ann, B},\n year={2025}\n}\n", encoding="utf-8")
    result = run(project(tmp_path / "p"), "new", "node", "--bibtex", export, "--arxiv", "2510.26692v1")
    assert result.stdout.splitlines()[0] == "ledger/reading/nodes.yaml:9: ann-2025"
    assert "  url = {https://arxiv.org/abs/2510.26692}\n}" in (tmp_path / "p/ledger/reading/references.bib").read_text()


def test_fmt_names_what_it_changed(tmp_path: Path) -> None:
    """Changed files are printed; then `--check` is content."""
    root = project(tmp_path)
    before = run(root, "fmt", "--check", root / "ledger/values.yaml")
    wanted = "expected the form that k3 fmt writes, got another form. Run `k3 fmt ledger/values.yaml`."
    assert (before.exit_code, before.stdout) == (1, f"ledger/values.yaml:1:1: {wanted}\n")
    assert run(root, "fmt", root / "ledger/values.yaml").stdout == "ledger/values.yaml\n"
    again = run(root, "fmt", "--check", root / "ledger/values.yaml")
    assert (again.exit_code, again.stdout) == (0, "")


def test_fmt_reports_files_with_faults(tmp_path: Path) -> None:
    """A file that was left alone makes the command end with 1."""
    root = project(tmp_path, edit("ledger/values.yaml", "number: 6", "number: no"))
    result = run(root, "fmt", root / "ledger/values.yaml", root / "ledger/glossary.yaml")
    assert result.exit_code == 1
    assert [line.split(": ")[0] for line in result.stdout.splitlines()] == [
        "ledger/glossary.yaml",
        "ledger/values.yaml:18:11",
    ]


def test_schema_and_codes_write_files(tmp_path: Path) -> None:
    """Each prints the files that it wrote; `codes` prints its page unless asked to write."""
    root = project(tmp_path)
    written = run(root, "schema", "--out", tmp_path / "out").stdout.splitlines()
    assert all(Path(file).is_file() for file in written)
    assert len(written) > 10
    page = run(root, "codes", "--lang", "zh").stdout
    assert run(root, "codes", "--write").exit_code == 0
    assert page == (root / "content/codes.zh.md").read_text(encoding="utf-8")


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """No traceback: one line with the name."""
    (tmp_path / "file").write_text("")
    result = run(TINY, "schema", "--out", tmp_path / "file/inner")
    assert result.exit_code == 1
    assert "file/inner: expected a folder that can be written, got Not a directory" in result.stdout


def test_pre_commit_runs_check_and_fmt(tmp_path: Path) -> None:
    """Both hooks are local, fetch nothing, and run commands that exist."""
    text = (REPOSITORY / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    document = parse_yaml(text, ".pre-commit-config.yaml")
    assert document.problems == ()
    repositories: Any = document.data["repos"]
    assert [repository["repo"] for repository in repositories] == ["local"]
    hooks = repositories[0]["hooks"]
    assert [(hook["entry"], hook["language"]) for hook in hooks] == [
        (".venv/bin/k3 check", "system"),
        (".venv/bin/k3 fmt --check", "system"),
    ]
    root = project(tmp_path)
    assert [run(root, *hook["entry"].split()[1:]).exit_code for hook in hooks] == [0, 1]
