"""The short convolution with its activation, norm and history."""

import numpy as np
import pytest
from comparers import assert_close, assert_same_bits
from hypothesis import given, settings
from hypothesis import strategies as st
from numeric_vectors import expected, inputs

from k3core.guards import InputError
from k3core.primitives import l2norm, rmsnorm, silu
from k3core.shortconv import projected_heads, rolled_back_history, short_conv, short_conv_naive


def vector_case() -> tuple[np.ndarray, np.ndarray]:
    """Return the inputs (6, 3) and the taps (3, 4) of the checked case."""
    given_inputs = inputs("4.1")
    return given_inputs["x_[T,D]"], given_inputs["W_[D,4] (index 3 = current token)"]


def test_convolution_meets_the_vector() -> None:
    """Rows, activation, norm and the history that is left."""
    x, weight = vector_case()
    promised = expected("4.1")
    result = short_conv(x, weight)
    assert_close(result.output[0], promised["conv_row0"])
    assert_close(result.output[5], promised["conv_row5"])
    assert_close(silu(result.output)[5], promised["silu_row5"])
    assert_close(projected_heads(result.output, 1, normalise=True)[5, 0], promised["l2norm_row5"])
    assert_close(result.history, promised["state_last3_inputs"])


@settings(max_examples=15, deadline=None, derandomize=True, database=None)
@given(st.integers(0, 9), st.integers(1, 5), st.integers(1, 5), st.integers(0, 10**6))
def test_fast_form_is_the_slow_form(T: int, D: int, W: int, seed: int) -> None:
    """Adding whole rows per tap gives the bits of adding tap by tap."""
    rng = np.random.default_rng(seed)
    x, weight, history = rng.normal(size=(T, D)), rng.normal(size=(D, W)), rng.normal(size=(W - 1, D))
    fast, slow = short_conv(x, weight, history), short_conv_naive(x, weight, history)
    assert_same_bits(fast.output, slow.output)
    assert_same_bits(fast.history, slow.history)


@pytest.mark.parametrize("cut", range(7), ids=lambda cut: f"cut at {cut}")
def test_decode_equals_prefill(cut: int) -> None:
    """A prefill followed by single steps is one prefill, bit for bit."""
    x, weight = vector_case()
    whole = short_conv(x, weight)
    part = short_conv(x[:cut], weight)
    rows = [part.output]
    for row in x[cut:]:
        part = short_conv(row[None], weight, part.history)
        rows.append(part.output)
    assert_same_bits(np.concatenate(rows), whole.output)
    assert_same_bits(part.history, whole.history)


@pytest.mark.parametrize("accepted", [0, 1, 4, 6])
def test_rejected_drafts_leave_the_history(accepted: int) -> None:
    """Rolling back to the accepted tokens gives the history of having seen only those."""
    x, weight = vector_case()
    before = short_conv(x[::-1], weight).history
    want = short_conv(x[:accepted], weight, before).history
    assert_same_bits(rolled_back_history(x, before, accepted), want)
    with pytest.raises(InputError, match="accepted: expected a whole number from 0 to 6, got 7"):
        rolled_back_history(x, before, 7)


def test_l2norm_meets_the_vector() -> None:
    """The small constant is added to the sum of squares, so a short row stays short and zero stays zero."""
    given_inputs, promised = inputs("4.2"), expected("4.2")
    x = np.array(given_inputs["x"])
    normed = l2norm(x)
    np.testing.assert_allclose(np.linalg.norm(normed, axis=1), promised["norms"], rtol=1e-14)
    assert_close(normed, rmsnorm(x, eps=given_inputs["eps"] / 4) / 2)
    np.testing.assert_array_equal(l2norm(np.zeros(3), eps=0.0), np.zeros(3))


def test_values_are_not_normalised() -> None:
    """Queries and keys have unit length per head; values keep theirs."""
    convolved = np.random.default_rng(0).normal(size=(5, 6)) * 3
    heads = projected_heads(convolved, 2, normalise=True)
    assert heads.shape == (5, 2, 3)
    assert_close(np.linalg.norm(heads, axis=-1), np.ones((5, 2)), ratio=1e-5)
    assert_same_bits(projected_heads(convolved, 2, normalise=False), silu(convolved).reshape(5, 2, 3))
    with pytest.raises(InputError, match="convolved: expected a width that 4 heads divide, got 6"):
        projected_heads(convolved, 4, normalise=True)


def test_bad_history_is_refused() -> None:
    """A history in the transposed layout is named."""
    x, weight = vector_case()
    with pytest.raises(InputError, match=r"history: expected shape \(3, 3\), got shape \(3, 4\)"):
        short_conv(x, weight, np.zeros((3, 4)))
