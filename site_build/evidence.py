"""Committed results of commands: what was compared or looked at last, and in which build."""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from site_build.model import Release
from site_build.problems import Faults, Place, Problem

FOLDER = "evidence"


def read_evidence(root: Path, name: str) -> dict[str, Any] | None:
    """The last result of a command of that name; none before its first run.

    Raises:
        Faults: the file cannot be read.
    """
    file = root / FOLDER / f"{name}.json"
    return _read(file) if file.exists() else None


def _read(file: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        got = error.strerror if isinstance(error, OSError) else error
        raise Faults([Problem.at(Place(f"{FOLDER}/{file.name}", 0), "evidence-broken", got)]) from None
    return found


def read_parity(root: Path) -> dict[str, Any] | None:
    """The last comparison of engines, and under `kernels` what each `gpu-*.json` says of the numerics' kernels."""
    found = read_evidence(root, "parity")
    files = sorted((root / FOLDER).glob("gpu-*.json"))
    return found and {**found, "kernels": [_read(file) for file in files]}


def release_evidence(version: str) -> str:
    """Where a release's digest is kept, from the project's root."""
    return f"{FOLDER}/release-{version}.json"


def read_digests(root: Path, releases: Iterable[Release]) -> dict[str, str]:
    """By release, SHA-256 of its manifest; a release without a file has none.

    Raises:
        Faults: a file is no record of its release.
    """
    found, faults = {}, []
    for release in releases:
        file = root / release_evidence(release.version)
        if not file.is_file():
            continue
        try:
            kept = json.loads(file.read_text(encoding="utf-8"))
            if (kept["version"], kept["build"]) == (release.version, release.build):
                found[release.version] = str(kept["manifest"])
                continue
            got = f"version {kept['version']}, build {kept['build']}"
        except (OSError, ValueError, KeyError, TypeError) as error:
            got = f"{type(error).__name__}: {error}"
        place = Place(release_evidence(release.version))
        faults.append(Problem.at(place, "digest-broken", got[:120], version=release.version, build=release.build))
    if faults:
        raise Faults(faults)
    return found


def write_evidence(root: Path, name: str, result: dict[str, Any]) -> None:
    """Put a result in the place of the last one."""
    file = root / FOLDER / f"{name}.json"
    file.parent.mkdir(exist_ok=True)
    aside = file.with_name(f".{file.name}-{os.getpid()}")
    aside.write_text(json.dumps(result, indent=2, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    aside.replace(file)
