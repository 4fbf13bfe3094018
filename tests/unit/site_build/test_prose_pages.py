"""What is done to a page of prose before it is published."""

import pytest

from site_build.plugin.hooks import accessible

BOX = '<div class="rl-scroll" tabindex="0" role="group" aria-label="Table"><table class="rl-table">'


@pytest.mark.parametrize(
    ("html", "want"),
    [
        pytest.param("<table><tr><td>a</td></tr></table>", f"{BOX}<tr><td>a</td></tr></table></div>", id="table"),
        pytest.param('<th style="x"> </th><th>A</th>', '<td style="x"></td><th>A</th>', id="empty-head"),
        pytest.param(
            '<summary>Is <a class="v" href="x">6</a> right?</summary><p><a href="x">6</a></p>',
            '<summary>Is 6 right?</summary><p><a href="x">6</a></p>',
            id="links-in-a-summary",
        ),
    ],
)
def test_prose_is_accessible(html: str, want: str) -> None:
    """Tables can be reached, empty heads are none, and what opens an answer holds no links."""
    assert accessible(html, "en") == want
