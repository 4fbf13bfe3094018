"""Single-precision arithmetic as the kernels mean it, in NumPy: each operation rounds once, none is fused with another.

All take a float32 number or array. The transcendental ones are rounded correctly but for one case in hundreds of
millions: they are computed in float64 and rounded once. A device's own are off by up to two units in the last place.
"""

from typing import Any

import numpy as np

Number = Any
"""A NumPy scalar or an array of any shape."""


def mul(a: Number, b: Number) -> Number:
    """Multiply and round; on a device this product is never fused with a later sum."""
    return a * b


def div(a: Number, b: Number) -> Number:
    """Divide and round."""
    return a / b


def exp(x: Number) -> Number:
    """Return e^x in float32."""
    return np.exp(np.float64(x)).astype(np.float32)


def tanh(x: Number) -> Number:
    """Return the hyperbolic tangent in float32."""
    return np.tanh(np.float64(x)).astype(np.float32)


def sqrt(x: Number) -> Number:
    """Return the square root, rounded correctly here and on a device."""
    return np.sqrt(x)


def floor(x: Number) -> Number:
    """Return the largest whole number that is not above x, as an integer."""
    return np.floor(x).astype(np.int64)


def rint(x: Number) -> Number:
    """Return the nearest whole number, of two the even one, as an integer."""
    return np.rint(x).astype(np.int64)


def bits_of(x: Number) -> Number:
    """Return the 32 bits of a float32 as a whole number that is not negative."""
    return np.int64(np.float32(x).view(np.uint32)) if np.ndim(x) == 0 else x.view(np.uint32).astype(np.int64)


def of_bits(bits: Number) -> Number:
    """Return the float32 that 32 bits mean."""
    return np.uint32(bits).view(np.float32) if np.ndim(bits) == 0 else bits.astype(np.uint32).view(np.float32)


def to_fp16(x: Number) -> Number:
    """Round a float32 to FP16, held in float32."""
    return x.astype(np.float16).astype(np.float32)


def in_halves(parts: Number) -> Number:
    """Add the last axis, a power of two long, as a block of threads does: the second half onto the first, again."""
    while parts.shape[-1] > 1:
        half = parts.shape[-1] // 2
        parts = parts[..., :half] + parts[..., half:]
    return parts[..., 0]
