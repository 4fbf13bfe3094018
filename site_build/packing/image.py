"""A site as an OCI image layout, written without a container engine.

The image has one layer, the archive itself, and no base: it holds files and starts nothing. The files suit any machine,
so that the index names the same layer once for each of the usual ones.
"""

import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from site_build.packing.archive import Packed

LAYOUT = "oci-layout"
INDEX_TYPE = "application/vnd.oci.image.index.v1+json"
MANIFEST_TYPE = "application/vnd.oci.image.manifest.v1+json"
CONFIG_TYPE = "application/vnd.oci.image.config.v1+json"
LAYER_TYPE = "application/vnd.oci.image.layer.v1.tar+gzip"
ARCHITECTURES = ("amd64", "arm64")
_NAMES = "org.opencontainers.image."


def write_image(archive: Path, packed: Packed, target: Path, created: str, about: Mapping[str, str]) -> str:
    """Write the layout of an image with the archive as its layer into a new folder; returns the image's digest.

    Args:
        archive: the `.tar.gz` that becomes the layer.
        packed: what is known of it.
        target: the folder to be made.
        created: the date, as RFC 3339 has it.
        about: annotations by their names after `org.opencontainers.image.`; `version` among them names the image.
    """
    blobs = target / "blobs" / "sha256"
    blobs.mkdir(parents=True)
    shutil.copyfile(archive, blobs / packed.sha256)
    layer = {"mediaType": LAYER_TYPE, "digest": f"sha256:{packed.sha256}", "size": packed.size}
    notes = {f"{_NAMES}{name}": value for name, value in about.items()} | {f"{_NAMES}created": created}
    manifests = []
    for architecture in ARCHITECTURES:
        config = _config(architecture, packed, created, notes)
        manifest = {
            "schemaVersion": 2,
            "mediaType": MANIFEST_TYPE,
            "config": _blob(blobs, CONFIG_TYPE, config),
            "layers": [layer],
            "annotations": notes,
        }
        platform = {"architecture": architecture, "os": "linux"}
        manifests.append(_blob(blobs, MANIFEST_TYPE, manifest) | {"platform": platform})
    whole = {"schemaVersion": 2, "mediaType": INDEX_TYPE, "manifests": manifests, "annotations": notes}
    entry = _blob(blobs, INDEX_TYPE, whole)
    named = entry | {"annotations": {f"{_NAMES}ref.name": about["version"]}}
    index = {"schemaVersion": 2, "mediaType": INDEX_TYPE, "manifests": [named]}
    (target / LAYOUT).write_bytes(_json({"imageLayoutVersion": "1.0.0"}))
    (target / "index.json").write_bytes(_json(index))
    return str(entry["digest"])


def _config(architecture: str, packed: Packed, created: str, notes: Mapping[str, str]) -> dict[str, Any]:
    return {
        "architecture": architecture,
        "os": "linux",
        "created": created,
        "config": {"Labels": dict(notes)},
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{packed.unpacked}"]},
        "history": [{"created": created, "created_by": "k3 release"}],
    }


def _blob(blobs: Path, kind: str, data: Any) -> dict[str, Any]:
    """Write data under its hash; returns its descriptor."""
    content = _json(data)
    digest = hashlib.sha256(content).hexdigest()
    (blobs / digest).write_bytes(content)
    return {"mediaType": kind, "digest": f"sha256:{digest}", "size": len(content)}


def _json(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
