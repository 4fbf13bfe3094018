"""Fetch, verify and find the files of the runtime. A file with another hash is refused, whatever its source."""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from site_build.labs.pins import RuntimeFile, read_pins, sha256
from site_build.labs.sources import FOLDER_VARIABLE, LOCAL, SOURCES, NotThereError, Workplace

type Source = Callable[[Workplace, str], bytes]


@dataclass(frozen=True)
class Found:
    """What the search for one file came to."""

    file: RuntimeFile
    content: bytes | None
    """The file, its hash checked; none where no source has it."""
    source: str
    """Who gave it."""
    refusals: tuple[str, ...]
    """What each source before that said."""

    @property
    def line(self) -> str:
        """The outcome for a person."""
        if self.content is not None:
            return f"{self.file.name}: {self.file.size:,} bytes, hash right, from {self.source}"
        remedy = f"Put the file into a folder and name that in {FOLDER_VARIABLE}, or run: k3 runtime fetch"
        return f"{self.file.name}: expected SHA-256 {self.file.sha256}, got none. {remedy}"


def fetch_runtime(root: Path, sources: Mapping[str, Source] = SOURCES) -> Iterator[Found]:
    """Find every file, asking each source in turn, and keep it in the project's cache."""
    place = Workplace(root, read_pins())
    for file in place.pins.files:
        found = _find(place, file, sources)
        if found.content is not None and found.source != "cache":
            _keep(place.cache / file.name, found.content)
        yield found


def find_runtime(root: Path) -> Iterator[Found]:
    """The same without a network, and nothing is kept."""
    place = Workplace(root, read_pins())
    local = {name: SOURCES[name] for name in LOCAL}
    for file in place.pins.files:
        yield _find(place, file, local)


def _find(place: Workplace, file: RuntimeFile, sources: Mapping[str, Source]) -> Found:
    refusals = []
    for name, read in sources.items():
        if name in place.silent:
            refusals.append(f"{name}: {place.silent[name]}")
            continue
        try:
            content = read(place, file.name)
        except NotThereError as error:
            refusals.append(f"{name}: {error}")
            continue
        if file.is_in(content):
            return Found(file, content, name, tuple(refusals))
        refusals.append(f"{name}: refused, SHA-256 {sha256(content)} of {len(content):,} bytes is not the pinned one")
    return Found(file, None, "", tuple(refusals))


def _keep(path: Path, content: bytes) -> None:
    """Write aside and rename, so that a killed fetch leaves no half file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        aside.write_bytes(content)
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
