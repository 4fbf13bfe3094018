"""Grades are enforced: each way of breaking them gives one message at one place."""

from pathlib import Path

import pytest
from builders import Check, Edit, assert_refused, edit

from site_build.checks.evidence import (
    claims_have_locators,
    derived_claims_are_derived,
    grades_fit_locators,
    locators_lead_somewhere,
)

QUESTION = "ledger/questions/Q1.yaml"
VALUES = "ledger/values.yaml"
SPECS = "ledger/specs.yaml"
BENCHMARKS = "ledger/benchmarks.yaml"
FIGURE = "ledger/figures/F1.yaml"
GLOSSARY = "ledger/glossary.yaml"


@pytest.mark.parametrize(
    ("check", "edits", "want"),
    [
        pytest.param(
            claims_have_locators,
            [edit(QUESTION, "    locators: ['node smith-2020']\n", "")],
            (
                "ledger/questions/Q1.yaml:18:5: Q1.claims[2]: expected a locator, since the grade is P, "
                "got none. Add one, for example report §2.1 eq.1."
            ),
            id="claims-have-locators-claim",
        ),
        pytest.param(
            claims_have_locators,
            [edit(VALUES, "  grade: R\n  locators: ['report §1 eq.1']\n", "  grade: R\n")],
            (
                "ledger/values.yaml:1:3: rows: expected a locator, since the grade is R, got none. Add "
                "one, for example report §2.1 eq.1."
            ),
            id="claims-have-locators-value",
        ),
        pytest.param(
            derived_claims_are_derived,
            [edit(QUESTION, "    derivation: [area]\n", "")],
            (
                "ledger/questions/Q1.yaml:8:5: Q1.claims[0].derivation: expected a derivation, since the "
                "grade is D, got none. Name the derived value, or lower the grade."
            ),
            id="derived-claims-are-derived-claim-without-derivation",
        ),
        pytest.param(
            derived_claims_are_derived,
            [edit(QUESTION, "derivation: [area]", "derivation: [rows]")],
            (
                "ledger/questions/Q1.yaml:12:18: Q1.claims[0].derivation[0]: expected a value of grade D, "
                "got rows. Name the value that the build computes; this one is R."
            ),
            id="derived-claims-are-derived-derived-from-a-given-value",
        ),
        pytest.param(
            derived_claims_are_derived,
            [edit(QUESTION, "derivation: [area]", "derivation: [sum]")],
            (
                "ledger/questions/Q1.yaml:12:18: Q1.claims[0].derivation[0]: expected a value that is "
                "there, got sum. Correct the id, or add the record."
            ),
            id="derived-claims-are-derived-derived-from-nothing",
        ),
        pytest.param(
            derived_claims_are_derived,
            [edit(VALUES, "  grade: T\n", "  grade: D\n  locators: ['report §1']\n")],
            (
                "ledger/values.yaml:26:3: ratio.derivation: expected a derivation, since the grade is D, "
                "got none. Name the derived value, or lower the grade."
            ),
            id="derived-claims-are-derived-value-without-derivation",
        ),
        pytest.param(
            derived_claims_are_derived,
            [edit(VALUES, "  grade: D\n", "  grade: P\n")],
            (
                "ledger/values.yaml:22:5: area.derivation: expected grade D for a derived value, got P. "
                "Set the grade to D, or remove the derivation."
            ),
            id="derived-claims-are-derived-derived-value-of-another-grade",
        ),
        pytest.param(
            grades_fit_locators,
            [edit(VALUES, "locators: ['report §1 eq.1']\n  number: 2", "locators: ['config rows.count']\n  number: 2")],
            (
                "ledger/values.yaml:4:13: rows.locators: expected a locator into report, since the grade "
                "is R, got config rows.count. Point into the report, or use P."
            ),
            id="grades-fit-locators-r-outside-the-report",
        ),
        pytest.param(
            grades_fit_locators,
            [edit(VALUES, "locators: ['config rows.count']\n  number: 3", "locators: ['report §1']\n  number: 3")],
            (
                "ledger/values.yaml:11:13: columns.locators: expected a locator outside the report, since "
                "the grade is P, got report §1. Name the other source, or use R."
            ),
            id="grades-fit-locators-p-inside-the-report",
        ),
        pytest.param(
            grades_fit_locators,
            [edit(QUESTION, "    grade: P\n", "    grade: R\n")],
            (
                "ledger/questions/Q1.yaml:21:15: Q1.claims[2].locators: expected a locator into report, "
                "since the grade is R, got node smith-2020. Point into the report, or use P."
            ),
            id="grades-fit-locators-r-claim-at-a-node",
        ),
        pytest.param(
            locators_lead_somewhere,
            [edit(FIGURE, "report §1 fig.1", "report §1, fig 1")],
            (
                "ledger/figures/F1.yaml:7:12: F1.locators[0]: expected a locator such as report §2.1 eq.1, "
                "got report §1, fig 1. Follow one of the forms in the method page."
            ),
            id="locators-lead-somewhere-form",
        ),
        pytest.param(
            locators_lead_somewhere,
            [edit(FIGURE, "report §1 fig.1", "paper §1")],
            (
                "ledger/figures/F1.yaml:7:12: F1.locators[0]: expected a source: config, report, got "
                "paper. Correct it, or add it to sources.yaml."
            ),
            id="locators-lead-somewhere-source",
        ),
        pytest.param(
            locators_lead_somewhere,
            [edit(FIGURE, "report §1 fig.1", "report §2.1")],
            (
                "ledger/figures/F1.yaml:7:12: F1.locators[0]: expected a section of the outline of report, "
                "got §2.1. Correct it, or add it to sources.yaml."
            ),
            id="locators-lead-somewhere-section",
        ),
        pytest.param(
            locators_lead_somewhere,
            [edit(FIGURE, "report §1 fig.1", "report §1 fig.2")],
            (
                "ledger/figures/F1.yaml:7:12: F1.locators[0]: expected a number that the source has (1 to "
                "1), got fig 2. Correct the number."
            ),
            id="locators-lead-somewhere-figure",
        ),
        pytest.param(
            locators_lead_somewhere,
            [edit(FIGURE, "report §1 fig.1", "report §1 eq.0")],
            (
                "ledger/figures/F1.yaml:7:12: F1.locators[0]: expected a number that the source has (1 to "
                "2), got eq 0. Correct the number."
            ),
            id="locators-lead-somewhere-equation-zero",
        ),
        pytest.param(
            locators_lead_somewhere,
            [edit(FIGURE, "report §1 fig.1", "report app.B")],
            (
                "ledger/figures/F1.yaml:7:12: F1.locators[0]: expected a number that the source has (A), "
                "got app.B. Correct the number."
            ),
            id="locators-lead-somewhere-appendix",
        ),
        pytest.param(
            locators_lead_somewhere,
            [
                edit(
                    VALUES,
                    "locators: ['config rows.count']\n  number: 3",
                    "locators: ['config rows.size']\n  number: 3",
                )
            ],
            (
                "ledger/values.yaml:11:14: columns.locators[0]: expected a path listed in sources.yaml, "
                "got rows.size. Correct it, or add it to the source's paths."
            ),
            id="locators-lead-somewhere-configuration-path",
        ),
        pytest.param(
            locators_lead_somewhere,
            [edit(QUESTION, "node smith-2020'", "node jones'")],
            (
                "ledger/questions/Q1.yaml:21:16: Q1.claims[2].locators[0]: expected a node that is there, "
                "got jones. Correct the id, or add the record."
            ),
            id="locators-lead-somewhere-node",
        ),
        pytest.param(
            locators_lead_somewhere,
            [edit(GLOSSARY, "report §1'", "report §9'")],
            (
                "ledger/glossary.yaml:4:12: tile.locator: expected a section of the outline of report, got "
                "§9. Correct it, or add it to sources.yaml."
            ),
            id="locators-lead-somewhere-term",
        ),
        pytest.param(
            locators_lead_somewhere,
            [edit(SPECS, "report §1 table 1", "report §1 table 2")],
            (
                "ledger/specs.yaml:12:20: side.cells.now.locators[0]: expected a number that the source "
                "has (1 to 1), got table 2. Correct the number."
            ),
            id="locators-lead-somewhere-cell",
        ),
        pytest.param(
            locators_lead_somewhere,
            [edit(BENCHMARKS, "report §1 table 1", "report §1 table 2")],
            (
                "ledger/benchmarks.yaml:28:16: flatness.locators[0]: expected a number that the source has "
                "(1 to 1), got table 2. Correct the number."
            ),
            id="locators-lead-somewhere-benchmark",
        ),
    ],
)
def test_check_refuses(tmp_path: Path, check: Check, edits: list[Edit], want: str) -> None:
    """A ledger with one fault gives one message, from this check."""
    assert_refused(tmp_path, check, edits, want)
