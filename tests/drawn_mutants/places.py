"""Where a module can be mutated: the one owner of cosmic-ray, of which only the operators are used."""

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

LIBRARY = Path(__file__).parents[2] / ".cache" / "mutation"

if not LIBRARY.is_dir():
    raise ModuleNotFoundError(f"expected cosmic-ray in {LIBRARY}, got nothing. Run: bash setup.sh mutation")
sys.path.append(str(LIBRARY))

from cosmic_ray.ast import Visitor, ast_nodes, get_ast  # noqa: E402  # found on the path that was added above
from cosmic_ray.operators.provider import OperatorProvider  # noqa: E402


@dataclass(frozen=True)
class Change:
    """One mutation of a source, as the library counts it."""

    operator: str
    """Such as `NumberReplacer`."""
    occurrence: int
    """Which of the operator's places in the module, from 0."""


@dataclass(frozen=True)
class Place:
    """A piece of a source that can be mutated in one way or several."""

    line: int
    column: int
    changes: tuple[Change, ...]


def places(source: str) -> Iterator[Place]:
    """Every place of a module, from the top."""
    found: dict[tuple[int, int], list[Change]] = defaultdict(list)
    counts: dict[str, int] = defaultdict(int)
    for node in ast_nodes(get_ast(source)):
        for name, operator in operators().items():
            for start, _ in operator.mutation_positions(node):
                # the library takes the star before keyword-only parameters for a product
                if node.parent is None or node.parent.type != "parameters":
                    found[start].append(Change(name, counts[name]))
                counts[name] += 1
    for (line, column), changes in sorted(found.items()):
        yield Place(line, column, tuple(changes))


def mutated(source: str, change: Change) -> str | None:
    """The source after the change; nothing when Python runs the same, or refuses to read it.

    Docstrings and annotations do not run: what changes nothing but them is no mutant.
    """
    tree = _Mutation(change).walk(get_ast(source))
    text: str = tree.get_code()
    try:
        return None if _running(text) == _running(source) else text
    except SyntaxError:
        return None


@lru_cache(maxsize=1)
def operators() -> dict[str, Any]:
    """The library's operators that need no arguments."""
    provider = OperatorProvider()
    return {name: provider[name]() for name in sorted(provider) if not provider[name].arguments()}


class _Mutation(Visitor):  # type: ignore[misc]  # the library ships no types
    """Make one change on the way through the tree."""

    def __init__(self, change: Change) -> None:
        self.operator = operators()[change.operator]
        self.left = change.occurrence

    def visit(self, node: Any) -> Any:
        """Change the node at which the count ends; an operator that removes it returns nothing."""
        # a change gives the node other places, so they are listed before
        for index, _ in enumerate(list(self.operator.mutation_positions(node))):
            if self.left == 0:
                node = self.operator.mutate(node, index)
            self.left -= 1
        return node


@lru_cache(maxsize=128)
def _running(source: str) -> str:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(...)
        elif isinstance(node, ast.TypeAlias):
            node.value = ast.Constant(...)
    return ast.dump(tree)
