"""The page of codes says what the code would say now, and follows the rules of pages."""

import re
from pathlib import Path

import pytest
from architecture import read_sources
from builders import REPOSITORY, problems_of, project, write

from site_build.edit import codes_page, write_codes
from site_build.edit.codes import _cell
from site_build.messages import WORDS
from site_build.model import LANGUAGES, Language

_CODE = re.compile(r'"([a-z]+(?:-[a-z0-9]+)+)"')


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_committed_page_is_the_generated_one(language: Language) -> None:
    """`k3 codes --write` has been run since a message last changed."""
    path = REPOSITORY / "content" / f"codes.{language}.md"
    assert path.read_text(encoding="utf-8") == codes_page(language), "run k3 codes --write"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_one_row_for_each_code(language: Language) -> None:
    """Codes stand in order, each once, each with its two cells."""
    rows = [line for line in codes_page(language).splitlines() if line.startswith("| `")]
    assert [row.split("`")[1] for row in rows] == sorted(WORDS[language].problems)
    assert {len(re.split(r"(?<!`)\|", row)) for row in rows} == {5}


def test_every_code_is_used_and_every_used_code_is_worded() -> None:
    """The table holds what the code reports, no more, in both languages."""
    assert set(WORDS["en"].problems) == set(WORDS["zh"].problems)
    sources = read_sources(REPOSITORY, "site_build/**/*.py")
    written = {code for path, text in sources.items() if "/messages/" not in path for code in _CODE.findall(text)}
    # codes that are put together from a family and a trap's or field's name
    built = {code for code in WORDS["en"].problems if code.startswith(("yaml-trap-", "redline-must-"))}
    assert set(WORDS["en"].problems) - built - written == set()


def test_pages_pass_the_checks(tmp_path: Path) -> None:
    """No typed number, marker, formula or HTML is left in them."""
    pages = [write(f"content/codes.{language}.md", codes_page(language)) for language in LANGUAGES]
    assert problems_of(project(tmp_path, *pages)) == []


def test_pages_are_written_in_the_languages_of_the_ledger(tmp_path: Path) -> None:
    """Each language of `ledger.yaml` gets its page."""
    written = write_codes(project(tmp_path))
    assert [path.relative_to(tmp_path).as_posix() for path in written] == ["content/codes.en.md", "content/codes.zh.md"]
    assert [path.read_text(encoding="utf-8") for path in written] == [codes_page(language) for language in LANGUAGES]


@pytest.mark.parametrize(
    ("template", "want"),
    [
        pytest.param("one of {known}", "one of `known`", id="gap"),
        pytest.param("a format such as {{:.2f}}", "a format such as `{:.2f}`", id="braces"),
        pytest.param("Run `k3 fmt {file}`.", "Run `k3 fmt FILE`.", id="gap-in-code"),
        pytest.param(":value[id] 这样的标记", "`:value[id]` 这样的标记", id="marker"),
        pytest.param("Mend it: {reason}.", "Mend it: `reason`.", id="colon"),
        pytest.param("at least 3 of <b>", "at least `3` of `<b>`", id="number-and-html"),
        pytest.param("写作 \\$。", "写作 `\\$`。", id="dollar"),
        pytest.param("UTF-8 and K3", "UTF-8 and K3", id="words-with-digits"),
    ],
)
def test_cells_are_safe(template: str, want: str) -> None:
    """What a page would not take as plain words is set as code."""
    assert _cell(template) == want
