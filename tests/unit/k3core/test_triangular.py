"""The inverse inside a chunk: substitution holds, the doubling series holds only in wide formats."""

import numpy as np
import pytest
from comparers import assert_close
from numeric_vectors import expected, inputs

from k3core.guards import InputError
from k3core.primitives import sigmoid
from k3core.triangular import halved_inverse, neumann_inverse, substituted_inverse

ALL_ONES = np.tril(np.ones((16, 16)), -1)


def repeated_key() -> np.ndarray:
    """Return L for 16 equal unit keys, a raw gate of -12 and a write strength of sigmoid(8)."""
    i = np.arange(16)
    decay = -5.0 * float(sigmoid(-12.0)) * (i[:, None] - i)
    return np.asarray(np.tril(float(sigmoid(8.0)) * np.exp(np.minimum(decay, 0.0)), -1))


def test_all_ones_has_a_small_inverse_and_large_powers() -> None:
    """The inverse is I less one subdiagonal, while the powers of L pass 3000."""
    want = expected("3.1")
    inverse = np.eye(16) - np.eye(16, k=-1)
    powers = [np.linalg.matrix_power(ALL_ONES, p).max() for p in (2, 4, 8, 16)]
    assert powers == [want["max_L2"], want["max_L4"], want["max_L8"], 0.0]
    for method in (substituted_inverse, halved_inverse, neumann_inverse):
        np.testing.assert_array_equal(method(ALL_ONES), inverse)


def test_four_by_four_is_exact() -> None:
    """A case of exact binary fractions comes out exactly by every method."""
    lower = np.array(inputs("3.2")["L"])
    for method in (substituted_inverse, halved_inverse, neumann_inverse):
        np.testing.assert_array_equal(method(lower), expected("3.2")["inv"])


@pytest.mark.parametrize("C", [1, 2, 3, 7, 16, 37])
def test_halving_is_substitution(C: int) -> None:
    """The fast form equals the slow one, and both undo I + L, at any size and in batches."""
    lower = np.tril(np.random.default_rng(C).normal(size=(3, 2, C, C)), -1) / C
    assert_close(halved_inverse(lower), substituted_inverse(lower))
    assert_close(halved_inverse(lower) @ (np.eye(C) + lower), np.broadcast_to(np.eye(C), lower.shape))


def test_fp16_series_fails_where_substitution_holds() -> None:
    """Equal keys that hardly decay break the FP16 series by about 1, while every true entry stays within 1."""
    want = expected("3.5")
    lower = repeated_key()
    truth = substituted_inverse(lower)
    assert abs(np.abs(truth).max() - want["max_abs_exact_inverse"]) < 1e-9
    assert_close(np.linalg.matrix_power(lower, 8).max(), want["max_L8"])
    half = np.abs(neumann_inverse(lower, product_rounding="fp16") - truth).max()
    assert abs(half - want["max_abs_error_fp16_neumann"]) < 0.05
    assert np.abs(neumann_inverse(lower) - truth).max() < 1e-12
    assert np.abs(halved_inverse(lower.astype(np.float32)) - truth).max() < 1e-5


@pytest.mark.parametrize(
    ("c", "half", "single"),
    [(0.5, 2.4e-4, 1e-7), (0.7, 7.8e-3, 3.0e-5), (0.8, 0.25, 6.1e-5), (0.9, 0.5, 6.1e-5), (0.99, 1.0, 2.4e-4)],
)
def test_series_error_grows_with_similarity(c: float, half: float, single: float) -> None:
    """The measured errors of the series for L = c below the diagonal, within a factor of two."""
    lower = c * ALL_ONES
    truth = substituted_inverse(lower)
    errors = [np.abs(neumann_inverse(lower, product_rounding=name) - truth).max() for name in ("fp16", "fp32")]
    assert half / 2 <= errors[0] <= half * 2
    assert errors[1] <= single * 2


@pytest.mark.parametrize(
    ("lower", "message"),
    [
        pytest.param(np.eye(3), "zeros on and above the diagonal", id="diagonal"),
        pytest.param(np.zeros((2, 3)), "square matrices", id="not square"),
    ],
)
def test_other_matrices_are_refused(lower: np.ndarray, message: str) -> None:
    """Only strictly lower matrices have this inverse."""
    for method in (substituted_inverse, neumann_inverse):
        with pytest.raises(InputError, match=message):
            method(lower)
