"""A site as a `.tar.gz` that depends on nothing but the site: names in order, one owner, one date, no clock."""

import gzip
import hashlib
import io
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

FOLDER = "site"
"""The folder inside the archive and the image that holds the site."""


@dataclass(frozen=True)
class Packed:
    """What was written."""

    sha256: str
    size: int
    unpacked: str
    """SHA-256 of the archive before it was compressed."""


class _Counted(io.RawIOBase):
    """Passes on what is written, and keeps hash and size of it."""

    def __init__(self, inner: BinaryIO | gzip.GzipFile) -> None:
        super().__init__()
        self.inner, self.digest, self.size = inner, hashlib.sha256(), 0

    def write(self, data: Any) -> int:
        """Pass on."""
        self.digest.update(data)
        self.size += len(data)
        self.inner.write(data)
        return len(data)


def write_archive(site: Path, target: Path, seconds: int) -> Packed:
    """Pack the folder `site` into `target`, every file dated `seconds` after the epoch."""
    with target.open("wb") as file:
        packed = _Counted(file)
        with gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0, compresslevel=9) as squeezed:
            plain = _Counted(squeezed)
            with tarfile.open(fileobj=plain, mode="w|", format=tarfile.PAX_FORMAT) as archive:
                for path in (site, *_sorted(site)):
                    _add(archive, path, site, seconds)
    return Packed(packed.digest.hexdigest(), packed.size, plain.digest.hexdigest())


def _sorted(site: Path) -> Iterator[Path]:
    """Everything below the folder, each folder before what it holds."""
    yield from sorted(site.rglob("*"), key=lambda path: path.relative_to(site).parts)


def _add(archive: tarfile.TarFile, path: Path, site: Path, seconds: int) -> None:
    inner = path.relative_to(site).as_posix()
    entry = tarfile.TarInfo(FOLDER if inner == "." else f"{FOLDER}/{inner}")
    entry.mtime = seconds
    if path.is_dir():
        entry.type, entry.mode = tarfile.DIRTYPE, 0o755
        archive.addfile(entry)
        return
    entry.size, entry.mode = path.stat().st_size, 0o644
    with path.open("rb") as content:
        archive.addfile(entry, content)
