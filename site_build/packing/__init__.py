"""A released site as one manifest, one archive and one image, the same bytes each time. This is the package's door."""

from site_build.packing.archive import Packed, write_archive
from site_build.packing.image import LAYER_TYPE, LAYOUT, MANIFEST_TYPE, write_image
from site_build.packing.manifest import (
    FILE_LIMIT,
    MANIFEST,
    NOTE,
    NOTE_LIMIT,
    Broken,
    Entry,
    Manifest,
    Note,
    parse_json,
    parse_manifest,
    parse_note,
    sealed,
)

__all__ = [
    "FILE_LIMIT",
    "LAYER_TYPE",
    "LAYOUT",
    "MANIFEST",
    "MANIFEST_TYPE",
    "NOTE",
    "NOTE_LIMIT",
    "Broken",
    "Entry",
    "Manifest",
    "Note",
    "Packed",
    "parse_json",
    "parse_manifest",
    "parse_note",
    "sealed",
    "write_archive",
    "write_image",
]
