"""Ids, addresses and counts: each way of breaking them gives one message at one place."""

from pathlib import Path

import pytest
from builders import Check, Edit, assert_refused, edit, write

from site_build.checks.references import (
    counts_are_promised,
    ids_follow_patterns,
    pages_have_addresses,
    sections_list_their_pages,
)

QUESTION = "ledger/questions/Q1.yaml"
VALUES = "ledger/values.yaml"
LEDGER = "ledger/ledger.yaml"
NODES = "ledger/reading/nodes.yaml"
ENGLISH = "content/about.en.md"
CHINESE = "content/about.zh.md"
SECTION = """\
sections:
  - id: course
    name: {en: 'A course', zh: '课程'}
    lead: {en: 'Read it front to back.', zh: '从头读起。'}
    pages: [one, two]
stages:
"""


def chapter(id_: str, language: str, more: str = "") -> Edit:
    """A page of the course."""
    return write(f"content/course/{id_}.{language}.md", f"---\nid: {id_}\ntitle: Title {id_}\n{more}---\n\nWords.\n")


COURSE = [
    edit(LEDGER, "stages:\n", SECTION),
    *(chapter(id_, language) for id_ in ("one", "two") for language in ("en", "zh")),
]
UNLISTED = (
    "content/course/{id}.{language}.md:2:1: id: expected a page that `sections: course` in ledger.yaml lists, "
    "got {id}. Add it there, in reading order."
)


@pytest.mark.parametrize(
    ("check", "edits", "want"),
    [
        pytest.param(
            pages_have_addresses,
            [edit(ENGLISH, "id: about", "id: values"), edit(CHINESE, "id: about", "id: values")],
            (
                "content/about.en.md:1:1: id: expected an address that the site does not use itself, got "
                "values. Choose another id or folder.\ncontent/about.zh.md:1:1: id: expected an address "
                "that the site does not use itself, got values. Choose another id or folder."
            ),
            id="pages-have-addresses-address-of-the-site",
        ),
        pytest.param(
            pages_have_addresses,
            [edit(ENGLISH, "id: about", "id: ../about"), edit(CHINESE, "id: about", "id: ../about")],
            (
                "content/about.en.md:1:1: id: expected an id like ^[a-z0-9]+(?:-[a-z0-9]+)*$, got "
                "../about. Choose the next free id of this form.\ncontent/about.zh.md:1:1: id: expected an "
                "id like ^[a-z0-9]+(?:-[a-z0-9]+)*$, got ../about. Choose the next free id of this form."
            ),
            id="pages-have-addresses-form",
        ),
        pytest.param(
            pages_have_addresses,
            [edit(LEDGER, "languages: [en, zh]", "languages: [en]")],
            ("content/about.zh.md:1:1: expected one of languages: en, got zh. Correct it, or add it to that list."),
            id="pages-have-addresses-language",
        ),
        pytest.param(
            pages_have_addresses,
            [
                write("content/questions/new.en.md", "---\nid: new\ntitle: New\n---\nWords.\n"),
                write("content/questions/new.zh.md", "---\nid: new\ntitle: 新\n---\n文字。\n"),
            ],
            (
                "content/questions/new.en.md:1:1: id: expected an address that the site does not use "
                "itself, got questions/new. Choose another id or folder.\ncontent/questions/new.zh.md:1:1: "
                "id: expected an address that the site does not use itself, got questions/new. Choose "
                "another id or folder."
            ),
            id="pages-have-addresses-folder-of-records",
        ),
        pytest.param(
            pages_have_addresses,
            [write("content/other.en.md", "---\nid: about\ntitle: Other\n---\nWords.\n")],
            (
                "content/other.en.md:1:1: id: expected an id used once (first at content/about.en.md:1:1), "
                "got about. Give one of them the next free id."
            ),
            id="pages-have-addresses-id-twice",
        ),
        pytest.param(
            ids_follow_patterns,
            [edit(VALUES, "- id: ratio", "- id: ratio-2")],
            (
                "ledger/values.yaml:26:7: ratio-2.id: expected an id like ^[a-z_]+$, got ratio-2. Choose "
                "the next free id of this form."
            ),
            id="ids-follow-patterns-id",
        ),
        pytest.param(
            ids_follow_patterns,
            [edit(LEDGER, "'^[a-z_]+$'", "'^[a-z'")],
            (
                "ledger/ledger.yaml:16:10: ledger.ids.value: expected a regular expression, got ^[a-z. "
                "Mend it: unterminated character set at position 1."
            ),
            id="ids-follow-patterns-pattern",
        ),
        pytest.param(
            ids_follow_patterns,
            [edit(QUESTION, "  - id: c3", "  - id: c2")],
            (
                "ledger/questions/Q1.yaml:18:9: Q1.claims[2].id: expected an id used once (first at "
                "ledger/questions/Q1.yaml:14:9), got c2. Give one of them the next free id."
            ),
            id="ids-follow-patterns-claim-id-twice",
        ),
        pytest.param(
            counts_are_promised,
            [edit(LEDGER, "  figures: 1", "  figures: 2")],
            (
                "ledger/ledger.yaml:10:12: ledger.promised.figures: expected 2 records, as promised, got "
                "1. Add what is missing, or change the promise."
            ),
            id="counts-are-promised-figures",
        ),
        pytest.param(
            counts_are_promised,
            [edit(LEDGER, "  labs: 1", "  labs: 0")],
            (
                "ledger/ledger.yaml:12:9: ledger.promised.labs: expected 0 records, as promised, got 1. "
                "Add what is missing, or change the promise."
            ),
            id="counts-are-promised-labs",
        ),
        pytest.param(
            counts_are_promised,
            [edit(NODES, "in_path: true", "in_path: false")],
            (
                "ledger/ledger.yaml:13:15: ledger.promised.path_nodes: expected 1 records, as promised, "
                "got 0. Add what is missing, or change the promise."
            ),
            id="counts-are-promised-nodes",
        ),
        pytest.param(
            sections_list_their_pages,
            [*COURSE, chapter("three", "en"), chapter("three", "zh")],
            "\n".join(UNLISTED.format(id="three", language=language) for language in ("en", "zh")),
            id="sections-page-not-listed",
        ),
        pytest.param(
            sections_list_their_pages,
            [chapter("one", "en"), chapter("one", "zh")],
            "\n".join(UNLISTED.format(id="one", language=language) for language in ("en", "zh")),
            id="sections-folder-not-listed",
        ),
        pytest.param(
            sections_list_their_pages,
            COURSE[:3],
            (
                "ledger/ledger.yaml:28:18: ledger.sections[0].pages[1]: expected a page that is there, got two. "
                "Correct the id, or add the record."
            ),
            id="sections-listed-page-missing",
        ),
        pytest.param(
            sections_list_their_pages,
            [*COURSE, chapter("two", "en", "needs: [zero]\n")],
            (
                "content/course/two.en.md:2:1: needs: expected a page that is there, got zero. "
                "Correct the id, or add the record."
            ),
            id="sections-needed-page-missing",
        ),
    ],
)
def test_check_refuses(tmp_path: Path, check: Check, edits: list[Edit], want: str) -> None:
    """A ledger with one fault gives one message, from this check."""
    assert_refused(tmp_path, check, edits, want)
