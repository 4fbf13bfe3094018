"""What a mechanism of the suite consists of, and how a kernel's result is judged."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from comparers import assert_same_bits, error_ratio
from gpu.target import SIMULATED

Array = npt.NDArray[Any]
FLOOR = 2.0**-23
"""One unit in the last place of float32: where plain arithmetic is luckier than that, it counts as no better."""


@dataclass(frozen=True)
class Limits:
    """What ptxas may report for a kernel on any of the architectures."""

    registers: int
    """Per thread."""
    shared: int = 0
    """Bytes of static shared memory per block."""
    stack: int = 0
    """Bytes of stack per thread, spills included."""


@dataclass(frozen=True)
class Compiled:
    """A kernel with the types it is compiled for."""

    name: str
    """Of the function in its module."""
    types: str
    """Argument types, numba's names separated by spaces: `f4[:,::1] i4`."""
    limits: Limits


@dataclass(frozen=True)
class Mutation:
    """One deliberate fault and the case that must show it."""

    name: str
    """What is wrong, in a few words."""
    old: str
    """What stands once in the kernel's file."""
    new: str
    """What stands there instead."""
    case: str
    """The case that turns red."""


@dataclass(frozen=True)
class Mechanism:
    """A family of kernels with the cases they must pass."""

    name: str
    """As the tables show it."""
    module: str
    """Where its kernels stand."""
    cases: Mapping[str, Callable[[Any], float]]
    """By label: takes the module of the kernels, returns the worst error ratio to float64, raises on a fault."""
    kernels: Sequence[Compiled]
    """All that its module holds."""
    mutations: Sequence[Mutation]
    """Faults that must turn a case red."""
    large: Mapping[str, Callable[[Any], float]] = field(default_factory=dict)
    """Cases of the released model's size, which take the simulator minutes; run by hand, and on every device."""


def judge(found: Array, mirrored: Array, truth: npt.ArrayLike, plain: npt.ArrayLike, *, ulps: float) -> float:
    """Hold a kernel's result against its two witnesses.

    Args:
        found: what the kernel wrote.
        mirrored: the same operations in the same order: equal bit for bit when simulated.
        truth: float64.
        plain: straightforward arithmetic of the same precision, whose error the kernel may double.
        ulps: on a device, units in the last place of the largest number by which `found` may leave `mirrored`,
            since the device's exponential and tangent are off by up to two.

    Returns:
        the error ratio of `found` to `truth`.

    Raises:
        AssertionError: one of the two is missed.
    """
    if SIMULATED:
        assert_same_bits(found, mirrored)
    elif found.size:
        limit = ulps * float(np.spacing(np.max(np.abs(mirrored))))
        distance = float(np.max(np.abs(np.float64(found) - np.float64(mirrored))))
        if not distance <= limit:
            raise AssertionError(f"{distance:.3e} from the mirrored witness, at most {limit:.3e} allowed")
    ratio, floor = error_ratio(found, truth), error_ratio(plain, truth)
    if not ratio <= 2 * max(floor, FLOOR):
        raise AssertionError(f"error ratio {ratio:.3e}, plain arithmetic has {floor:.3e}")
    return ratio
