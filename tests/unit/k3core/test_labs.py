"""The labs through the JSON door: known answers, bounded inputs, counts that add up."""

import json
from typing import Any

import numpy as np
import pytest
from comparers import assert_close
from lab_inputs import INPUTS
from numeric_vectors import expected

from k3core.browser import run
from k3core.registry import LABS


def answer(lab: str, **changes: Any) -> dict[str, Any]:
    """Run a lab through the door and return its result."""
    reply = json.loads(run(lab, json.dumps(INPUTS[lab] | changes)))
    assert reply["ok"], reply
    result: dict[str, Any] = reply["result"]
    return result


def test_delta_rule_overwrites_and_addition_piles_up() -> None:
    """Half-overlapping keys: a full delta write recalls the target, addition recalls target plus leftover."""
    result = answer("A")
    assert_close(result["delta"]["recalled"], [2.0])
    assert_close(result["additive"]["recalled"], [2.5])
    assert_close(np.dot(result["key"], result["distractor_key"]), 0.5)
    assert result["delta"]["error"] < 1e-12


def test_a_write_erases_before_it_adds() -> None:
    """At full strength erasing leaves nothing under the key; each pair of steps ends where the rule ends."""
    result = answer("A", repeats=3, beta=0.5)
    assert [(step["write"], step["phase"]) for step in result["steps"][:3]] == [
        (0, "start"),
        (1, "erase"),
        (1, "add"),
    ]
    assert_close([step["delta_recalled"] for step in result["steps"][:3]], [[0.5], [0.25], [1.25]])
    assert result["steps"][-1]["delta_state"] == result["delta"]["state"]
    assert_close([s["additive_recalled"] for s in result["steps"] if s["phase"] == "add"], [[1.5], [2.5], [3.5]])
    assert_close(answer("A")["steps"][1]["delta_recalled"], [0.0])


@pytest.mark.parametrize("overlap", [-1.0, 0.0, 1.0])
def test_overlap_is_the_cosine(overlap: float) -> None:
    """Both keys are unit vectors with the cosine asked for, in any dimension."""
    result = answer("A", overlap=overlap, key=[1, -2, 0, 5])
    assert_close(np.linalg.norm(result["distractor_key"]), 1.0)
    assert abs(np.dot(result["key"], result["distractor_key"]) - overlap) < 1e-12


@pytest.mark.parametrize(
    ("changes", "bf16", "fp16"),
    [
        pytest.param({}, "bounded", "overflows", id="K3's tile"),
        pytest.param({"cumulative_decay": -10.0}, "bounded", "depends", id="slow decay"),
        pytest.param({"lower_bound": -6.0, "cumulative_decay": -90.0}, "overflows", "overflows", id="bound -6"),
        pytest.param({"chunk": 64, "cumulative_decay": -80.0}, "depends", "overflows", id="chunk 64"),
    ],
)
def test_risk_of_a_chunk(changes: dict[str, Any], bf16: str, fp16: str) -> None:
    """The label follows from the exponents and the format's largest number alone."""
    formats = answer("B", **changes)["formats"]
    assert (formats["bf16"]["risk"], formats["fp16"]["risk"]) == (bf16, fp16)


def test_decay_beyond_floats_shows_its_logarithm() -> None:
    """A reciprocal past e^709 is null, not infinity, and its exponent is still there."""
    result = answer("B", lower_bound=-50.0, chunk=1024, cumulative_decay=-51_200.0)
    assert result["worst_reciprocal"] is None
    assert result["worst_log"] == 51_200.0
    assert_close(answer("B")["worst_reciprocal"], expected("2.4")["exp80"])


def test_block_counts_are_the_checked_ones() -> None:
    """The released shape: 8 blocks, the last of 9 layers, 9 kept against 187."""
    result, promised = answer("C"), expected("7.3")
    assert (result["mixes"], result["reads_block"]) == (promised["attnres_calls"], promised["sum_of_source_counts"])
    assert (result["blocks"], result["last_block_layers"], result["kept_block"], result["kept_full"]) == (8, 9, 9, 187)
    assert result["layer"] == list(range(1, 94))
    assert isinstance(result["last_block_layers"], int)
    assert len(result["attention_sources"]) == len(result["mlp_sources"]) == len(result["block_of_layer"]) == 93


def test_payload_halves_with_the_latent() -> None:
    """Bytes of one token's dispatch at both widths, with and without block scales."""
    result, promised = answer("D"), expected("8.2")
    assert (result["bytes_latent"], result["bytes_full"]) == (promised["latent_bf16"], promised["full_bf16"])
    assert result["element_ratio"] == promised["ratio_latent_over_full"]
    assert answer("D", number_format="mxfp8")["bytes_latent"] == promised["latent_mxfp8"]


def test_curves_are_the_checked_ones() -> None:
    """All three products and both branches at the checked points."""
    result, promised = answer("E"), expected("9.1")
    for name, want in (("situ_gate", "gate"), ("situ_up", "up"), ("situ_glu", "product"), ("swiglu", "swiglu")):
        assert_close(result[name], promised[want])
    assert result["bound"] == 100.0


def test_balancing_rules_side_by_side() -> None:
    """On the report's example both quantile rules balance in one step; the sign rule has hardly moved."""
    result = answer("F")
    assert result["loads_before"] == [4, 3, 1, 0]
    assert result["exact"][0]["loads"] == result["histogram"][0]["loads"] == [2, 2, 2, 2]
    assert result["sign"][0]["loads"] == [4, 3, 1, 0]
    assert_close(result["exact"][0]["bias"], expected("10.1")["b_centered"])
    assert [step["step"] for step in result["sign"]] == [1, 2]


@pytest.mark.parametrize(
    ("changes", "spent", "reward"),
    [
        pytest.param({}, 900, 1.0, id="thinking only"),
        pytest.param({"domain": "agentic"}, 1200, -1.0, id="all output"),
        pytest.param({"thinking": 1000}, 1000, 1.0, id="exactly the budget"),
        pytest.param({"thinking": 1001}, 1001, -1.0, id="one too many"),
    ],
)
def test_effort_budget_is_strict(changes: dict[str, Any], spent: int, reward: float) -> None:
    """The override falls on what exceeds the budget, and the domain decides what counts."""
    result = answer("G", **changes)
    assert (result["spent"], result["reward_of_success"], result["budget"]) == (spent, reward, 1000.0)
    assert result["within_budget"] is (reward == 1.0)


def test_rollout_pauses_and_rewards_are_clipped() -> None:
    """Three of six trajectories end an iteration; log ratios are cut at the bound, a teacher's zero included."""
    result = answer("G")
    assert result["threshold"] == 3
    # 2.1 of six, and a tenth of thirty, rounded up as the decimal is written
    assert answer("G", fraction=0.35)["threshold"] == 3
    assert answer("G", fraction=0.1, durations=[[1] * 10] * 3)["threshold"] == 3
    assert [i["finished"] for i in result["iterations"]] == [3, 3]
    assert [i["paused"] for i in result["iterations"]] == [3, 0]
    assert_close(result["distillation_reward"], [np.log(2.0), 5.0, -5.0])


@pytest.mark.parametrize(
    ("changes", "boundary"),
    [
        pytest.param({}, 2560, id="the report's figure"),
        pytest.param({"checkpoints": [[1024, 2560], [1024]]}, 1024, id="one group is behind"),
        pytest.param({"matched_tokens": 2559}, 0, id="latents one token short"),
        pytest.param({"checkpoints": [[2560], []]}, 0, id="a group without any"),
    ],
)
def test_both_caches_must_reach_the_boundary(changes: dict[str, Any], boundary: int) -> None:
    """A hit ends where every group has a checkpoint within the cached latents, on a hash boundary."""
    result = answer("H", **changes)
    assert result["boundary"] == boundary
    assert result["recomputed_tokens"] == 3000 - boundary
    assert result["page_tokens"] == 6144
    assert result["blocks_in_last_page"] == boundary // 512
    assert result["lookup"][-1]["boundary"] == boundary
    assert result["lookup"][-1]["verdict"] == ("hit" if boundary else "start")
    assert {step["verdict"] for step in result["lookup"][:-1]} <= {"miss"}


@pytest.mark.parametrize(
    ("lab", "changes", "name"),
    [
        pytest.param("A", {"key": [0.0, 0.0]}, "key", id="A: no direction"),
        pytest.param("A", {"beta": "0.5"}, "beta", id="A: text"),
        pytest.param("A", {"value": [True]}, "value", id="A: a truth value"),
        pytest.param("A", {"distractor": [1.0, 2.0]}, "distractor", id="A: other length"),
        pytest.param("B", {"chunk": 5000}, "chunk", id="B: chunk too long"),
        pytest.param("B", {"cumulative_decay": -81.0}, "cumulative_decay", id="B: below the bound"),
        pytest.param("C", {"layers": 10**9}, "layers", id="C: too many layers"),
        pytest.param("D", {"latent_width": 8000}, "latent_width", id="D: wider than full"),
        pytest.param("D", {"number_format": "int4"}, "number_format", id="D: format"),
        pytest.param("E", {"x": [0.0] * 402}, "x", id="E: too many points"),
        pytest.param("E", {"gate_beta": 0}, "gate_beta", id="E: beta 0"),
        pytest.param("G", {"durations": [[0]]}, "durations[0]", id="G: no token"),
        pytest.param("G", {"durations": [[1, 2], [1]]}, "durations[1]", id="G: ragged"),
        pytest.param("G", {"student": [0.0, 0.5, 0.5]}, "student", id="G: impossible sample"),
        pytest.param("G", {"fraction": 0}, "fraction", id="G: lambda 0"),
        pytest.param("H", {"matched_tokens": 4000}, "matched_tokens", id="H: more than the prompt"),
        pytest.param("H", {"checkpoints": []}, "checkpoints", id="H: no group"),
        pytest.param("H", {"checkpoints": [[512.5]]}, "checkpoints[0]", id="H: half a token"),
        pytest.param("F", {"top_k": 4}, "top_k", id="F: no cutoff left"),
        pytest.param("F", {"scores": [[0.1, 0.2], [0.3]]}, "scores", id="F: ragged"),
        pytest.param("F", {"scores": [[0.1, 1.2], [0.3, 0.1]], "top_k": 1}, "scores", id="F: score above 1"),
    ],
)
def test_inputs_out_of_bounds_are_named(lab: str, changes: dict[str, Any], name: str) -> None:
    """Whatever a page sends, the lab names the input at fault and stays within its limits."""
    error = json.loads(run(lab, json.dumps(INPUTS[lab] | changes)))["error"]
    assert (error["kind"], error["name"]) == ("input", name)


def test_all_labs_are_covered() -> None:
    """A new lab needs inputs here, and with them every test below."""
    assert set(INPUTS) == set(LABS)


@pytest.mark.parametrize("lab", sorted(INPUTS))
def test_every_input_is_described(lab: str) -> None:
    """A lab's docstring lists each of its inputs and its source."""
    text = LABS[lab].__doc__ or ""
    described = {line.split(":")[0].strip() for line in text.splitlines() if ": " in line}
    assert set(INPUTS[lab]) <= described
    assert "Source: report §" in text
    assert "Not claimed: " in text
