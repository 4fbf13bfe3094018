"""`k3 new ledger`: a small ledger that passes every check and builds, to be rewritten record by record."""

from pathlib import Path

from site_build.edit.aside import write_all
from site_build.edit.kinds import SCHEMAS
from site_build.edit.new import Written
from site_build.edit.schema import schema_texts
from site_build.problems import Faults, Place, Problem

STARTER = Path(__file__).parent / "starter"
_NAMES = {"starter_numbers.py.txt": "starter_numbers.py", "gitignore.txt": ".gitignore"}
"""Files that carry another name here, where they would count as code or settings of the generator."""


def new_ledger(folder: Path) -> Written:
    """Write a starter ledger into a folder that is empty or not there yet."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Faults([Problem.at(Place(folder.as_posix()), "new-exists", folder.name)])
    texts = {
        folder / _NAMES.get(path.name, path.relative_to(STARTER).as_posix()): path.read_text(encoding="utf-8")
        for path in sorted(STARTER.rglob("*"))
        if path.is_file()
    }
    texts |= {folder / SCHEMAS / f"{name}.json": text for name, text in schema_texts().items()}
    write_all(texts)
    return Written(Place("ledger/ledger.yaml", field="ledger"), texts[folder / "ledger/ledger.yaml"].count("\n"))
