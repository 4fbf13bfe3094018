import pytest

from site_build.visuals import can_draw
from site_build.visuals.card import card_svg, wrapped


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("one two three four five six seven", ["one two three", "four five si…"], id="words"),
        pytest.param("一二三四五六七八九，十", ["一二三四五六七八", "九，十"], id="signs"),
        pytest.param("一二三四五六七八，九", ["一二三四五六七", "八，九"], id="no-line-begins-with-a-comma"),
        pytest.param("一二三 KDA 四五六", ["一二三 KDA 四五", "六"], id="mixed"),
    ],
)
def test_lines_fit_the_card(text: str, want: list[str]) -> None:
    """Words stay whole, Chinese breaks anywhere but before a comma, and what is too much ends in an ellipsis."""
    assert wrapped(text, 130, 2) == want


def test_texts_are_escaped() -> None:
    """A title is words on the card, whatever stands in it."""
    assert "a &lt;b&gt; &amp; c" in card_svg("site", "a <b> & c", "")


def test_a_long_name_of_the_site_takes_one_line() -> None:
    """It is cut as other texts are, so that no picture grows with it."""
    assert f">{wrapped('name ' * 99, 32, 1)[0]}<" in card_svg("name " * 99, "title", "")


def test_a_sign_that_no_font_has_is_known() -> None:
    """Latin letters can always be drawn; a private sign cannot."""
    assert can_draw("A")
    assert not can_draw("\U000f1234")
