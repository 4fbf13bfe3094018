"""Write files so that a kill leaves each one old or new, and a fault leaves all of them old."""

import os
import shutil
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

from site_build.swap import alive, parents_kept


def write_all(texts: Mapping[Path, str]) -> None:
    """Write every text to its file: aside first, then each takes its place by one rename.

    A fault on the way puts back what had its place; a kill between two renames leaves the later file as it was.

    Raises:
        OSError: a file cannot be written; then no file has changed, and no folder is new.
    """
    targets = {path.resolve(): text for path, text in texts.items()}
    before = {path: path.read_bytes() if path.exists() else None for path in targets}
    with ExitStack() as folders:
        for path in targets:
            folders.enter_context(parents_kept(path))
        _write_each(targets, before)


def _write_each(targets: Mapping[Path, str], before: Mapping[Path, bytes | None]) -> None:
    asides = {path: _aside(path) for path in targets}
    try:
        for path, text in targets.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(path, asides[path], text)
            if before[path] is not None:
                shutil.copymode(path, asides[path])
        _rename(asides, before)
    finally:
        for aside in asides.values():
            with suppress(OSError):
                aside.unlink(missing_ok=True)


def _write(path: Path, aside: Path, text: str) -> None:
    try:
        aside.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        # a full disk has no name of its own, and the name of an aside tells nobody anything
        raise OSError(error.errno, error.strerror, str(path)) from None


def _rename(asides: Mapping[Path, Path], before: Mapping[Path, bytes | None]) -> None:
    done: list[Path] = []
    try:
        for path, aside in asides.items():
            aside.replace(path)
            done.append(path)
    except OSError:
        for path in done:
            old = before[path]
            if old is None:
                path.unlink()
            else:
                path.write_bytes(old)
        raise


def _aside(path: Path) -> Path:
    """A name beside `path` that no reader takes for a record; what a killed run left there goes."""
    for rest in path.parent.glob(f".{path.name}.*.new"):
        if not alive(rest.suffixes[-2].removeprefix(".")):
            rest.unlink(missing_ok=True)
    return path.with_name(f".{path.name}.{os.getpid()}.new")
