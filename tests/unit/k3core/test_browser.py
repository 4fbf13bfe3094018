"""The JSON door: typed errors in and out, the same text every time, no exception through it."""

import inspect
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lab_inputs import INPUTS

from k3core import browser, registry
from k3core.browser import run

DELTA = INPUTS["A"] | {"beta": 0.5, "repeats": 2}


def test_reply_is_sorted_and_reads_back_bit_for_bit() -> None:
    """A reply has sorted names, and its floats are those that the lab computed."""
    text = run("A", json.dumps(DELTA))
    reply = json.loads(text)
    assert text == json.dumps(reply, sort_keys=True)
    assert reply["ok"] is True
    assert reply["result"] == registry.LABS["A"](**DELTA)


@pytest.mark.parametrize(
    ("lab", "text", "kind", "name"),
    [
        pytest.param("A", json.dumps(DELTA | {"beta": 1.4}), "input", "beta", id="value out of range"),
        pytest.param("A", json.dumps(DELTA | {"speed": 1}), "input", "inputs", id="unknown input"),
        pytest.param("A", "{}", "input", "beta", id="missing input"),
        pytest.param("A", json.dumps(DELTA | {"repeats": 1e9}), "input", "repeats", id="fractional count"),
        pytest.param("A", json.dumps(DELTA | {"key": {"a": 1}}), "input", "key", id="object for a list"),
        pytest.param("?", "{}", "lab", "lab", id="no such lab"),
        pytest.param("A", '{"beta": NaN}', "json", "inputs", id="NaN"),
        pytest.param("A", '{"beta": 1, "beta": 2}', "json", "inputs", id="a name twice"),
        pytest.param("A", "[]", "json", "inputs", id="not an object"),
        pytest.param("A", "[" * 60_000, "json", "inputs", id="nested too deep"),
        pytest.param("A", " " * 70_000, "json", "inputs", id="too long"),
        pytest.param("A", '{"beta": 1' + "0" * 5000 + "}", "json", "inputs", id="a number too long"),
    ],
)
def test_refusals_are_typed(lab: str, text: str, kind: str, name: str) -> None:
    """Each kind of wrong request comes back as one error with name, expected and got."""
    reply = json.loads(run(lab, text))
    assert reply["ok"] is False
    assert (reply["error"]["kind"], reply["error"]["name"]) == (kind, name)
    assert reply["error"]["expected"]
    assert reply["error"]["got"]


def test_a_long_name_is_cut() -> None:
    """What a stranger sends comes back in at most eighty characters, quotes included."""
    name = "x" * 200
    for lab, text in (("A", json.dumps(DELTA | {name: 1})), (name, "{}")):
        reply = json.loads(run(lab, text))
        assert reply["error"]["got"] == "'" + "x" * 79
        assert reply["lab"] == lab[:80]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**25), 10**25) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=120, deadline=None, derandomize=True, database=None)
@given(st.data())
def test_no_exception_and_no_fault_of_ours_escapes(data: st.DataObject) -> None:
    """Whatever a known input is replaced by, the reply is JSON and blames an input, never the package."""
    lab = data.draw(st.sampled_from(sorted(registry.LABS)))
    names = list(inspect.signature(registry.LABS[lab]).parameters)
    chosen = data.draw(st.lists(st.sampled_from(names), max_size=3, unique=True))
    changes = {name: data.draw(VALUES) for name in chosen}
    reply = json.loads(run(lab, json.dumps(INPUTS[lab] | changes)), parse_constant=pytest.fail)
    assert reply["ok"] or reply["error"]["kind"] in {"input", "json"}, reply


@pytest.mark.parametrize(
    ("lab", "kind"),
    [
        pytest.param(lambda: {"x": float("nan")}, "result", id="NaN result"),
        pytest.param(lambda: {"x": np.zeros(2)}, "internal", id="not JSON"),
        pytest.param(lambda: 1 / 0, "internal", id="a fault of ours"),
    ],
)
def test_our_own_faults_stay_inside(monkeypatch: pytest.MonkeyPatch, lab: Any, kind: str) -> None:
    """A lab that breaks or returns what JSON cannot hold still gives the page an answer."""
    monkeypatch.setattr(browser, "LABS", {"X": lab})
    assert json.loads(run("X", "{}"))["error"]["kind"] == kind


def test_registry_gives_plain_scalars() -> None:
    """Derivations return int or float, so that a ledger can compare them without NumPy."""
    derive = registry.DERIVATIONS
    stack = {"blocks": 23, "kda_per_block": 3, "mla_per_block": 1}
    found = {
        "layers": derive["stack.layers"](**stack, closing=1),
        "kda": derive["stack.kda_layers"](blocks=23, kda_per_block=3),
        "mla": derive["stack.mla_layers"](blocks=23, mla_per_block=1, closing=1),
        "sparsity": derive["moe.sparsity"](routed=896, active=16),
        "expert": derive["moe.expert_parameters"](latent=3584, hidden=3072),
        "pool": derive["moe.routed_expert_pool"](moe_layers=92, routed=896),
        "tile": derive["gate.tile_bound"](lower_bound=-5.0, tile=16),
        "chunk": derive["gate.longest_safe_chunk"](lower_bound=-5.0, largest_finite_log=88.72),
    }
    assert found == {
        "layers": 93,
        "kda": 69,
        "mla": 24,
        "sparsity": 56.0,
        "expert": 33_030_144,
        "pool": 82_432,
        "tile": -80.0,
        "chunk": 17,
    }
    assert {type(value) for value in found.values()} <= {int, float}


@pytest.mark.parametrize("lab_input", [("H", "hash_block"), ("I", "state_format")])
def test_a_long_wrong_value_is_quoted_in_part(lab_input: tuple[str, str]) -> None:
    """What a page shows of a refused value fits a line, however long the value is."""
    lab, name = lab_input
    error = json.loads(run(lab, json.dumps({**INPUTS[lab], name: "a" * 10_000})))["error"]
    assert (error["name"], len(error["got"])) == (name, 80)
