"""The kernels' small functions against NumPy and k3core, at the edges of their formats."""

import numpy as np
import pytest
from comparers import assert_same_bits
from gpu import arithmetic, target

from k3core.primitives import sigmoid
from k3core.rounding import to_bf16

EDGES = np.asarray(
    [0.0, -0.0, 1.0, 1 + 2**-8, 1 + 3 * 2**-8, 4098.0, -4098.0, 1e-45, -1e-40, 3.3961e38, 3.4028e38, np.inf, -np.inf],
    np.float32,
)


def test_bf16_rounds_as_k3core_does() -> None:
    """Ties to even, subnormals kept, the largest numbers to infinity; the bits come back as they went."""
    rounded = np.asarray([target.from_bf16(target.to_bf16(x)) for x in EDGES], np.float32)
    assert_same_bits(rounded, np.asarray(to_bf16(EDGES), np.float32))


@pytest.mark.parametrize("bits", [0x7FC00000, 0x7F800001, 0xFFFFFFFF])
def test_bf16_keeps_nan(bits: int) -> None:
    """A NaN whose lower half holds all there is does not become an infinity."""
    assert np.isnan(target.from_bf16(target.to_bf16(np.uint32(bits).view(np.float32))))


def test_bits_go_there_and_back() -> None:
    """For single numbers and for arrays alike."""
    assert_same_bits(arithmetic.of_bits(arithmetic.bits_of(EDGES)), EDGES)
    one_by_one = np.asarray([arithmetic.of_bits(arithmetic.bits_of(x)) for x in EDGES], np.float32)
    assert_same_bits(one_by_one, EDGES)


def test_sigmoid_is_right_to_the_last_places() -> None:
    """Both branches, and where they meet."""
    x = np.linspace(-90, 90, 181, dtype=np.float32)
    found = np.asarray([target.sigmoid(value) for value in x], np.float32)
    np.testing.assert_allclose(found, sigmoid(x), rtol=3 * 2.0**-24, atol=1e-45)


def test_halves_add_in_the_order_of_a_block() -> None:
    """Eight numbers: four sums, two, one."""
    parts = np.asarray([1e8, 1, 1, 1, -1e8, 1, 1, 1], np.float32)
    assert arithmetic.in_halves(parts) == 6
    assert arithmetic.in_halves(parts[::2].copy()) == 2
