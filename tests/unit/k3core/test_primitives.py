"""The small functions: no overflow, known values, and refusal of what has no answer."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from comparers import assert_close
from hypothesis import given, settings
from hypothesis import strategies as st

from k3core.guards import InputError, as_count, as_float, in_range
from k3core.primitives import l2norm, rmsnorm, sigmoid, silu, softmax, softplus


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(st.floats(-1e100, 1e100))
def test_sigmoid_and_softplus_hold_everywhere(x: float) -> None:
    """Both are finite for any float, and mirror each other: s(x) + s(-x) = 1, p(x) - p(-x) = x."""
    assert 0.0 <= float(sigmoid(x)) <= 1.0
    assert abs(float(sigmoid(x) + sigmoid(-x)) - 1.0) < 1e-15
    assert float(softplus(x)) >= max(x, 0.0)
    assert abs(float(softplus(x) - softplus(-x)) - x) <= 4e-16 * max(abs(x), 1.0)


def test_known_values() -> None:
    """Values that can be checked by hand, and the tiny tails that a naive form would lose."""
    assert_close(sigmoid([0.0, np.log(3.0)]), [0.5, 0.75])
    assert_close(softplus([0.0, -745.0]), [np.log(2.0), np.exp(-745.0)])
    assert_close(silu(np.log(3.0)), 0.75 * np.log(3.0))
    assert float(sigmoid(-700.0)) == np.exp(-700.0)


def test_softmax_is_shift_invariant() -> None:
    """Adding a constant changes nothing, also where e^x itself would overflow."""
    x = np.random.default_rng(0).normal(size=(3, 5))
    assert_close(softmax(x + 1e4), softmax(x), ratio=1e-11)
    assert_close(softmax(x, axis=0).sum(axis=0), np.ones(5))


def test_norms_of_rows() -> None:
    """An RMS norm is scale-free but for its constant, and a zero row stays zero."""
    x = np.random.default_rng(1).normal(size=(4, 6))
    assert_close(rmsnorm(1e6 * x, eps=0.0), rmsnorm(x, eps=0.0))
    assert_close(np.mean(rmsnorm(x, eps=0.0) ** 2, axis=-1), np.ones(4))
    np.testing.assert_array_equal(rmsnorm(np.zeros((2, 3)), eps=0.0), np.zeros((2, 3)))
    assert_close(rmsnorm(x, np.arange(6.0)), rmsnorm(x) * np.arange(6.0))
    # where the row is far smaller than the constant, the constant alone remains
    assert_close(rmsnorm([3e-9, 4e-9], eps=1e-4), [3e-7, 4e-7])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        pytest.param(lambda: l2norm(3.0), "x: expected at least 1 number on the last axis", id="norm of a number"),
        pytest.param(
            lambda: rmsnorm(np.zeros((2, 0))), "x: expected at least 1 number on the last axis", id="no width"
        ),
        pytest.param(lambda: softmax(np.zeros((0,))), "x: expected at least 1 number", id="softmax of nothing"),
        pytest.param(lambda: rmsnorm(np.ones(3), np.ones(2)), r"weight: expected shape \(3,\)", id="weight"),
        pytest.param(lambda: l2norm(np.ones(3), eps=-1.0), r"eps: expected 0\.\.inf, got -1", id="negative eps"),
        pytest.param(lambda: sigmoid([0.0, np.nan]), r"x: expected finite numbers, got nan at \(1,\)", id="NaN"),
        pytest.param(lambda: as_float("x", "1.5"), "x: expected numbers, got '1.5'", id="text"),
        pytest.param(lambda: as_float("x", [True]), r"x: expected numbers, got \[True\]", id="truth value"),
        pytest.param(lambda: as_float("x", [[1.0], [1.0, 2.0]]), "x: expected numbers", id="ragged"),
        pytest.param(lambda: as_float("x", [1.0], ndim=2), r"x: expected 2 dimensions, got shape \(1,\)", id="flat"),
        pytest.param(lambda: in_range("x", np.nan, 0, 1), r"x: expected 0\.\.1, got nan", id="NaN in no range"),
        pytest.param(lambda: in_range("x", [0.5, 2.0], 0, 1), r"got 2 at \(1,\)", id="second element"),
        pytest.param(lambda: as_count("n", True), "n: expected a whole number from 0, got True", id="True is no count"),
    ],
)
def test_bad_input_is_named(call: Callable[[], Any], message: str) -> None:
    """One kind of error, with the argument, what was expected, and what came where."""
    with pytest.raises(InputError, match=message):
        call()
