"""Emulated formats against checked roundings and against independent casts."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from comparers import assert_same_bits
from hypothesis import given, settings
from hypothesis import strategies as st
from numeric_vectors import expected, inputs

from k3core.guards import InputError
from k3core.rounding import ROUNDINGS, rounding_named, to_bf16, to_fp16, to_fp32


@pytest.mark.parametrize(("name", "cast"), [("bf16", to_bf16), ("fp16", to_fp16)])
def test_cases_meet_the_vector(name: str, cast: Callable[..., Any]) -> None:
    """Ties, subnormals, the largest finite number and the first infinity."""
    promised = np.array(expected("3.4")[name], dtype=np.float64)
    assert_same_bits(cast(inputs("3.4")["x"]), promised)


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(st.floats(width=32, allow_nan=False))
def test_bf16_is_a_nearest_neighbour(x: float) -> None:
    """No BF16 number lies nearer to a float32 than the one it is rounded to, and ties are even."""
    got = float(to_bf16(x))
    if np.isinf(got):
        assert abs(x) >= 3.39617752923046e38
        return
    bits = np.float32(got).view(np.uint32) >> np.uint32(16)
    for step in (-1, 1):
        neighbour = float(np.uint32((int(bits) + step) % 65536 << 16).view(np.float32))
        if np.isfinite(neighbour):
            assert abs(got - x) <= abs(neighbour - x)
            if abs(got - x) == abs(neighbour - x) != 0:
                assert bits % 2 == 0


def test_special_values_survive() -> None:
    """NaN stays NaN, infinities and signed zeros stay themselves."""
    for cast in (to_bf16, to_fp16, to_fp32):
        got = cast([np.nan, np.inf, -np.inf, -0.0])
        assert np.isnan(got[0])
        assert_same_bits(got[1:], np.array([np.inf, -np.inf, -0.0]))
    loud = np.array([0x7FFFFFFF, 0xFFFFFFFF], dtype=np.uint32).view(np.float32)
    assert np.all(np.isnan(to_bf16(loud)))


def test_float32_comes_first() -> None:
    """A float64 just above a BF16 tie is a tie once float32 has held it, and goes to even."""
    just_above = 1.0 + 2.0**-8 + 2.0**-40
    assert float(to_bf16(just_above)) == 1.0


def test_rounding_twice_changes_nothing() -> None:
    """Every format keeps its own numbers."""
    x = np.random.default_rng(0).normal(size=200) * 10.0 ** np.arange(-10, 10).repeat(10)
    for cast in ROUNDINGS.values():
        once = cast(x)
        assert_same_bits(cast(once), once)


def test_unknown_formats_are_refused() -> None:
    """A format is named or refused."""
    assert rounding_named("bf16") is to_bf16
    with pytest.raises(InputError, match="rounding: expected float64 or fp32 or bf16 or fp16, got 'half'"):
        rounding_named("half")
