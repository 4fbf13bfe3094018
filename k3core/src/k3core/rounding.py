"""Emulated storage formats: what is left of a number after BF16, FP16 or FP32 has held it.

Everything is rounded to float32 first and from there to the narrower format, as a kernel with float32
accumulators does. Rounding float64 straight to BF16 can differ in the last place (double rounding).
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from k3core.guards import Float, one_of

Rounding = Callable[[npt.ArrayLike], Float]
"""Takes any real array and returns it in float64, holding only numbers of the format."""


def to_float64(x: npt.ArrayLike) -> Float:
    """Keep every number as it is: the default wherever a rounding may be named.

    Source: IEEE 754-2019 §3.6 binary64.
    """
    return np.asarray(x, dtype=np.float64)


def to_fp32(x: npt.ArrayLike) -> Float:
    """Round to the nearest float32, ties to even; beyond its range to infinity.

    Source: IEEE 754-2019 §3.6 binary32, §4.3.1 for ties.
    """
    with np.errstate(over="ignore"):
        return np.asarray(np.asarray(x, dtype=np.float32), dtype=np.float64)


def to_bf16(x: npt.ArrayLike) -> Float:
    """Round to float32, then to BF16: 8 significant bits, the exponents of float32.

    Ties go to even, subnormals are kept, NaN stays NaN, 3.3961775e38 and above become infinity.
    Exact: bit for bit the cast of a float32. Not claimed: flush-to-zero of particular hardware.

    Source: BF16 is the upper half of a float32; IEEE 754-2019 §4.3.1 for ties.
    """
    with np.errstate(over="ignore"):
        single = np.array(x, dtype=np.float32)
    bits = single.view(np.uint32)
    # adding half a unit, less one where the last kept bit is even, makes the cut below round to nearest even
    kept_bit = (bits >> np.uint32(16)) & np.uint32(1)
    # a NaN would be carried into infinity by that addition, so it is let through
    rounded = np.where(np.isnan(single), bits, (bits + np.uint32(0x7FFF) + kept_bit) & np.uint32(0xFFFF0000))
    return np.asarray(rounded.astype(np.uint32).view(np.float32), dtype=np.float64)


def to_fp16(x: npt.ArrayLike) -> Float:
    """Round to float32, then to FP16: 11 significant bits, largest finite 65504.

    Ties go to even, subnormals are kept, 65520 and above become infinity.
    Exact: bit for bit the cast of a float32.

    Source: IEEE 754-2019 §3.6 binary16, §4.3.1 for ties.
    """
    with np.errstate(over="ignore"):
        return np.asarray(np.asarray(x, dtype=np.float32).astype(np.float16), dtype=np.float64)


ROUNDINGS: Mapping[str, Rounding] = MappingProxyType(
    {"float64": to_float64, "fp32": to_fp32, "bf16": to_bf16, "fp16": to_fp16}
)
"""Every emulated format by the name that arguments use; `float64` rounds nothing."""


def rounding_named(name: str) -> Rounding:
    """Look a format up.

    Raises:
        InputError: there is no format of that name.
    Source: `ROUNDINGS`, which holds every format a rounding can be asked for.
    """
    return ROUNDINGS[one_of("rounding", name, tuple(ROUNDINGS))]
