"""What must be right before a release is cut; all that is wrong is said at once."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from site_build.labs import can_run
from site_build.model import Release
from site_build.plugin import Draft
from site_build.problems import Place, Problem
from site_build.source import release_file

CALVER = re.compile(r"(20\d\d)\.([1-9]|1[0-2])\.(0|[1-9]\d{0,3})")
"""Year, month and a count from 0: `2026.11.0`."""
_RESERVED = re.compile(r"(?:^|\.)(?:example|test|invalid|localhost|local|example\.(?:com|net|org))$|^[\d.]+$|:")
"""Names that nobody can hold (RFC 2606, RFC 6761), and bare numbers of machines."""
_SHOWN = 5


def refusals(draft: Draft, version: str, papers: tuple[Path, ...], out: Path, *, trial: bool) -> Iterator[Problem]:
    """Why this release may not be cut.

    Args:
        draft: what would be published.
        version: in the form of `CALVER`.
        papers: files that a release writes itself; changes in them are no obstacle.
        out: where the release goes.
        trial: whether a reserved address will do.
    """
    yield from _order(draft, version)
    host = urlsplit(draft.address).hostname or ""
    if not trial and _RESERVED.search(host):
        yield Problem.at(draft.ledger.place("ledger", "ledger", "address"), "release-example", draft.address)
    if draft.ledger.labs and can_run(draft.reading.numerics) and draft.bundle is None:
        yield Problem.at(Place(".cache/runtime", 0), "release-runtime")
    if changed := uncommitted(draft.reading.root, (*papers, out.parent)):
        more = f" (+{len(changed) - _SHOWN})" if len(changed) > _SHOWN else ""
        yield Problem.at(Place(".", 0), "release-dirty", ", ".join(changed[:_SHOWN]) + more)


def _order(draft: Draft, version: str) -> Iterator[Problem]:
    """A version comes after all others, and in the month of the ledger's date."""
    releases = draft.ledger.releases
    if version in {release.version for release in releases}:
        yield Problem.at(Place(release_file(version), 0), "release-there", version)
    elif releases and _key(version) < max(map(_age, releases)):
        last = max(releases, key=_age).version
        yield Problem.at(Place(release_file(version), 0), "release-not-later", version, last=last)
    year, month, _ = version.split(".")
    wanted = f"{year}-{int(month):02}"
    if not draft.ledger.info.date.startswith(wanted):
        place = draft.ledger.place("ledger", "ledger", "date")
        yield Problem.at(place, "release-month", draft.ledger.info.date, month=wanted, version=version)


def _age(release: Release) -> tuple[int, ...]:
    return _key(release.version)


def _key(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def uncommitted(root: Path, own: tuple[Path, ...]) -> list[str]:
    """Files below `root` that version control knows in another state; none where there is no version control."""
    outputs = (*own, root / "site", root / ".cache")
    inside = [path.resolve().relative_to(root.resolve()) for path in outputs if _is_below(path, root)]
    command = ["git", "-C", str(root), "status", "--porcelain", "-z", "--untracked-files=all", "--", "."]
    try:
        done = subprocess.run(
            [*command, *(f":(exclude){path.as_posix()}" for path in inside)],
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return []
    # a renamed file is followed by its old name, which has no state before it
    return [line[3:] for line in done.stdout.split("\0") if re.match(r"[ MADRCUT?!]{2} ", line)]


def _is_below(path: Path, root: Path) -> bool:
    place = path.resolve()
    return place.is_relative_to(root.resolve()) and place != root.resolve()
