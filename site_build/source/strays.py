"""Files of the ledger's folder that nothing reads: a record in one of them would be lost without a word."""

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path, PurePosixPath

from site_build.problems import Place, Problem
from site_build.source.files import FILES

_LISTS = ("ledger.yaml", *dict.fromkeys(files.path for files in FILES if not files.folder))
_FOLDERS = {files.path: files.kind for files in FILES if files.folder}
_RECORDS = frozenset({".yaml", ".yml", ".json", ".bib"})
"""Endings of files that could hold records."""


def unread_files(root: Path, bibliography: str, ids: Mapping[str, str]) -> Iterator[Problem]:
    """Every file that could hold records and stands where none are read; `ids` are the patterns of each kind's ids.

    Schemas and releases have their own readers; hidden files and backups are nobody's records.
    """
    for path in sorted((root / "ledger").rglob("*")):
        inner = PurePosixPath(path.relative_to(root / "ledger").as_posix())
        if not path.is_file() or any(part.startswith(".") for part in inner.parts) or inner.name.endswith("~"):
            continue
        file = f"ledger/{inner}"
        if str(inner) in _LISTS or file == bibliography or inner.parts[0] in {"schema", "releases"}:
            continue
        folder = inner.parts[0] if len(inner.parts) > 1 and inner.parts[0] in _FOLDERS else ""
        if folder and len(inner.parts) == 2 and inner.suffix == ".yaml":
            continue
        if not folder and inner.suffix not in _RECORDS:
            continue
        if place := _meant(inner, folder, bibliography.removeprefix("ledger/"), ids):
            yield Problem.at(Place(file), "file-misplaced", file, nearest=f"ledger/{place}")
        else:
            yield Problem.at(Place(file), "file-unread", file, known=", ".join((*_LISTS, *_FOLDERS)))


def _meant(inner: PurePosixPath, folder: str, bibliography: str, ids: Mapping[str, str]) -> str:
    """Where a file like this one is read; empty where nothing is near."""
    if folder:
        return f"{folder}/{inner.stem}.yaml"
    known = {PurePosixPath(place).name: place for place in (*_LISTS, bibliography)}
    near = get_close_matches(inner.name, known, 1, cutoff=0.8)
    if near:
        return known[near[0]]
    near = get_close_matches(inner.parts[0], _FOLDERS, 1, cutoff=0.8) if len(inner.parts) > 1 else []
    if not near:
        near = [place for place, kind in _FOLDERS.items() if kind in ids and re.search(ids[kind], inner.stem)][:1]
    return f"{near[0]}/{inner.stem}.yaml" if near else ""
