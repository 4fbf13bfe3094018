"""The two decay gates: checked values, derivatives, and where a cumulative decay leaves a format."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from comparers import assert_close, assert_far
from numeric_vectors import expected, inputs

from k3core.gates import (
    LARGEST_FINITE_LOG,
    bounded_log_decay,
    bounded_log_decay_gradients,
    first_overflow_step,
    in_log2_units,
    longest_safe_chunk,
    min_retention,
    read_log_rates,
    reciprocal_bound,
    softplus_log_decay,
    softplus_log_decay_gradients,
    tile_log_decay_bound,
)
from k3core.guards import InputError


def test_bounded_gate_meets_the_vector() -> None:
    """Three rates over five logits give the checked log-decays and retentions."""
    given, promised = inputs("2.1"), expected("2.1")
    logit = np.broadcast_to(given["z"], (3, 5))
    g = bounded_log_decay(logit, np.zeros((3, 5)), given["A_log"], given["lower_bound"])
    np.testing.assert_allclose(g, promised["g"], rtol=1e-14)
    np.testing.assert_allclose(np.exp(g), promised["alpha"], rtol=1e-14)


def test_softplus_gate_meets_the_vector() -> None:
    """Kimi Linear's gate has no floor: -128 at z = 8 and A = ln 16."""
    given, promised = inputs("2.2"), expected("2.2")
    g = softplus_log_decay(np.broadcast_to(given["z"], (3, 5)), np.zeros((3, 5)), given["A_log"])
    np.testing.assert_allclose(g, promised["g"], rtol=1e-13)


def test_bounded_derivatives_meet_the_vector() -> None:
    """Both derivatives and the base-2 form at A = 0.3."""
    given, promised = inputs("2.3"), expected("2.3")
    arguments = ([given["z"]], np.zeros((1, 3)), [given["A_log"]], given["lower_bound"])
    g, slopes = bounded_log_decay(*arguments), bounded_log_decay_gradients(*arguments)
    np.testing.assert_allclose(g[0], promised["g"], rtol=1e-14)
    np.testing.assert_allclose(slopes.logit[0], promised["dg_dz"], rtol=1e-14)
    np.testing.assert_allclose(slopes.log_rate[0], promised["dg_dA"], rtol=1e-14)
    np.testing.assert_allclose(in_log2_units(g)[0], promised["g_in_log2_units"], rtol=1e-14)
    assert_close(in_log2_units(-5.0), promised["gate_scale_lb_log2e"])


@pytest.mark.parametrize("gate", ["bounded", "softplus"])
def test_derivatives_are_the_slopes_of_the_gate(gate: str) -> None:
    """Central differences through logit, bias and rate agree with the formulas."""
    function, gradient = {
        "bounded": (bounded_log_decay, bounded_log_decay_gradients),
        "softplus": (softplus_log_decay, softplus_log_decay_gradients),
    }[gate]
    rng = np.random.default_rng(0)
    z, b, A = rng.normal(size=(4, 2, 3)), rng.normal(size=(2, 3)), rng.normal(size=2)
    h = 1e-5
    slopes = gradient(z, b, A)
    assert_close((function(z + h, b, A) - function(z - h, b, A)) / (2 * h), slopes.logit, ratio=1e-8)
    assert_close((function(z, b + h, A) - function(z, b - h, A)) / (2 * h), slopes.logit, ratio=1e-8)
    assert_close((function(z, b, A + h) - function(z, b, A - h)) / (2 * h), slopes.log_rate, ratio=1e-8)


def test_bias_comes_before_the_rate() -> None:
    """e^A (z + b), not e^A z + b: the other order and a lost bias are both visibly wrong."""
    given, promised = inputs("2.5"), expected("2.5")
    g = bounded_log_decay([[given["g_raw"]]], [[given["dt_bias"]]], [given["A_log"]], given["lower_bound"])
    assert_close(g, [[promised["g"]]], ratio=1e-15)
    assert_far(g, [[promised["wrong_bias_after_scale"]]])
    assert_far(g, [[promised["wrong_no_bias"]]])


def test_overflow_horizon_meets_the_vector() -> None:
    """A constant worst-case rate overflows BF16 at token 18 when bounded and at token 2 when not."""
    given, promised = inputs("2.4")["rates_per_step"], expected("2.4")
    for name in ("bf16", "fp16", "fp32"):
        assert_close(LARGEST_FINITE_LOG[name], promised[f"ln_max_{name}"])
    found = {name: first_overflow_step(rate, LARGEST_FINITE_LOG["bf16"]) for name, rate in given.items()}
    assert found == promised["first_overflow_step_bf16"]
    assert longest_safe_chunk(-5.0, LARGEST_FINITE_LOG["bf16"]) == promised["largest_chunk_for_lb_minus5"]
    assert_close(reciprocal_bound(-5.0, 16), promised["exp80"])


@pytest.mark.parametrize(
    ("lower_bound", "safe"),
    [(-5.0, True), (-5.544, True), (-5.546, False), (-6.0, False)],
    ids=["K3", "just inside", "just outside", "a bound of -6"],
)
def test_sixteen_tokens_fit_down_to_a_bound(lower_bound: float, safe: bool) -> None:
    """A tile of 16 fits BF16 on one side of about -5.545 a token and not on the other."""
    assert (longest_safe_chunk(lower_bound, LARGEST_FINITE_LOG["bf16"]) >= 16) is safe
    with np.errstate(over="ignore"):
        assert bool(np.isfinite(np.float32(reciprocal_bound(lower_bound, 16)))) is safe


def test_bounds_of_the_report() -> None:
    """e^-5 is about 6.7e-3, and 16 tokens stay above -80."""
    assert_close(min_retention(-5.0), math.exp(-5), ratio=1e-15)
    assert tile_log_decay_bound(-5.0, 16) == -80.0


def test_gate_stays_inside_its_bounds() -> None:
    """Huge logits neither overflow nor leave the closed interval."""
    g = bounded_log_decay([[-1e6, 0.0, 1e6]], np.zeros((1, 3)), [2.0])
    np.testing.assert_array_equal(g, [[0.0, -2.5, -5.0]])


def test_padded_rates_are_cut_not_reshaped() -> None:
    """The released vector has 128 entries, 96 used; anything but zeros behind them is refused."""
    stored = np.zeros(128)
    stored[:96] = np.arange(96)
    np.testing.assert_array_equal(read_log_rates(stored, 96), np.arange(96))
    stored[100] = 1.0
    with pytest.raises(InputError, match=r"stored padding: expected 0\.\.0, got 1 at \(4,\)"):
        read_log_rates(stored, 96)
    with pytest.raises(InputError, match="stored: expected at least 129 entries, got 128"):
        read_log_rates(stored, 129)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        pytest.param(lambda: min_retention(0.0), "lower_bound: expected a number below 0, got 0", id="bound 0"),
        pytest.param(
            lambda: bounded_log_decay(np.zeros((2, 3)), np.zeros((3, 2)), np.zeros(2)),
            r"bias: expected shape \(2, 3\), got shape \(3, 2\)",
            id="bias transposed",
        ),
        pytest.param(
            lambda: softplus_log_decay(np.zeros((2, 3)), np.zeros((2, 3)), np.zeros(3)),
            r"log_rate: expected shape \(2,\)",
            id="a rate per channel",
        ),
        pytest.param(lambda: reciprocal_bound(-5.0, 200), "tile: expected 0..709, got 1000", id="past float64"),
        pytest.param(lambda: reciprocal_bound(-0.5, 1419), "tile: expected 0..709, got 709.5", id="just past"),
    ],
)
def test_bad_gates_are_refused(call: Callable[[], object], message: str) -> None:
    """A refused argument is named with what was expected and what came."""
    with pytest.raises(InputError, match=message):
        call()
