"""MXFP4 and MXFP8: blocks of 32 numbers that share a power of two, quantised and read back.

A block of threads is 32 lanes wide, one per number, and as many rows high as it quantises blocks at a time.
"""

from typing import Any

import numpy as np
from gpu.target import bits_of, device, kernel, mul, of_bits, rint
from numba import cuda

BLOCK = 32
"""Numbers that share a scale."""
ROWS = 8
"""The most blocks a block of threads quantises."""
FLOOR, EVEN, CEIL = 0, 1, 2
"""How the largest magnitude chooses the scale, as `k3core.mx.scale_exponent` says."""


@device
def _power(exponent: Any) -> Any:
    """2^exponent for -149 to 127, subnormals included."""
    return of_bits((exponent + 127) << 23) if exponent > -127 else of_bits(1 << (exponent + 149))


@device
def _exponent(largest: Any, rule: Any, mantissa_bits: Any, top: Any, top_fraction: Any) -> Any:
    """The exponent of a block's scale, from the bits of its largest magnitude."""
    bits = bits_of(largest)
    exponent, fraction = (bits >> 23) - 127 - top, bits & 0x7FFFFF
    if (rule == EVEN and fraction >= (1 << 23) - (1 << (22 - mantissa_bits))) or (
        rule == CEIL and fraction > top_fraction
    ):
        exponent += 1
    return max(-127, min(exponent, 127)) if bits > 0 else -127


@device
def _code(x: Any, mantissa_bits: Any, lowest: Any, sign: Any, last: Any) -> Any:
    """Round to the nearest code, ties to the even one, beyond the largest to the last."""
    bits = bits_of(x)
    exponent = max(((bits >> 23) & 0xFF) - 127, lowest)
    # in units of the spacing at this exponent; an even multiple has an even code
    units = rint(mul(of_bits(bits & 0x7FFFFFFF), _power(mantissa_bits - exponent)))
    code = min(units + ((exponent - lowest) << mantissa_bits), last)
    return code + sign if bits >> 31 else code


def _quantise(mantissa_bits: int, lowest: int, top: int, last: int, sign: int, top_fraction: int, packed: int) -> Any:
    @kernel
    def mx_quantise(values: Any, rule: Any, codes: Any, scales: Any) -> None:
        """Quantise blocks of 32.

        values (n, 32); rule 0 floor, 1 even, 2 ceil; codes (n, 32) or, of four bits, (n, 16) with the even column in
        the low half; scales (n,). Grid: n over the block's rows. Block: (32, rows), at most 8 rows. Shared memory: a
        number per thread. Invariant: the largest magnitude is found in halves with a barrier between any two; after
        the last one every lane of a row reads the same.
        """
        shared = cuda.shared.array((ROWS, BLOCK), np.float32)
        lane, y = cuda.threadIdx.x, cuda.threadIdx.y
        row = cuda.blockIdx.x * cuda.blockDim.y + y
        value = values[row, lane] if row < values.shape[0] else np.float32(0)
        shared[y, lane] = abs(value)
        half = BLOCK // 2
        while half > 0:
            cuda.syncthreads()
            if lane < half:
                shared[y, lane] = max(shared[y, lane], shared[y, lane + half])
            half //= 2
        cuda.syncthreads()
        exponent = _exponent(shared[y, 0], rule, mantissa_bits, top, top_fraction)
        code = _code(mul(value, _power(-exponent)), mantissa_bits, lowest, sign, last)
        # the maximum has been read by all before its place takes a code
        cuda.syncthreads()
        shared[y, lane] = np.float32(code)
        cuda.syncthreads()
        if row < values.shape[0]:
            if packed == 0:
                codes[row, lane] = code
            elif lane < BLOCK // 2:
                codes[row, lane] = int(shared[y, 2 * lane]) | (int(shared[y, 2 * lane + 1]) << 4)
            if lane == 0:
                scales[row] = exponent + 127

    return mx_quantise


def _dequantise(mantissa_bits: int, bias: int, sign: int, nan_code: int, packed: int) -> Any:
    @kernel
    def mx_dequantise(codes: Any, scales: Any, values: Any) -> None:
        """Read blocks of 32 back; shapes as in `mx_quantise`.

        Grid: n over the block's rows. Block: (32, rows). Shared memory: none. Invariant: a thread writes one number
        from one code and one scale, exactly while it stays in float32; scale 255 makes its block NaN.
        """
        lane, row = cuda.threadIdx.x, cuda.blockIdx.x * cuda.blockDim.y + cuda.threadIdx.y
        if row < values.shape[0]:
            code = np.int64(codes[row, lane // 2 if packed else lane])
            if packed:
                code = (code >> (4 * (lane % 2))) & 15
            magnitude, scale = code % sign, np.int64(scales[row])
            exponent, units = magnitude >> mantissa_bits, magnitude % (1 << mantissa_bits)
            if exponent > 0:
                units += 1 << mantissa_bits
            spacing = (exponent if exponent > 0 else 1) - bias - mantissa_bits
            # two exact factors: their product may be subnormal, or beyond the largest
            value = mul(mul(np.float32(units), _power(spacing)), _power((254 if scale == 255 else scale) - 127))
            if scale == 255 or magnitude == nan_code:
                value = np.float32(np.nan)
            values[row, lane] = -value if code >= sign else value

    return mx_dequantise


mxfp4_quantise = _quantise(1, 0, 2, 7, 8, 1 << 22, 1)
mxfp8_quantise = _quantise(3, -6, 8, 126, 128, 3 << 21, 0)
mxfp4_dequantise = _dequantise(1, 1, 8, -1, 1)
mxfp8_dequantise = _dequantise(3, 7, 128, 127, 0)
