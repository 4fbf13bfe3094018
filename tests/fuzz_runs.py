"""Run a target on many inputs, and say how long it took and how much memory."""

import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fuzz_targets import TARGETS
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from site_build.source.time_limit import alarm

EXAMPLES = 100
"""Lists of inputs that are drawn from one choice."""
AT_ONCE = 5_000
"""Inputs of a part."""
SPACE = 8 << 30
"""Bytes of addresses that a process of its own may have."""
LIMIT_S = 10
"""How long one input may take; the machine may be busy."""


@dataclass
class Fuzzed:
    """What a run was."""

    inputs: int = 0
    seconds: float = 0
    """Of the processor, so that a busy machine counts no more than an idle one."""
    slowest_s: float = 0
    """Of one input."""
    peak_mb: int = 0
    """Of the process."""


def fuzz(name: str, count: int, number: int) -> Fuzzed:
    """Give a target at least `count` inputs; `number` chooses them.

    Raises:
        OutOfTime: an input took too long.
        Exception: whatever a reader raises without having declared it.
    """
    target, done, began = TARGETS[name], Fuzzed(), time.process_time()
    inputs = target.inputs()
    while done.inputs < count:
        _read_some(inputs, target.read, done, number + done.inputs)
    done.seconds = time.process_time() - began
    done.peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return done


def drawn(name: str, number: int) -> list[Any]:
    """Some hundred inputs of a target; `number` chooses them."""
    kept: list[Any] = []
    _read_some(TARGETS[name].inputs(), kept.append, Fuzzed(), number)
    return kept


def fuzz_in_parts(name: str, count: int) -> list[Fuzzed]:
    """The same in parts that begin elsewhere, for a process of its own: it gets no more memory than `SPACE`."""
    resource.setrlimit(resource.RLIMIT_AS, (SPACE, SPACE))
    return [fuzz(name, min(AT_ONCE, count - begin), begin) for begin in range(0, count, AT_ONCE)]


def _read_some(inputs: st.SearchStrategy[list[Any]], read: Callable[[Any], None], done: Fuzzed, number: int) -> None:
    """Draw some lists of inputs and read them all."""

    @settings(
        max_examples=EXAMPLES,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
    )
    @seed(number)
    @given(inputs)
    def read_all(drawn: list[Any]) -> None:
        for one in drawn:
            begin = time.process_time()
            with alarm(LIMIT_S):
                read(one)
            done.inputs += 1
            done.slowest_s = max(done.slowest_s, time.process_time() - begin)

    read_all()
