"""Markers name a record inside a text: `:value[kda_state_mib]` in a sentence, `::question[Q04]` alone on a line.

No other module knows this grammar. A backslash before the colon keeps the text as it is.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

MARKER_KINDS = (
    *("question", "claim", "value", "cite", "figure", "table", "lab"),
    *("redline", "correction", "term", "spec", "benchmark", "component"),
)
"""The words that may stand between the colon and the bracket."""

_MARKER = re.compile(r"(?<![\\:A-Za-z0-9])(?P<colons>::?)(?P<kind>[a-z]+)\[(?P<target>[^\]\s]+)\]")


@dataclass(frozen=True)
class Marker:
    """One marker and where it stands in its text."""

    kind: str
    """The word before the bracket, known or not."""
    target: str
    """The record's id, with fields after dots: `hidden.k3`."""
    block: bool
    """Written with two colons: it embeds the record instead of linking to it."""
    start: int
    """Offset of the first colon in its text."""
    end: int
    """Offset after the closing bracket."""

    @property
    def source(self) -> str:
        """The marker as written."""
        return f"{'::' if self.block else ':'}{self.kind}[{self.target}]"


@lru_cache(maxsize=16384)
def find_markers(text: str) -> tuple[Marker, ...]:
    """Every marker in `text`, known kinds and unknown ones alike."""
    return tuple(
        Marker(found["kind"], found["target"], found["colons"] == "::", found.start(), found.end())
        for found in _MARKER.finditer(text)
    )
