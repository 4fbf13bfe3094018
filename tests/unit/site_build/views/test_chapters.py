"""Chapters: their order, what stands around their text, and the glossary's terms in it."""

from pathlib import Path

import pytest
from builders import Edit, edit, ledger_of, problems_of, project, write
from html_pages import read_html

from site_build.blocks import in_chapter, link_terms
from site_build.model import Ledger
from site_build.views import Html, Scope, chapter_view
from site_build.views.chapters import reading_minutes

SECTION = """\
sections:
  - id: course
    name: {en: 'A course', zh: '课程'}
    lead: {en: 'Read it front to back.', zh: '从头读起。'}
    pages: [one, two]
stages:
"""
ORDERED = edit("ledger/ledger.yaml", "stages:\n", SECTION)


def chapter(id_: str, language: str, more: str = "", body: str = "Words.") -> Edit:
    """A page of the course."""
    head = f"---\nid: {id_}\ntitle: Title {id_}\n{more}---\n\n{body}\n"
    return write(f"content/course/{id_}.{language}.md", head)


COURSE = [ORDERED, *(chapter(id_, language) for id_ in ("one", "two") for language in ("en", "zh"))]


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    """The tiny ledger with two chapters, the second of which asks to read the first."""
    needs = chapter("two", "en", "question: Why?\nneeds: [one]\n")
    return ledger_of(project(tmp_path_factory.mktemp("tiny"), *COURSE, needs))


@pytest.mark.parametrize(
    ("more", "want"),
    [
        pytest.param(
            "minutes: 7\n",
            "4:10: two.minutes: expected one of id, title, question, needs, got minutes. "
            "Correct the name, or remove the field.",
            id="unknown-field",
        ),
        pytest.param(
            "question: Why 77?\n",
            (
                "2:1: question: expected a marker such as :value[id], got 77. "
                "Write the number once in the ledger and refer to it."
            ),
            id="number-in-the-question",
        ),
    ],
)
def test_the_head_of_a_page_is_read_closely(tmp_path: Path, more: str, want: str) -> None:
    """An unknown field and a typed number are refused at their place."""
    root = project(tmp_path, *COURSE, chapter("two", "en", more))
    assert problems_of(root) == [f"content/course/two.en.md:{want}"]


def test_chapters_know_their_neighbours(ledger: Ledger) -> None:
    """A chapter shows its place, its question, what to read first, and the way on; another page shows none of it."""
    one, two, about = (
        next(page for page in ledger.prose if (page.id, page.language) == (id_, "en"))
        for id_ in ("one", "two", "about")
    )
    first, second = (
        chapter_view(Scope(ledger, "en", f"course/{id_}"), page) for id_, page in (("one", one), ("two", two))
    )
    assert first is not None
    assert second is not None
    assert first.after is not None
    assert second.before is not None
    assert (first.before, first.after.title, first.after.link) == (None, "Title two", "../two/")
    assert (second.before.title, second.before.link, second.after) == ("Title one", "../one/", None)
    assert second.needs == (second.before,)
    assert (second.here.number, second.count, second.here.question) == (2, 2, "Why?")
    page = read_html(in_chapter(Scope(ledger, "en", "course/two"), two, Html("<p>Text.</p>")))
    assert page.one("h1").text == "Title two"
    assert [link.attributes["href"] for link in page.all("a")] == ["../", "../one/", "../one/"]
    assert in_chapter(Scope(ledger, "en", "about"), about, Html("<p>Text.</p>")) == "<p>Text.</p>"


@pytest.mark.parametrize(
    ("body", "language", "want"),
    [
        pytest.param("", "en", 1, id="nothing"),
        pytest.param("word " * 200, "en", 1, id="a-minute"),
        pytest.param("word " * 201, "en", 2, id="more-than-a-minute"),
        pytest.param("字" * 351, "zh", 2, id="chinese"),
        pytest.param("字" * 350 + "word " * 100, "zh", 2, id="mixed"),
    ],
)  # fmt: skip
def test_reading_takes_minutes(body: str, language: str, want: int) -> None:
    """A text's length becomes whole minutes, rounded up."""
    assert reading_minutes(body, language) == want  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("html", "linked"),
    [
        pytest.param("<p>A tile, then a tile.</p>", ["tile"], id="first-use-only"),
        pytest.param("<p>Tiles here.</p>", ["Tiles"], id="plural-and-capital"),
        pytest.param("<h2>A tile</h2><p>One tile.</p>", ["tile"], id="not-in-a-heading"),
        pytest.param('<p><a href="x">tile</a> <code>tile</code></p>', [], id="not-in-links-and-code"),
        pytest.param("<p>A textile and a tile-set.</p>", [], id="whole-words"),
    ],
)
def test_terms_are_linked_at_first_use(ledger: Ledger, html: str, linked: list[str]) -> None:
    """A term of the glossary becomes a link with its definition, once a page, in running text."""
    found = read_html(link_terms(Scope(ledger, "en", "course/one"), html)).all("a", class_="rl-term")
    assert [link.text for link in found] == linked
    assert {(link.attributes["href"], link.attributes["title"]) for link in found} <= {
        ("../../glossary/#tile", "A square piece of floor.")
    }


def test_an_everyday_word_is_not_linked(tmp_path: Path) -> None:
    """A term whose word has an ordinary meaning too is linked by a marker only."""
    everyday = edit("ledger/glossary.yaml", "  locator:", "  everyday: true\n  locator:")
    html = "<p>A tile.</p>"
    assert link_terms(Scope(ledger_of(project(tmp_path, everyday)), "en", "course/one"), html) == html


def test_a_chinese_term_is_found_by_each_of_its_names(ledger: Ledger) -> None:
    """The name, its part before the brackets and the part in them lead to the same entry."""
    scope = Scope(ledger, "zh", "course/one")
    for text in ("地砖（tile）", "地砖", "tile"):
        assert read_html(link_terms(scope, f"<p>这块{text}。</p>")).one("a", class_="rl-term").text == text


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("Glazed tile here.", ("Glazed tile", "glazed"), id="the-longest-name"),
        pytest.param("本页的 Glazed tile。", ("Glazed tile", "glazed"), id="another-language's-name"),
        pytest.param("A GTX of it.", ("GTX", "glazed-by"), id="an-abbreviation-stays-with-its-term"),
    ],
)
def test_a_name_leads_to_the_term_that_has_the_best_claim(tmp_path: Path, text: str, want: tuple[str, str]) -> None:
    """The longest name wins, in any of the languages, and a qualifier in brackets takes no other term's name."""
    more = (
        "- {id: glazed, name: {en: 'glazed tile', zh: '釉面砖'}, definition: {en: 'A', zh: '甲'}, "
        "locator: 'report §1'}\n"
        "- {id: glazed-by, name: {en: 'by glaze (GTX)', zh: '上釉（GTX）'}, definition: {en: 'B', zh: '乙'}, "
        "locator: 'report §1'}\n"
        "- {id: glazed-edge, name: {en: 'edge (GTX)', zh: '边（GTX）'}, definition: {en: 'C', zh: '丙'}, "
        "locator: 'report §1'}\n"
    )
    root = project(tmp_path)
    glossary = root / "ledger" / "glossary.yaml"
    glossary.write_text(glossary.read_text(encoding="utf-8") + more, encoding="utf-8")
    scope = Scope(ledger_of(root), "zh" if "。" in text else "en", "course/one")
    link = read_html(link_terms(scope, f"<p>{text}</p>")).one("a", class_="rl-term")
    assert (link.text, link.attributes["href"].rpartition("#")[2]) == want
