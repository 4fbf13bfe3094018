"""The ledger names its numerics; this is the one module that imports them, by that name."""

import importlib
import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class PublicName:
    """A function or class that the numerics package lists in its door."""

    name: str
    module: str
    signature: str
    text: str
    """Its docstring."""
    registered: tuple[str, ...]
    """Names under which the registry offers it to derivations."""


@dataclass(frozen=True)
class Numerics:
    """What a registry offers to a ledger."""

    module: str
    derivations: Mapping[str, Callable[..., float]] = field(default_factory=dict)
    labs: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    folder: Path | None = None
    """The package's or module's own files, which the build id covers."""
    fault: str = ""
    """Why the module could not be used; empty if it could."""


def load_numerics(root: Path, module: str) -> Numerics:
    """Import the registry `module`, from the environment or from the project's root."""
    sys.path.insert(0, str(root))
    try:
        registry = importlib.import_module(module)
    except (Exception, SystemExit) as error:  # whatever a registry raises is the editor's to mend
        return Numerics(module, fault=f"{type(error).__name__}: {error}")
    finally:
        sys.path.remove(str(root))
    derivations, labs = getattr(registry, "DERIVATIONS", None), getattr(registry, "LABS", None)
    if not isinstance(derivations, Mapping) or not isinstance(labs, Mapping):
        return Numerics(module, fault="no DERIVATIONS and LABS")
    file = Path(registry.__file__ or ".")
    return Numerics(module, derivations, labs, file.parent if "." in module else file)


def public_names(numerics: Numerics) -> tuple[PublicName, ...]:
    """What the registry's package lists in `__all__`, in that order; empty where the numerics is one module."""
    package = sys.modules.get(numerics.module.rpartition(".")[0])
    found = []
    for name in getattr(package, "__all__", ()):
        item = getattr(package, name)
        if not callable(item):
            continue
        registered = tuple(key for key, function in numerics.derivations.items() if function is item)
        text = inspect.getdoc(item) or ""
        found.append(PublicName(name, item.__module__, _signature(item), text, registered))
    return tuple(found)


def _signature(item: Callable[..., Any]) -> str:
    """Parameters without annotations: the docstring gives shapes and types.

    A default that is a function stands by its name; its usual form tells where in memory it happens to lie.
    """
    try:
        parameters = inspect.signature(item).parameters.values()
    except (TypeError, ValueError):
        return ""
    bare = [
        parameter.replace(annotation=inspect.Parameter.empty, default=_Named.of(parameter.default))
        for parameter in parameters
    ]
    return str(inspect.Signature(bare))


class _Named(str):
    """A name that is written without quotes."""

    __slots__ = ()
    __repr__ = str.__str__

    @classmethod
    def of(cls, default: object) -> object:
        """A function's name; anything else as it is."""
        return cls(default.__name__) if inspect.isfunction(default) else default
