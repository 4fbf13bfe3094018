"""Break a module on purpose: its source with one piece replaced, run in a namespace of its own."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType


@dataclass(frozen=True)
class Mutation:
    """One deliberate fault."""

    module: str
    """Where it is made."""
    old: str
    """What stands there once."""
    new: str
    """What stands there instead."""


@contextmanager
def broken(mutation: Mutation) -> Iterator[ModuleType]:
    """Run the mutated source as a fresh module; the real one stays as it is.

    Raises:
        AssertionError: the piece to replace does not stand there exactly once.
    """
    real = import_module(mutation.module)
    source = Path(str(real.__file__)).read_text(encoding="utf-8")
    if source.count(mutation.old) != 1:
        raise AssertionError(f"{mutation.module}: {mutation.old!r} stands there {source.count(mutation.old)} times")
    module = ModuleType(f"{mutation.module}_broken")
    # dataclasses look their module up by name while they are made
    sys.modules[module.__name__] = module
    try:
        exec(compile(source.replace(mutation.old, mutation.new), module.__name__, "exec"), module.__dict__)
        yield module
    finally:
        del sys.modules[module.__name__]
