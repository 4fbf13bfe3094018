"""Read a release from an OCI image layout: every blob by its digest, then the layer as an archive."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from site_build.packing import LAYER_TYPE, LAYOUT, MANIFEST_TYPE, Broken, Entry, parse_json
from site_build.problems import Faults, Problem
from site_build.verifying.archive import read_archive
from site_build.verifying.found import Contents, named

SMALL = 2**22
"""Bytes of the largest index, manifest or configuration."""
DEPTH = 4
_DIGEST = re.compile(r"sha256:([0-9a-f]{64})")


class _Image:
    """The blobs of a layout, read by their descriptors."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.seen = folder, {LAYOUT, "index.json"}
        self.walked: set[Path] = set()
        self.layers: set[str] = set()
        self.unpacked: set[str] = set()

    def layer(self) -> str:
        """The path of the one layer, after a look at everything that leads to it."""
        if _json(self.folder / LAYOUT).get("imageLayoutVersion") != "1.0.0":
            raise Broken(f"another version in {LAYOUT}")
        self.walk(_json(self.folder / "index.json"))
        if len(self.layers) != 1:
            raise Broken(f"{len(self.layers)} layers")
        return next(iter(self.layers))

    def walk(self, data: dict[str, Any], depth: int = 0) -> None:
        """Follow an index or a manifest to everything that it names."""
        for inner in _list(data, "manifests"):
            if depth > DEPTH:
                raise Broken("indexes inside indexes without end")
            if (path := self.blob(inner)) not in self.walked:
                self.walked.add(path)
                self.walk(_json(path), depth + 1)
        if data.get("mediaType") == MANIFEST_TYPE:
            rootfs = _json(self.blob(data.get("config"))).get("rootfs")
            self.unpacked |= set(map(str, _list(rootfs if isinstance(rootfs, dict) else {}, "diff_ids")))
            for layer in _list(data, "layers"):
                path = self.blob(layer)
                if layer.get("mediaType") != LAYER_TYPE:
                    raise Broken(f"a layer of type {layer.get('mediaType')!r}")
                self.layers.add(path.relative_to(self.folder).as_posix())

    def blob(self, descriptor: Any) -> Path:
        """The file that a descriptor names; it has the digest and the size that the descriptor says."""
        found = _DIGEST.fullmatch(str(descriptor.get("digest"))) if isinstance(descriptor, dict) else None
        if found is None:
            raise Broken(f"the descriptor {str(descriptor)[:60]}")
        name = f"blobs/sha256/{found[1]}"
        path = self.folder / name
        if path.is_symlink() or not path.is_file():
            raise Broken(f"no {name}")
        if (entry := Entry.of(path)) != Entry(found[1], descriptor.get("size")):
            raise Broken(f"{name} of {entry}")
        self.seen.add(name)
        return path

    def extra(self) -> Iterator[Problem]:
        """What stands in the layout and is named by nothing."""
        for path in sorted(self.folder.rglob("*")):
            name = path.relative_to(self.folder).as_posix()
            if name not in self.seen and not path.is_dir():
                yield Problem.at(named(name), "file-extra", "a link" if path.is_symlink() else Entry.of(path))


def read_image(folder: Path) -> Contents:
    """The site in the one layer of an image.

    Raises:
        Faults: the layout is damaged, or its layer is.
        OSError: a file cannot be read.
    """
    image = _Image(folder)
    try:
        layer = image.layer()
    except Broken as error:
        raise Faults([Problem.at(named(folder), "image-broken", error)]) from None
    read = read_archive(folder / layer, layer)
    if image.unpacked != {f"sha256:{read.unpacked}"}:
        got = f"{', '.join(sorted(image.unpacked)) or 'none'} for sha256:{read.unpacked}"
        raise Faults([Problem.at(named(folder), "image-broken", got)])
    return replace(read.contents, outside=tuple(image.extra()))


def _json(path: Path) -> dict[str, Any]:
    if path.is_symlink() or not path.is_file() or path.stat().st_size > SMALL:
        raise Broken(f"no {path.name} of at most {SMALL} bytes")
    try:
        return parse_json(path.read_bytes())
    except Broken as error:
        raise Broken(f"{path.name}: {error}") from None


def _list(data: dict[str, Any], name: str) -> list[Any]:
    value = data.get(name, [])
    if not isinstance(value, list):
        raise Broken(f"{name}: {str(value)[:60]}")
    return value
