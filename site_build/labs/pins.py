"""The files of the Python runtime that labs need, each by its size and hash."""

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

PINS = Path(__file__).parent / "runtime-pins.json"


@dataclass(frozen=True)
class RuntimeFile:
    """One file of the runtime."""

    name: str
    size: int
    sha256: str

    def is_in(self, content: bytes) -> bool:
        """Whether `content` is this very file."""
        return len(content) == self.size and sha256(content) == self.sha256


@dataclass(frozen=True)
class Pins:
    """What the labs run on."""

    version: str
    """Of Pyodide."""
    info: dict[str, str]
    """Platform and Python, as a lock file of Pyodide states them."""
    address: str
    """Where the runtime's own project publishes the files; ends with a slash."""
    npm: str
    """The package of the npm client that carries the core files."""
    wheel: str
    """The Python package whose wheel carries all files."""
    wheel_folder: str
    """Where they stand inside that wheel; ends with a slash."""
    files: tuple[RuntimeFile, ...]


@lru_cache(maxsize=1)
def read_pins() -> Pins:
    """Read the pins."""
    data = json.loads(PINS.read_text(encoding="utf-8"))
    return Pins(**{**data, "files": tuple(RuntimeFile(**file) for file in data["files"])})


def sha256(content: bytes) -> str:
    """The hash of a file as hex digits."""
    return hashlib.sha256(content).hexdigest()
