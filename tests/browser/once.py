"""Make a thing once for all workers of a test run."""

import fcntl
from collections.abc import Callable
from pathlib import Path


def once(target: Path, make: Callable[[Path], None], *, wait: bool = True) -> bool:
    """Let the first worker make `target`; the others wait for it, or go on without; tell whether it is there.

    It is made under another name, so that a worker that died half-way leaves nothing that looks finished.
    """
    with target.with_name(f"{target.name}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            return False
        if not target.exists():
            unfinished = target.with_name(f"{target.name}.unfinished")
            make(unfinished)
            unfinished.rename(target)
    return True
