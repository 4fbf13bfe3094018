"""Read a release from wherever it is named: a folder, an image's layout, an archive or an address."""

from pathlib import Path

from site_build.packing import LAYOUT, MANIFEST, NOTE, NOTE_LIMIT, Entry
from site_build.problems import Faults, Problem
from site_build.verifying.address import read_address
from site_build.verifying.archive import read_archive
from site_build.verifying.found import Contents, named
from site_build.verifying.image import read_image


def read_contents(target: str) -> Contents:
    """What the place of that name holds.

    Raises:
        Faults: it is not there, cannot be read, or holds no release.
    """
    if target.startswith(("http://", "https://")):
        return read_address(target)
    path = Path(target)
    try:
        if (path / LAYOUT).is_file():
            return read_image(path)
        if path.is_dir():
            return read_folder(path)
        if path.is_file():
            return read_archive(path).contents
    except OSError as error:
        place = named(error.filename or target)
        raise Faults([Problem.at(place, "new-out-of-reach", error.strerror)]) from None
    raise Faults([Problem.at(named(target), "release-nowhere")])


def read_folder(folder: Path) -> Contents:
    """A site's folder; links are not followed.

    Raises:
        Faults: the folder holds no release.
        OSError: a file cannot be read.
    """
    notes = [folder / name for name in (MANIFEST, NOTE)]
    for path in notes:
        if path.is_symlink() or not path.is_file():
            raise Faults([Problem.at(named(folder), "release-not-here", file=path.name)])
        if (size := path.stat().st_size) > NOTE_LIMIT:
            raise Faults([Problem.at(named(path), "release-too-big", f"{size} bytes", limit=NOTE_LIMIT)])
    files, odd = {}, {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            odd[name] = "a link"
        elif path.is_file():
            files[name] = Entry.of(path)
        elif not path.is_dir():
            odd[name] = "no file"
    manifest, note = (path.read_bytes() for path in notes)
    own = {name: entry for name, entry in files.items() if name not in (MANIFEST, NOTE)}
    return Contents(manifest, note, own, odd)
