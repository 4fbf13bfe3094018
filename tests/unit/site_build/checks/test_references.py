"""Names lead to records: each way of breaking them gives one message at one place."""

from pathlib import Path

import pytest
from builders import Check, Edit, assert_refused, edit, write

from site_build.checks.references import (
    TAKEN_ADDRESSES,
    lists_resolve,
    markers_resolve,
    nodes_have_publications,
    own_lists_resolve,
    specifications_resolve,
)
from site_build.policy import CARDS
from site_build.views import FOLDERS, LISTS
from site_build.views.site import NAVIGATION

QUESTION = "ledger/questions/Q1.yaml"
LEDGER = "ledger/ledger.yaml"
SPECS = "ledger/specs.yaml"
NODES = "ledger/reading/nodes.yaml"
BIBLIOGRAPHY = "ledger/reading/references.bib"
LAB = "ledger/labs/A.yaml"
TABLE = "ledger/tables/T1.yaml"
FIGURE = "ledger/figures/F1.yaml"
ENGLISH = "content/about.en.md"
CHINESE = "content/about.zh.md"


@pytest.mark.parametrize(
    ("check", "edits", "want"),
    [
        pytest.param(
            markers_resolve,
            [edit(ENGLISH, "Here is", "Here :value[area is")],
            (
                "content/about.en.md:6:6: expected a marker with an id in closed brackets, got :value[area. "
                "Complete it, or write \\: for a colon."
            ),
            id="markers-resolve-open",
        ),
        pytest.param(
            markers_resolve,
            [edit(QUESTION, "Nobody measured.", "Nobody measured :claim[].")],
            (
                "ledger/questions/Q1.yaml:28:15: Q1.misreadings[0].why.en: expected a marker with an id in closed "
                "brackets, got :claim[]. Complete it, or write \\: for a colon."
            ),
            id="markers-resolve-empty",
        ),
        pytest.param(
            lists_resolve,
            [edit(QUESTION, "figures: [F1]", "figures: [F2]")],
            (
                "ledger/questions/Q1.yaml:35:11: Q1.figures[0]: expected a figure that is there, got F2. "
                "Correct the id, or add the record."
            ),
            id="lists-resolve-figures",
        ),
        pytest.param(
            lists_resolve,
            [edit(QUESTION, "tables: [T1]", "tables: [T2]")],
            (
                "ledger/questions/Q1.yaml:36:10: Q1.tables[0]: expected a table that is there, got T2. "
                "Correct the id, or add the record."
            ),
            id="lists-resolve-tables",
        ),
        pytest.param(
            lists_resolve,
            [edit(QUESTION, "figures: [F1]", "figures: [F1]\nlabs: [B]")],
            (
                "ledger/questions/Q1.yaml:36:8: Q1.labs[0]: expected a lab that is there, got B. Correct "
                "the id, or add the record."
            ),
            id="lists-resolve-labs",
        ),
        pytest.param(
            lists_resolve,
            [edit(QUESTION, "nodes: [smith-2020]", "nodes: [jones]")],
            (
                "ledger/questions/Q1.yaml:37:9: Q1.nodes[0]: expected a node that is there, got jones. "
                "Correct the id, or add the record."
            ),
            id="lists-resolve-nodes",
        ),
        pytest.param(
            lists_resolve,
            [edit(QUESTION, "redlines: [RL1]", "redlines: [RL2]")],
            (
                "ledger/questions/Q1.yaml:38:12: Q1.redlines[0]: expected a redline that is there, got "
                "RL2. Correct the id, or add the record."
            ),
            id="lists-resolve-redlines",
        ),
        pytest.param(
            lists_resolve,
            [edit(QUESTION, "corrections: [C1]", "corrections: [C2]")],
            (
                "ledger/questions/Q1.yaml:39:15: Q1.corrections[0]: expected a correction that is there, "
                "got C2. Correct the id, or add the record."
            ),
            id="lists-resolve-corrections",
        ),
        pytest.param(
            lists_resolve,
            [edit(QUESTION, "'Q1.c2'", "Q1.c9")],
            (
                "ledger/questions/Q1.yaml:40:11: Q1.related[0]: expected a claim that is there, got Q1.c9. "
                "Correct the id, or add the record."
            ),
            id="lists-resolve-related-claim",
        ),
        pytest.param(
            lists_resolve,
            [edit(QUESTION, "'Q1.c2'", "Q9")],
            (
                "ledger/questions/Q1.yaml:40:11: Q1.related[0]: expected a question that is there, got Q9. "
                "Correct the id, or add the record."
            ),
            id="lists-resolve-related-question",
        ),
        pytest.param(
            lists_resolve,
            [edit(LAB, "questions: [Q1]", "questions: [Q7]")],
            (
                "ledger/labs/A.yaml:41:13: A.questions[0]: expected a question that is there, got Q7. "
                "Correct the id, or add the record."
            ),
            id="lists-resolve-questions-of-a-lab",
        ),
        pytest.param(
            specifications_resolve,
            [edit(TABLE, "[side]", "[height]")],
            (
                "ledger/tables/T1.yaml:8:9: T1.specs[0]: expected a specification row that is there, got "
                "height. Correct the id, or add the record."
            ),
            id="specifications-resolve-row",
        ),
        pytest.param(
            specifications_resolve,
            [edit(SPECS, "      now:", "      then:")],
            (
                "ledger/specs.yaml:9:9: side.cells.then: expected one of columns: now, got then. Correct "
                "it, or add it to that list."
            ),
            id="specifications-resolve-column",
        ),
        pytest.param(
            own_lists_resolve,
            [edit(QUESTION, "topic: sums", "topic: words")],
            (
                "ledger/questions/Q1.yaml:2:8: Q1.topic: expected one of topics: sums, got words. Correct "
                "it, or add it to that list."
            ),
            id="own-lists-resolve-topic",
        ),
        pytest.param(
            own_lists_resolve,
            [edit(QUESTION, "status: answered", "status: open")],
            (
                "ledger/questions/Q1.yaml:3:9: Q1.status: expected one of statuses: answered, got open. "
                "Correct it, or add it to that list."
            ),
            id="own-lists-resolve-status",
        ),
        pytest.param(
            own_lists_resolve,
            [edit(NODES, "stage: first", "stage: last")],
            (
                "ledger/reading/nodes.yaml:2:10: smith-2020.stage: expected one of stages: first, got "
                "last. Correct it, or add it to that list."
            ),
            id="own-lists-resolve-stage",
        ),
        pytest.param(
            own_lists_resolve,
            [edit(LEDGER, "'Q1.c1'", "'Q1.c7'")],
            (
                "ledger/ledger.yaml:17:10: ledger.example: expected a claim that is there, got Q1.c7. "
                "Correct the id, or add the record."
            ),
            id="own-lists-resolve-example",
        ),
        pytest.param(
            nodes_have_publications,
            [write(BIBLIOGRAPHY, "")],
            (
                "ledger/reading/nodes.yaml:1:7: smith-2020.id: expected an entry with this key in "
                "references.bib, got smith-2020. Add its BibTeX."
            ),
            id="nodes-have-publications-node-without-entry",
        ),
        pytest.param(
            nodes_have_publications,
            [edit(BIBLIOGRAPHY, "@article", "@misc{other, title={T}, year=2020, url={https://x.example}}\n\n@article")],
            (
                "ledger/reading/references.bib:1:1: other: expected a node for every entry, got other. Add "
                "the node to reading/nodes.yaml, or remove the entry."
            ),
            id="nodes-have-publications-entry-without-node",
        ),
        pytest.param(
            markers_resolve,
            [edit(QUESTION, "The floor has :value[area].", "The floor has :value[sum].")],
            (
                "ledger/questions/Q1.yaml:6:14: Q1.answer.en: expected a value that is there, got "
                ":value[sum]. Correct the id, or add the record."
            ),
            id="markers-resolve-value",
        ),
        pytest.param(
            markers_resolve,
            [edit(QUESTION, "The floor has :value[area].", "The floor has :number[area].")],
            (
                "ledger/questions/Q1.yaml:6:14: Q1.answer.en: expected one of question, claim, value, "
                "cite, figure, table, lab, redline, correction, term, spec, benchmark, component, got "
                ":number[area]. Correct the word before the bracket."
            ),
            id="markers-resolve-kind",
        ),
        pytest.param(
            markers_resolve,
            [edit(ENGLISH, ":claim[Q1.c1]", ":claim[Q1.c8]")],
            (
                "content/about.en.md:6:26: expected a claim that is there, got :claim[Q1.c8]. Correct the "
                "id, or add the record."
            ),
            id="markers-resolve-claim-on-a-page",
        ),
        pytest.param(
            markers_resolve,
            [edit(CHINESE, "::question[Q1]", "::questions[Q1]")],
            (
                "content/about.zh.md:8:1: expected one of question, claim, value, cite, figure, table, "
                "lab, redline, correction, term, spec, benchmark, component, got ::questions[Q1]. Correct "
                "the word before the bracket."
            ),
            id="markers-resolve-kind-on-a-page",
        ),
        pytest.param(
            markers_resolve,
            [edit(FIGURE, "A grid.", "A grid of :spec[side.then].")],
            (
                "ledger/figures/F1.yaml:4:15: F1.picture.en: expected a spec that is there, got "
                ":spec[side.then]. Correct the id, or add the record."
            ),
            id="markers-resolve-spec-column",
        ),
        pytest.param(
            markers_resolve,
            [edit(FIGURE, "A grid.", "A grid of :value[area.x].")],
            (
                "ledger/figures/F1.yaml:4:15: F1.picture.en: expected a value that is there, got "
                ":value[area.x]. Correct the id, or add the record."
            ),
            id="markers-resolve-value-with-a-field",
        ),
    ],
)
def test_check_refuses(tmp_path: Path, check: Check, edits: list[Edit], want: str) -> None:
    """A ledger with one fault gives one message, from this check."""
    assert_refused(tmp_path, check, edits, want)


def test_no_page_of_prose_takes_a_place_of_the_site() -> None:
    """Every folder and list that the site makes by itself is refused as an address of prose."""
    own = {*FOLDERS.values(), *LISTS.values(), *(name for names in NAVIGATION.values() for name in names), CARDS}
    assert own - TAKEN_ADDRESSES == set()
