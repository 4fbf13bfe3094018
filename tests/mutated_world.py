"""A second k3core in memory, with one line of one module changed: what a broken package looks like to a check."""

import builtins
import sys
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import k3core

SOURCE = Path(k3core.__file__).parent


class World:
    """Fresh copies of the package's modules, loaded when first asked for: `world.kda.kda_step`."""

    def __init__(self, module: str = "", old: str = "", new: str = "") -> None:
        """Replace `old`, which must stand exactly once in `module`, by `new`."""
        self._changed = module
        self._text = ""
        self._modules: dict[str, ModuleType] = {}
        if module:
            text = (SOURCE / f"{module}.py").read_text(encoding="utf-8")
            if text.count(old) != 1:
                raise LookupError(f"{module}.py holds {text.count(old)} times, not once: {old}")
            self._text = text.replace(old, new)

    def __getattr__(self, name: str) -> Any:
        return self._load(name)

    def _load(self, name: str) -> ModuleType:
        if name not in self._modules:
            module = ModuleType(f"broken.{name}")
            module.__dict__["__builtins__"] = {**vars(builtins), "__import__": self._import}
            self._modules[name] = module
            changed = name == self._changed
            code = compile(self._text, f"broken/{name}.py", "exec") if changed else _compiled(name)
            # a dataclass looks its own module up while it is made
            sys.modules[module.__name__] = module
            try:
                exec(code, module.__dict__)
            finally:
                del sys.modules[module.__name__]
        return self._modules[name]

    def _import(
        self,
        name: str,
        scope: Mapping[str, object] | None = None,
        local: Mapping[str, object] | None = None,
        fromlist: Sequence[str] = (),
        level: int = 0,
    ) -> Any:
        if name == "k3core":
            package = ModuleType("broken")
            for wanted in fromlist:
                setattr(package, wanted, self._load(wanted))
            return package
        if name.startswith("k3core."):
            return self._load(name.removeprefix("k3core."))
        return builtins.__import__(name, scope, local, fromlist, level)


@lru_cache
def _compiled(name: str) -> CodeType:
    return compile((SOURCE / f"{name}.py").read_text(encoding="utf-8"), f"broken/{name}.py", "exec")
