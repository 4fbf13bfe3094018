"""Microscaling formats: 4- and 8-bit elements in blocks of 32 that share one power of two.

Rounding here is always to nearest, ties to the even code, and saturates at the largest normal number. Nothing is
quantised unless one of these functions is called. How the released checkpoint was made (its scale rule during
training) is not published; a checkpoint is therefore only ever decoded.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from k3core.guards import Array, Float, InputError, as_float, one_of

Bytes = npt.NDArray[np.uint8]
BLOCK = 32
"""Elements that share one scale."""
SCALE_NAN = 255
"""The scale byte that makes a whole block NaN; there is no zero and no infinite scale."""
RULES = ("floor", "even", "ceil")
"""How a block's largest magnitude chooses its scale; see `scale_exponent`."""


@dataclass(frozen=True)
class ElementFormat:
    """One element format: sign, exponent and mantissa bits, and what its largest codes mean."""

    exponent_bits: int
    """Bits of exponent, biased by 2**(bits - 1) - 1."""
    mantissa_bits: int
    """Bits of mantissa below the leading one."""
    largest: float
    """The largest normal number; rounding saturates here."""
    emax: int
    """The exponent of `largest`."""

    @property
    def bits(self) -> int:
        """Bits a code takes."""
        return 1 + self.exponent_bits + self.mantissa_bits

    @property
    def emin(self) -> int:
        """The exponent of the smallest normal number; below it the spacing stays constant."""
        return 2 - int(2 ** (self.exponent_bits - 1))

    @property
    def sign_code(self) -> int:
        """The code of minus zero: the sign bit alone."""
        return int(2 ** (self.bits - 1))


ELEMENTS: Mapping[str, ElementFormat] = MappingProxyType(
    {
        "e2m1": ElementFormat(exponent_bits=2, mantissa_bits=1, largest=6.0, emax=2),
        "e4m3": ElementFormat(exponent_bits=4, mantissa_bits=3, largest=448.0, emax=8),
        "e5m2": ElementFormat(exponent_bits=5, mantissa_bits=2, largest=57344.0, emax=15),
    }
)
"""MXFP4 uses e2m1; MXFP8 uses e4m3 or e5m2. Source: OCP Microscaling Formats v1.0 §5.3."""


@cache
def element_values(element: str) -> Float:
    """List the value of every code, by definition: the slow truth of the format.

    Returns:
        (2**bits,) float64, read-only. e2m1 has no special codes; e4m3 has NaN at 0x7F and 0xFF; e5m2 has infinities
        at 0x7C and 0xFC and NaN above them.

    Raises:
        InputError: an unknown format.
    Source: OCP Microscaling Formats v1.0 §5.3. Exact.
    """
    f = _element(element)
    bias = 2 ** (f.exponent_bits - 1) - 1
    values = []
    for code in range(f.sign_code):
        exponent, mantissa = code >> f.mantissa_bits, code & (2**f.mantissa_bits - 1)
        fraction = mantissa / 2**f.mantissa_bits
        values.append(2.0 ** (exponent - bias) * (1 + fraction) if exponent else 2.0 ** (1 - bias) * fraction)
    table = np.array(values + [-v for v in values])
    special = np.abs(table) > f.largest
    # only the mantissa-zero code above the largest e5m2 normal is an infinity; every other one is NaN
    infinite = special & (np.abs(table) == 2.0 ** (f.emax + 1)) & (element == "e5m2")
    table[special] = np.nan
    table[infinite] = np.copysign(np.inf, np.where(np.arange(table.size) < f.sign_code, 1.0, -1.0))[infinite]
    table.flags.writeable = False
    return table


def decode_elements(codes: Bytes, element: str) -> Float:
    """Read codes as numbers.

    Args:
        codes: any shape, uint8, each below 2**bits of the format.
        element: `e2m1`, `e4m3` or `e5m2`.

    Raises:
        InputError: an unknown format, another dtype, or a code the format does not have.
    Source: OCP Microscaling Formats v1.0 §5.3. Exact.
    """
    table = element_values(element)
    _check_bytes("codes", codes)
    if codes.size and codes.max() >= table.size:
        raise InputError("codes", f"codes below {table.size}", str(codes.max()))
    return np.asarray(table[codes])


def encode_elements(values: npt.ArrayLike, element: str) -> Bytes:
    """Round numbers to codes: nearest, ties to the even code, saturating; minus zero keeps its sign.

    Args:
        values: any shape, finite, read as float64.
        element: `e2m1`, `e4m3` or `e5m2`.

    Raises:
        InputError: an unknown format, or a value that is not finite.
    Source: OCP Microscaling Formats v1.0 §5.3. Exact; one rounding, from float64. Not claimed: hardware that rounds
    through another format first.
    """
    f, x = _element(element), as_float("values", values)
    magnitude = np.minimum(np.abs(x), f.largest)
    exponent = np.where(magnitude > 0, np.maximum(np.frexp(magnitude)[1] - 1, f.emin), f.emin)
    # in units of the spacing at this exponent; rint is to even, and an even multiple has an even code
    units = np.rint(np.ldexp(magnitude, f.mantissa_bits - exponent)).astype(np.int64)
    code = units + (exponent - f.emin) * 2**f.mantissa_bits
    return np.asarray(np.where(np.signbit(x), code + f.sign_code, code), dtype=np.uint8)


def encode_elements_by_search(values: npt.ArrayLike, element: str) -> Bytes:
    """Round numbers to codes by comparing with every number of the format: the slow truth of `encode_elements`.

    Raises:
        InputError: as `encode_elements`.
    Source: OCP Microscaling Formats v1.0 §5.3. Exact wherever the distance of two float64 numbers is.
    """
    f, x = _element(element), as_float("values", values)
    table = element_values(element)[: f.sign_code]
    table = table[np.isfinite(table)]
    distance = np.abs(table - np.abs(x)[..., None])  # (..., numbers)
    nearest = distance == distance.min(axis=-1, keepdims=True)
    even = nearest & (np.arange(table.size) % 2 == 0)
    code = np.where(even.any(axis=-1), even.argmax(axis=-1), nearest.argmax(axis=-1))
    return np.asarray(np.where(np.signbit(x), code + f.sign_code, code), dtype=np.uint8)


def scale_exponent(largest: npt.ArrayLike, element: str, rule: str) -> npt.NDArray[np.int64]:
    """Choose the exponent of a block's scale from its largest magnitude.

    `floor` takes floor(log2 largest) - emax, so that values up to 8/6 (e2m1) of the largest normal saturate. `even`
    adds one where the largest magnitude would round up to the next power of two at the element's precision (for e2m1
    a mantissa of at least 1.75). `ceil` takes the smallest exponent at which nothing saturates.

    Args:
        largest: any shape, at least 0 and finite.
        element: the format of the block's elements.
        rule: `floor`, `even` or `ceil`.

    Returns:
        Same shape, int64, clamped to -127..127; a block of zeros gets -127.

    Raises:
        InputError: an unknown word, or a magnitude that is negative or not finite.
    Source: `floor`: OCP Microscaling Formats v1.0 §6.3; `even`: the released checkpoint's packer; `ceil`: a common
    third choice. Exact. Not claimed: which rule training used.
    """
    f, amax = _element(element), as_float("largest", largest)
    one_of("rule", rule, RULES)
    if np.any(amax < 0):
        raise InputError("largest", "magnitudes of at least 0", f"{amax.min():g}")
    mantissa, exponent = np.frexp(amax)  # mantissa in [0.5, 1)
    exponent = exponent.astype(np.int64) - 1 - f.emax
    if rule == "even":
        exponent += mantissa >= 1.0 - 2.0 ** -(f.mantissa_bits + 2)
    elif rule == "ceil":
        exponent += mantissa > np.frexp(f.largest)[0]
    return np.asarray(np.where(amax > 0, np.clip(exponent, -127, 127), -127))


@dataclass(frozen=True)
class MxBlocks:
    """Quantised numbers: one code per element and one scale byte per 32 of them."""

    codes: Bytes
    """(..., n) element codes, one a byte."""
    scales: Bytes
    """(..., n / 32) E8M0: exponent + 127, or 255 for NaN."""
    element: str
    """The format of the codes."""


def quantize_blocks(values: npt.ArrayLike, element: str, rule: str) -> MxBlocks:
    """Quantise along the last axis in blocks of 32.

    Args:
        values: (..., n) finite, n a multiple of 32.
        element: `e2m1` for MXFP4, `e4m3` or `e5m2` for MXFP8.
        rule: `floor`, `even` or `ceil`; there is no default, because the released model's is not published.

    Raises:
        InputError: an unknown word, a value that is not finite, or a length that is not whole blocks.
    Source: report §4.1.4; OCP Microscaling Formats v1.0 §6.3. Exact: every rounding. Not claimed: that training
    rounded this way.
    """
    x = as_float("values", values)
    if x.ndim == 0 or x.shape[-1] % BLOCK:
        raise InputError("values", f"a last axis in whole blocks of {BLOCK}", f"shape {x.shape}")
    blocks = x.reshape(*x.shape[:-1], -1, BLOCK)
    exponent = scale_exponent(np.max(np.abs(blocks), axis=-1), element, rule)  # (..., n / 32)
    codes = encode_elements(np.ldexp(blocks, -exponent[..., None]), element)
    return MxBlocks(codes.reshape(x.shape), (exponent + 127).astype(np.uint8), element)


def dequantize_blocks(blocks: MxBlocks) -> Float:
    """Multiply every element by its block's scale: (..., n) float64, NaN throughout a block whose scale is 255.

    Raises:
        InputError: codes and scales do not belong together.
    Source: OCP Microscaling Formats v1.0 §6. Exact: a float64 holds every product.
    """
    codes, scales = blocks.codes, _check_bytes("scales", blocks.scales)
    wanted = (*codes.shape[:-1], codes.shape[-1] // BLOCK) if codes.ndim and codes.shape[-1] % BLOCK == 0 else None
    if scales.shape != wanted:
        raise InputError("scales", f"one for each {BLOCK} codes of shape {codes.shape}", f"shape {scales.shape}")
    elements = decode_elements(codes, blocks.element).reshape(*scales.shape, BLOCK)
    scaled = np.ldexp(elements, (scales.astype(np.int64) - 127)[..., None])
    return np.asarray(np.where((scales == SCALE_NAN)[..., None], np.nan, scaled)).reshape(codes.shape)


def pack_nibbles(codes: Bytes) -> Bytes:
    """Put two 4-bit codes in a byte, the even column in the low half: (..., n) to (..., n / 2).

    Raises:
        InputError: another dtype, an odd length, or a code above 15.
    Source: the released checkpoint's `weight_packed`. Exact.
    """
    _check_bytes("codes", codes)
    if codes.ndim == 0 or codes.shape[-1] % 2 or (codes.size and codes.max() > 15):
        raise InputError("codes", "an even number of codes from 0 to 15", f"shape {codes.shape}")
    return np.asarray(codes[..., 0::2] | (codes[..., 1::2] << 4))


def unpack_nibbles(packed: Bytes) -> Bytes:
    """Take the two 4-bit codes out of each byte, low half first: (..., m) to (..., 2 m).

    Raises:
        InputError: another dtype, or a single number.
    Source: the released checkpoint's `weight_packed`. Exact.
    """
    _check_bytes("packed", packed)
    if packed.ndim == 0:
        raise InputError("packed", "at least one axis", "shape ()")
    return np.stack([packed & 15, packed >> 4], axis=-1).reshape(*packed.shape[:-1], -1)


def decode_mxfp4_weight(weight_packed: Bytes, weight_scale: Bytes) -> Float:
    """Read an MXFP4 weight as the released checkpoint stores it.

    Args:
        weight_packed: (out, in / 2) uint8, low half the even column.
        weight_scale: (out, in / 32) uint8, E8M0.

    Returns:
        (out, in) float64.

    Raises:
        InputError: dtypes or shapes do not belong together.
    Source: config quantization_config. Exact.
    """
    return dequantize_blocks(MxBlocks(unpack_nibbles(weight_packed), weight_scale, "e2m1"))


def mx_bits_per_value(*, element: str) -> float:
    """Bits a value costs with its share of the scale: 4.25 for e2m1, 8.25 for the 8-bit formats.

    Raises:
        InputError: an unknown format.
    Source: OCP Microscaling Formats v1.0 §5. Exact.
    """
    return _element(element).bits + 8 / BLOCK


def _element(name: str) -> ElementFormat:
    """Look a format up, or refuse."""
    return ELEMENTS[one_of("element", name, tuple(ELEMENTS))]


def _check_bytes(name: str, array: Array) -> npt.NDArray[Any]:
    """Refuse anything but an array of uint8."""
    if not isinstance(array, np.ndarray) or array.dtype != np.uint8:
        raise InputError(name, "an array of uint8", str(getattr(array, "dtype", type(array).__name__)))
    return array
