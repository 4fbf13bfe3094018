"""The exported docs tree: generators that know nothing of the ledger build it, and a reader finds the same words."""

import posixpath
import re
import subprocess
import sys
from pathlib import Path

import pytest
from builders import edit, ledger_of, project
from builds import Built, run_python
from html_pages import read_html

from site_build.exports import write_docs

pytestmark = pytest.mark.slow

BUILDERS = {"mkdocs": ["-m", "mkdocs", "build", "--strict"], "zensical": ["-m", "zensical", "build", "--strict"]}


def words(site: Path) -> dict[str, str]:
    """What stands on the pages of questions, by address."""
    return {
        page.parent.relative_to(site).as_posix(): read_html(page.read_text(encoding="utf-8"))
        .one("article", class_="md-content__inner")
        .text
        for page in site.rglob("questions/Q*/index.html")
    }


@pytest.mark.parametrize("builder", BUILDERS)
def test_another_generator_builds_the_same_words(hostile: Built, tmp_path: Path, builder: str) -> None:
    """Formulas, tables, and text that wants to be Markdown, a template or a script come through as they were."""
    count = write_docs(hostile.site, ledger_of(hostile.root), tmp_path)
    assert count == len([page for page in hostile.site.rglob("index.html") if "cards" not in page.parts])
    command = [sys.executable, *BUILDERS[builder]]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert words(hostile.site).keys() == {"questions/Q1", "zh/questions/Q1"}
    assert words(tmp_path / "site") == words(hostile.site)


def test_the_tree_links_to_nothing_it_lacks(hostile: Built, tmp_path: Path) -> None:
    """Data that pages offer for download comes along; scripts do not."""
    write_docs(hostile.site, ledger_of(hostile.root), tmp_path)
    docs = tmp_path / "docs"
    files = {file.relative_to(docs).as_posix() for file in docs.rglob("*.*")}
    lacking = []
    for page in sorted(docs.rglob("*.md")):
        own = page.parent.relative_to(docs).as_posix()
        for link in read_html(page.read_text(encoding="utf-8")).links:
            if not re.match(r"[a-z]+:|#", link):
                target = posixpath.normpath(posixpath.join(own, link.partition("#")[0]))
                lacking += (
                    []
                    if {target, *(posixpath.normpath(f"{target}/index.{end}") for end in ("md", "html"))} & files
                    else [f"{own}: {link}"]
                )
    assert lacking == []
    assert "assets/ledger/ledger.css" in files
    assert not [file for file in files if file.endswith(".js")]


def test_titles_are_words_to_other_generators(tmp_path: Path) -> None:
    """Their templates print titles and descriptions as they are, so what wants to be HTML is escaped in the tree."""
    quoted = 'A "b" `<script>alert(1)</script>` ledger'
    root = project(tmp_path / "project", edit("ledger/ledger.yaml", "'Tiny ledger'", f"'{quoted}'"))
    assert run_python("-m", "site_build", "export-docs", str(tmp_path / "out"), "--root", str(root)).code == 0
    files = (tmp_path / "out/mkdocs.yml", tmp_path / "out/docs/index.md")
    heads = [file.read_text(encoding="utf-8").partition("\n---\n")[0] for file in files]
    assert ["&quot;b&quot; `&lt;script&gt;alert(1)&lt;/script&gt;`" in head for head in heads] == [True, True]
    assert [head for head in heads if "<script" in head] == []


def test_the_command_replaces_its_own_tree_only(tmp_path: Path) -> None:
    """A second export takes the place of the first; a folder with anything else is refused and left alone."""
    root, out = project(tmp_path / "project"), tmp_path / "out"
    command = ("-m", "site_build", "export-docs", str(out), "--root", str(root))
    for _ in range(2):
        run = run_python(*command)
        assert (run.code, run.output.splitlines()[-1].endswith(" pages")) == (0, True), run.errors
        assert not (out / "docs" / "stale.md").exists()
        (out / "docs" / "stale.md").write_text("old", encoding="utf-8")
    (out / "mine.txt").write_text("keep", encoding="utf-8")
    refused = run_python(*command)
    assert refused.code == 2
    assert "new, empty or an earlier export" in " ".join(refused.errors.replace("│", " ").split())
    assert (out / "docs" / "stale.md").read_text(encoding="utf-8") == "old"
