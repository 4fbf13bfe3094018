"""Rules for texts: each way of breaking them gives one message at one place."""

from pathlib import Path

import pytest
from builders import Check, Edit, assert_refused, edit, remove

from site_build.checks.texts import (
    formulas_parse,
    languages_are_complete,
    links_are_safe,
    numbers_are_marked,
    terms_are_kept,
)

QUESTION = "ledger/questions/Q1.yaml"
FIGURE = "ledger/figures/F1.yaml"
ENGLISH = "content/about.en.md"
CHINESE = "content/about.zh.md"


@pytest.mark.parametrize(
    ("check", "edits", "want"),
    [
        pytest.param(
            languages_are_complete,
            [
                edit(
                    QUESTION,
                    "answer: {en: 'The floor has :value[area].', zh: '地面有 :value[area]。'}",
                    "answer: {en: 'The floor has :value[area].'}",
                )
            ],
            ("ledger/questions/Q1.yaml:6:9: Q1.answer: expected the language zh, got none. Write the text in it."),
            id="languages-are-complete-text",
        ),
        pytest.param(
            languages_are_complete,
            [remove(CHINESE)],
            "content/about.en.md:1:1: expected the language zh, got none. Write the text in it.",
            id="languages-are-complete-page",
        ),
        pytest.param(
            numbers_are_marked,
            [edit(QUESTION, "A drawing.", "A drawing of 12 tiles.")],
            (
                "ledger/questions/Q1.yaml:31:19: Q1.acceptance.statement.en: expected a marker such as "
                ":value[id], got 12. Write the number once in the ledger and refer to it."
            ),
            id="numbers-are-marked-record",
        ),
        pytest.param(
            numbers_are_marked,
            [edit(ENGLISH, "Here is", "Here in 2 are")],
            (
                "content/about.en.md:6:9: expected a marker such as :value[id], got 2. Write the number "
                "once in the ledger and refer to it."
            ),
            id="numbers-are-marked-page",
        ),
        pytest.param(
            numbers_are_marked,
            [edit(CHINESE, "这里是", "约 95% 是")],
            (
                "content/about.zh.md:6:3: expected a marker such as :value[id], got 95. Write the number "
                "once in the ledger and refer to it."
            ),
            id="numbers-are-marked-percent",
        ),
        pytest.param(
            formulas_parse,
            [edit(QUESTION, "The product $a b$", "The product $\\frac{a$")],
            (
                "ledger/questions/Q1.yaml:9:16: Q1.claims[0].text.en: expected LaTeX that parses, got "
                '\\frac{a. Mend the formula: Expected closing token "}", but reached end of input.'
            ),
            id="formulas-parse-latex",
        ),
        pytest.param(
            formulas_parse,
            [edit(QUESTION, "Nobody measured.", "Nobody paid $.")],
            (
                "ledger/questions/Q1.yaml:28:15: Q1.misreadings[0].why.en: expected a closing dollar, got "
                "$.. Close the formula, or write \\$ for a dollar."
            ),
            id="formulas-parse-open",
        ),
        pytest.param(
            formulas_parse,
            [edit(ENGLISH, "Here is", "Here $\\frac{a$ is")],
            (
                "content/about.en.md:6:6: expected LaTeX that parses, got \\frac{a. Mend the formula: "
                'Expected closing token "}", but reached end of input.'
            ),
            id="formulas-parse-page",
        ),
        pytest.param(
            links_are_safe,
            [edit(QUESTION, "Nobody measured.", "[Nobody](javascript:alert) measured.")],
            (
                "ledger/questions/Q1.yaml:28:15: Q1.misreadings[0].why.en: expected http, https or a "
                "relative address, got javascript:alert. Correct the link."
            ),
            id="links-are-safe-link",
        ),
        pytest.param(
            links_are_safe,
            [edit(ENGLISH, "Here is", "See `tile` in\n[tile]: javascript:alert\nwhich is")],
            (
                "content/about.en.md:7:9: expected http, https or a relative address, got javascript:alert. "
                "Correct the link."
            ),
            id="links-are-safe-address-elsewhere",
        ),
        pytest.param(
            links_are_safe,
            [edit(ENGLISH, "Here is", "![a [floor]](https://tiles.example/floor.png) is")],
            (
                "content/about.en.md:6:13: expected an image of this project, got https://tiles.example/floor.png. "
                "Keep a copy below content/ and name it by a relative path."
            ),
            id="links-are-safe-image",
        ),
        pytest.param(
            links_are_safe,
            [edit(QUESTION, "Nobody measured.", "Nobody <b>measured</b>.")],
            (
                "ledger/questions/Q1.yaml:28:15: Q1.misreadings[0].why.en: expected text without HTML, got "
                "<b>. Use Markdown, or put it in backticks."
            ),
            id="links-are-safe-html",
        ),
        pytest.param(
            links_are_safe,
            [edit(ENGLISH, "Here is", "Here <script>is")],
            (
                "content/about.en.md:6:6: expected text without HTML, got <script>. Use Markdown, or put "
                "it in backticks."
            ),
            id="links-are-safe-page",
        ),
        pytest.param(
            terms_are_kept,
            [edit(FIGURE, "A floor.", "A slab.")],
            (
                "ledger/figures/F1.yaml:3:13: F1.shows.en: expected the term tile, got slab. Use it; the "
                "glossary says why."
            ),
            id="terms-are-kept-record",
        ),
        pytest.param(
            terms_are_kept,
            [edit(ENGLISH, "Here is", "The sl*ab* is")],
            ("content/about.en.md:5:1: expected the term tile, got slab. Use it; the glossary says why."),
            id="terms-are-kept-over-markup",
        ),
        pytest.param(
            terms_are_kept,
            [edit(CHINESE, "这里是", "板子是")],
            ("content/about.zh.md:6:1: expected the term 地砖（tile）, got 板子. Use it; the glossary says why."),
            id="terms-are-kept-page",
        ),
    ],
)
def test_check_refuses(tmp_path: Path, check: Check, edits: list[Edit], want: str) -> None:
    """A ledger with one fault gives one message, from this check."""
    assert_refused(tmp_path, check, edits, want)
