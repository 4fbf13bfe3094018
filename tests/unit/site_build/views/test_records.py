"""The page of a reading node: where the work is cited, and how."""

from pathlib import Path

import pytest
from builders import edit, ledger_of, project
from html_pages import read_html

from site_build.model import Language
from site_build.render import render_page
from site_build.views import Results, pages

CITED = """  cited:
    - source: report
      numbers:
        v1: 3
      how:
        en: 'a link in a footnote'
        zh: '脚注里的链接'
"""


@pytest.mark.parametrize(
    ("language", "want"),
    [
        pytest.param("en", "[3] (v1) (a link in a footnote)", id="en"),
        pytest.param("zh", "[3] (v1)（脚注里的链接）", id="zh"),
    ],
)
def test_a_node_says_how_it_is_cited(tmp_path: Path, language: Language, want: str) -> None:
    """The number by edition, then how, in the page's language."""
    cited = edit("ledger/reading/nodes.yaml", "  kind: paper\n", f"  kind: paper\n{CITED}")
    ledger = ledger_of(project(tmp_path, cited))
    (page,) = (page for page in pages(ledger, language, Results()) if page.path == "nodes/smith-2020")
    assert want in read_html(render_page(page, language)).text
