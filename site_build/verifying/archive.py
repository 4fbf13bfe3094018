"""Read a release from a `.tar` or `.tar.gz` without unpacking it: nothing is ever written.

An archive is material from a stranger: names that lead outside, links and devices end the reading, and so do sizes
beyond any site.
"""

import gzip
import hashlib
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

from site_build.packing import FILE_LIMIT, MANIFEST, NOTE, NOTE_LIMIT, Entry
from site_build.problems import Faults, Problem
from site_build.verifying.found import Contents, named

MEMBERS = 100_000
"""Most entries of an archive."""
TOTAL = 2**32
"""Most bytes of an archive once unpacked."""
_PIECE = 2**20
_GZIP = b"\x1f\x8b"
_BROKEN = (tarfile.TarError, EOFError, zlib.error, OSError, ValueError, OverflowError, RecursionError, IndexError)


class _TooBig(Exception):  # noqa: N818 - the limit is the message
    """A limit was passed."""


class _Unsafe(Exception):  # noqa: N818 - the entry is the message
    """An entry that no site has."""


class _Forward:
    """An unpacked archive that can only be read on, by pieces, up to a limit; keeps the hash of all of it."""

    def __init__(self, inner: IO[bytes] | gzip.GzipFile) -> None:
        self.inner, self.position, self.digest, self.last = inner, 0, hashlib.sha256(), b""

    def read(self, size: int) -> bytes:
        """The next bytes; a longer piece than any header needs is refused, whatever a header says."""
        if not 0 <= size <= _PIECE:
            raise _TooBig(f"a header of {size} bytes")
        piece = self.inner.read(size)
        self.position += len(piece)
        if self.position > TOTAL:
            raise _TooBig(f"more than {TOTAL} bytes")
        self.digest.update(piece)
        self.last = piece
        return piece

    def seek(self, position: int) -> int:
        """Read on to a position."""
        if position < self.position:
            raise ValueError("an entry that begins before the end of the one before")
        while self.position < position and self.read(min(_PIECE, position - self.position)):
            pass
        return self.position

    def finish(self) -> None:
        """Read on to the end, which has to come where the archive marks it."""
        if self.last != bytes(tarfile.BLOCKSIZE):
            raise EOFError("the end before its mark")
        while self.read(_PIECE):
            pass

    def tell(self) -> int:
        """How far it was read."""
        return self.position


@dataclass(frozen=True)
class Read:
    """What an archive holds."""

    contents: Contents
    unpacked: str
    """SHA-256 of the archive without its compression."""


def read_archive(path: Path, name: str = "") -> Read:
    """Read an archive from its first to its last byte; `name` is how messages call it.

    Raises:
        Faults: it is damaged, unsafe or too big, or holds no release.
        OSError: the file cannot be opened.
    """
    place = named(name or path)
    with path.open("rb") as file:
        packed = file.read(len(_GZIP)) == _GZIP
        file.seek(0)
        stream = _Forward(gzip.GzipFile(fileobj=file) if packed else file)
        files: dict[str, Entry] = {}
        notes: dict[str, bytes] = {}
        try:
            with tarfile.open(fileobj=stream, mode="r:") as archive:  # type: ignore[call-overload]
                for inner, entry, note in _members(archive):
                    files[inner] = entry
                    notes |= {inner: note} if note is not None else {}
            stream.finish()
        except _Unsafe as error:
            raise Faults([Problem.at(place, "archive-unsafe", error)]) from None
        except _TooBig as error:
            raise Faults([Problem.at(place, "archive-too-big", error)]) from None
        except _BROKEN as error:
            got = f"{type(error).__name__}: {error}"
            raise Faults([Problem.at(place, "archive-broken", got[:120])]) from None
    return Read(_below_root(str(place), files, notes), stream.digest.hexdigest())


def _members(archive: tarfile.TarFile) -> Iterator[tuple[str, Entry, bytes | None]]:
    """Path, hash and size of each file, and the content of what may be the manifest or the note."""
    seen: set[str] = set()
    for count, member in enumerate(archive, 1):
        if count > MEMBERS:
            raise _TooBig(f"more than {MEMBERS} entries")
        inner = _path(member.name)
        if member.isdir():
            continue
        if inner in seen:
            raise _Unsafe(f"{inner} twice")
        seen.add(inner)
        if member.type not in (tarfile.REGTYPE, tarfile.AREGTYPE) or member.issparse():
            kind = "a link" if member.issym() or member.islnk() else "a device or another thing that is no file"
            raise _Unsafe(f"{kind}, {member.name!r}")
        if not 0 <= member.size <= FILE_LIMIT:
            raise _TooBig(f"{inner} of {member.size} bytes")
        yield inner, *_content(archive, member, PurePosixPath(inner).name in (MANIFEST, NOTE))


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo, is_note: bool) -> tuple[Entry, bytes | None]:
    stream: Any = archive.fileobj
    stream.seek(member.offset_data)
    if is_note and member.size > NOTE_LIMIT:
        raise _TooBig(f"{member.name} of {member.size} bytes")
    digest, left, kept = hashlib.sha256(), member.size, b""
    while left:
        piece = stream.read(min(_PIECE, left))
        if not piece:
            raise EOFError(f"the end inside {member.name}")
        digest.update(piece)
        left -= len(piece)
        kept += piece if is_note else b""
    return Entry(digest.hexdigest(), member.size), kept if is_note else None


def _path(name: str) -> str:
    """A name without what means nothing; one that leads outside is refused."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or not name.isprintable():
        raise _Unsafe(f"the name {name!r}")
    return str(path)


def _below_root(name: str, files: dict[str, Entry], notes: dict[str, bytes]) -> Contents:
    """Files as the site sees them: its root is where the topmost manifest stands."""
    roots = [path.removesuffix(MANIFEST) for path in notes if PurePosixPath(path).name == MANIFEST]
    if not roots:
        raise Faults([Problem.at(named(name), "release-not-here", file=MANIFEST)])
    root = min(roots, key=lambda path: (path.count("/"), path))
    if f"{root}{NOTE}" not in notes:
        raise Faults([Problem.at(named(name), "release-not-here", file=NOTE)])
    own = {root + MANIFEST, root + NOTE}
    # what stands beside the site is one too many, and is named as the archive names it
    inner = {
        path.removeprefix(root) if path.startswith(root) else f"../{path}": entry
        for path, entry in files.items()
        if path not in own
    }
    return Contents(notes[root + MANIFEST], notes[root + NOTE], inner)
