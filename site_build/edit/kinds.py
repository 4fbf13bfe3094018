"""Which records stand in which file of a ledger, and the schema that an editor's program reads for it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from site_build.edit.shapes import Shape
from site_build.edit.tree import MODELINE
from site_build.model import Benchmarks, LedgerInfo, Model, Specs
from site_build.source import FILES

SCHEMAS = "ledger/schema"
"""Where the schemas stand."""
_WHOLE: dict[str, type[Model]] = {"specs.yaml": Specs, "benchmarks.yaml": Benchmarks}
"""Files that hold several lists: the record that is the whole file."""


@dataclass(frozen=True)
class FileKind:
    """A kind of ledger file."""

    name: str
    """The schema's name: `question`, `values`."""
    pattern: str
    """The files, below the project's root."""
    model: type[Model]
    """The record that the file is, or that its items are."""
    listed: bool
    """The file is a list of such records."""

    @property
    def shape(self) -> Shape:
        """How the whole file is written."""
        return Shape(tuple[self.model, ...] if self.listed else self.model)  # type: ignore[name-defined]

    def modeline(self, file: str) -> str:
        """The first line of `file`, a path below the project's root."""
        up = "../" * (len(PurePosixPath(file).parts) - 2)
        return f"{MODELINE} $schema={up}schema/{self.name}.json"


def _kinds() -> Iterator[FileKind]:
    yield FileKind("ledger", "ledger/ledger.yaml", LedgerInfo, listed=False)
    for files in FILES:
        if files.folder:
            yield FileKind(files.kind, f"ledger/{files.path}/*.yaml", files.model, listed=False)
        elif files.within:
            yield FileKind(Path(files.path).stem, f"ledger/{files.path}", _WHOLE[files.path], listed=False)
        else:
            yield FileKind(Path(files.path).stem, f"ledger/{files.path}", files.model, listed=True)


KINDS = {kind.name: kind for kind in _kinds()}
"""Every kind of file, by name."""


def kind_of(file: str) -> FileKind | None:
    """The kind of a file, a path below the project's root; None for other files."""
    path = PurePosixPath(file)
    for kind in KINDS.values():
        wanted = PurePosixPath(kind.pattern)
        if path.match(kind.pattern) and len(path.parts) == len(wanted.parts):
            return kind
    return None


def ledger_files(root: Path) -> list[str]:
    """Every ledger file of a project, sorted."""
    found = {path for kind in KINDS.values() for path in root.glob(kind.pattern)}
    return sorted(path.relative_to(root).as_posix() for path in found)
