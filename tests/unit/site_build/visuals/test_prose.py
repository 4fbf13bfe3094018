"""Texts are taken apart without loss and rendered without executing anything."""

import re

import pytest
from hostile import IN_CODE, TYPED
from html_pages import read_html
from hypothesis import given
from hypothesis import strategies as st

from site_build.model import Marker
from site_build.visuals import (
    FormulaError,
    hold,
    is_safe_link,
    pieces,
    plain_words,
    put_back,
    render_line,
    render_text,
    to_mathml,
)


def shown(marker: Marker) -> str:
    """What a marker becomes in these tests."""
    return f"<i>{marker.target}</i>"


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("a $x$ b", [("words", "a "), ("math", "x"), ("words", " b")], id="formula"),
        pytest.param("$$\nx\n$$", [("display-math", "x")], id="display"),
        pytest.param(r"$a \$ b$", [("math", r"a \$ b")], id="dollar-in-a-formula"),
        pytest.param(r"\$5", [("words", "$"), ("words", "5")], id="escaped-dollar"),
        pytest.param("$ 5", [("words", "$ 5")], id="open-dollar"),
        pytest.param("`$x$ :value[a]`", [("code", "`$x$ :value[a]`")], id="code"),
        pytest.param("``a`b`` c", [("code", "``a`b``"), ("words", " c")], id="code-with-backtick"),
        pytest.param("```\n$x$\n```", [("code", "```\n$x$\n```")], id="fence"),
        pytest.param("[a](b#c) d", [("words", "[a]"), ("target", "b#c"), ("words", " d")], id="link"),
        pytest.param("a :value[b].", [("words", "a "), ("marker", ":value[b]"), ("words", ".")], id="marker"),
        pytest.param(r"\:value[b]", [("words", ":"), ("words", "value[b]")], id="escaped-marker"),
        pytest.param("", [], id="nothing"),
    ],
)  # fmt: skip
def test_texts_are_taken_apart(text: str, want: list[tuple[str, str]]) -> None:
    """Words, code, formulas, markers and link targets are told apart."""
    assert [(piece.kind, piece.text) for piece in pieces(text)] == want


_PARTS = [
    "$",
    "$$",
    "\\",
    "`",
    "``",
    "```\n",
    "[a](b)",
    ":value[x]",
    "::claim[Q1.c1]",
    "\n",
    " ",
    "x",
    "中",
    "<b>",
    "{#i}",
    "~",
    "*",
]


@given(st.lists(st.sampled_from(_PARTS), max_size=14).map("".join))
def test_pieces_joined_are_the_text(text: str) -> None:
    """Nothing is lost or moved, however broken the text is."""
    found = pieces(text)
    assert "".join(piece.source for piece in found) == text
    assert all(text.startswith(piece.source, piece.offset) for piece in found)


@given(
    st.lists(st.sampled_from([*_PARTS, "\ue000", "0", "\ue001", "<script>", "javascript:", "(", ")"]), max_size=14).map(
        "".join
    )
)
def test_rendering_never_fails_or_executes(text: str) -> None:
    """Any text becomes HTML whose elements and addresses are all harmless."""
    html = render_text(text, shown)
    assert "\ue000" not in html
    allowed = {"p", "i", "a", "em", "strong", "code", "br", "ul", "ol", "li", "span", "math", "section"}
    for element in read_html(re.sub("<math.*?</math>", "", html, flags=re.DOTALL)).all():
        assert element.tag in allowed, html
        assert is_safe_link(element.attributes.get("href", "")), html
        assert not [name for name in element.attributes if name.startswith("on")], html


@pytest.mark.parametrize("text", TYPED)
def test_hostile_words_show_as_typed(text: str) -> None:
    """Braces, tildes, percent signs, entities and attribute lists are text."""
    rendered = read_html(render_line(text.replace("$", "\\$"), shown))
    assert rendered.text == text
    assert list(rendered.all()) == []


@pytest.mark.parametrize("text", IN_CODE)
def test_hostile_code_shows_as_typed(text: str) -> None:
    """Mark-up in backticks is shown, not run."""
    rendered = read_html(render_line(f"`{text}`", shown))
    assert [(element.tag, element.text) for element in rendered.all()] == [("code", text)]


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("**a** *b* `c`", "<p><strong>a</strong> <em>b</em> <code>c</code></p>", id="emphasis"),
        pytest.param("a\n\nb", "<p>a</p>\n<p>b</p>", id="paragraphs"),
        pytest.param("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>", id="list"),
        pytest.param("[a](../b/)", '<p><a href="../b/">a</a></p>', id="link"),
        pytest.param("[a](javascript:b)", "<p>[a](javascript:b)</p>", id="unsafe-link"),
        pytest.param("# a", "<p># a</p>", id="no-headings"),
        pytest.param("<b>a</b>", "<p>&lt;b&gt;a&lt;/b&gt;</p>", id="no-html"),
        pytest.param("a :value[b]*c*", "<p>a <i>b</i><em>c</em></p>", id="marker"),
    ],
)
def test_small_markdown_renders(text: str, want: str) -> None:
    """The subset is emphasis, code, links, lists and paragraphs."""
    assert render_text(text, shown) == want


_SAFE = ("https://a.b/c?d#e", "HTTP://a", "/a", "../a", "#a", "?a", "a/b:c")
_UNSAFE = (
    *("javascript:a", "JavaScript:a", " javascript:a", "java\nscript:a", "\x00javascript:a", "data:text/html,a"),
    *("vbscript:a", "mailto:a@b", "//a.b", "\\\\a.b", "/\\a.b", "/\t/a.b", "\\a"),
)


@pytest.mark.parametrize(
    ("address", "safe"),
    [
        *(pytest.param(address, True, id=address) for address in _SAFE),
        *(pytest.param(address, False, id=repr(address)) for address in _UNSAFE),
    ],
)
def test_links_are_safe_or_refused(address: str, safe: bool) -> None:
    """Only http, https and addresses of this site are links."""
    assert is_safe_link(address) is safe


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("**The** *floor* `is` [flat](x)", "The floor is flat", id="mark-up-goes"),
        pytest.param("area $S_t$ :value[a]", "area S_t <a>", id="formula-and-marker"),
        pytest.param(r"a \* b", "a * b", id="escape"),
        pytest.param("_a_ __b__ c_d", "a b c_d", id="underscores"),
    ],
)
def test_plain_words_say_the_text(text: str, want: str) -> None:
    """Titles and checks see the words without mark-up."""
    assert plain_words(text, lambda marker: f"<{marker.target}>") == want


def test_what_is_put_aside_comes_back_whole() -> None:
    """Formulas and markers pass a Markdown reader untouched; one alone takes its paragraph's place."""
    text, held = hold("a $x_1$ and :value[b].\n\n::claim[c]", lambda marker: f"<section>{marker.target}</section>")
    assert "$" not in text
    assert "value" not in text
    assert put_back("<p>\ue0002\ue001</p>", held) == "<section>c</section>"
    assert put_back("<p>x \ue0001\ue001</p>", held) == "<p>x <section>b</section></p>"


@pytest.mark.parametrize(
    ("latex", "reason"),
    [
        pytest.param(r"\frac{1", "}", id="open-brace"),
        pytest.param(r"\nothing x", "nothing", id="unknown-command"),
        pytest.param(r"\left( x", "right", id="left-without-right"),
        pytest.param("a & b", "&", id="alignment-outside"),
        pytest.param(r"\href{javascript:alert(1)}{x}", "href", id="link"),
    ],
)
def test_bad_latex_raises(latex: str, reason: str) -> None:
    """A formula that does not parse is never printed by guess."""
    with pytest.raises(FormulaError, match=re.escape(reason)):
        to_mathml(latex)


@pytest.mark.parametrize(
    ("latex", "display", "want"),
    [
        (r"\alpha_t", False, '<math aria-label="\\alpha_t"><msub><mi>α</mi><mi>t</mi></msub></math>'),
        ("a<b", False, '<math aria-label="a&lt;b"><mi>a</mi><mo>&lt;</mo><mi>b</mi></math>'),
        ("x", True, '<math aria-label="x" display="block"><mi>x</mi></math>'),
        (r"\text{<script>}", False, '<math aria-label="\\text{&lt;script&gt;}"><mtext>&lt;script&gt;</mtext></math>'),
    ],
)
def test_latex_becomes_mathml(latex: str, display: bool, want: str) -> None:
    """Formulas carry their source as accessible name, and their text is escaped."""
    assert to_mathml(latex, display=display) == want


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        pytest.param("It is $x$, then", ",", id="comma"),
        pytest.param("它是 $x$。", "。", id="chinese-stop"),
        pytest.param("It is $x$ then", "", id="nothing-behind"),
    ],
)
def test_a_mark_stays_with_its_formula(text: str, kept: str) -> None:
    """No line begins with the mark behind a formula."""
    html = render_line(text, shown)
    found = re.search(r'<span class="rl-unbroken"><span class="rl-math">.*</span>(.*)</span>', html)
    assert (found[1] if found else "") == kept


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("by 2026-11-30.", "by <span>2026-11-30</span>.", id="prose"),
        pytest.param("(2026-11-30)", "(<span>2026-11-30</span>)", id="brackets"),
        pytest.param("[x](2026-11-30)", '<a href="2026-11-30">x</a>', id="target"),
        pytest.param("[x](https://a.org/2026-11-30/b)", '<a href="https://a.org/2026-11-30/b">x</a>', id="address"),
        pytest.param("2026-11-301", "2026-11-301", id="no-date"),
    ],
)
def test_dates_stay_on_one_line(text: str, want: str) -> None:
    """A line breaks at no hyphen of a date; an address keeps its letters."""
    assert render_line(text, shown).replace(' class="rl-unbroken"', "") == want
