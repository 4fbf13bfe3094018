"""MXFP4 and MXFP8 against k3core: every code and scale exactly, and the way back."""

from collections.abc import Callable
from typing import Any

import numpy as np
from comparers import assert_same_bits
from gpu.launching import Out, launch
from gpu.suite import Array, Compiled, Limits, Mechanism, Mutation, judge

from k3core.mx import RULES, MxBlocks, dequantize_blocks, pack_nibbles, quantize_blocks

ELEMENTS = {"mxfp4": "e2m1", "mxfp8": "e4m3"}


def mx_case(name: str, rule: str, make: Callable[[int], Array], n: int = 3) -> Callable[[Any], float]:
    """Quantise n blocks and read them back; k3core rounds once from the same float32 numbers, so bits are equal."""

    def run(kernels: Any) -> float:
        values, element, packed = make(n), ELEMENTS[name], name == "mxfp4"
        grid, block = -(-n // 2), (32, 2)
        shape = (n, 16 if packed else 32)
        arguments = (values, RULES.index(rule), Out(shape, np.uint8), Out((n,), np.uint8))
        codes, scales = launch(getattr(kernels, f"{name}_quantise"), grid, block, *arguments)
        want = quantize_blocks(values, element, rule)
        assert_same_bits(codes, pack_nibbles(want.codes) if packed else want.codes)
        assert_same_bits(scales, want.scales[:, 0])
        (back,) = launch(getattr(kernels, f"{name}_dequantise"), grid, block, codes, scales, Out((n, 32)))
        truth = dequantize_blocks(want)
        return judge(back, np.asarray(truth, np.float32), truth, np.asarray(truth, np.float32), ulps=0)

    return run


def every_code(name: str, scale: int) -> Callable[[Any], float]:
    """Read each code of the format under one scale; scale 255 and the code of NaN read as NaN."""

    def run(kernels: Any) -> float:
        packed = name == "mxfp4"
        codes = (
            np.tile(np.arange(16, dtype=np.uint8), 2)[None] if packed else np.arange(256, dtype=np.uint8).reshape(8, 32)
        )
        n, scales = len(codes), np.full(len(codes), scale, np.uint8)
        stored = pack_nibbles(codes) if packed else codes
        (found,) = launch(getattr(kernels, f"{name}_dequantise"), n, (32, 1), stored, scales, Out((n, 32)))
        truth = dequantize_blocks(MxBlocks(codes, scales[:, None], ELEMENTS[name]))
        want = np.asarray(truth, np.float32)
        known = ~np.isnan(want)
        if not np.array_equal(np.isnan(found), ~known):
            raise AssertionError("bits differ: NaN stands elsewhere")
        assert_same_bits(found[known], want[known])
        return 0.0

    return run


def spread(n: int) -> Array:
    """Numbers over many powers of two, with zeros of both signs."""
    rng = np.random.default_rng(n)
    values = np.asarray(rng.normal(size=(n, 32)) * 2.0 ** rng.integers(-30, 30, (n, 1)), np.float32)
    values[:, :2] = 0.0, -0.0
    return values


def halfway(n: int) -> Array:
    """Sixteenths up to the largest number and beyond: ties, saturation, and each rule's edge."""
    del n
    return np.asarray(np.arange(96).reshape(3, 32) * [[0.0625], [0.125], [5.0]], np.float32)


def extreme(n: int) -> Array:
    """The smallest, subnormal and largest numbers, and a block of zeros."""
    del n
    ends = np.asarray([[1e-45], [1.5e38], [1.2e-38], [0.0]], np.float32)
    return np.asarray(ends * np.linspace(0, 1, 32, dtype=np.float32), np.float32)


def mechanism(name: str, mutations: list[Mutation]) -> Mechanism:
    """One of the two formats."""
    wide = "u1[:,::1]"
    return Mechanism(
        name=name,
        module="gpu.kernels.mx",
        cases={
            **{f"{rule}-spread": mx_case(name, rule, spread, 5) for rule in RULES},
            **{f"{rule}-halfway": mx_case(name, rule, halfway) for rule in RULES},
            **{f"{rule}-extreme": mx_case(name, rule, extreme, 4) for rule in RULES},
            **{f"n{32 * n}": mx_case(name, "floor", spread, n) for n in (1, 15, 16, 17)},
            "n1024": mx_case(name, "floor", spread, 32),
            **{f"codes-{scale}": every_code(name, scale) for scale in (0, 20, 127, 200, 255)},
        },
        kernels=[
            Compiled(f"{name}_quantise", f"f4[:,::1] i8 {wide} u1[::1]", Limits(32, 1024)),
            Compiled(f"{name}_dequantise", f"{wide} u1[::1] f4[:,::1]", Limits(32)),
        ],
        mutations=mutations,
    )


MXFP4 = mechanism(
    "mxfp4",
    [
        Mutation(
            "columns swapped in the byte",
            "int(shared[y, 2 * lane]) | (int(shared[y, 2 * lane + 1]) << 4)",
            "int(shared[y, 2 * lane + 1]) | (int(shared[y, 2 * lane]) << 4)",
            "floor-spread",
        ),
        Mutation(
            "no barrier before the codes",
            "# the maximum has been read by all before its place takes a code\n        cuda.syncthreads()",
            "",
            "floor-spread",
        ),
        Mutation(
            "no barrier after the codes",
            "= np.float32(code)\n        cuda.syncthreads()",
            "= np.float32(code)",
            "floor-spread",
        ),
        Mutation(
            "rule of the mantissa off by one",
            "(1 << (22 - mantissa_bits))",
            "(1 << (21 - mantissa_bits))",
            "even-halfway",
        ),
    ],
)
MXFP8 = mechanism(
    "mxfp8",
    [
        Mutation(
            "largest code beyond the largest number",
            "_quantise(3, -6, 8, 126,",
            "_quantise(3, -6, 8, 127,",
            "floor-halfway",
        ),
        Mutation("no subnormal numbers", "(exponent if exponent > 0 else 1) - bias", "exponent - bias", "codes-127"),
        Mutation("NaN read as a number", "scale == 255 or magnitude == nan_code", "scale == 255", "codes-127"),
        Mutation(
            "no barrier between halves",
            "while half > 0:\n            cuda.syncthreads()",
            "while half > 0:",
            "floor-spread",
        ),
        Mutation(
            "smallest scale lost", "max(-127, min(exponent, 127))", "max(-126, min(exponent, 127))", "floor-extreme"
        ),
    ],
)
