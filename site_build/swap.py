"""Put a finished folder in the place of an old one at once, so that a killed build leaves the old one whole."""

import ctypes
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


@contextmanager
def built_aside(target: Path) -> Iterator[Path]:
    """Give an empty folder beside `target`; it takes the place of `target` if the block ends well, else it goes."""
    _tidy(target)
    aside = target.with_name(f".{target.name}-new-{os.getpid()}")
    with parents_kept(target):
        aside.mkdir(parents=True)
        try:
            yield aside
            _swap(aside, target)
        finally:
            shutil.rmtree(aside, ignore_errors=True)


@contextmanager
def parents_kept(path: Path) -> Iterator[None]:
    """Take away again what the block leaves empty of the folders that it makes above `path`."""
    missing = [parent for parent in path.parents if not parent.exists()]
    try:
        yield
    finally:
        for parent in missing:
            with suppress(OSError):
                parent.rmdir()


def _swap(aside: Path, target: Path) -> None:
    if not target.exists():
        try:
            aside.rename(target)
        except OSError:
            # another first build came in between; its folder is exchanged like any other
            if not target.exists():
                raise
        else:
            return
    if _exchange(aside, target):
        return
    # elsewhere two renames must do; _tidy mends a kill between them
    old = target.with_name(f".{target.name}-old-{os.getpid()}")
    target.rename(old)
    aside.rename(target)
    shutil.rmtree(old)


def _exchange(first: Path, second: Path) -> bool:
    """Exchange two folders in one step, where the system can."""
    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    answer = renameat2(_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second), _RENAME_EXCHANGE)
    return bool(answer == 0)


def _tidy(target: Path) -> None:
    """Bring back an old folder that a killed swap left aside, and remove what dead builds left behind."""
    for old in sorted(target.parent.glob(f".{target.name}-old-*")):
        if not target.exists():
            old.rename(target)
    for rest in target.parent.glob(f".{target.name}-*-*"):
        if not alive(rest.name.rpartition("-")[2]):
            shutil.rmtree(rest, ignore_errors=True)


def alive(process: str) -> bool:
    """Whether a process of that number is there; what is no number belongs to nobody who died."""
    if not process.isdigit():
        return True
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
