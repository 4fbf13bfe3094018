"""Checks by name, each a statement about a whole package `w` that raises where the package is broken."""

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from comparers import assert_close, assert_same_bits
from kda_cases import random_state, random_tokens, sliced, tokens_of
from numeric_vectors import expected, generated, inputs

from k3core.delta_layer import KdaWeights, kda_layer
from k3core.kda import KdaTokens, kda_recurrent
from k3core.primitives import l2norm, rmsnorm, sigmoid
from k3core.shortconv import short_conv

Witness = Callable[[Any], None]
WITNESSES: dict[str, Witness] = {}
"""Every check, by the name of its function."""


def witness(check: Witness) -> Witness:
    """Enter a check under its name."""
    WITNESSES[check.__name__] = check
    return check


@witness
def hand_step(w: Any) -> None:
    """One step and one read, K = V = 2."""
    given, promised = inputs("1.1"), expected("1.1")
    after = w.kda.kda_step([given["S0"]], [given["k"]], [given["v"]], np.log([given["alpha"]]), [given["beta"]])
    assert_close(after[0], promised["S1"])
    assert_close(w.kda.kda_read(after, [given["q"]], scale=1.0)[0], promised["o"])


@witness
def scan(w: Any) -> None:
    """Six tokens, delta and additive."""
    tokens, state = tokens_of("1.2")
    promised = expected("1.2")
    result = w.kda.kda_recurrent(*tokens, state=state)
    assert_close(result.state, promised["S_final"])
    assert_close(result.output[-1], promised["o_last"])
    other = w.kda.kda_recurrent(*tokens, state=state, write="additive").state
    assert_close(np.abs(other).sum(), promised["additive_S_summary"]["abs_sum"])


@witness
def grouped(w: Any) -> None:
    """Key heads serve neighbouring value heads."""
    tokens, few = random_tokens(17, T=5, H=6), random_tokens(18, T=5, H=2)
    found = w.kda.kda_recurrent(few.query, few.key, *tokens[2:]).output
    repeated = tokens._replace(query=np.repeat(few.query, 3, axis=1), key=np.repeat(few.key, 3, axis=1))
    assert_same_bits(found, kda_recurrent(*repeated).output)


@witness
def packed(w: Any) -> None:
    """Packed sequences are separate runs from their own states."""
    tokens, states, bounds = random_tokens(0, T=9), np.stack([random_state(n) for n in range(3)]), [0, 4, 4, 9]
    found = w.sequences.kda_packed(tokens, bounds, states=states)
    for n, cut in enumerate(pairwise(bounds)):
        alone = kda_recurrent(*sliced(tokens, *cut), state=states[n])
        assert_same_bits(found.output[slice(*cut)], alone.output)
        assert_same_bits(found.state[n], alone.state)
    fresh = w.sequences.kda_packed(tokens, bounds)
    assert_same_bits(fresh.output[4:], kda_recurrent(*sliced(tokens, 4, 9)).output)


@witness
def layout(w: Any) -> None:
    """The value-first layout is the transpose per head."""
    state = random_state(1)
    sizes = {"key_dim": 5, "value_dim": 3}
    turned = w.layouts.convert_state(state, source="key_first", target="value_first", **sizes)
    if turned.shape != (2, 3, 5):
        raise AssertionError(f"shape {turned.shape}")
    assert_same_bits(turned, np.ascontiguousarray(state.swapaxes(1, 2)))


@witness
def gates(w: Any) -> None:
    """Values, order and derivatives of both gates."""
    given, zero = inputs("2.1"), np.zeros((3, 5))
    logit = np.broadcast_to(given["z"], (3, 5))
    assert_close(w.gates.bounded_log_decay(logit, zero, given["A_log"]), expected("2.1")["g"])
    assert_close(w.gates.softplus_log_decay(logit, zero, given["A_log"]), expected("2.2")["g"])
    one = inputs("2.5")
    assert_close(
        w.gates.bounded_log_decay([[one["g_raw"]]], [[one["dt_bias"]]], [one["A_log"]]), [[expected("2.5")["g"]]]
    )
    case, promised = inputs("2.3"), expected("2.3")
    slopes = w.gates.bounded_log_decay_gradients([case["z"]], np.zeros((1, 3)), [case["A_log"]])
    assert_close(slopes.logit[0], promised["dg_dz"])
    assert_close(slopes.log_rate[0], promised["dg_dA"])


@witness
def horizon(w: Any) -> None:
    """The first token that overflows BF16 and the longest safe chunk."""
    promised = expected("2.4")
    limit = promised["ln_max_bf16"]
    rates = inputs("2.4")["rates_per_step"].items()
    found = {name: w.gates.first_overflow_step(rate, limit) for name, rate in rates}
    if found != promised["first_overflow_step_bf16"] or w.gates.longest_safe_chunk(-5.0, limit) != 17:
        raise AssertionError(f"{found}")


@witness
def chunks(w: Any) -> None:
    """Chunks of 16 with a tail meet the vector; chunk 7, both exponentials, a state and a scale meet the scan."""
    tokens, state = tokens_of("3.3")
    result = w.chunk.kda_chunked(*tokens, state=state)
    assert_close(result.output[36, 0], expected("3.3")["o_row36"])
    assert_close(result.state[0, 0], expected("3.3")["S_row0"])
    tokens, state = random_tokens(1, T=37, rate=5.0), random_state(2)
    truth = kda_recurrent(*tokens, state=state, scale=0.3)
    for exponentials in ("anchored", "direct"):
        found = w.chunk.kda_chunked(*tokens, state=state, scale=0.3, chunk=7, exponentials=exponentials)
        assert_close(found.output, truth.output)
        assert_close(found.state, truth.state)


@witness
def chunk_causality(w: Any) -> None:
    """A later token changes no earlier bit, and the caller's arrays stay as they are."""
    tokens = random_tokens(4, T=32, H=1, rate=5.0)
    changed = tokens.log_decay.copy()
    changed[25:] *= 0.37
    kept = tokens.log_decay.copy()
    before = w.chunk.kda_chunked(*tokens)
    after = w.chunk.kda_chunked(*tokens._replace(log_decay=changed))
    assert_same_bits(after.output[:25], before.output[:25])
    assert_same_bits(tokens.log_decay, kept)


@witness
def chunk_range(w: Any) -> None:
    """Float32 chunks of 32 at the worst decay stay finite and right."""
    tokens = random_tokens(10, T=32)
    tokens = tokens._replace(log_decay=np.full_like(tokens.log_decay, -5.0))
    with np.errstate(invalid="ignore", over="ignore"):
        found = w.chunk.kda_chunked(*tokens, chunk=32, dtype="float32").output
    assert_close(found, kda_recurrent(*tokens).output, ratio=3e-6)


@witness
def inverse(w: Any) -> None:
    """All three inverses of a case of exact fractions, and of a size that is no power of two."""
    lower = np.array(inputs("3.2")["L"])
    odd = np.tril(np.random.default_rng(0).normal(size=(7, 7)), -1) / 4
    for name in ("substituted_inverse", "halved_inverse", "neumann_inverse"):
        method = getattr(w.triangular, name)
        assert_close(method(lower), expected("3.2")["inv"])
        assert_close(method(odd) @ (np.eye(7) + odd), np.eye(7))


@witness
def roundings(w: Any) -> None:
    """BF16 and FP16 at ties, subnormals and the edge of infinity."""
    x = inputs("3.4")["x"]
    for name, cast in (("bf16", w.rounding.to_bf16), ("fp16", w.rounding.to_fp16)):
        with np.errstate(over="ignore"):
            assert_same_bits(cast(x), np.array(expected("3.4")[name], dtype=np.float64))
    if not np.isnan(w.rounding.to_bf16(np.array([0x7FFFFFFF], dtype=np.uint32).view(np.float32))[0]):
        raise AssertionError("NaN was lost")


@witness
def kernel(w: Any) -> None:
    """Rounded operands cost about 1 %, and never nothing."""
    tokens = random_tokens(0, T=64, K=32, V=24)
    found = w.kernel_rounding.kda_kernel_rounded(*tokens).output
    assert_close(found, kda_recurrent(*tokens).output, ratio=1e-2)
    assert_same_bits(found, w.rounding.to_bf16(found))


@witness
def convolution(w: Any) -> None:
    """Rows, history and decoding of the short convolution."""
    given, promised = inputs("4.1"), expected("4.1")
    x, weight = given["x_[T,D]"], given["W_[D,4] (index 3 = current token)"]
    result = w.shortconv.short_conv(x, weight)
    assert_close(result.output[5], promised["conv_row5"])
    assert_close(result.history, promised["state_last3_inputs"])
    resumed = w.shortconv.short_conv(x[4:], weight, w.shortconv.short_conv(x[:4], weight).history)
    assert_same_bits(resumed.output, result.output[4:])
    rolled = w.shortconv.rolled_back_history(x, result.history, 2)
    assert_same_bits(rolled, short_conv(x[:2], weight, result.history).history)
    heads = w.shortconv.projected_heads(result.output, 1, normalise=True)
    assert_close(heads[5, 0], promised["l2norm_row5"])


@witness
def norms(w: Any) -> None:
    """The L2 norm's constant stands under the root and on the sum."""
    x = np.array(inputs("4.2")["x"])
    assert_close(np.linalg.norm(w.primitives.l2norm(x), axis=1), expected("4.2")["norms"], ratio=1e-14)


@witness
def context_parallel(w: Any) -> None:
    """Summaries, fold, brackets, and ranks together against one scan."""
    tokens, state = random_tokens(7, T=24), random_state(8)
    whole = kda_recurrent(*tokens, state=state)
    split = w.kcp.kda_context_parallel(tokens, [0, 5, 16, 24], state=state)
    assert_close(split.output, whole.output)
    assert_close(split.state, whole.state)
    segments = [w.kcp.segment_by_steps(sliced(tokens, *cut)) for cut in ((0, 5), (5, 16), (16, 24))]
    fast = w.kcp.segment_by_chunks(sliced(tokens, 0, 5))
    assert_close(fast.transition, segments[0].transition)
    last = w.kcp.prefix_segments(segments)[-1]
    assert_close(last.transition @ state + last.state, whole.state)
    if w.kcp.kcp_payload_bytes(96, 128, 128, 69, 4) != 828 * 2**20:
        raise AssertionError("payload")


@witness
def context_vector(w: Any) -> None:
    """The checked summary of the first of three segments."""
    case, promised = inputs("5.1"), expected("5.1")
    key = l2norm(generated((12, 4), a=1.3, b=0.021, c=0.4))[:, None]
    decay = -5.0 * sigmoid(case["z"][:, None])
    tokens = KdaTokens(key, key, case["v"][:, None], decay, sigmoid(case["beta_logit"])[:, None])
    segment = w.kcp.segment_by_steps(sliced(tokens, 0, 5))
    assert_close(segment.transition[0], promised["M_seg0"])
    assert_close(segment.state[0], promised["S_seg0"])


@witness
def layer(w: Any) -> None:
    """A layer resumed from its memory is one pass over all tokens."""
    rng = np.random.default_rng(0)
    shapes: list[tuple[int, ...]] = [(10, 7), (10, 7), (6, 7), (10, 4), (10, 4), (6, 4), (4, 7), (10, 4)]
    shapes += [(2, 5), (2,), (2, 7), (6, 7), (3,), (7, 6)]
    weights, x = KdaWeights(*(rng.normal(size=shape) for shape in shapes)), rng.normal(size=(9, 7))
    whole, memory = kda_layer(x, weights)
    first, carried = w.delta_layer.kda_layer(x[:5], weights)
    second, final = w.delta_layer.kda_layer(x[5:], weights, carried)
    assert_close(np.concatenate([first, second]), whole)
    assert_close(final.state, memory.state)


@witness
def output_gates(w: Any) -> None:
    """Norm before gate in KDA, no norm in MLA."""
    given, promised = inputs("6.1"), expected("6.1")
    assert_close(w.output_gates.kda_output_gate(given["o_[H,dv]"], given["g"], given["w"]), promised["kda"])
    assert_close(w.output_gates.mla_output_gate(given["o_[H,dv]"], given["g"]), promised["mla"])


@witness
def attention(w: Any) -> None:
    """Both MLA forms meet the vector, and neither sees a later token."""
    given, promised = inputs("6.3"), expected("6.3")
    cache = w.mla.MlaCache(rmsnorm(given["c"], eps=1e-6), given["k_extra"])
    for form in (w.mla.mla_expanded, w.mla.mla_absorbed):
        read = form(given["q_nope"][None], given["q_extra"][None], cache, given["W_uk"], given["W_uv"])
        assert_close(read.output[0], promised["o"])
        two = form(
            *(np.stack([given[name]] * 4) for name in ("q_nope", "q_extra")), cache, given["W_uk"], given["W_uv"]
        )
        assert_close(two.weights[0], [[1, 0, 0, 0]] * 2)


@witness
def mixtures(w: Any) -> None:
    """A mixture, its two-phase merge, the block stack and the counts."""
    case = inputs("7.1")
    sources, query = case["sources"], case["query"]
    assert_close(w.attnres.attnres_mix(sources, query), expected("7.1")["h"])
    parts = w.attnres.attnres_partial(sources[:2], query), w.attnres.attnres_partial(sources[2:], query)
    assert_close(w.attnres.attnres_finished(w.attnres.attnres_merged(*parts)), expected("7.1")["h"])
    far = [np.array([9.0, 0.0]), np.array([0.0, 9.0])]
    parts = tuple(w.attnres.attnres_partial([source], [3.0, -3.0]) for source in far)
    assert_close(w.attnres.attnres_finished(w.attnres.attnres_merged(*parts)), w.attnres.attnres_mix(far, [3.0, -3.0]))
    if sum(w.attnres.attnres_source_counts(93, 12)) != expected("7.3")["sum_of_source_counts"]:
        raise AssertionError("source counts")


@witness
def block_stack(w: Any) -> None:
    """Every running sum and the final mixture of a small stack."""
    weights = [generated((4, 4), a=0.37 + 0.01 * i, b=0.021, c=0.1 * i, amp=0.5) for i in range(10)]
    modules = [lambda h, m=m: m @ rmsnorm(h) for m in weights]
    queries = np.stack([generated((4,), a=0.9, b=0.11, c=0.3 * i) for i in range(11)])
    layers = list(zip(modules[::2], modules[1::2], strict=True))
    run = w.attnres.attnres_block(generated((4,), a=0.7, b=0.3, c=0.2), layers, queries, 2)
    assert_close(np.stack(run.prefixes), expected("7.4")["prefix_after_layers"])
    assert_close(run.final, expected("7.4")["final"])


@witness
def experts(w: Any) -> None:
    """Choice, weights, routed sum and output of a small layer with a bias."""
    case, promised = inputs("8.1"), expected("8.1")
    fields = ("W_r", "bias_case2", "W_down", "W_up", "", "E_gate", "E_up", "E_down", "S_gate", "S_up", "S_down")
    weights = w.latent_moe.MoeWeights(*(np.asarray(case[name]) if name else np.ones(3) for name in fields))
    result = w.latent_moe.moe_layer(case["x"][None], weights, 2)
    assert_close(result.output[0], promised["y_bias2"])
    by_expert = dict(zip(result.routing.experts[0].tolist(), result.routing.weights[0], strict=True))
    assert_close([by_expert.get(0, 0), by_expert.get(3, 0)], list(promised["p_bias2"].values()))
    slow = w.latent_moe.moe_layer_naive(case["x"][None], weights, 2)
    assert_close(slow.routed, result.routed)


@witness
def routing(w: Any) -> None:
    """Weights of tiny scores under a large bias, the scaling factor, and ties."""
    found = w.routing.route_tokens([[1e-8, 0.4, 2e-8]], [1e9, 0.0, 1e9], 2, scaling=3.0)
    order = np.argsort(found.experts[0])
    assert_close(found.weights[0][order], [1.0, 2.0])
    np.testing.assert_array_equal(w.routing.top_experts([[0.5, 0.7, 0.5, 0.5]], 3), [[1, 0, 2]])


@witness
def payload(w: Any) -> None:
    """Bytes of a token's dispatch and of an expert."""
    want, counts = expected("8.2"), w.moe_counts
    found = [counts.dispatch_bytes(1, 16, 3584, "bf16"), counts.dispatch_bytes(1, 16, 3584, "mxfp8")]
    found += [counts.expert_parameters(3584, 3072), counts.expert_bytes_mxfp4(3584, 3072)]
    names = ("latent_bf16", "latent_mxfp8", "expert_params", "expert_bytes_mxfp4")
    np.testing.assert_array_equal(found, [want[name] for name in names])


@witness
def activation(w: Any) -> None:
    """Values and both derivatives of SiTU-GLU."""
    x, case, promised = np.array(inputs("9.1")["x"]), inputs("9.2"), expected("9.2")
    assert_close(w.situ.situ_glu(x, x), expected("9.1")["product"])
    assert_close(w.situ.situ_gate(x[:5]), expected("9.1")["gate"][:5])
    by_gate, by_up = w.situ.situ_glu_gradients(case["gate"], case["up"])
    assert_close(by_gate, promised["df_dgate"])
    assert_close(by_up, promised["df_dup"])


@witness
def balancing(w: Any) -> None:
    """The report's example by the exact rule, the solver and the histogram."""
    qb, scores, zero = w.quantile_balancing, np.array(inputs("10.1")["scores"]), np.zeros(4)
    bias = qb.qb_exact_update(scores, zero, 1)
    assert_close(bias, expected("10.1")["b_centered"])
    assert_close(qb.qb_exact_update(scores, bias, 1), bias)
    solved = qb.qb_alternating(scores, 1, rounds=3)
    assert_close(solved.beta, expected("10.3")["beta"])
    assert_close(solved.dual[-1], expected("10.3")["dual"])
    qb.BLOCK = 8
    estimate = qb.qb_histogram_update(qb.qb_histogram(scores, zero, 1), 1)
    np.testing.assert_allclose(estimate, expected("10.2")["b_hist_centered"], atol=0.0021)
    edge = qb.qb_histogram([[1.0, 1.0, 0.0]] * 2, np.zeros(3), 1, bins=4)
    np.testing.assert_array_equal(edge.counts[:, -1], [0, 0, 2])


@witness
def json_door(w: Any) -> None:
    """A lab's reply is sorted, and a bad input comes back as a typed error."""
    good = '{"beta": 1.0, "repeats": 1, "key": [3, 4], "value": [2.0], "distractor": [1.0], "overlap": 0.5}'
    text = w.browser.run("A", good)
    if text != json.dumps(json.loads(text), sort_keys=True):
        raise AssertionError("not sorted")
    assert_close(json.loads(text)["result"]["delta"]["recalled"], [2.0])
    for bad, kind in (('{"beta": NaN}', "json"), (good.replace('1.0, "rep', '2.0, "rep'), "input")):
        reply = json.loads(w.browser.run("A", bad))
        if reply["ok"] or reply["error"]["kind"] != kind:
            raise AssertionError(f"{reply}")
