"""A function of a ledger's numerics may never end: the one that calls it goes on after a while."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

LIMIT = 10
"""Seconds; the real ledger's slowest call takes a hundredth of one."""
_ENDLESS: set[Callable[..., Any]] = set()
"""Functions that ran out of time once: nobody waits for them again."""


class OutOfTime(BaseException):
    """Something took longer than its limit."""


def in_time(function: Callable[..., Any], **inputs: Any) -> Any:
    """What `function` returns.

    Raises:
        OutOfTime: it took too long, now or before.
    """
    if function in _ENDLESS:
        raise OutOfTime
    try:
        with alarm(LIMIT):
            return function(**inputs)
    except OutOfTime:
        _ENDLESS.add(function)
        raise


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Stop the block after some seconds.

    Raises:
        OutOfTime: it took longer. Without an alarm (outside the main thread, or on a system that has none) it takes as
            long as it takes.
    """
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _stop(*_: object) -> None:
    raise OutOfTime
