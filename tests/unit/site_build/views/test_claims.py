"""A claim looks the same wherever it stands, with its boundary; ids become links that lead there."""

from pathlib import Path

import pytest
from builders import edit, ledger_of, project
from html_pages import read_html

from site_build.blocks import page_marker
from site_build.build_id import build_id
from site_build.model import Language, Ledger, find_markers
from site_build.render import render_template
from site_build.views import Html, Scope, claim_view, entry


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    """The tiny ledger."""
    return ledger_of(project(tmp_path_factory.mktemp("tiny")))


@pytest.mark.parametrize(
    ("claim", "language", "want", "own"),
    [
        pytest.param("Q1.c1", "en", "Counted, not measured.", True, id="own"),
        pytest.param("Q1.c2", "en", "For this floor only.", False, id="question's"),
        pytest.param("Q1.c1", "zh", "数出来的，不是测得的。", True, id="own-zh"),
        pytest.param("Q1.c4", "zh", "只限这块地面。", False, id="question's-zh"),
    ],
)
def test_a_boundary_is_the_claims_own_or_its_questions(
    ledger: Ledger, claim: str, language: Language, want: str, own: bool
) -> None:
    """Views and embedded blocks resolve the boundary; the question's page shows the common one once."""
    found = ledger.claim(claim)
    assert found is not None
    scope = Scope(ledger, language, "course/x")
    view = claim_view(scope, *found)
    assert (view.boundary, view.own_boundary) == (want, own)
    (marker,) = find_markers(f"::claim[{claim}]")
    embedded = read_html(page_marker(scope)(marker))
    assert embedded.one("section").attributes["data-id"] == claim
    assert embedded.one("p", class_="rl-claim__boundary").text.endswith(want)


@pytest.mark.parametrize(
    ("here", "kind", "target", "want"),
    [
        ("", "question", "Q1", "questions/Q1/"),
        ("questions/Q1", "question", "Q1", "./"),
        ("questions/Q1", "claim", "Q1.c2", "#c2"),
        ("figures/F1", "claim", "Q1.c2", "../../questions/Q1/#c2"),
        ("questions", "value", "area", "../values/#area"),
        ("values", "value", "area", "#area"),
        ("course/kda", "cite", "smith-2020", "../../nodes/smith-2020/"),
        ("", "term", "tile", "glossary/#tile"),
        ("nodes/smith-2020", "grade", "R", "../../grades/#R"),
        ("", "spec", "side.now", "specs/#side"),
    ],
)
def test_links_are_relative_and_exact(ledger: Ledger, here: str, kind: str, target: str, want: str) -> None:
    """A record's address works under any root, from any page."""
    assert Scope(ledger, "en", here).link(kind, target) == want


@pytest.mark.parametrize(
    ("written", "want"),
    [
        (":value[area]", "6\u00a0tiles"),
        (":value[ratio]", "0.667"),
        (":spec[side.now]", "1,234\u00a0tiles"),
        (":cite[smith-2020]", "Smith & Li 2020"),
        (":term[tile]", "tile"),
        (":figure[F1]", "F1"),
        (":lab[A]", "Lab\u00a0A"),
        (":claim[Q1.c2]", "Q1.c2"),
    ],
)
def test_markers_print_what_they_name(ledger: Ledger, written: str, want: str) -> None:
    """In a sentence a marker is a link whose words are the number or the name."""
    (marker,) = find_markers(written)
    scope = Scope(ledger, "en", "")
    link = read_html(scope.marker(marker)).one("a")
    assert (link.text, scope.marker_words(marker)) == (want, want)
    assert link.attributes["href"] == scope.link(marker.kind, marker.target)


def test_a_lab_is_named_in_the_language_of_the_page(ledger: Ledger) -> None:
    """A letter alone would be no word of a sentence."""
    (marker,) = find_markers("见:lab[A]")
    assert Scope(ledger, "zh", "").marker_words(marker) == "实验\u00a0A"


def test_templates_escape_what_is_not_finished() -> None:
    """Plain text is escaped by the templates; finished HTML and nothing else passes."""
    view = {"kind": "a", "id": "<i>", "title": "<b>", "link": '"x', "badges": ()}
    html = render_template("block_entry", "en", view=view, summary=Html("<p>ok</p>"))
    assert {element.tag for element in read_html(html).all()} == {"section", "p", "a", "span"}
    assert read_html(html).one("a").text == "<i> <b>"


def test_an_entry_of_a_question_shows_each_grade_once(ledger: Ledger) -> None:
    """The badges of a question are those of its claims, in the order R, P, D, T."""
    assert [badge.letter for badge in entry(Scope(ledger, "en", ""), "question", "Q1").badges] == ["R", "P", "D", "T"]


@pytest.mark.parametrize(
    ("file", "changes"),
    [
        *(pytest.param(file, True, id=file) for file in ("ledger/values.yaml", "content/about.zh.md", "mkdocs.yml")),
        pytest.param("tiny_numerics.py", True, id="numerics"),
        pytest.param("ledger/releases/2026.1.json", False, id="releases-may-name-their-build"),
        pytest.param("evidence/parity.json", False, id="evidence-names-its-build"),
        pytest.param("site/index.html", False, id="the-site-itself"),
    ],
)
def test_the_build_id_covers_the_inputs(tmp_path: Path, file: str, changes: bool) -> None:
    """A changed input gives another id; what the build makes, or what names it, does not."""
    root = project(tmp_path)
    before = build_id(root, root / "tiny_numerics.py", "https://a/")
    (root / file).parent.mkdir(parents=True, exist_ok=True)
    with (root / file).open("a", encoding="utf-8") as stream:
        stream.write("\n")
    after = build_id(root, root / "tiny_numerics.py", "https://a/")
    assert (before != after, len(before)) == (changes, 12)
    assert build_id(root, root / "tiny_numerics.py", "https://b/") != after


def test_backlinks_name_every_user_once(tmp_path: Path) -> None:
    """A record knows who names it in a list, a locator, a derivation or a text, and never itself."""
    root = project(tmp_path, edit("ledger/figures/F1.yaml", "A grid.", "A grid of :value[area], see :figure[F1]."))
    backlinks = ledger_of(root).backlinks
    assert backlinks["value", "area"] == (("correction", "C1"), ("figure", "F1"), ("question", "Q1"))
    assert backlinks["value", "rows"] == (("value", "area"),)
    assert backlinks["cite", "smith-2020"] == (("question", "Q1"),)
    assert ("figure", "F1") not in backlinks["figure", "F1"]


@pytest.mark.parametrize(
    ("unit", "want"),
    [
        pytest.param("%", "12.5%", id="percent"),
        pytest.param(None, "12.5", id="none"),
        pytest.param("mm", "12.5\u00a0mm", id="word"),
    ],
)
def test_a_unit_follows_its_number(ledger: Ledger, unit: str | None, want: str) -> None:
    """A space that does not break stands before a unit, and none before a percent sign."""
    assert Scope(ledger, "en", "").printed(12.5, "{:.1f}", unit) == want


@pytest.mark.parametrize(
    ("number", "display", "want"),
    [
        pytest.param(5.54e34, "{:.2e}", "5.54×10³⁴", id="large"),
        pytest.param(-6.7e-9, "{:.1e}", "-6.7×10⁻⁹", id="small"),
        pytest.param(2.0e20, "{:.3g}", "2×10²⁰", id="general"),
    ],
)
def test_a_power_of_ten_is_raised(ledger: Ledger, number: float, display: str, want: str) -> None:
    """Readers see a power of ten, not the sign that programs put in its place."""
    assert Scope(ledger, "en", "").printed(number, display, None) == want


def test_a_locator_and_a_value_break_where_they_may(ledger: Ledger) -> None:
    """A short locator stays whole, a number stays with its sign or word, and a value breaks before its unit only."""
    scope = Scope(ledger, "en", "questions/Q1")
    assert 'class="rl-locator rl-unbroken"' in scope.locator("report §1 table 2")
    assert '<span class="rl-unbroken">§1</span> <span class="rl-unbroken">table 2</span>' in scope.locator(
        "report §1 table 2"
    )
    assert 'class="rl-locator"' in scope.locator("config a_long.path_of.many_parts")
    value = next(value for value in ledger.values.values() if "\u00a0" in scope.value(value))
    assert scope.value(value).count("\u00a0<wbr>") == 1


def test_a_thousand_stays_with_its_number(tmp_path: Path) -> None:
    """A unit of two words breaks before the last: the K of 2 K tiles is a part of the number."""
    tiny = ledger_of(project(tmp_path, edit("ledger/ledger.yaml", "en: 'tiles'", "en: 'K tiles'")))
    assert ">2\u00a0K\u00a0<wbr>tiles</a>" in Scope(tiny, "en", "").value(tiny.values["rows"])
