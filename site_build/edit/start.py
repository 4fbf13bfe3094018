"""`k3 new ledger`: a small ledger that passes every check and builds, to be rewritten record by record."""

from collections.abc import Mapping
from pathlib import Path

from site_build.edit.aside import write_all
from site_build.edit.kinds import SCHEMAS
from site_build.edit.new import Written
from site_build.edit.schema import schema_texts
from site_build.problems import Faults, Place, Problem

INFO = "ledger/ledger.yaml"
STARTER = Path(__file__).parent / "starter"
_NAMES = {"starter_numbers.py.txt": "starter_numbers.py", "gitignore.txt": ".gitignore"}
"""Files that carry another name here, where they would count as code or settings of the generator."""


def new_ledger(folder: Path) -> Written:
    """Write a starter ledger into a folder that is empty or not there yet, or complete one that a kill cut short."""
    texts = {
        folder / _NAMES.get(path.name, path.relative_to(STARTER).as_posix()): path.read_text(encoding="utf-8")
        for path in sorted(STARTER.rglob("*"))
        if path.is_file()
    }
    texts |= {folder / SCHEMAS / f"{name}.json": text for name, text in schema_texts().items()}
    if folder.exists() and (not folder.is_dir() or _holds_more(folder, texts)):
        raise Faults([Problem.at(Place(folder.as_posix()), "new-exists", folder.name)])
    # the last file makes it a ledger: without it the start may be made again
    info = texts.pop(folder / INFO)
    write_all(texts | {folder / INFO: info})
    return Written(Place(INFO, field="ledger"), info.count("\n"))


def _holds_more(folder: Path, texts: Mapping[Path, str]) -> bool:
    """Whether a folder holds a ledger, or anything that a start which did not end would not have left."""
    left = {path: text for path, text in texts.items() if path != folder / INFO}
    there = [path for path in folder.rglob("*") if not path.is_dir()]
    asides = {path for path in there if path.suffix == ".new"}
    return any(path not in asides and (path not in left or path.read_bytes() != left[path].encode()) for path in there)
