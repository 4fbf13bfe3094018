from types import SimpleNamespace
from typing import Any

import pytest

from site_build.plugin.search import SECTION_BOOST, annotate, indexed, kept_name, unmarked

PAGE = (
    '<article><h1 id="Q1">What?</h1><p>Kept.</p><div data-search-exclude=""><div>Left</div><p>out.</p></div>'
    '<section id="boundary" class="rl-boundary">\n<h2>How far</h2>\n<p>Only <em>so</em> far &lt; all.</p></section>'
    '<a class="x" data-search-exclude="">R</a> end</article>'
)


def test_index_reads_what_is_not_marked() -> None:
    """What is marked goes with all that stands in it, and the heading with it, which the title repeats."""
    kept = indexed(PAGE)
    assert "Kept." in kept
    assert kept.endswith(" end</article>")
    assert not [word for word in ("Left", "out.", "What?", ">R<") if word in kept]


def test_page_keeps_all_but_the_marks() -> None:
    """The page that readers get is whole; only the marks are gone."""
    assert unmarked(PAGE).count("data-search") == 0
    assert "Left" in unmarked(PAGE)


@pytest.mark.parametrize(
    ("place", "title", "boost"),
    [
        pytest.param("questions/Q1/", "Q1 What?", None, id="page"),
        pytest.param("values/#area", "Area of a tile", SECTION_BOOST, id="section"),
        pytest.param("glossary/#tile", "tile", SECTION_BOOST * 2, id="term"),
        pytest.param("glossary/#big-tile", "big tile", SECTION_BOOST * 1.5, id="longer-term"),
    ],
)
def test_entries_get_boundary_and_weight(place: str, title: str, boost: float | None) -> None:
    """Each entry of a page carries its boundary as text; sections weigh as much as pages, terms more."""
    entry: dict[str, object] = {"location": place, "title": title, "text": ""}
    annotate([entry], PAGE)
    assert entry["boundary"] == "<strong>How far</strong> Only so far &lt; all."
    assert entry.get("boost") == boost


def test_what_search_read_is_kept_for_the_very_page() -> None:
    """Another text, address, title or word to cut by is another page; the same again is not."""

    def name(html: str = "<p>a</p>", words: str = "中国 1000 n\n", url: str = "q/", title: str = "Q") -> str:
        page: Any = SimpleNamespace(url=url, title="", meta={"title": title})
        return kept_name(page, html, words)

    assert name() == name()
    assert len({name(), name(html="<p>b</p>"), name(words=""), name(url="r/"), name(title="R")}) == 5
