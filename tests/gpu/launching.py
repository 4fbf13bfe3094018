"""Launch a kernel so that a fault shows: poisoned outputs, guard bands around every array, and two runs that agree."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from comparers import assert_same_bits
from gpu.kernels.poison import fill_shared
from gpu.simulator import poisoned, reversed_threads
from gpu.target import SIMULATED
from numba import cuda

Array = npt.NDArray[Any]
GUARD = 32
"""Elements before and after each array that a kernel must leave alone, and whose value it must not use."""

BLOCKS = 1024
"""Enough for every multiprocessor of a device to be given one."""


@dataclass(frozen=True)
class Out:
    """An array that the kernel has to fill."""

    shape: tuple[int, ...]
    dtype: Any = np.float32


@dataclass(frozen=True)
class InOut:
    """An array that the kernel changes in place."""

    start: Array


class _Guarded:
    """One array on the device with a band on each side."""

    def __init__(self, given: Any) -> None:
        self.start = poisoned(given.shape, given.dtype) if isinstance(given, Out) else getattr(given, "start", given)
        self.fixed = isinstance(given, np.ndarray)
        band = poisoned((GUARD,), self.start.dtype)
        self.before = np.concatenate([band, self.start.ravel(), band])
        self.memory = cuda.to_device(self.before)

    def seen_by_kernel(self) -> Any:
        """The part of the memory that the kernel is given."""
        return self.memory[GUARD : GUARD + self.start.size].reshape(self.start.shape)

    def after(self) -> Array:
        """The array as the kernel left it, once the bands and what must not change have been looked at."""
        found = self.memory.copy_to_host()
        for band in (slice(GUARD), slice(GUARD + self.start.size, None)):
            assert_same_bits(found[band], self.before[band])
        inside = found[GUARD : GUARD + self.start.size].reshape(self.start.shape)
        if self.fixed:
            assert_same_bits(inside, self.start)
        return inside


def launch(kernel: Any, grid: Sequence[int] | int, block: Sequence[int] | int, *arguments: Any) -> list[Array]:
    """Run a kernel twice and return what it wrote.

    Args:
        kernel: the kernel; the simulator runs the threads of a block in opposite orders in the two runs.
        grid: blocks.
        block: threads of a block.
        arguments: arrays it reads, `Out` and `InOut` for those it writes, plain numbers.

    Returns:
        every `Out` and `InOut` in order.

    Raises:
        AssertionError: the runs differ, a guard band or an input was written, or threads of a block part at a barrier.
    """
    first = _run(kernel, grid, block, arguments)
    with reversed_threads() if SIMULATED else nullcontext():
        second = _run(kernel, grid, block, arguments)
    for a, b in zip(first, second, strict=True):
        assert_same_bits(a, b)
    return first


def _run(kernel: Any, grid: Any, block: Any, arguments: Sequence[Any]) -> list[Array]:
    arrays = [_Guarded(given) if isinstance(given, np.ndarray | Out | InOut) else None for given in arguments]
    seen = [given if array is None else array.seen_by_kernel() for array, given in zip(arrays, arguments, strict=True)]
    if not SIMULATED:
        fill_shared[BLOCKS, 256](cuda.device_array(BLOCKS, np.float32))
    kernel[grid, block](*seen)
    left = [array.after() for array in arrays if array is not None and not array.fixed]
    # inputs are looked at too
    for array in arrays:
        if array is not None and array.fixed:
            array.after()
    return left
