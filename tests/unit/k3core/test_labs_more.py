"""Labs I to M through the JSON door: bytes, context parallelism, balance, narrow formats, markup."""

import json
from typing import Any

import pytest
from comparers import assert_close
from lab_inputs import INPUTS
from numeric_vectors import expected

from k3core.browser import run


def answer(lab: str, **changes: Any) -> dict[str, Any]:
    """Run a lab through the door and return its result."""
    reply = json.loads(run(lab, json.dumps(INPUTS[lab] | changes)))
    assert reply["ok"], reply
    result: dict[str, Any] = reply["result"]
    return result


def test_one_long_sequence_takes_thirteen_and_a_half_gib() -> None:
    """The released shape at 2**20 tokens on eight GPUs: the checked bytes of state, history, cache and step."""
    result = answer("I")
    assert (result["state_mib"], result["state_traffic_mib"]) == (51.75, 103.5)
    assert (result["cache_bytes_per_token"], result["cache_mib"]) == (13_824, 13.5 * 1024)
    assert_close(result["conv_mib"], 1.8193359375)
    assert_close(result["total_gib"], 13.5 + (51.75 + 1.8193359375) / 1024)
    assert result["total_bytes"] == result["total_gib"] * 2**30
    assert answer("I", tensor_parallel=1, cache_format="bf16")["break_even_tokens"] == 15_701


def test_state_ignores_the_context_and_the_cache_ignores_the_gpus() -> None:
    """Only the cache grows with tokens; only the state is divided; no layer of a kind, none of its bytes."""
    short, alone = answer("I", tokens=0), answer("I", tensor_parallel=1)
    assert short["state_traffic_mib"] == answer("I")["state_traffic_mib"]
    assert short["cache_traffic_mib"] == 0
    assert alone["cache_mib"] == answer("I")["cache_mib"]
    assert alone["state_mib"] == 8 * 51.75
    contexts = [2**10, 2**13, 2**16, 2**18, 2**20]
    assert [(row["tokens"], row["cache_mib"]) for row in short["by_context"]] == [
        (tokens, tokens * 13_824 / 2**20) for tokens in contexts
    ]
    assert answer("I", kda_layers=0)["break_even_tokens"] == 0
    assert answer("I", mla_layers=0)["break_even_tokens"] is None


def test_scan_gives_each_rank_its_state_and_the_sum_does_not() -> None:
    """The ordered scan is the recurrence; adding the ranks' end states is right only for the first two ranks."""
    result = answer("J")
    assert (result["scan_agrees"], result["sum_agrees"]) == (True, False)
    first, second, third = result["per_rank"]
    assert_close(second["by_sum"], second["incoming"])
    assert_close(third["by_scan"], third["incoming"])
    assert third["by_sum"] != third["incoming"]
    assert (first["first_token"], third["last_token"], result["tokens_per_rank"]) == (1, 6, [2, 2, 2])
    assert result["payload_elements"] == 2 * (2 + 1)


def test_sum_is_right_where_nothing_fades_and_no_keys_meet() -> None:
    """Without decay, and with keys across all earlier ones, the transition leaves earlier states alone."""
    keys = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    result = answer("J", keys=keys, values=[[1.0], [2.0], [3.0]], log_decay=0, beta=1, ranks=3)
    assert (result["scan_agrees"], result["sum_agrees"], result["sum_error"]) == (True, True, 0.0)


def test_plan_is_the_checked_one() -> None:
    """Eight experts on four ranks: 16 tokens each, three fills of one copy."""
    result = answer("K")
    assert (result["target"], result["loads"], result["fills"]) == (16, [40, 8, 2, 14], 3)
    assert [row["copied_experts"] for row in result["per_rank"]] == [[], [0], [0], [1]]
    assert [row["taken_tokens"] for row in result["per_rank"]] == [0, 8, 14, 2]
    assert {row["load_after"] for row in result["per_rank"]} == {16}
    assert [sum(column) for column in zip(*result["placement"], strict=True)] == INPUTS["K"]["tokens"]
    assert (result["most_copies"], result["copies_bound"], result["copies_hardest"]) == (1, 2, 2)


def test_three_scale_rules_differ_where_they_should() -> None:
    """A largest magnitude of 7 saturates at 6 under floor and becomes 8 under the other two."""
    result = answer("L", values=[7])
    wanted = {"floor": (0, 6.0, 1), "even": (1, 8.0, 0), "ceil": (1, 8.0, 0)}
    found = {b["rule"]: (b["scale_exponent"], b["decoded"][0], b["clipped"]) for b in result["mxfp4"]}
    assert found == wanted
    assert (result["bits_mxfp4"], result["bits_mxfp8"]) == (4.25, 8.25)
    assert [b["decoded"] for b in result["mxfp8_e4m3"]] == [[7.0]] * 3


def test_ties_go_to_even_and_the_largest_saturates() -> None:
    """The tie table of e2m1, and what lies beyond each format."""
    casts = answer("L")["casts"]
    assert [row["e2m1"] for row in casts[1:6]] == [0.0, 1.0, 1.0, 2.0, 4.0]
    last = casts[-1]
    assert (last["fp16"], last["e4m3"], last["e5m2"], last["e2m1"]) == ("infinity", 448.0, 57344.0, 6.0)
    assert str(casts[6]["bf16"]) == "-0.0"
    assert answer("L", values=[-1e30])["casts"][0]["fp16"] == "-infinity"


def test_conversation_is_read_back() -> None:
    """Options, channels, a call and its result survive the round trip, and the rendering is the template's."""
    result = answer("M")
    assert (result["round_trip"], result["open_prefix"]) == (True, True)
    assert result["rendered"][0].startswith('<|open|>message role="system" type="tool-declare"<|sep|>')
    assert result["rendered"][-1] == '<|open|>message role="assistant"<|sep|><|open|>think<|sep|>'
    assert len(result["segments"]) == result["control_tokens"] + result["text_segments"]
    assert result["segments"][-1] == {
        "kind": "control",
        "segment": "<|sep|>",
        "event": "open",
        "path": "message > think",
    }
    assert 'key="days" type="number"<|sep|>2<|close|>argument' in result["rendered"][3]


def test_text_that_spells_a_control_token_stays_text() -> None:
    """The round trip works on segments, so what a user types never becomes structure."""
    text = 'a "quoted" & <|close|>message<|sep|>'
    result = answer("M", messages=[{"role": "user", "content": text}], ending="complete")
    assert (result["round_trip"], result["open_prefix"], result["text_that_looks_like_control"]) == (True, False, 2)


def test_rendering_is_the_checked_one() -> None:
    """A user's turn and the prefix are written as checked."""
    plain: dict[str, Any] = {"messages": [{"role": "user", "content": "Hi"}], "tools": [], "effort": "none"}
    assert "".join(answer("M", **plain)["rendered"]) == expected("18.1")["a"]


@pytest.mark.parametrize(
    ("lab", "changes", "name"),
    [
        pytest.param("I", {"tensor_parallel": 5}, "tensor_parallel", id="I: heads do not divide"),
        pytest.param("I", {"tokens": 2**21}, "tokens", id="I: too long"),
        pytest.param("I", {"state_format": "fp8"}, "state_format", id="I: format"),
        pytest.param("J", {"ranks": 7}, "ranks", id="J: more ranks than tokens"),
        pytest.param("J", {"values": [[1.0]] * 3}, "values", id="J: other length"),
        pytest.param("J", {"log_decay": 0.5}, "log_decay", id="J: growing"),
        pytest.param("J", {"keys": [[0, 0]] * 6}, "keys", id="J: no direction"),
        pytest.param("J", {"keys": [[1] * 9] * 6}, "keys columns", id="J: too wide"),
        pytest.param("K", {"ranks": 3}, "ranks", id="K: experts do not divide"),
        pytest.param("K", {"tokens": [1, 2, 3, 4], "ranks": 4}, "tokens", id="K: sum does not divide"),
        pytest.param("K", {"tokens": [0.5] * 8}, "tokens[0]", id="K: half a token"),
        pytest.param("K", {"tokens": 5}, "tokens", id="K: no list"),
        pytest.param("L", {"values": []}, "values", id="L: nothing"),
        pytest.param("L", {"values": [0] * 33}, "values", id="L: more than a block"),
        pytest.param("L", {"values": [1e31]}, "values", id="L: too large"),
        pytest.param("M", {"messages": []}, "messages", id="M: nothing"),
        pytest.param("M", {"messages": [{"role": "user", "name": "x"}]}, "messages[0]", id="M: unknown field"),
        pytest.param("M", {"messages": [{"role": "guest"}]}, "messages[0].role", id="M: unknown role"),
        pytest.param("M", {"messages": [{"role": "assistant", "calls": 1}]}, "messages[0].calls", id="M: no calls"),
        pytest.param("M", {"messages": [{"role": "user", "think": ""}]}, "messages[0].think", id="M: a user thinks"),
        pytest.param("M", {"tools": ["weather"]}, "tools[0]", id="M: a tool as text"),
        pytest.param("M", {"tools": [{"a": [[[[[[[[[1]]]]]]]]]}]}, "tools[0]", id="M: nested too deep"),
        pytest.param("M", {"tools": [{"a": "x" * 2000}]}, "tools[0]", id="M: too much JSON"),
        pytest.param("M", {"tool_choice": "x" * 201}, "tool_choice", id="M: too long"),
        pytest.param("M", {"effort": "medium"}, "effort", id="M: effort"),
    ],
)
def test_inputs_out_of_bounds_are_named(lab: str, changes: dict[str, Any], name: str) -> None:
    """Whatever a page sends, the lab names the input at fault."""
    error = json.loads(run(lab, json.dumps(INPUTS[lab] | changes)))["error"]
    assert (error["kind"], error["name"]) == ("input", name)
