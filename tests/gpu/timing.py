"""How fast kernels run on a device, at the released model's shapes, beside a plain copy of memory."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from gpu.kernels.chunk import kda_chunk
from gpu.kernels.kda import kda_scan, kda_step_bf16, kda_step_fp32
from gpu.kernels.situ import situ_backward, situ_forward
from gpu.simulator import poisoned
from gpu.worlds import world
from numba import cuda

REPEATS = 20


@dataclass(frozen=True)
class Timed:
    """Something to run again and again."""

    name: str
    """Of the kernel."""
    moved: int
    """Bytes read and written once each."""
    run: Callable[[], None]
    """One launch."""
    out: Any
    """A device array that the launch fills."""


def elementwise(n: int, threads: int = 256) -> list[Timed]:
    """A copy of n float32 numbers, and SiTU-GLU over as many."""
    rng = np.random.default_rng(0)
    given = [cuda.to_device(np.asarray(rng.normal(size=n), np.float32)) for _ in range(3)]
    outs = [cuda.to_device(poisoned((n,), np.float32)) for _ in range(4)]
    grid = -(-n // threads)

    def copy() -> None:
        outs[0].copy_to_device(given[0])

    def forward() -> None:
        situ_forward[grid, threads](given[0], given[1], outs[1])

    def backward() -> None:
        situ_backward[grid, threads](*given, outs[2], outs[3])

    return [
        Timed("copy", 8 * n, copy, outs[0]),
        Timed("situ_forward", 12 * n, forward, outs[1]),
        Timed("situ_backward", 20 * n, backward, outs[3]),
    ]


def decode(N: int, H: int, K: int, V: int, block: tuple[int, int] = (32, 4)) -> list[Timed]:
    """One token for each of N sequences, in both formats of the state."""
    whole = world("ordinary", *[1] * N, H=H, K=K, V=V)
    tokens = [cuda.to_device(array) for array in whole.tokens]
    grid = (N * H, -(-V // block[0]))

    def timed(name: str, kernel: Any, state: Any, size: int) -> Timed:
        out = cuda.to_device(poisoned((N, H, V), np.float32))

        def run() -> None:
            kernel[grid, block](*tokens, whole.scale, state, out)

        return Timed(name, 2 * size * N * H * K * V, run, out)

    return [
        timed("kda_step_fp32", kda_step_fp32, cuda.to_device(whole.state), 4),
        timed("kda_step_bf16", kda_step_bf16, cuda.to_device(np.zeros(whole.state.shape, np.uint16)), 2),
    ]


def prefill(T: int, H: int, K: int, V: int, *, lanes: int = 32, threads: int = 128) -> list[Timed]:
    """One sequence of T tokens, token by token and in chunks."""
    whole = world("ordinary", T, H=H, K=K, V=V)
    tokens, bounds = [cuda.to_device(array) for array in whole.tokens], cuda.to_device(whole.bounds)
    moved = sum(array.nbytes for array in whole.tokens) + whole.tokens.value.nbytes + 2 * whole.state.nbytes

    def timed(name: str, kernel: Any, grid: tuple[int, int], block: int) -> Timed:
        state, out = cuda.to_device(whole.state), cuda.to_device(poisoned((T, H, V), np.float32))

        def run() -> None:
            kernel[grid, block](*tokens, whole.scale, bounds, state, out)

        return Timed(name, moved, run, out)

    return [
        timed("kda_scan", kda_scan, (H, -(-V // lanes)), lanes),
        timed("kda_chunk", kda_chunk, (H, -(-V // 16)), threads),
    ]


def measure() -> dict[str, dict[str, float]]:
    """Time everything at the released shapes: seconds, bytes a second, and that as a share of the copy's."""
    found: dict[str, dict[str, float]] = {}
    for timed in (*elementwise(1 << 26), *decode(32, 96, 128, 128), *prefill(4096, 96, 128, 128)):
        seconds = _seconds(timed.run)
        rate = timed.moved / seconds
        copied = found["copy"]["bytes_per_second"] if found else rate
        found[timed.name] = {"seconds": seconds, "bytes_per_second": rate, "share_of_copy": rate / copied}
    return found


def _seconds(run: Callable[[], None]) -> float:
    """The mean of some launches after one that compiles and warms up."""
    run()
    start, end = cuda.event(), cuda.event()
    start.record()
    for _ in range(REPEATS):
        run()
    end.record()
    end.synchronize()
    return float(start.elapsed_time(end)) / 1e3 / REPEATS
