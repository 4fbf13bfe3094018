"""`manifest.json` says what a released site consists of, `release.json` what the manifest is worth.

Both are read from places that nobody vouches for: whatever they hold, reading ends in a record or in one line.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

MANIFEST = "manifest.json"
NOTE = "release.json"
FILE_LIMIT = 2**30
"""Bytes of the largest file that a release may hold."""
NOTE_LIMIT = 2**26
"""Bytes of the largest manifest."""
_HASH = re.compile(r"[0-9a-f]{64}")
_CHUNK = 2**20


class Broken(ValueError):  # noqa: N818 - it tells of a text, not of this program
    """What was read is not what it should be; the text says how."""


@dataclass(frozen=True)
class Entry:
    """A file's content, by hash and size."""

    sha256: str
    size: int

    def __str__(self) -> str:
        return f"{self.size} B, SHA-256 {self.sha256}"

    @classmethod
    def of(cls, path: Path) -> "Entry":
        """Read a file piece by piece."""
        digest, size = hashlib.sha256(), 0
        with path.open("rb") as file:
            while piece := file.read(_CHUNK):
                digest.update(piece)
                size += len(piece)
        return cls(digest.hexdigest(), size)


@dataclass(frozen=True)
class Manifest:
    """Every file of a release but the manifest and the note."""

    version: str
    build: str
    files: Mapping[str, Entry]
    """By path from the site's root."""
    digest: str
    """SHA-256 of the manifest's own bytes."""


@dataclass(frozen=True)
class Note:
    """What `release.json` says."""

    version: str
    build: str
    manifest: str
    """SHA-256 of `manifest.json`."""
    address: str
    date: str


def sealed(site: Path, version: str, build: str, address: str, date: str) -> Note:
    """Write manifest and note into a built site; the same site gives the same bytes."""
    files = {path.relative_to(site).as_posix(): asdict(Entry.of(path)) for path in site.rglob("*") if path.is_file()}
    for own in (MANIFEST, NOTE):
        files.pop(own, None)
    manifest = _json({"version": version, "build": build, "files": files})
    note = Note(version, build, hashlib.sha256(manifest).hexdigest(), address, date)
    (site / MANIFEST).write_bytes(manifest)
    (site / NOTE).write_bytes(_json(asdict(note)))
    return note


def _json(data: Any) -> bytes:
    return (json.dumps(data, ensure_ascii=False, sort_keys=True, indent=1) + "\n").encode()


def parse_json(content: bytes) -> dict[str, Any]:
    """Read an object of JSON that uses no name twice.

    Raises:
        Broken: it is none.
    """
    try:
        data = json.loads(content.decode("utf-8"), object_pairs_hook=_once)
    except RecursionError:
        raise Broken("JSON that is nested too deeply") from None
    except UnicodeDecodeError:
        raise Broken("no UTF-8") from None
    except json.JSONDecodeError as error:
        raise Broken(f"no JSON: {error}") from None
    except Broken:
        raise
    except ValueError as error:
        raise Broken(f"no JSON: {error}") from None
    if not isinstance(data, dict):
        raise Broken(f"JSON, but {type(data).__name__} and no object")
    return data


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for name in found if sum(name == other for other, _ in pairs) > 1)
        raise Broken(f"{twice!r} twice")
    return found


def parse_note(content: bytes) -> Note:
    """Read `release.json`.

    Raises:
        Broken: it lacks something, or holds something else.
    """
    data = parse_json(content)
    texts = {name: _text(data, name) for name in Note.__dataclass_fields__}
    if not _HASH.fullmatch(texts["manifest"]):
        raise Broken(f"manifest: {_short(texts['manifest'])} and no SHA-256")
    return Note(**texts)


def parse_manifest(content: bytes) -> Manifest:
    """Read `manifest.json`; its paths stay below the site's root.

    Raises:
        Broken: it lacks something, or holds something else.
    """
    data = parse_json(content)
    version, build, files = _text(data, "version"), _text(data, "build"), data.get("files")
    if not isinstance(files, dict) or not files:
        raise Broken("no files")
    entries = {_path(path): _entry(path, value) for path, value in files.items()}
    return Manifest(version, build, entries, hashlib.sha256(content).hexdigest())


def _text(data: Mapping[str, Any], name: str) -> str:
    value = data.get(name)
    if not isinstance(value, str) or not value.isprintable() or not value:
        raise Broken(f"{name}: {_short(value)}")
    return value


def _path(path: str) -> str:
    """A path that leads to a file below the root, written in one way only."""
    plain = PurePosixPath(path)
    safe = path.isprintable() and "\\" not in path and ":" not in plain.parts[0] if plain.parts else False
    if not safe or plain.is_absolute() or ".." in plain.parts or str(plain) != path or path in (MANIFEST, NOTE):
        raise Broken(f"the path {_short(path)}")
    return path


def _entry(path: str, value: Any) -> Entry:
    fields = value if isinstance(value, dict) else {}
    hash_, size = fields.get("sha256"), fields.get("size")
    if fields.keys() != {"sha256", "size"} or not isinstance(hash_, str) or not _HASH.fullmatch(hash_):
        raise Broken(f"{path}: {_short(value)}")
    if type(size) is not int or not 0 <= size <= FILE_LIMIT:
        raise Broken(f"{path}: a size of {_short(size)}")
    return Entry(hash_, size)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
