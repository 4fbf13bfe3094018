"""The next id that nobody has, in the form that a ledger asks for."""

import re
from collections.abc import Iterable

from site_build.source import read_pattern

LARGEST = 9999
WIDTHS = (2, 1, 3, 4)
_LETTERS = re.compile(r"^\^?\(?(?P<letters>[A-Z]{1,3})")
_ID = re.compile(r"^(?P<letters>[A-Z]{1,3})(?P<digits>\d+)$")


def free_id(pattern: str, letters: str, used: Iterable[str], *, fill: bool) -> str | None:
    """The smallest free id that `pattern` finds; None where all are taken.

    `fill` allows gaps: the numbers of a fixed set are free until used. Else the id follows the largest one, since an id
    that was given up is never used again. `letters` begin the id where neither the pattern nor other ids say more.

    Raises:
        re.error: the pattern is no regular expression.
    """
    wanted = read_pattern(pattern)
    there = [found for id_ in used if (found := _ID.match(id_))]
    named = _LETTERS.match(pattern)
    letters = there[0]["letters"] if there else named["letters"] if named else letters
    widths = (len(there[0]["digits"]), *WIDTHS) if there else WIDTHS
    taken = {int(found["digits"]) for found in there}
    for number in range(1 if fill else max(taken, default=0) + 1, LARGEST + 1):
        for width in widths:
            id_ = f"{letters}{number:0{width}d}"
            if number not in taken and wanted.search(id_):
                return id_
    return None
