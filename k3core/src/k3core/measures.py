"""Small sums that readers need: bytes in a unit, how far chance alone moves a score, what a saving of time means."""

from math import sqrt

from k3core.accounting import GIB
from k3core.guards import InputError, as_count, in_range


def gibibytes(*, count: int) -> float:
    """Bytes as GiB of 2**30 bytes.

    Raises:
        InputError: `count` is not a whole number of at least 0.
    Source: derived. Exact up to one division.
    """
    return as_count("count", count) / GIB


def standard_error_points(*, score: float, tasks: int) -> float:
    """Standard error of a pass rate in percentage points: 100 sqrt(p (1 - p) / n).

    0.80 points for a score of 91.2 on 1,266 tasks.

    Args:
        score: percent of tasks passed, 0 to 100.
        tasks: independent tasks, at least 1.

    Raises:
        InputError: a value leaves its range.
    Source: the binomial distribution. Exact if tasks are independent and passed or failed once. Not claimed: the
    spread between runs of one model, which sampling, tools and judges add to.
    """
    in_range("score", score, 0.0, 100.0)
    return sqrt(score * (100 - score) / as_count("tasks", tasks, 1))


def speed_ratio(*, before: float, after: float) -> float:
    """How many times as fast something runs when its time falls from `before` to `after`.

    2.48 for 283.6 ms and 114.4 ms, where 59.7 % of the time is saved.

    Raises:
        InputError: a time is not above 0.
    Source: derived. Exact up to one division.
    """
    for name, time in (("before", before), ("after", after)):
        if not time > 0:
            raise InputError(name, "a time above 0", f"{time:g}")
    return before / after
