"""What the architecture tests look at: each function reads sources (path to text) and returns faults as lines."""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

Sources = Mapping[str, str]
"""Text of each file, by its path from the project's root."""

_ROOTS = ("k3core/src/", "")
_DRAWER = re.compile(r"(?:^|_)(?:utils?|managers?|helpers?)(?:$|_)|Manager|Helper|Utils?(?=[A-Z]|$)")
_JS_FUNCTION = re.compile(r"\bfunction\b|=>\s*\{|^\s*(?:async\s+|static\s+)*[a-z]\w*\([^()]*\)\s*\{", re.MULTILINE)


@dataclass(frozen=True)
class Import:
    """One imported module."""

    path: str
    line: int
    module: str
    """The module that Python has to run for it."""
    name: str
    """The name taken from it; empty for `import module`."""


def read_sources(root: Path, *patterns: str) -> dict[str, str]:
    """The text of every file that a pattern finds below `root`."""
    found = {path for pattern in patterns for path in root.glob(pattern) if path.is_file()}
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in sorted(found)}


def module_of(path: str) -> str:
    """`site_build/model/__init__.py` is `site_build.model`."""
    prefix = next(prefix for prefix in _ROOTS if path.startswith(prefix))
    return path.removeprefix(prefix).removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def imports(sources: Sources) -> Iterator[Import]:
    """Every import, at the top or inside a function; a name that is itself a module counts as that module."""
    modules = {module_of(path) for path in sources if path.endswith(".py")}
    doors = {module_of(path): _listed(text) for path, text in sources.items() if path.endswith("/__init__.py")}
    for path, text in sources.items():
        if not path.endswith(".py"):
            continue
        for node in ast.walk(_tree(text)):
            if isinstance(node, ast.Import):
                yield from (Import(path, node.lineno, alias.name, "") for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = _from_module(path, node)
                for alias in node.names:
                    inner = f"{base}.{alias.name}"
                    is_module = inner in modules and alias.name not in doors.get(base, ())
                    yield Import(path, node.lineno, *((inner, "") if is_module else (base, alias.name)))


def _listed(text: str) -> set[str]:
    """What a door lists in `__all__`."""
    found = (value for node in _tree(text).body for name, value in _assigned(node) if name == "__all__" and value)
    return set(ast.literal_eval(next(found, ast.Tuple(elts=[]))))


@lru_cache(maxsize=4096)
def _tree(text: str) -> ast.Module:
    return ast.parse(text)


def _from_module(path: str, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    package = module_of(path).split(".")
    keep = len(package) - node.level + path.endswith("__init__.py")
    return ".".join([*package[:keep], *([node.module] if node.module else [])])


def rung(module: str, ladder: Mapping[str, int]) -> tuple[str, int] | None:
    """The longest entry of the ladder that `module` stands in, and its height.

    A package whose own parts stand on the ladder stands there for itself only: a new part needs a rung of its own.
    """
    parts = module.split(".")
    names = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    divided = {name.rpartition(".")[0] for name in ladder}
    return next(
        ((name, ladder[name]) for name in names if name in ladder and (name == module or name not in divided)), None
    )


def ladder_faults(sources: Sources, ladder: Mapping[str, int]) -> list[str]:
    """Imports between packages that do not go down the ladder, and modules that stand on no rung."""
    faults = [
        f"{path}: stands on no rung" for path in sources if path.endswith(".py") and not rung(module_of(path), ladder)
    ]
    for found in imports(sources):
        here, there = rung(module_of(found.path), ladder), rung(found.module, ladder)
        if here and there and here[0] != there[0] and there[1] >= here[1]:
            faults.append(f"{found.path}:{found.line}: {here[0]} imports {found.module}")
    return faults


def cycles(sources: Sources) -> list[str]:
    """Modules that import each other, however long the way; a package's door imports its modules, never the reverse."""
    modules = {module_of(path) for path in sources if path.endswith(".py")}
    graph: dict[str, set[str]] = {module: set() for module in modules}
    for found in imports(sources):
        if found.module in modules and found.module != module_of(found.path):
            graph[module_of(found.path)].add(found.module)
    return [" -> ".join(ring) for ring in _rings(graph)]


def _rings(graph: Mapping[str, set[str]]) -> Iterator[tuple[str, ...]]:
    done: set[str] = set()

    def visit(module: str, way: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if module in way:
            yield (*way[way.index(module) :], module)
        elif module not in done:
            for inner in sorted(graph[module]):
                yield from visit(inner, (*way, module))
            done.add(module)

    for module in sorted(graph):
        yield from visit(module, ())


def hidden_imports(sources: Sources) -> list[str]:
    """Places that hide an import from the run time."""
    return [
        f"{path}:{number}: TYPE_CHECKING"
        for path, text in sources.items()
        for number, line in enumerate(text.splitlines(), 1)
        if re.match(r"\s*if\b.*\bTYPE_CHECKING\b", line)
    ]


def owner_faults(sources: Sources, owners: Mapping[str, str], own: tuple[str, ...]) -> list[str]:
    """Foreign libraries imported outside their owner, or without one; owners that do not use their library."""
    faults = []
    used = set()
    for found in imports(sources):
        library = found.module.partition(".")[0]
        if library in own or library in sys.stdlib_module_names:
            continue
        owner = owners.get(library)
        module = module_of(found.path)
        used.add(library)
        if owner is None:
            faults.append(f"{found.path}:{found.line}: {library} has no owner")
        elif module != owner and not module.startswith(f"{owner}."):
            faults.append(f"{found.path}:{found.line}: {library} belongs to {owner}")
    return faults + [f"{owners[library]}: does not import {library}" for library in sorted(set(owners) - used)]


def size_faults(sources: Sources, limits: Mapping[str, int]) -> list[str]:
    """Files and functions with more lines of code than allowed; docstrings, comments and blank lines do not count."""
    faults = []
    for path, text in sources.items():
        lines = _python_lines(text) if path.endswith(".py") else _javascript_lines(text)
        if len(lines) > limits["file"]:
            faults.append(f"{path}: {len(lines)} lines")
        for name, first, last in _python_functions(text) if path.endswith(".py") else _javascript_functions(text):
            size = sum(first <= line <= last for line in lines)
            if size > limits["function"]:
                faults.append(f"{path}:{first}: {name} has {size} lines")
    return faults


def _python_lines(text: str) -> set[int]:
    skip = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in skip:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(_tree(text)):
        # a string that stands alone is a docstring, also beneath a field
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return lines


def _python_functions(text: str) -> Iterator[tuple[str, int, int]]:
    for node in ast.walk(_tree(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, node.lineno, node.end_lineno or node.lineno


def _bare_javascript(text: str) -> str:
    """The text with comments and strings blanked out, line by line."""
    pattern = r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"
    return re.sub(pattern, lambda found: re.sub(r"[^\n]", " ", found[0]), text, flags=re.DOTALL)


def _javascript_lines(text: str) -> set[int]:
    without_comments = re.sub(
        r"/\*.*?\*/|(?<![:\"'`\\])//[^\n]*", lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL
    )
    return {number for number, line in enumerate(without_comments.split("\n"), 1) if line.strip()}


def _javascript_functions(text: str) -> Iterator[tuple[str, int, int]]:
    bare = _bare_javascript(text)
    for found in _JS_FUNCTION.finditer(bare):
        start = bare.find("{", found.end() - 1)
        if start < 0:
            continue
        depth = 0
        for position in range(start, len(bare)):
            depth += {"{": 1, "}": -1}.get(bare[position], 0)
            if depth == 0:
                first, last = bare.count("\n", 0, found.start()) + 1, bare.count("\n", 0, position) + 1
                yield found[0].strip().split("(")[0] or "function", first, last
                break


def door_faults(sources: Sources, outside: Sources) -> list[str]:
    """Packages whose door is not exact: what it lists is there, is taken by others, and nobody goes around it.

    `sources` holds the packages; `outside` is other code that may use them, such as tests. A class may stand in a list
    before someone names it: it is what the functions there give and take.
    """
    doors = {module_of(path): text for path, text in sources.items() if path.endswith("/__init__.py")}
    doors = {module: text for module, text in doors.items() if "__all__" in text}
    taken: dict[str, set[str]] = {module: set() for module in doors}
    faults = []
    for found in imports({**sources, **outside}):
        door = next((door for door in doors if found.module == door or found.module.startswith(f"{door}.")), None)
        if door is None or (found.path in sources and _inside(found.path, door)):
            continue
        if found.module == door:
            taken[door].add(found.name)
        elif found.path in sources:
            faults.append(f"{found.path}:{found.line}: {found.module} is behind the door {door}")
    for door, text in doors.items():
        faults += _door_list_faults(door, text, taken[door])
    return faults


def _inside(path: str, door: str) -> bool:
    module = module_of(path)
    return module == door or module.startswith(f"{door}.")


def _door_list_faults(door: str, text: str, taken: set[str]) -> Iterator[str]:
    listed, there = _listed(text), set[str]()
    for node in _tree(text).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(door):
            there |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            there.add(node.name)
        there |= {name for name, _ in _assigned(node)}
    for name in sorted(listed - there):
        yield f"{door}: lists {name}, which is not there"
    for name in sorted(name for name in listed - taken if name.isupper() or name.islower()):
        yield f"{door}: lists {name}, which nobody takes"
    for name in sorted(taken - listed):
        yield f"{door}: does not list {name}, which others take"


def _assigned(node: ast.stmt) -> Iterator[tuple[str, ast.expr | None]]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
    yield from ((target.id, value) for target in targets if isinstance(target, ast.Name))


def drawer_names(sources: Sources) -> list[str]:
    """Files, functions and classes named after a drawer instead of what they do."""
    faults = [
        f"{path}: {part}" for path in sources for part in Path(path).with_suffix("").parts if _DRAWER.search(part)
    ]
    for path, text in sources.items():
        for node in ast.walk(_tree(text)) if path.endswith(".py") else ():
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and _DRAWER.search(node.name):
                faults.append(f"{path}:{node.lineno}: {node.name}")
    return faults


def mentions(sources: Sources, word: str) -> list[str]:
    """Lines that name `word`."""
    return [
        f"{path}:{number}: {word}"
        for path, text in sources.items()
        for number, line in enumerate(text.splitlines(), 1)
        if word in line
    ]


def undocumented(sources: Sources, fields_in: str) -> list[str]:
    """Public modules, classes and functions without a docstring; fields of classes below `fields_in` without one."""
    faults = []
    for path, text in sources.items():
        tree = _tree(text)
        if not ast.get_docstring(tree):
            faults.append(f"{path}: module")
        faults += [
            f"{path}:{line}: {name}" for name, line in _undocumented(tree, "", fields=path.startswith(fields_in))
        ]
    return faults


def _undocumented(tree: ast.Module | ast.ClassDef, prefix: str, *, fields: bool) -> Iterator[tuple[str, int]]:
    for node, after in zip(tree.body, [*tree.body[1:], None], strict=True):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            if not ast.get_docstring(node):
                yield prefix + node.name, node.lineno
            if isinstance(node, ast.ClassDef):
                yield from _undocumented(node, f"{prefix}{node.name}.", fields=fields)
        elif fields and prefix and isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            documented = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            if not documented and not node.target.id.startswith("_"):
                yield prefix + node.target.id, node.lineno
