"""The ledger names its numerics; this is the one module that imports them, by that name."""

import importlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


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
    except Exception as error:  # whatever a registry raises is the editor's to mend
        return Numerics(module, fault=f"{type(error).__name__}: {error}")
    finally:
        sys.path.remove(str(root))
    derivations, labs = getattr(registry, "DERIVATIONS", None), getattr(registry, "LABS", None)
    if not isinstance(derivations, Mapping) or not isinstance(labs, Mapping):
        return Numerics(module, fault="no DERIVATIONS and LABS")
    file = Path(registry.__file__ or ".")
    return Numerics(module, derivations, labs, file.parent if "." in module else file)
