"""Read what was published before: one snapshot a release."""

from collections.abc import Iterator
from pathlib import Path

from site_build.model import Release, parse_release
from site_build.problems import Place, Problem

FOLDER = "ledger/releases"


def release_file(version: str) -> str:
    """Where the snapshot of a version stands, from the project's root."""
    return f"{FOLDER}/{version}.json"


def read_releases(root: Path, problems: list[Problem]) -> Iterator[Release]:
    """Every release of a project, the oldest first; what cannot be read becomes a problem."""
    for path in sorted((root / FOLDER).glob("*.json"), key=_age):
        place = Place(release_file(path.stem))
        try:
            found = parse_release(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            found = str(error).splitlines()[0]
        if isinstance(found, str):
            problems.append(Problem.at(place, "release-broken", found[:120]))
        elif found.version != path.stem:
            problems.append(Problem.at(place, "release-broken", f"version {found.version}"))
        else:
            yield found


def _age(path: Path) -> tuple[tuple[int, ...], str]:
    """A key that puts `2026.2.0` before `2026.11.0`."""
    return tuple(int(part) for part in path.stem.split(".") if part.isdigit()), path.stem
