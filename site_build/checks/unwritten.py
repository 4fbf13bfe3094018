"""What a fresh record still asks its editor to write."""

import re
from collections.abc import Iterator, Mapping

from site_build.model import Language, Ledger
from site_build.problems import Problem

PLACEHOLDERS: Mapping[Language, str] = {"en": "TO WRITE", "zh": "待写"}
"""What stands in a new record in place of a text; no text may begin with it."""
NAME_PLACEHOLDER = "to-write"
"""The same for a name."""
_PLACEHOLDER = re.compile(rf"^(?:{'|'.join([*PLACEHOLDERS.values(), f'{NAME_PLACEHOLDER}$'])})|\"{NAME_PLACEHOLDER}\"")
_REPORTED_ELSEWHERE = frozenset({"locators", "locator", "display"})
"""Fields whose own checks refuse a placeholder."""


def nothing_is_unwritten(ledger: Ledger) -> Iterator[Problem]:
    """No field holds the placeholder that it was created with."""
    for (kind, id_), parts in ledger.parts.items():
        for path, text in parts:
            if isinstance(text, str) and _PLACEHOLDER.search(text) and not _REPORTED_ELSEWHERE & set(path):
                yield Problem.at(ledger.place(kind, id_, *path), "text-unwritten", text)
