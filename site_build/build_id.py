"""The build id: a hash of everything that the site is made from."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent
ID_LENGTH = 12


def build_id(root: Path, numerics: Path | None, address: str, labs: str = "") -> str:
    """The first 12 hex digits of SHA-256 over the project's inputs, the generator, the numerics and the address.

    `labs` is the hash of what labs need to run in the page; a site whose labs cannot run is another build.

    `ledger/releases/` and `evidence/` stay out: a release may name its own build. So does `ledger/schema/`: no page is
    made from it.
    """
    digest = hashlib.sha256()
    for name, path in sorted(_inputs(root, numerics)):
        content = path.read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    digest.update(f"{address}\0{labs}".encode() if labs else address.encode())
    return digest.hexdigest()[:ID_LENGTH]


def _inputs(root: Path, numerics: Path | None) -> Iterator[tuple[str, Path]]:
    for folder in ("ledger", "content"):
        yield from _files(root / folder, folder, skip=("ledger/releases/", "ledger/schema/"))
    yield from _files(PACKAGE, "site_build")
    if numerics is not None and numerics.is_dir():
        yield from _files(numerics, "numerics")
    elif numerics is not None:
        yield f"numerics/{numerics.name}", numerics
    for name in ("mkdocs.yml", "requirements.txt"):
        if (root / name).is_file():
            yield name, root / name


def _files(folder: Path, name: str, skip: tuple[str, ...] = ()) -> Iterator[tuple[str, Path]]:
    for path in folder.rglob("*"):
        inner = f"{name}/{path.relative_to(folder).as_posix()}"
        if path.is_file() and "__pycache__" not in path.parts and not inner.startswith(skip):
            yield inner, path
