"""Results that depend on nothing but their inputs, kept between runs: a drawn chart, a text that no red line crosses.

A name is a hash of everything the result depends on, so that a kept result is the result. Without a folder nothing is
kept.
"""

import hashlib
import marshal
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

_FOLDER: list[Path] = []


def keep_in(folder: Path) -> None:
    """Keep results below `folder` from now on."""
    _FOLDER[:] = [folder]


def name_of(*parts: str) -> str:
    """A name made of everything that a result depends on."""
    digest = hashlib.sha256(sys.version.encode())
    for part in parts:
        digest.update(f"{len(part)}\0{part}".encode())
    return digest.hexdigest()


def recall(kind: str, name: str) -> Any:
    """A kept result; None where there is none."""
    if not _FOLDER:
        return None
    try:
        return marshal.loads((_FOLDER[0] / kind / name).read_bytes())
    except (OSError, EOFError, ValueError, TypeError):
        return None


def keep(kind: str, name: str, result: Any) -> None:
    """Keep a result of plain data; a folder that cannot be written is no fault, only slower."""
    if not _FOLDER:
        return
    path = _FOLDER[0] / kind / name
    aside = path.with_name(f".{name}-{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        aside.write_bytes(marshal.dumps(result))
        aside.replace(path)
    except OSError:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
