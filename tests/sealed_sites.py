"""A released site of a few files, as a folder, an archive and an image."""

import io
import tarfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from site_build.packing import Packed, sealed, write_archive, write_image

SECONDS = 1_767_225_600
"""The first second of 2026."""
FILES = {
    "index.html": "home",
    "questions/Q1/index.html": "question",
    "zh/问题.txt": "问题",
    "assets/empty.css": "",
    "a" * 60 + "/" + "b" * 60 + "/long.txt": "a path that needs an extended header",
}
ABOUT = {"version": "2026.1.0", "title": "Tiny 台账", "url": "https://tiny.example/"}


@dataclass(frozen=True)
class Sealed:
    """A release in all its forms."""

    site: Path
    archive: Path
    image: Path
    digest: str
    """SHA-256 of the manifest."""
    packed: Packed


def seal(folder: Path) -> Sealed:
    """Write the site and seal it."""
    site = folder / "site"
    for name, text in FILES.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text, encoding="utf-8")
    note = sealed(site, "2026.1.0", "0123456789ab", "https://tiny.example/", "2026-01-01")
    archive = folder / "tiny-2026.1.0.tar.gz"
    packed = write_archive(site, archive, SECONDS)
    write_image(archive, packed, folder / "image", "2026-01-01T00:00:00Z", ABOUT)
    return Sealed(site, archive, folder / "image", note.manifest, packed)


def entry(
    name: str, content: bytes = b"", kind: bytes = tarfile.REGTYPE, link: str = ""
) -> tuple[tarfile.TarInfo, bytes]:
    """An entry of an archive."""
    info = tarfile.TarInfo(name)
    info.size, info.type, info.linkname = len(content), kind, link
    return info, content


def site_entries(site: Path) -> list[tuple[tarfile.TarInfo, bytes]]:
    """A whole site as entries."""
    files = sorted(path for path in site.rglob("*") if path.is_file())
    return [entry(f"site/{path.relative_to(site).as_posix()}", path.read_bytes()) for path in files]


def write_tar(target: Path, entries: Iterable[tuple[tarfile.TarInfo, bytes]], mode: str = "w:gz") -> Path:
    """Write an archive of any entries."""
    with tarfile.open(target, mode) as archive:  # type: ignore[call-overload]
        for info, content in entries:
            archive.addfile(info, io.BytesIO(content))
    return target
