"""What was found in a place that may hold a release."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from site_build.packing import Broken, Entry, Manifest, parse_manifest
from site_build.problems import Faults, Place, Problem


@dataclass(frozen=True)
class Contents:
    """Files by path, and the two that tell of them."""

    manifest: bytes
    note: bytes
    files: Mapping[str, Entry]
    """Every file but these two."""
    odd: Mapping[str, str] = field(default_factory=dict)
    """What stands where a file should and is none that can be read, in words."""
    whole: bool = True
    """Whether every file could be listed; an address lists none."""
    outside: tuple[Problem, ...] = ()
    """What is wrong around the site, such as in an image's own files."""


def named(name: object) -> Place:
    """A place that is a whole file, folder or address."""
    return Place(str(name), 0)


def manifest_of(content: bytes, name: str) -> Manifest:
    """Read a manifest.

    Raises:
        Faults: it is none.
    """
    try:
        return parse_manifest(content)
    except Broken as error:
        raise Faults([Problem.at(named(name), "manifest-broken", error)]) from None
