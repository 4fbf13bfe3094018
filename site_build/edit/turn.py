"""Let those who change a project's files take turns: each reads what the one before has written."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows has other locks; there nobody waits
    fcntl = None  # type: ignore[assignment]


@contextmanager
def in_turn(root: Path) -> Iterator[None]:
    """Wait until no other process changes the project at `root`; then others wait until the block ends.

    The lock is on the folder itself: it leaves no file behind, and the system takes it from a process that dies. A
    folder that is not there keeps nobody waiting.
    """
    if fcntl is None or not root.is_dir():
        yield
        return
    folder = os.open(root, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)
