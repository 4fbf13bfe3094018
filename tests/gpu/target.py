"""The one place where the simulator and the compiler differ; kernels import from here what they compute with.

The switch is `NUMBA_ENABLE_CUDASIM`, read when numba is imported, so the two need processes of their own. A product is
written `mul(a, b)`: as a plain `a * b` it could be fused with a sum, and the result would depend on the compiler.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from gpu import arithmetic
from numba import config, cuda
from numba.cuda import libdevice

SIMULATED = bool(config.ENABLE_CUDASIM)
"""Whether kernels run thread by thread in Python."""

kernel: Callable[[Callable[..., None]], Any] = cuda.jit
"""Marks a function that a grid runs."""


def device(function: Callable[..., Any]) -> Any:
    """Mark a function that kernels call; it has no barrier and no shared memory of its own."""
    return function if SIMULATED else cuda.jit(device=True)(function)


def _bits_of(x: Any) -> Any:
    return libdevice.float_as_int(x) & 0xFFFFFFFF


def _of_bits(bits: Any) -> Any:
    return libdevice.int_as_float(np.int32(bits))


def _to_fp16(x: Any) -> Any:
    return np.float32(np.float16(x))


def _rint(x: Any) -> Any:
    return np.int64(libdevice.float2ll_rn(x))


def _floor(x: Any) -> Any:
    return np.int64(libdevice.float2ll_rd(x))


mul = arithmetic.mul if SIMULATED else libdevice.fmul_rn
div = arithmetic.div if SIMULATED else libdevice.fdiv_rn
exp = arithmetic.exp if SIMULATED else libdevice.expf
tanh = arithmetic.tanh if SIMULATED else libdevice.tanhf
sqrt = arithmetic.sqrt if SIMULATED else libdevice.fsqrt_rn
floor = arithmetic.floor if SIMULATED else device(_floor)
rint = arithmetic.rint if SIMULATED else device(_rint)
bits_of = arithmetic.bits_of if SIMULATED else device(_bits_of)
of_bits = arithmetic.of_bits if SIMULATED else device(_of_bits)
to_fp16 = arithmetic.to_fp16 if SIMULATED else device(_to_fp16)


def _sigmoid(x: Any) -> Any:
    # e^-|x| never overflows
    small = exp(-abs(x))
    return div(np.float32(1) if x >= np.float32(0) else small, np.float32(1) + small)


def _to_bf16(x: Any) -> Any:
    # half a unit less one where the last kept bit is even, then cut: nearest, ties to even; NaN stays NaN
    bits = bits_of(x)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    return np.uint16(((bits >> 16) | 0x40) if x != x else rounded & 0xFFFF)  # noqa: PLR0124 -- true for NaN only


def _from_bf16(bits: Any) -> Any:
    return of_bits(np.int64(bits) << 16)


sigmoid = device(_sigmoid)
"""1 / (1 + e^-x), float32."""
to_bf16 = device(_to_bf16)
"""The 16 bits, in uint16, that BF16 keeps of a float32."""
from_bf16 = device(_from_bf16)
"""The float32 of 16 bits of BF16."""
