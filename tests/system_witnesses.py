"""Witnesses for the systems modules of k3core: each takes a module, sound or broken, and raises at what it sees."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from comparers import assert_close
from numeric_vectors import expected, generated, inputs

from k3core.cache_invariants import check_cache
from k3core.configuration import RELEASED
from k3core.guards import InputError
from k3core.kda import kda_step

Witness = Callable[[Any], None]


def same(got: object, want: object) -> None:
    """Raise unless two results are equal."""
    if got != want:
        raise AssertionError(f"got {got}, want {want}")


def total_is_checked(m: Any) -> None:
    """The released model has the checked number of parameters."""
    same(m.total_parameters(RELEASED), expected("16.3")["total"])


def active_is_checked(m: Any) -> None:
    """A token uses the checked number of parameters."""
    same(m.active_parameters(RELEASED), expected("16.3")["activated_excl_input_embedding"])


def tensors_add_up(m: Any) -> None:
    """The list of tensors holds the checked number of parameters and fits eight devices as computed."""
    same(sum(t.elements for t in m.model_tensors(RELEASED)), expected("16.3")["total"])
    same(m.free_bytes_beside_weights(RELEASED, 8, 288 * 10**9, "small"), 82_943_583_504)


def history_is_three_taps(m: Any) -> None:
    """The convolution history of a layer has the checked bytes."""
    got = m.conv_state_bytes(layers=1, heads=96, head_dim=128, conv_kernel=4, bytes_per_element=2)
    same(got, expected("16.1")["conv_bf16_bytes_per_layer(3 taps, q+k+v)"])


def latent_is_not_sharded(m: Any) -> None:
    """A million tokens take 13.552 GiB on each of eight ranks."""
    sizes = {"kv_lora_rank": 512, "extra_dim": 64, "cache_bytes": 1, "state_bytes": 4, "conv_bytes": 2}
    shape = {"mla_layers": 24, "kda_layers": 69, "heads": 96, "head_dim": 128, "conv_kernel": 4}
    got = m.sequence_gib(tokens=2**20, **shape, **sizes, tensor_parallel=8)
    same(f"{got:.3f}", "13.552")


def worked_plan(m: Any) -> None:
    """The planner makes the moves of the two worked examples."""
    for vector in ("11.1", "11.3"):
        case = inputs(vector)
        plan = m.plan_filling(case["tokens_per_expert"], case["R"])
        same([{str(e): n for e, n in row.items()} for row in plan.moved], expected(vector)["tokens_moved"])


def unbalanced_plan_is_seen(m: Any) -> None:
    """A plan that leaves a rank short is refused."""
    with pytest.raises(InputError):
        m.check_filling([12, 12, 0], 3, m.FillingPlan(8, ({}, {}, {0: 7}), (None, None, 0)))


def bound_is_tight(m: Any) -> None:
    """The hardest routing needs the checked number of copies."""
    same(m.least_redundant_experts(m.tight_routing(experts=896, ranks=8), 8), 98)
    same(m.least_redundant_experts([0, 0, 1, 3, 3, 2], 3), 1)


def ties_go_to_even(m: Any) -> None:
    """The block of ties has the checked codes, the sign of zero included."""
    same(m.quantize_blocks(inputs("12.1")["block"], "e2m1", "floor").codes.tolist(), expected("12.1")["codes"])
    same(int(m.encode_elements(-0.0, "e2m1")), 8)


def rules_differ_as_checked(m: Any) -> None:
    """The three scale rules choose the checked exponents."""
    for rule, key in (("floor", "floor"), ("even", "even"), ("ceil", "ceil6")):
        got = m.scale_exponent(inputs("12.2")["amax_cases"], "e2m1", rule)
        same(got.tolist(), [row["X"] for row in expected("12.2")[key]])


def e4m3_is_checked(m: Any) -> None:
    """e4m3 rounds, keeps subnormals and saturates as checked."""
    got = m.decode_elements(m.encode_elements(inputs("12.3")["x"], "e4m3"), "e4m3")
    same(got.tolist(), expected("12.3")["e4m3"])


def low_nibble_is_even(m: Any) -> None:
    """The even column stands in the low half of a byte."""
    same(m.unpack_nibbles(np.array([0x21], dtype=np.uint8)).tolist(), [1, 2])
    same(m.pack_nibbles(np.array([1, 2], dtype=np.uint8)).tolist(), [0x21])


def heads_stand_alone(m: Any) -> None:
    """A loud head leaves the other heads' updates as checked."""
    momentum = inputs("13.1")["M"].copy()
    momentum[:4] *= 100
    norms = [float(np.linalg.norm(block)) for block in np.split(m.per_head_update(momentum, 3), 3)]
    assert_close(norms, expected("13.2")["perhead_ns5_norms"], ratio=1e-6)


def scale_is_a_heads(m: Any) -> None:
    """The factor belongs to a head's own shape."""
    momentum = np.eye(4)
    plain, scaled = m.per_head_update(momentum, 2), m.per_head_update(momentum, 2, scale="moonlight")
    assert_close(scaled, 0.4 * plain)


def budget_is_strict(m: Any) -> None:
    """Exactly the budget keeps its reward."""
    case = inputs("14.1")
    same(m.effort_reward(case["task_reward"], case["T"], case["b0"], case["tau"]).tolist(), [1.0, 0.3, -1.0])


def reward_is_clipped(m: Any) -> None:
    """The distillation reward is the clipped log ratio."""
    case = inputs("14.2")
    assert_close(m.mopd_reward(np.log(case["pT"]), np.log(case["pS"]), case["R"]), expected("14.2")["r"])


def rollout_is_logged(m: Any) -> None:
    """The partial rollout of the vector takes the logged steps."""
    rows = m.partial_rollout(inputs("14.5")["durations"], fraction=0.5).iterations
    same([(r.steps, r.finished, r.paused) for r in rows], [(6, 6, 6), (6, 6, 0)])


def draft_numbers_are_checked(m: Any) -> None:
    """Gradient and residual of the worked distributions are the checked ones."""
    case, want = inputs("14.3"), expected("14.3")
    p, q = case["p_target"], case["q_draft"]
    assert_close(m.lk_gradient(p, q), want["grad_wrt_draft_logits"])
    assert_close(m.residual_distribution(p, q), want["residual"])
    assert_close(m.tokens_per_cycle(rate=0.7, drafted=7), want["expected_tokens_per_cycle_iid"])


def replay_is_the_scan(m: Any) -> None:
    """Going back gives state, history and length of decoding only the accepted tokens."""
    state, k = generated((1, 4, 3), a=0.3, b=0.07, c=0.6), generated((5, 1, 4), a=0.9, b=0.04, c=0.2)
    v, beta = generated((5, 1, 3), a=0.5, b=0.06, c=0.1), np.full((5, 1), 0.5)
    g = generated((5, 1, 4), a=0.7, b=0.03, c=0.5) - 2.0
    draft = m.record_draft(state, k, v, g, beta)
    rows = generated((8, 2), a=0.4, b=0.02, c=0.3)
    got = m.rewind_draft(m.DecodePosition(state, rows[:3], 10), draft, rows[3:], 2)
    for t in range(2):
        state = kda_step(state, k[t], v[t], g[t], beta[t])
    assert_close(got.state, state)
    assert_close(got.history, rows[2:5])
    same(got.cached_tokens, 12)


def cache_of(m: Any, *, groups: int = 2, capacity: int = 12) -> Any:
    """Build a small pool and leave checkpoints after two and four blocks of one prompt."""
    cache = m.PrefixCache(capacity=capacity, groups=groups, block_tokens=1, page_blocks=3)
    cache.begin("first", range(4))
    for _ in range(2):
        cache.advance("first", 2)
        cache.register("first")
    cache.end("first")
    cache.land()
    return cache


def copies_are_private(m: Any) -> None:
    """A request goes on from copies, and its pool still adds up."""
    cache = cache_of(m)
    cache.begin("second", [0, 1, 2, 3, 9, 9])
    cache.advance("second", 2)
    check_cache(cache)


def siblings_go_together(m: Any) -> None:
    """Evicting one group's checkpoint takes the boundary from all groups."""
    cache = cache_of(m)
    cache.evict_checkpoint(1, m.chain_hashes(range(4), 1)[3])
    check_cache(cache)
    same(cache.lookup(range(4)), 2)


def landing_is_awaited(m: Any) -> None:
    """What was registered in a step is matched only after it."""
    cache = m.PrefixCache(capacity=9, groups=2, block_tokens=1, page_blocks=3)
    cache.begin("first", range(3))
    cache.advance("first", 3)
    cache.register("first")
    same(cache.reach(m.chain_hashes(range(3), 1)), 0)


def pins_hold_under_pressure(m: Any) -> None:
    """A hit is never evicted to make room for the request that hit it."""
    cache = cache_of(m, capacity=9)
    same(cache.begin("second", [0, 1, 2, 3, *[9] * 6]), 4)
    check_cache(cache)


def ring_is_checked(m: Any) -> None:
    """Sessions have the checked primary and secondary clusters."""
    ring = m.Ring(inputs("17.1")["clusters"])
    for session in ("session-0", "session-1", "session-42"):
        same(list(ring.assign(session)), expected("17.1")[session])
    same({len(set(ring.assign(f"session-{i}"))) for i in range(300)}, {2})


def classes_do_not_borrow(m: Any) -> None:
    """A full class refuses although another has tokens, and completion refunds."""
    gate = m.Admission({"x": 10, "y": 10})
    same([gate.admit("a", "x", 10), gate.admit("b", "x", 1), gate.complete("a"), gate.free("x")], [True, False, 10, 10])


def escaping_is_reversible(m: Any) -> None:
    """An attribute's value survives escaping, ampersand first."""
    same(m.escape_attribute('a&"'), "a&amp;&quot;")
    same(m.unescape_attribute("&amp;quot;"), "&quot;")


def ends_must_match(m: Any) -> None:
    """An element cannot be closed by another tag's name."""
    parser = m.XtmlParser()
    for segment in (m.Control.OPEN, "message", m.Control.SEP, m.Control.CLOSE, "think"):
        parser.feed(segment)
    with pytest.raises(InputError):
        parser.feed(m.Control.SEP)


def results_follow_calls(m: Any) -> None:
    """Results out of call order are refused, and the mode decides the think channel."""
    calls = (m.Call("f"), m.Call("g"))
    late = m.Message("tool", "", tool="g", index=2)
    for messages, mode in (
        ([m.Message("assistant", think="", calls=calls), late], "thinking"),
        ([m.Message("assistant", think="")], "instruct"),
        ([m.Message("user"), m.Message("system", "low", option="thinking-effort")], "instruct"),
    ):
        with pytest.raises(InputError):
            m.validate_conversation(messages, mode)


def images_are_checked(m: Any) -> None:
    """Sizes and tokens are the checked ones."""
    for size, want in zip(inputs("19.1")["sizes"], expected("19.1")["out"], strict=True):
        got = m.image_size(*size)
        same((got.width, got.height, got.tokens), (*want["new"], want["tokens"]))
