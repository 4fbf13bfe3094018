"""The commands: exit codes, formats and languages, and one line instead of a traceback for whatever is broken."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import Edit, edit, project, remove, write
from builds import run_python
from typer.testing import CliRunner, Result

from site_build.cli import app

BROKEN = edit("ledger/values.yaml", "  number: 6", "  number: 7")
ENGLISH = (
    "ledger/values.yaml:18:11: area.number: expected 6, from tiny.product(first=2, second=3), got 7. "
    "Correct the number or its inputs."
)
CHINESE = (
    "ledger/values.yaml:18:11: area.number: 应为 tiny.product(first=2, second=3) 的结果 6，实为 7。修正数字或其输入。"
)


def run(*arguments: str | Path) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def lines(text: str) -> list[str]:
    """The lines of an answer."""
    return text.strip().splitlines()


def test_check_of_a_good_ledger_ends_with_0(tmp_path: Path) -> None:
    """Nothing to report but the counts."""
    result = run("check", "--root", project(tmp_path))
    assert (result.exit_code, result.stdout) == (0, "")
    assert lines(result.stderr) == ["faults: 0, warnings: 0; questions 1, figures 1, tables 1, labs 1, reading path 1"]


@pytest.mark.parametrize(
    ("language", "want", "verdict"),
    [
        pytest.param("en", ENGLISH, "faults: 1, warnings: 0; ", id="en"),
        pytest.param("zh", CHINESE, "错误 1 处，警告 0 处；", id="zh"),
    ],
)
def test_check_of_a_broken_ledger_ends_with_1(tmp_path: Path, language: str, want: str, verdict: str) -> None:
    """Each problem is a line on stdout, in the language asked for; the verdict goes to stderr."""
    result = run("check", "--root", project(tmp_path, BROKEN), "--lang", language)
    assert (result.exit_code, lines(result.stdout)) == (1, [want])
    assert result.stderr.startswith(verdict)


def test_check_as_json(tmp_path: Path) -> None:
    """Machines get counts and problems with every piece of the place and the wording."""
    result = run("check", "--root", project(tmp_path, BROKEN), "--format", "json")
    found = json.loads(result.stdout)
    counts = {"questions": 1, "figures": 1, "tables": 1, "labs": 1, "nodes": 1}
    assert (result.exit_code, found["counts"], found["all"]) == (1, counts, counts)
    assert found["problems"] == [
        {
            "code": "derivation-differs",
            "severity": "error",
            "file": "ledger/values.yaml",
            "line": 18,
            "column": 11,
            "field": "area.number",
            "expected": "6, from tiny.product(first=2, second=3)",
            "got": "7",
            "remedy": "Correct the number or its inputs.",
            "message": ENGLISH,
        }
    ]


def test_counts_tell_promised_records_from_all(tmp_path: Path) -> None:
    """A record that is not promised counts in `all` only."""
    root = project(
        tmp_path,
        edit("ledger/figures/F1.yaml", "id: F1", "id: F1\npromised: false"),
        edit("ledger/ledger.yaml", "  figures: 1", "  figures: 0"),
    )
    found = json.loads(run("check", "--root", root, "--format", "json").stdout)
    assert (found["counts"]["figures"], found["all"]["figures"], found["problems"]) == (0, 1, [])


def test_check_for_github(tmp_path: Path) -> None:
    """Problems become annotations, with percent signs written as the runner wants them."""
    root = project(tmp_path, edit("ledger/figures/F1.yaml", "A floor.", "A floor, 5% of it."))
    result = run("check", "--root", root, "--format", "github")
    assert result.exit_code == 1
    assert result.stdout.strip() == (
        "::error file=ledger/figures/F1.yaml,line=3,col=13::ledger/figures/F1.yaml:3:13: F1.shows.en: "
        "expected a marker such as :value[id], got 5. Write the number once in the ledger and refer to it."
    )
    root = project(tmp_path / "link", edit("ledger/figures/F1.yaml", "A floor.", "[A floor](x:%41)."))
    assert "got x:%2541." in run("check", "--root", root, "--format", "github").stdout


def test_warnings_do_not_fail(tmp_path: Path) -> None:
    """A review that is due is said and ends with 0."""
    due = edit(
        "ledger/questions/Q1.yaml", "\nreviewed: '2026-01-02'", "\nreviewed: '2026-01-02'\nreview_by: '2026-01-01'"
    )
    result = run("check", "--root", project(tmp_path, due), "--today", "2026-03-01", "--format", "github")
    assert result.exit_code == 0
    assert result.stdout.startswith("::warning file=ledger/questions/Q1.yaml,line=42,col=12::")


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["check", "--root", "{root}/missing"], id="root-missing"),
        pytest.param(["check", "--root", "{root}/mkdocs.yml"], id="root-is-a-file"),
        pytest.param(["check", "--format", "xml"], id="format"),
        pytest.param(["check", "--lang", "de"], id="language"),
        pytest.param(["check", "--nothing"], id="option"),
        pytest.param(["bake"], id="command"),
        pytest.param(["build", "--root", "{root}", "--address", "ftp://x"], id="address"),
        pytest.param(["build", "--root", "{root}", "--out", "{root}"], id="out-is-the-project"),
        pytest.param(["build", "--root", "{root}", "--out", "/"], id="out-holds-the-project"),
        pytest.param(["build", "--root", "{root}", "--out", "{root}/ledger"], id="out-is-an-input"),
        pytest.param(["build", "--root", "{root}", "--out", "{root}/content/new"], id="out-inside-an-input"),
        pytest.param(["build", "--root", "{root}", "--out", "{root}/mkdocs.yml"], id="out-is-a-file"),
        pytest.param(["build", "--root", "{root}", "--out", "{root}/precious"], id="out-holds-something-else"),
        pytest.param(["serve", "--root", "{root}", "--port", "70000"], id="port"),
    ],
)
def test_wrong_usage_ends_with_2(tmp_path: Path, arguments: list[str]) -> None:
    """A wrong option is refused before anything is touched."""
    root = project(tmp_path, write("precious/thesis.txt", "years of work"))
    before = sorted(path for path in tmp_path.rglob("*") if "__pycache__" not in path.parts)
    result = run(*(argument.format(root=root) for argument in arguments))
    assert result.exit_code == 2, result.output
    assert sorted(path for path in tmp_path.rglob("*") if "__pycache__" not in path.parts) == before


def broken_ledger(root: Path) -> None:
    """Leave a mapping open."""
    (root / "ledger" / "ledger.yaml").write_text("title: {en: 'x'\n", encoding="utf-8")


def binary_value(root: Path) -> None:
    """Put bytes where text should be."""
    (root / "ledger" / "values.yaml").write_bytes(b"\xff\xfe\x00")


def folder_for_file(root: Path) -> None:
    """Put a folder where a file should be."""
    (root / "ledger" / "questions" / "Q2.yaml").mkdir()


def list_for_mapping(root: Path) -> None:
    """Put a list where the ledger's own fields should be."""
    (root / "ledger" / "ledger.yaml").write_text("- 1\n", encoding="utf-8")


def page_in_latin(root: Path) -> None:
    """Save a page in another encoding."""
    (root / "content" / "about.en.md").write_bytes("caf\xe9".encode("latin-1"))


def broken_front_matter(root: Path) -> None:
    """Leave a quote open above a page."""
    (root / "content" / "about.en.md").write_text("---\nid: 'about\ntitle: x\n---\nWords.\n", encoding="utf-8")


def broken_bibliography(root: Path) -> None:
    """Cut the bibliography short."""
    (root / "ledger" / "reading" / "references.bib").write_text("@article{smith-2020,\n title = {A", encoding="utf-8")


def broken_numerics(root: Path) -> None:
    """Break the registry's Python."""
    (root / "tiny_numerics.py").write_text("def f(:\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("spoil", "place"),
    [
        pytest.param(lambda root: shutil.rmtree(root / "ledger"), "ledger/ledger.yaml:1:1", id="no-ledger-folder"),
        pytest.param(remove("ledger/ledger.yaml").apply, "ledger/ledger.yaml:1:1", id="no-ledger-file"),
        pytest.param(broken_ledger, "ledger/ledger.yaml:2:1", id="ledger-file-broken"),
        pytest.param(list_for_mapping, "ledger/ledger.yaml:1:1", id="ledger-file-is-a-list"),
        pytest.param(write("ledger/ledger.yaml", "").apply, "ledger/ledger.yaml:1:1", id="ledger-file-empty"),
        pytest.param(binary_value, "ledger/values.yaml:1:1", id="bytes"),
        pytest.param(folder_for_file, "ledger/questions/Q2.yaml:1:1", id="folder-for-a-file"),
        pytest.param(page_in_latin, "content/about.en.md:1:4", id="page-in-another-encoding"),
        pytest.param(broken_front_matter, "content/about.en.md:", id="front-matter"),
        pytest.param(broken_bibliography, "ledger/reading/references.bib:1:1", id="bibliography"),
        pytest.param(broken_numerics, "ledger/ledger.yaml:7:11", id="numerics-do-not-parse"),
        pytest.param(write("content/notes.md", "x").apply, "content/notes.md:1:1", id="page-without-language"),
        pytest.param(write("ledger/grades.yaml", "id: R\n").apply, "ledger/grades.yaml:1:1", id="mapping-for-a-list"),
        pytest.param(write("ledger/grades.yaml", "- R\n").apply, "ledger/grades.yaml:1:3", id="word-for-a-record"),
        pytest.param(
            edit("ledger/ledger.yaml", "'2026-01-02'", "'2026-02-30'").apply, "ledger/ledger.yaml:6:7", id="no-such-day"
        ),
        pytest.param(edit("ledger/ledger.yaml", "[en, zh]", "[]").apply, "ledger/ledger.yaml:5:12", id="no-language"),
        pytest.param(edit("ledger/ledger.yaml", "[en, zh]", "[en, fr]").apply, "ledger/ledger.yaml:5:17", id="french"),
    ],
)
@pytest.mark.parametrize("command", ["check", "build"])
def test_broken_input_is_a_line_not_a_traceback(
    tmp_path: Path, spoil: Callable[[Path], None], place: str, command: str
) -> None:
    """Whatever is broken, both commands name its place, end with 1 and write no site."""
    root = project(tmp_path)
    spoil(root)
    result = run(command, "--root", root)
    assert result.exit_code == 1, result.output
    assert isinstance(result.exception, SystemExit)
    assert any(line.startswith(place) for line in lines(result.stdout)), result.stdout
    assert not (root / "site").exists()


@pytest.mark.parametrize(
    ("spoil", "want"),
    [
        pytest.param(remove("mkdocs.yml"), "mkdocs.yml", id="no-mkdocs-file"),
        pytest.param(write("mkdocs.yml", "site_name: [\n"), "mkdocs.yml", id="mkdocs-file-broken"),
        pytest.param(write("mkdocs.yml", "docs_dir: content\n"), "mkdocs.yml", id="no-plugin"),
        pytest.param(edit("mkdocs.yml", "name: material", "name: nothing"), "mkdocs.yml", id="no-theme"),
        pytest.param(edit("mkdocs.yml", "docs_dir: content", "docs_dir: words"), "mkdocs.yml", id="no-content"),
        pytest.param(edit("mkdocs.yml", "  - material/search\n", ""), "material/search", id="no-search"),
    ],
)
def test_a_build_names_what_mkdocs_refuses(tmp_path: Path, spoil: Edit, want: str) -> None:
    """A project whose `mkdocs.yml` cannot be used ends with 1 and a line."""
    root = project(tmp_path, spoil)
    result = run("build", "--root", root)
    assert (result.exit_code, isinstance(result.exception, SystemExit)) == (1, True), result.output
    assert want in result.output
    assert not (root / "site").exists()


def test_the_module_runs_as_a_program(tmp_path: Path) -> None:
    """`python -m site_build` ends with the command's exit code and prints no traceback."""
    done = run_python("-m", "site_build", "check", "--root", str(project(tmp_path, BROKEN)))
    assert (done.code, lines(done.output)) == (1, [ENGLISH])
    assert "Traceback" not in done.errors
    assert run_python("-m", "site_build").code == 2


def test_a_check_loads_what_a_check_needs(tmp_path: Path) -> None:
    """The pages, the exports and the editor's writer stay out: half of the start would go into them."""
    code = (
        "import sys; from site_build.cli import app; app(['check', '--root', sys.argv[1]], standalone_mode=False);"
        "print({name for name in sys.modules if name in ('site_build.views', 'site_build.exports', 'site_build.edit')})"
    )
    done = run_python("-c", code, str(project(tmp_path)))
    assert done.output.splitlines()[-1:] == ["set()"], done.errors
