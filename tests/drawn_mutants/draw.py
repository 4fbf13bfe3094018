"""Draw mutants by a seed, in an order that an edit elsewhere does not change."""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from hashlib import sha256

from drawn_mutants.places import Place, mutated, places


@dataclass(frozen=True)
class Mutant:
    """One module with one change."""

    module: str
    """By its dotted name."""
    function: str
    """Where in it, such as `Model.read`; empty outside of functions and classes."""
    operator: str
    """The library's name of the change."""
    before: str
    """The changed lines as they are."""
    after: str
    """And as the mutant has them; empty when a line was removed."""
    lines: tuple[int, ...]
    """The lines of the changed statement; of one that holds others, its head."""
    source: str
    """The whole module as it is tried."""


def draw(sources: Mapping[str, str], count: int, seed: int) -> list[Mutant]:
    """`count` mutants of modules, no two at one place.

    The places come in the order of a hash of the seed, the function and the line's text, and so do the changes of a
    place: whoever edits a function changes the mutants of that function and few others.
    """
    ordered = sorted(_ranked(sources, seed), key=lambda found: found[0])
    drawn: list[Mutant] = []
    for rank, module, function, place in ordered:
        if len(drawn) == count:
            break
        drawn += _mutant(sources[module], module, function, place, rank)
    return drawn


def _ranked(sources: Mapping[str, str], seed: int) -> Iterator[tuple[str, str, str, Place]]:
    for module, source in sources.items():
        lines, tree, same = source.splitlines(), ast.parse(source), Counter[str]()
        for place in places(source):
            line, function = lines[place.line - 1], function_at(tree, place.line)
            key = f"{seed}|{module}|{function}|{line.strip()}|{place.column - len(line) + len(line.lstrip())}"
            # the same line may stand in a function twice
            same[key] += 1
            yield sha256(f"{key}|{same[key]}".encode()).hexdigest(), module, function, place


def _mutant(source: str, module: str, function: str, place: Place, rank: str) -> Iterator[Mutant]:
    """The first change of the place that makes a mutant, in the order of a hash; some places have none."""
    for change in sorted(place.changes, key=lambda change: sha256(f"{rank}|{change.operator}".encode()).hexdigest()):
        if (text := mutated(source, change)) is not None:
            before, after = _difference(source, text)
            lines = statement_lines(ast.parse(source), place.line)
            yield Mutant(module, function, change.operator, before, after, lines, text)
            return


def function_at(tree: ast.AST, line: int) -> str:
    """The dotted name of the function or class around a line, decorators included."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    names = [node.name for node in _around(tree, line) if isinstance(node, kinds)]
    return ".".join(names)


def statement_lines(tree: ast.AST, line: int) -> tuple[int, ...]:
    """The lines of the innermost statement around a line, without the statements that it holds."""
    *_, statement = [node for node in _around(tree, line) if isinstance(node, ast.stmt)]
    held = [child for child in ast.walk(statement) if isinstance(child, ast.stmt) and child is not statement]
    inner = {number for child in held for number in range(child.lineno, (child.end_lineno or child.lineno) + 1)}
    return tuple(number for number in _span(statement) if number not in inner)


def _around(tree: ast.AST, line: int) -> Iterator[ast.AST]:
    """The nodes around a line, from the outermost."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.stmt | ast.excepthandler | ast.match_case) and line in _span(node):
            yield node
            yield from _around(node, line)


def _span(node: ast.stmt | ast.excepthandler | ast.match_case) -> range:
    if isinstance(node, ast.match_case):
        return range(node.pattern.lineno, (node.body[-1].end_lineno or 0) + 1)
    first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])
    return range(first, (node.end_lineno or node.lineno) + 1)


def _difference(old: str, new: str) -> tuple[str, str]:
    before, after = old.splitlines(), new.splitlines()
    changed = [
        code for code in SequenceMatcher(None, before, after, autojunk=False).get_opcodes() if code[0] != "equal"
    ]
    return _joined(before[i:j] for _, i, j, _, _ in changed), _joined(after[i:j] for _, _, _, i, j in changed)


def _joined(pieces: Iterable[list[str]]) -> str:
    return "\n".join(line.strip() for piece in pieces for line in piece if line.strip())
