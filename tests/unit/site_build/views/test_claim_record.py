"""What stands folded beside a claim: words of its evidence, and its way through the releases."""

from pathlib import Path

import pytest
from builders import Edit, edit, ledger_of, project
from html_pages import Element, read_html
from released_worlds import QUESTION, release

from site_build.messages import WORDS
from site_build.model import Language
from site_build.render import render_page
from site_build.views import Results, pages
from site_build.views.claim_record import LEVELS, TRAITS

EDITED = edit(QUESTION, "The report gives 2 rows.'", "The report gives two rows.'")
STEPS = """\
history:
  - {release: '2026.2.0', claim: c2, was: R, now: R, why: {en: 'Said in words.', zh: '改用文字。'}}
  - {release: '2026.3.0', claim: c2, was: R, now: T, why: {en: 'The rows were drawn.', zh: '行是画出来的。'}}
would_change:"""
DOWNGRADED = (
    edit(QUESTION, "    grade: R\n    locators: ['report §1 eq.1']\n  - id: c3", "    grade: T\n  - id: c3"),
    edit(QUESTION, "would_change:", STEPS),
)
WITHDRAWN = edit(
    QUESTION,
    "    grade: T\n  - id: c3",
    "    grade: T\n    withdrawn: {en: 'No such row.', zh: '没有这样的行。'}\n  - id: c3",
)


def page_at(path: str, root: Path, language: Language, results: Results | None = None) -> Element:
    """One page of the project."""
    found = pages(ledger_of(root), language, results or Results())
    return read_html(render_page(next(page for page in found if page.path == path), language))


def record(root: Path, anchor: str, language: Language = "en", results: Results | None = None) -> Element:
    """What stands folded beside a claim."""
    claim = next(page_at("questions/Q1", root, language, results).all("li", id=anchor))
    return claim.one("details", class_="rl-record-of")


def steps(root: Path, language: Language = "en") -> list[str]:
    """The history of `Q1.c2` as a reader sees it."""
    return [step.text for step in record(root, "c2", language).one("ol", class_="rl-history").all("li")]


@pytest.mark.parametrize(
    ("anchor", "language", "want"),
    [
        (
            "c1",
            "en",
            (
                "follows by computation Places: 1; exact to an equation, table, figure, field or symbol: 1.",
                "the makers only All by Floor office or by people who publish with them.",
                "checked on 2026-01-02 Newest place: 2026-01-01.",
                "recomputed by every build tiny.product",
                "other inputs, or another formula at the places named What would change this answer",
            ),
        ),
        (
            "c3",
            "zh",
            (
                "来源写明 出处 1 个；其中 0 个精确到公式、图、表、字段或符号。",
                "其他方 共 1 方，均未与 Floor office 共同署名。",
                "2026-01-02 核对 最新的出处：2020。",
                "读过，未复现",
                "来源的另一版本，或一次实测 什么证据会改变这个答案",
            ),
        ),
    ],
)
def test_the_profile_is_in_words(tmp_path: Path, anchor: str, language: Language, want: tuple[str, ...]) -> None:
    """Each trait has its word, what it was derived from, and a link to what the word means."""
    profile = record(project(tmp_path), anchor, language).one("dl", class_="rl-profile")
    assert tuple(item.text for item in profile.all("dd")) == want
    assert [link for item in profile.all("dt") for link in item.links] == [f"../../grades/#{name}" for name in TRAITS]


@pytest.mark.parametrize(
    ("compared", "want"),
    [(None, "Lab A"), ({"A": True}, "Lab A · the engines agree"), ({"A": False}, "Lab A · the engines differ")],
)
def test_a_model_names_its_lab_and_the_engines(tmp_path: Path, compared: dict[str, bool] | None, want: str) -> None:
    """What the last comparison of engines found stands beside the lab; without one, nothing is said."""
    labs = {lab: {"within_limits": same} for lab, same in (compared or {}).items()}
    results = Results(parity={"labs": labs} if compared else None)
    assert _reproduction(record(project(tmp_path), "c4", "en", results)) == f"runs in a lab here {want}"


def _reproduction(found: Element) -> str:
    return found.one("div", data_trait="reproduction").one("dd").text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_word_is_explained(tmp_path: Path, language: Language) -> None:
    """The page of grades has each trait under its anchor, and each of its words with a meaning."""
    page = page_at("grades", project(tmp_path), language)
    labels = WORDS[language].labels
    assert [heading.attributes["id"] for heading in page.all("h3")] == list(TRAITS)
    words = [labels[f"{trait}_{level}"] for trait, levels in LEVELS.items() for level in levels]
    explained = page.one("section", class_="rl-profile-terms")
    assert [term.text for term in explained.all("dt")] == words
    assert all(meaning.text for meaning in explained.all("dd"))


def test_without_a_release_there_is_no_history(tmp_path: Path) -> None:
    """A claim that no release has says so."""
    assert steps(project(tmp_path)) == ["In no release yet."]


def test_history_tells_what_when_and_why(tmp_path: Path) -> None:
    """Each release that changed the claim, with the difference and the reason; others are left out."""
    release(tmp_path, "2026.1.0")
    release(tmp_path, "2026.2.0", EDITED)
    release(tmp_path, "2026.3.0", *DOWNGRADED)
    release(tmp_path, "2026.10.0")
    WITHDRAWN.apply(tmp_path)
    assert steps(tmp_path) == [
        "2026.1.0 2026-01-02 Published with grade R.",
        "2026.2.0 2026-01-02 Changed. Said in words. Claim The report gives 2two rows.",
        "2026.3.0 2026-01-02 Evidence downgraded. The rows were drawn. Grade R T Where to check report §1 eq.1",
        "In no release yet Withdrawn. No such row.",
    ]
    assert steps(tmp_path, "zh")[2:] == [
        "2026.3.0 2026-01-02 证据等级降低。 行是画出来的。 证据等级 R T 何处可查 report §1 eq.1",
        "尚未发布 撤回。 没有这样的行。",
    ]
    links = record(tmp_path, "c2").one("ol", class_="rl-history").links
    assert links == [f"../../r/{version}/Q1/#c2" for version in ("2026.1.0", "2026.2.0", "2026.3.0")]


@pytest.mark.parametrize(
    ("edits", "want"),
    [
        pytest.param((EDITED,), "In no release yet Changed. No reason is on record. Claim", id="no-reason"),
        pytest.param((EDITED, DOWNGRADED[1]), "In no release yet Changed. Said in words. Claim", id="reason-to-come"),
    ],
)
def test_a_change_without_a_reason_says_so(tmp_path: Path, edits: tuple[Edit, ...], want: str) -> None:
    """Other words need no step in the history, but the page then tells that none is there."""
    release(tmp_path, "2026.1.0")
    for change in edits:
        change.apply(tmp_path)
    assert steps(tmp_path)[-1].startswith(want)


def test_a_pinned_page_outlives_its_node(tmp_path: Path) -> None:
    """A node that was dropped after a release leaves its name on the pinned page, and no dead link."""
    release(tmp_path, "2026.1.0")
    edit(QUESTION, "    locators: ['node smith-2020']\n", "    locators: ['report §1']\n").apply(tmp_path)
    edit(QUESTION, "nodes: [smith-2020]\n", "").apply(tmp_path)
    for file in ("ledger/reading/references.bib", "ledger/reading/nodes.yaml"):
        (tmp_path / file).write_text("" if file.endswith("bib") else "[]\n", encoding="utf-8")
    claim = next(page_at("r/2026.1.0/Q1", tmp_path, "en").all("li", id="c3"))
    places = claim.one(class_="rl-claim__evidence")
    assert "node smith-2020" in places.text
    assert places.links == []
