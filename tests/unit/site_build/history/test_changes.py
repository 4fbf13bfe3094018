"""Hashes that pin a claim, and what is said to have changed between two states."""

import hashlib
import json

import pytest

from site_build.history import changes, claim_change, claim_hash
from site_build.model import Release, ReleasedClaim, ReleasedValue

CLAIM = ReleasedClaim(
    text={"en": "It has :value[n] “tiles”.", "zh": "有 :value[n]。"},
    grade="R",
    locators=("report §1",),
    boundary={"en": "Here only.", "zh": "只限此处。"},
    shown={":value[n]": {"en": "6 tiles", "zh": "6 块"}},
)


def altered(**fields: object) -> ReleasedClaim:
    """The claim with other fields."""
    return CLAIM.model_copy(update=fields)


def test_a_hash_is_that_of_the_canonical_text() -> None:
    """Anyone with a JSON library and SHA-256 gets the same hash: keys sorted, no spaces, UTF-8."""
    text = (
        '{"boundary":{"en":"Here only.","zh":"只限此处。"},"grade":"R","id":"Q1.c1","locators":["report §1"],'
        '"shown":{":value[n]":{"en":"6 tiles","zh":"6 块"}},'
        '"text":{"en":"It has :value[n] “tiles”.","zh":"有 :value[n]。"}}'
    )
    assert json.loads(text)["id"] == "Q1.c1"
    assert claim_hash("Q1.c1", CLAIM) == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(altered(text={**CLAIM.text, "en": "It has :value[n] tiles."}), id="text"),
        pytest.param(altered(grade="T"), id="grade"),
        pytest.param(altered(locators=("report §2",)), id="locators"),
        pytest.param(altered(boundary={**CLAIM.boundary, "zh": "只限今天。"}), id="boundary"),
        pytest.param(altered(shown={":value[n]": {"en": "7 tiles", "zh": "7 块"}}), id="displayed-value"),
    ],
)
def test_a_hash_changes_with_what_is_said(other: ReleasedClaim) -> None:
    """Each part of a claim is in its hash."""
    assert claim_hash("Q1.c1", other) != claim_hash("Q1.c1", CLAIM)


def test_a_hash_outlives_withdrawal() -> None:
    """Withdrawing a claim does not change what it said; its reference is part of the hash."""
    assert claim_hash("Q1.c1", altered(withdrawn={"en": "Wrong.", "zh": "错了。"})) == claim_hash("Q1.c1", CLAIM)
    assert claim_hash("Q1.c2", CLAIM) != claim_hash("Q1.c1", CLAIM)


@pytest.mark.parametrize(
    ("old", "new", "kind", "fields"),
    [
        pytest.param(CLAIM, None, "removed", (), id="gone"),
        pytest.param(CLAIM, altered(withdrawn={"en": "Wrong."}), "withdrawn", (), id="withdrawn"),
        pytest.param(altered(withdrawn={"en": "Wrong."}), CLAIM, "restored", (), id="restored"),
        pytest.param(CLAIM, altered(grade="T"), "downgraded", ("grade",), id="down"),
        pytest.param(altered(grade="T"), CLAIM, "upgraded", ("grade",), id="up"),
        pytest.param(CLAIM, altered(grade="P"), "changed", ("grade",), id="another-kind-of-evidence"),
        pytest.param(CLAIM, altered(text={"en": "x", "zh": "y"}), "changed", ("text",), id="text"),
    ],
)
def test_a_change_has_a_kind(old: ReleasedClaim, new: ReleasedClaim | None, kind: str, fields: tuple[str, ...]) -> None:
    """What became of a claim, and in which of its parts."""
    found = claim_change("Q1.c1", old, new)
    assert found is not None
    assert (found.kind, found.fields) == (kind, fields)


def test_the_same_claim_has_no_change() -> None:
    """Nothing is told of a claim that says the same."""
    assert claim_change("Q1.c1", CLAIM, altered()) is None


def state(claims: dict[str, ReleasedClaim], number: int = 6) -> Release:
    """A state with one value."""
    value = ReleasedValue(grade="R", number=number, shown={"en": f"{number} tiles", "zh": f"{number} 块"})
    return Release(version="v", date="2026-01-02", build="b", questions={}, claims=claims, values={"n": value})


def test_changes_come_in_order_and_whole() -> None:
    """Claims in the order of their numbers, not of their letters; then values; equal ones are left out."""
    old = state({"Q1.c2": CLAIM, "Q1.c10": CLAIM, "Q2.c1": CLAIM})
    new = state({"Q1.c2": altered(grade="T"), "Q1.c10": altered(grade="T"), "Q1.c11": CLAIM, "Q2.c1": CLAIM}, 7)
    told = [(change.kind, change.id, change.was, change.now) for change in changes(old, new)]
    assert told == [
        ("downgraded", "Q1.c2", "R", "T"),
        ("downgraded", "Q1.c10", "R", "T"),
        ("added", "Q1.c11", "", "R"),
        ("value", "n", "6 tiles", "7 tiles"),
    ]
