"""What the CPU simulator lacks for a test that must not depend on luck: poisoned memory and an order of threads.

Threads of a block run one at a time, each to its next barrier, in the order of their index or in the reverse order. A
result that needs a barrier which is not there differs between the two, or holds poison.
"""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from gpu.target import SIMULATED
from numba.cuda.simulator import kernel as launches
from numba.cuda.simulator import kernelapi


def poisoned(shape: Any, dtype: Any) -> np.ndarray[Any, Any]:
    """Return fresh memory that nobody has written: NaN in every float format, a rare pattern in whole numbers."""
    kind = np.dtype(dtype)
    if kind.kind == "f":
        return np.full(shape, np.nan, kind)
    # read as BF16 this is NaN too
    return np.frombuffer(np.full(kind.itemsize, 0xFF, np.uint8).tobytes(), kind)[0] * np.ones(shape, kind)


def _shared_array(self: Any, shape: Any, dtype: Any, alignment: Any = None) -> Any:
    """Hand out one array per line and block, poisoned before its first use."""
    del alignment
    frame = sys._getframe(1)
    place = (frame.f_code.co_filename, frame.f_lineno)
    if place not in self._allocations:
        self._allocations[place] = poisoned(shape, dtype)
    return self._allocations[place]


def _local_array(self: Any, shape: Any, dtype: Any, alignment: Any = None) -> Any:
    del self, alignment
    return poisoned(shape, dtype)


class _Thread(launches.BlockThread):
    """A thread that runs only while it has its turn."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        # two locks, both taken, that the other side releases: quicker than semaphores
        self.turn = threading.Lock()
        self.rests = threading.Lock()
        self.turn.acquire()
        self.rests.acquire()
        self.ended = False
        self.barrier = 0

    def run(self) -> None:
        self.turn.acquire()
        try:
            if not self.abort:
                # a device makes infinities and NaN without a word
                with np.errstate(all="ignore"):
                    super().run()
        finally:
            self.ended = True
            self.rests.release()

    def syncthreads(self) -> None:
        self.barrier = sys._getframe(2).f_lineno
        self.rests.release()
        self.turn.acquire()
        if self.abort:
            raise RuntimeError("another thread of the block has failed")


def _run_block(self: Any, grid_point: Any, *arguments: Any) -> None:
    """Run a block: every thread to its next barrier, again and again, until all have ended."""
    points = list(np.ndindex(*self._block_dim))[:: -1 if _reversed else 1]
    threads = [_Thread(lambda: self._f(*arguments), self, grid_point, point, self._debug) for point in points]
    for thread in threads:
        thread.start()
    live, failure = threads, None
    while live and failure is None:
        for thread in live:
            thread.turn.release()
            thread.rests.acquire()
        failure = next((thread.exception for thread in live if thread.exception), None)
        live = [thread for thread in live if not thread.ended]
        if failure is None and len({thread.barrier for thread in live}) > 1:
            failure = (AssertionError("threads of one block wait at different barriers"), None)
    for thread in live:
        thread.abort = True
        thread.turn.release()
        thread.join()
    if failure is not None:
        raise failure[0].with_traceback(failure[1])


_reversed = False


@contextmanager
def reversed_threads() -> Iterator[None]:
    """Run the last thread of each block first."""
    global _reversed  # noqa: PLW0603 -- the simulator knows one launch at a time
    _reversed = True
    try:
        yield
    finally:
        _reversed = False


if SIMULATED:
    kernelapi.FakeCUDAShared.array = _shared_array
    kernelapi.FakeCUDALocal.array = _local_array
    launches.BlockManager.run = _run_block
