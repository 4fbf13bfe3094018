"""Rules for red lines: each way of crossing or breaking one gives one message at one place."""

from pathlib import Path

import pytest
from builders import Check, Edit, assert_refused, edit, ledger_of, problems_of, project, write

from site_build.checks.redlines import redlines_are_kept, redlines_are_proved

REDLINES = "ledger/redlines.yaml"
LAB = "ledger/labs/A.yaml"
FIGURE = "ledger/figures/F1.yaml"
CHINESE = "content/about.zh.md"


@pytest.mark.parametrize(
    ("check", "edits", "want"),
    [
        pytest.param(
            redlines_are_kept,
            [edit(FIGURE, "A floor.", "The floor is flat.")],
            (
                "ledger/figures/F1.yaml:3:13: F1.shows.en: expected nothing that red line RL1 refuses, got "
                "The floor is flat. Say it as the red line's right wording does."
            ),
            id="redlines-are-kept-record",
        ),
        pytest.param(
            redlines_are_kept,
            [edit(CHINESE, "这里是", "误传地面是平的。这里是")],
            (
                "content/about.zh.md:6:1: expected nothing that red line RL1 refuses, got 误传地面是平的。. "
                "Say it as the red line's right wording does."
            ),
            id="redlines-are-kept-page-where-negations-count-for-nothing",
        ),
        pytest.param(
            redlines_are_kept,
            [edit(FIGURE, "A floor.", "The **floor** is *flat*.")],
            (
                "ledger/figures/F1.yaml:3:13: F1.shows.en: expected nothing that red line RL1 refuses, got "
                "The floor is flat. Say it as the red line's right wording does."
            ),
            id="redlines-are-kept-emphasis-hides-nothing",
        ),
        pytest.param(
            redlines_are_kept,
            [edit(LAB, "Lay a floor", "A floor is flat")],
            (
                "ledger/labs/A.yaml:2:13: A.title.en: expected nothing that red line RL1 refuses, got A "
                "floor is flat. Say it as the red line's right wording does."
            ),
            id="redlines-are-kept-caption-of-a-lab",
        ),
        pytest.param(
            redlines_are_kept,
            [edit(FIGURE, "'A floor.'", '"What is it? Mr.X says that the\\nfloor is\\nflat, Q.E.D."')],
            (
                "ledger/figures/F1.yaml:3:13: F1.shows.en: expected nothing that red line RL1 refuses, got "
                "Mr.X says that the floor is flat, Q.E.D. Say it as the red line's right wording does."
            ),
            id="redlines-are-kept-over-the-end-of-a-line",
        ),
        pytest.param(
            redlines_are_proved,
            [edit(REDLINES, "'Every floor is flat.'", "'Every roof is flat.'")],
            (
                "ledger/redlines.yaml:9:52: RL1.must_match.en[2]: expected a sentence that a pattern "
                "finds, got Every roof is flat. Widen the pattern, or change the sentence."
            ),
            id="redlines-are-proved-must-match",
        ),
        pytest.param(
            redlines_are_proved,
            [edit(REDLINES, "'The floor is not flat.', ", "'No wall; a floor is flat.', ")],
            (
                "ledger/redlines.yaml:12:10: RL1.must_pass.en[0]: expected a sentence that no pattern "
                "finds, got No wall; a floor is flat. Narrow the pattern, or change the sentence."
            ),
            id="redlines-are-proved-must-pass",
        ),
        pytest.param(
            redlines_are_proved,
            [edit(REDLINES, "'The floor is not flat.', ", "")],
            (
                "ledger/redlines.yaml:12:9: RL1.must_pass.en: expected at least 3 sentences, got 2. Add "
                "examples, negations among those that must pass."
            ),
            id="redlines-are-proved-too-few",
        ),
        pytest.param(
            redlines_are_proved,
            [edit(REDLINES, r"'\bflat\b'", "'(flat'")],
            (
                "ledger/redlines.yaml:6:29: RL1.rules.en[0].all[1]: expected a regular expression, got (flat. "
                "Mend it: missing ), unterminated subpattern at position 0."
            ),
            id="redlines-are-proved-all",
        ),
        pytest.param(
            redlines_are_proved,
            [edit(REDLINES, r"'\bflat\b'", "'(flat'"), edit(REDLINES, "'The floor is not flat.', ", "")],
            (
                "ledger/redlines.yaml:6:29: RL1.rules.en[0].all[1]: expected a regular expression, got (flat. "
                "Mend it: missing ), unterminated subpattern at position 0.\n"
                "ledger/redlines.yaml:12:9: RL1.must_pass.en: expected at least 3 sentences, got 2. Add "
                "examples, negations among those that must pass."
            ),
            id="redlines-are-proved-too-few-beside-a-broken-expression",
        ),
        pytest.param(
            redlines_are_proved,
            [edit(REDLINES, r"'\bnearly\b'", "'nearly)'")],
            (
                "ledger/redlines.yaml:6:51: RL1.rules.en[0].unless[0]: expected a regular expression, got nearly). "
                "Mend it: unbalanced parenthesis at position 6."
            ),
            id="redlines-are-proved-unless",
        ),
    ],
)
def test_check_refuses(tmp_path: Path, check: Check, edits: list[Edit], want: str) -> None:
    """A ledger with one fault gives one message, from this check."""
    assert_refused(tmp_path, check, edits, want)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Flat it is not, as the floor is.", id="negation"),
        pytest.param("The floor isn’t flat, the floor is tiled.", id="negation-short"),
        pytest.param("That the floor is flat has yet to be shown.", id="that"),
        pytest.param("The floor is nearly flat.", id="unless"),
        pytest.param("Say why. Who says that the floor is flat?", id="question"),
        pytest.param("The floor is tiled. Flat tiles are cheap; the wall is flat.", id="two-sentences"),
    ],
)
def test_a_sentence_is_let_pass(tmp_path: Path, text: str) -> None:
    """Denials, talk about the claim, questions, and words that stand in two sentences cross no red line."""
    root = project(tmp_path, edit(FIGURE, "A floor.", text))
    assert problems_of(root) == []


def test_a_broken_rule_hides_no_other(tmp_path: Path) -> None:
    """The rules after one that cannot be compiled still refuse."""
    rules = edit(REDLINES, "en: [{all: ['floor is'", "en: [{all: ['(flat']}, {all: ['floor is'")
    ledger = ledger_of(project(tmp_path, rules, edit(FIGURE, "A floor.", "The floor is flat.")))
    assert [problem.code for problem in redlines_are_kept(ledger)] == ["redline-crossed"]


def test_a_rule_wants_an_expression(tmp_path: Path) -> None:
    """A rule without expressions would refuse every sentence."""
    root = project(tmp_path, edit(REDLINES, r"all: ['floor is', '\bflat\b']", "all: []"))
    assert any("RL1.rules.en[0].all" in problem for problem in problems_of(root))


@pytest.mark.parametrize(
    ("block", "refused"),
    [
        pytest.param('!!! misreading "Heard"\n    Some words.\n\n    The floor is flat.\n', 0, id="in-a-misreading"),
        pytest.param('!!! misreading "Heard"\n    Some words.\n\nThe floor is flat.\n', 1, id="after-it"),
        pytest.param('!!! note "Said"\n    The floor is flat.\n', 1, id="in-another-block"),
    ],
)
def test_a_marked_misreading_may_say_the_wrong_thing(tmp_path: Path, block: str, refused: int) -> None:
    """A block of prose that is marked as a misreading is exempt, and nothing around it."""
    page = write("content/about.en.md", f"---\nid: about\ntitle: About\n---\n\n{block}")
    found = problems_of(project(tmp_path, page))
    assert len(found) == refused
    assert all("expected nothing that red line RL1 refuses" in line for line in found)
