"""Output gates and Gated MLA: order of norm and gate, two equal forms, cache, causality."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from comparers import assert_close, assert_far, assert_same_bits
from numeric_vectors import expected, inputs

from k3core.guards import InputError
from k3core.mla import MlaCache, MlaWeights, empty_cache, gated_mla, mla_absorbed, mla_expanded
from k3core.output_gates import kda_output_gate, mla_output_gate
from k3core.primitives import rmsnorm, sigmoid


def random_weights(seed: int, H: int = 2) -> MlaWeights:
    """Return a layer with d=7, Q=6, N=3, R=2, C=5, V=4, no two of them equal."""
    rng = np.random.default_rng(seed)
    d, Q, N, R, C, V = 7, 6, 3, 2, 5, 4
    shapes = [(Q, d), (Q,), (H, N + R, Q), (C + R, d), (C,), (H, N, C), (H, V, C), (H * V, d), (d, H * V)]
    return MlaWeights(*(rng.normal(size=shape) for shape in shapes))


def test_gates_meet_the_vector() -> None:
    """KDA normalises and then gates, MLA only gates; the other order is visibly wrong."""
    given, promised = inputs("6.1"), expected("6.1")
    o, g = given["o_[H,dv]"], given["g"]
    gated = kda_output_gate(o, g, given["w"], given["eps"])
    assert_close(gated, promised["kda"])
    assert_close(mla_output_gate(o, g), promised["mla"])
    assert_close(rmsnorm(o * sigmoid(g), given["w"]), promised["wrong_order_rmsnorm_after_gate"])
    assert_far(gated, promised["wrong_order_rmsnorm_after_gate"])


def test_kda_gate_forgets_the_size_of_its_input() -> None:
    """The norm is per head: scaling one head's output by 1000 changes neither head visibly."""
    rng = np.random.default_rng(0)
    o, g = rng.normal(size=(3, 2, 8)), rng.normal(size=(3, 2, 8))
    scaled = o * np.array([1000.0, 1.0])[:, None]
    assert_close(kda_output_gate(scaled, g, np.ones(8)), kda_output_gate(o, g, np.ones(8)), ratio=1e-4)
    assert_far(mla_output_gate(scaled, g), mla_output_gate(o, g))


@pytest.mark.parametrize("form", [mla_expanded, mla_absorbed], ids=["expanded", "absorbed"])
def test_attention_meets_the_vector(form: Callable[..., Any]) -> None:
    """One query over four cached latents, with the shared extra key dimensions."""
    given, promised = inputs("6.3"), expected("6.3")
    cache = MlaCache(rmsnorm(given["c"], eps=1e-6), given["k_extra"])
    read = form(given["q_nope"][None], given["q_extra"][None], cache, given["W_uk"], given["W_uv"])
    assert_close(read.weights[0], promised["probs"])
    assert_close(read.output[0], promised["o"])


@pytest.mark.parametrize(("T", "S"), [(1, 1), (1, 9), (4, 9), (9, 9)])
def test_absorbed_equals_expanded(T: int, S: int) -> None:
    """Moving the up-projections changes no score and no output."""
    rng = np.random.default_rng(T + S)
    H, N, R, C, V = 3, 4, 2, 6, 5
    cache = MlaCache(rng.normal(size=(S, C)), rng.normal(size=(S, R)))
    arguments = (rng.normal(size=(T, H, N)), rng.normal(size=(T, H, R)), cache)
    ups = (rng.normal(size=(H, N, C)), rng.normal(size=(H, V, C)))
    expanded, absorbed = mla_expanded(*arguments, *ups), mla_absorbed(*arguments, *ups)
    assert_close(absorbed.output, expanded.output)
    assert_close(absorbed.weights, expanded.weights)
    assert_close(expanded.weights.sum(axis=-1), np.ones((T, H)))


@pytest.mark.parametrize("absorbed", [True, False], ids=["absorbed", "expanded"])
def test_decode_equals_prefill(absorbed: bool) -> None:
    """Feeding tokens one by one over the cache is one prefill, and the caches agree bit for bit."""
    weights = random_weights(1)
    x = np.random.default_rng(2).normal(size=(6, 7))
    whole, cache = gated_mla(x, weights)
    rows, grown = [], empty_cache(weights)
    for row in x:
        out, grown = gated_mla(row[None], weights, grown, absorbed=absorbed)
        rows.append(out)
    assert_close(np.concatenate(rows), whole)
    assert_close(grown.latent, cache.latent)
    assert_close(grown.extra, cache.extra)


@pytest.mark.parametrize("form", [mla_expanded, mla_absorbed], ids=["expanded", "absorbed"])
def test_later_tokens_cannot_touch_earlier_outputs(form: Callable[..., Any]) -> None:
    """A changed cache entry leaves every query before it alone, bit for bit."""
    rng = np.random.default_rng(3)
    query, extra = rng.normal(size=(5, 2, 3)), rng.normal(size=(5, 2, 2))
    ups = (rng.normal(size=(2, 3, 6)), rng.normal(size=(2, 4, 6)))
    cache = MlaCache(rng.normal(size=(5, 6)), rng.normal(size=(5, 2)))
    changed = MlaCache(cache.latent.copy(), cache.extra.copy())
    changed.latent[3] += 100.0
    before, after = form(query, extra, cache, *ups), form(query, extra, changed, *ups)
    assert_same_bits(after.output[:3], before.output[:3])
    assert_far(after.output[3:], before.output[3:])


def test_no_positions_means_no_order_in_the_cache() -> None:
    """Permuting the tokens before the last query changes nothing for it: order comes from elsewhere."""
    weights = random_weights(4)
    x = np.random.default_rng(5).normal(size=(6, 7))
    plain, _ = gated_mla(x, weights)
    permuted, _ = gated_mla(x[[3, 0, 4, 2, 1, 5]], weights)
    assert_close(permuted[-1], plain[-1])


def test_extra_dimensions_count() -> None:
    """Without rotation the shared extra key dimensions still move the scores."""
    weights = random_weights(6)
    x = np.random.default_rng(7).normal(size=(5, 7))
    cut = weights.latent_down.copy()
    cut[5:] = 0.0
    assert_far(gated_mla(x, weights._replace(latent_down=cut))[0], gated_mla(x, weights)[0])


def test_bad_caches_are_refused() -> None:
    """More queries than cached tokens, or another width, are named."""
    ups = (np.zeros((2, 3, 6)), np.zeros((2, 4, 6)))
    query, extra = np.zeros((3, 2, 3)), np.zeros((3, 2, 2))
    with pytest.raises(InputError, match="cache: expected at least 3 tokens, got 2"):
        mla_expanded(query, extra, MlaCache(np.zeros((2, 6)), np.zeros((2, 2))), *ups)
    with pytest.raises(InputError, match=r"key_up: expected shape \(2, 3, 5\), got shape \(2, 3, 6\)"):
        mla_absorbed(query, extra, MlaCache(np.zeros((3, 5)), np.zeros((3, 2))), *ups)
