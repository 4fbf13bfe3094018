"""What reading a bibliography finds."""

from collections.abc import Mapping
from dataclasses import dataclass

from site_build.model import Publication, Unread
from site_build.problems import Problem


@dataclass(frozen=True)
class Bibliography:
    """The publications of one file, the line of each, and what is wrong with the file."""

    publications: Mapping[str, Publication]
    lines: Mapping[str, int]
    problems: tuple[Problem, ...]
    unread: tuple[Unread, ...] = ()
    """Entries with a fault, by their key; one without an id may be any entry."""
