"""Routing and the latent mixture of experts: selection, weights, two equal paths, bytes."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from comparers import assert_close, assert_same_bits
from numeric_vectors import expected, inputs

from k3core.guards import InputError
from k3core.latent_moe import MoeWeights, moe_layer, moe_layer_naive, router_scores
from k3core.moe_counts import dispatch_bytes, expert_bytes_mxfp4, expert_parameters, expert_sparsity, routed_expert_pool
from k3core.routing import expert_loads, route_tokens, top_experts


def vector_case(bias: list[float]) -> tuple[np.ndarray, MoeWeights]:
    """Return the input (1, 6) and the weights of the checked layer."""
    case: dict[str, Any] = inputs("8.1")
    weights = MoeWeights(
        case["W_r"], np.array(bias), case["W_down"], case["W_up"], np.ones(3), case["E_gate"], case["E_up"],
        case["E_down"], case["S_gate"], case["S_up"], case["S_down"],
    )  # fmt: skip
    return case["x"][None], weights


def random_case(seed: int) -> tuple[np.ndarray, MoeWeights]:
    """Return nine tokens and a layer with d=6, l=3, n=7, f=4, F=5."""
    rng = np.random.default_rng(seed)
    shapes = [(7, 6), (7,), (3, 6), (6, 3), (3,), (7, 4, 3), (7, 4, 3), (7, 3, 4), (5, 6), (5, 6), (6, 5)]
    return rng.normal(size=(9, 6)), MoeWeights(*(rng.normal(size=shape) for shape in shapes))


@pytest.mark.parametrize("form", [moe_layer, moe_layer_naive], ids=["gathered", "naive"])
def test_layer_meets_the_vector(form: Callable[..., Any]) -> None:
    """Scores, chosen experts, weights, the routed sum and the output, without and with a bias."""
    promised = expected("8.1")
    x, weights = vector_case([0.0] * 5)
    assert_close(router_scores(x, weights.router)[0], promised["scores"])
    for bias, suffix in (([0.0] * 5, "bias0"), (inputs("8.1")["bias_case2"], "bias2")):
        x, weights = vector_case(bias)
        result = form(x, weights, 2)
        assert sorted(result.routing.experts[0]) == promised[f"idx_{suffix}"]
        by_expert = dict(zip(result.routing.experts[0], result.routing.weights[0], strict=True))
        for expert, weight in promised[f"p_{suffix}"].items():
            assert_close(by_expert[int(expert)], weight)
        assert_close(result.output[0], promised[f"y_{suffix}"])
    assert_close(form(*vector_case([0.0] * 5), 2).routed[0], promised["u_bias0"])


def test_gathering_is_the_naive_sum() -> None:
    """Working expert by expert gives what working token by token gives."""
    x, weights = random_case(1)
    fast, slow = moe_layer(x, weights, 3), moe_layer_naive(x, weights, 3)
    assert_close(fast.output, slow.output)
    assert_close(fast.routed, slow.routed)


def test_tokens_do_not_mix() -> None:
    """Permuting tokens permutes the outputs."""
    x, weights = random_case(2)
    order = np.random.default_rng(3).permutation(9)
    assert_close(moe_layer(x[order], weights, 3).output, moe_layer(x, weights, 3).output[order])


def test_bias_chooses_and_does_not_weigh() -> None:
    """Weights come from the stored scores even where (s + b) - b would round them to nothing."""
    scores = np.array([[1e-8, 0.4, 2e-8]])
    routing = route_tokens(scores, [1e9, 0.0, 1e9], 2)
    assert sorted(routing.experts[0]) == [0, 2]
    by_expert = dict(zip(routing.experts[0], routing.weights[0], strict=True))
    assert_close([by_expert[0], by_expert[2]], [1 / 3, 2 / 3])
    assert (scores[0, 0] + 1e9) - 1e9 == 0.0


def test_common_bias_changes_nothing() -> None:
    """A bias shared by all experts leaves choice and weights alone."""
    scores = np.random.default_rng(4).random((20, 7))
    bias = np.random.default_rng(5).normal(size=7)
    plain, shifted = route_tokens(scores, bias, 3), route_tokens(scores, bias + 10.0, 3)
    np.testing.assert_array_equal(plain.experts, shifted.experts)
    assert_same_bits(plain.weights, shifted.weights)


def test_scaling_shows_in_the_weights_only() -> None:
    """The norm behind the experts hides the scaling factor, so it is tested on the weights."""
    x, weights = vector_case([0.0] * 5)
    plain, scaled = moe_layer(x, weights, 2), moe_layer(x, weights, 2, scaling=2.5)
    assert_close(scaled.routing.weights, 2.5 * plain.routing.weights)
    assert_close(scaled.routing.weights.sum(axis=1), [2.5])
    assert_close(scaled.output, plain.output, ratio=1e-5)


def test_norm_comes_before_the_way_up() -> None:
    """Without the norm the routed part would grow with the experts; with it, it does not."""
    x, weights = random_case(6)
    grown = moe_layer(x, weights._replace(expert_down=1000 * weights.expert_down), 3)
    assert_close(grown.output, moe_layer(x, weights, 3).output, ratio=1e-4)


def test_ties_go_to_the_lowest_index() -> None:
    """Equal scores are resolved by index, so that a routing can be repeated."""
    np.testing.assert_array_equal(top_experts([[0.5, 0.7, 0.5, 0.5]], 3), [[1, 0, 2]])


def test_loads_count_every_choice() -> None:
    """The loads of all experts add up to tokens times k."""
    scores = np.random.default_rng(7).random((30, 8))
    found = expert_loads(scores, np.zeros(8), 3)
    assert found.sum() == 90
    assert found.tolist() == [int(np.sum(top_experts(scores, 3) == j)) for j in range(8)]


def test_bytes_meet_the_vector() -> None:
    """Payload halves with the latent width; experts and pool weigh what the shapes say."""
    promised = expected("8.2")
    one = {"tokens": 1, "active": 16}
    assert dispatch_bytes(**one, width=3584, number_format="bf16") == promised["latent_bf16"]
    assert dispatch_bytes(**one, width=3584, number_format="mxfp8") == promised["latent_mxfp8"]
    assert dispatch_bytes(**one, width=7168, number_format="bf16") == promised["full_bf16"]
    assert (
        92 * 2 * dispatch_bytes(**one, width=3584, number_format="bf16")
        == (promised["all_92_layers_bf16_dispatch_plus_combine"])
    )
    assert expert_parameters(3584, 3072) == promised["expert_params"]
    assert expert_bytes_mxfp4(3584, 3072) == promised["expert_bytes_mxfp4"]
    assert routed_expert_pool(92, 896) * expert_bytes_mxfp4(3584, 3072) == promised["routed_bytes_total"]
    assert 92 * 16 * expert_bytes_mxfp4(3584, 3072) == promised["per_token_expert_bytes"]
    assert expert_sparsity(896, 16) == 56.0


def test_bad_layers_are_refused() -> None:
    """A wrong width, bias or k is named."""
    x, weights = random_case(8)
    with pytest.raises(InputError, match=r"router: expected shape \(7, 5\), got shape \(7, 6\)"):
        router_scores(x[:, :5], weights.router)
    with pytest.raises(InputError, match=r"bias: expected shape \(7,\), got shape \(6,\)"):
        moe_layer(x, weights._replace(bias=np.zeros(6)), 3)
    with pytest.raises(InputError, match="k: expected a whole number from 1 to 7, got 8"):
        moe_layer(x, weights, 8)
    with pytest.raises(InputError, match="number_format: expected fp32 or bf16 or fp8 or mxfp8, got 'int8'"):
        dispatch_bytes(1, 16, 3584, "int8")
