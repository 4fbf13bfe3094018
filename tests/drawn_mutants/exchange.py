"""Import modules from other texts than their files hold, and see which of their lines run."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType

type Seen = Callable[[str, CodeType], None]


class Exchange(MetaPathFinder):
    """Finds modules where they are and gives them the texts of a table.

    A module keeps the path of its file, so that whoever reads a module's source finds the sound one: no test notices a
    mutant by its text.
    """

    def __init__(self, sources: Mapping[str, str], seen: Seen | None = None) -> None:
        self.sources = sources
        self.seen = seen

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The module as it is found otherwise, with another loader."""
        found = PathFinder.find_spec(name, path, target) if name in self.sources else None
        if found is not None and found.origin is not None:
            found.loader = _Loader(name, found.origin, self)
        return found


class _Loader(SourceFileLoader):
    def __init__(self, name: str, path: str, exchange: Exchange) -> None:
        super().__init__(name, path)
        self.exchange = exchange

    def get_code(self, fullname: str) -> CodeType:
        """What the table has, compiled; no bytecode is read or left."""
        code: CodeType = compile(self.exchange.sources[fullname], self.path, "exec", dont_inherit=True)
        if self.exchange.seen is not None:
            self.exchange.seen(fullname, code)
        return code


class Lines:
    """The lines of chosen modules that ran since `restart`, by Python's monitoring, which costs nothing elsewhere."""

    def __init__(self) -> None:
        self.found: set[tuple[str, int]] = set()
        self.modules: dict[str, str] = {}
        self.tool = sys.monitoring.COVERAGE_ID
        sys.monitoring.use_tool_id(self.tool, "drawn mutants")
        sys.monitoring.register_callback(self.tool, sys.monitoring.events.LINE, self._line)

    def watch(self, module: str, code: CodeType) -> None:
        """Look at a module's code from now on."""
        self.modules[code.co_filename] = module
        for one in _codes(code):
            sys.monitoring.set_local_events(self.tool, one, sys.monitoring.events.LINE)

    def restart(self) -> None:
        """Forget what ran."""
        self.found = set()
        sys.monitoring.restart_events()

    def _line(self, code: CodeType, line: int) -> object:
        self.found.add((self.modules[code.co_filename], line))
        return sys.monitoring.DISABLE


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
