"""Read YAML into plain data with line and column of every field, and refuse what YAML would quietly misread.

Only a part of YAML is accepted: mappings, lists, texts, whole numbers, decimal numbers, `true` and `false`. A plain
word that another reader of YAML would take for something else (`no`, `1e-5`, `512:6144`, a date, `010`, `2.10`) is a
problem, not a guess.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from site_build.memory import keep, name_of, recall
from site_build.model import FaultPath, Positions, dotted
from site_build.problems import Place, Problem

_THIS_READER = f"{yaml.__version__} {Path(__file__).read_text(encoding='utf-8')}"
"""What a reading depends on besides the text."""
MAX_BYTES = 8 << 20
MAX_DEPTH = 24

_INTEGER = re.compile(r"^-?(?:0|[1-9]\d*)$")
_DECIMAL = re.compile(r"^-?(?:0|[1-9]\d*)\.\d+(?:e[+-]?\d+)?$")
_LOST_ZERO = re.compile(r"^-?\d+\.\d*\d0$")
_TRAPS = (
    (re.compile(r"^(?:y|n|yes|no|on|off)$", re.IGNORECASE), "word"),
    (re.compile(r"^(?:true|false|null)$", re.IGNORECASE), "word"),
    (re.compile(r"^[-+]?\d+:[0-5]?\d(?::[0-5]?\d)*(?:\.\d*)?$|^\d+:\d+$"), "clock"),
    (re.compile(r"^\d{4}-\d{1,2}-\d{1,2}(?:[Tt ].*)?$"), "date"),
    (re.compile(r"^[-+]?0[0-9_]+$|^[-+]?0[xob][0-9a-f_]+$", re.IGNORECASE), "base"),
    (re.compile(r"^[-+]?(?:\d[\d_]*)?\.?\d*e[-+]?\d+$|^[-+]?\.\d+$|^[-+]?\d+\.$|^\+[\d.]+$", re.IGNORECASE), "number"),
    (re.compile(r"^[-+]?\d[\d_]*_[\d_.]*$|^[-+]?\.(?:inf|nan)$", re.IGNORECASE), "number"),
)
_TAB = re.compile(r" *\t")
CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ue000-\uf8ff\ufeff"
    r"\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069]"
)
"""Characters that no reader sees, or that turn a line around."""


@dataclass(frozen=True)
class Document:
    """One YAML file: its data (lists as tuples), the place of every field, and what is wrong with it."""

    file: str
    data: Any
    positions: Positions
    problems: tuple[Problem, ...]

    def place(self, *path: str | int) -> Place:
        """The place of the field at `path`, or of the nearest field around it."""
        inner = path
        while inner and inner not in self.positions:
            inner = inner[:-1]
        line, column = self.positions.get(inner, (1, 1))
        return Place(self.file, line, column, dotted(path).lstrip("."))


def read_yaml(root: Path, file: str) -> Document:
    """Read `file`, a path below `root`. Nothing is raised for a fault in the file."""
    text = read_text(root, file)
    return parse_yaml(text, file) if isinstance(text, str) else _failed(text)


def read_text(root: Path, file: str) -> str | Problem:
    """The text of `file`, a path below `root`, without a byte order mark; or why it cannot be read."""
    try:
        raw = (root / file).read_bytes()
    except OSError as error:
        return Problem.at(Place(file), "file-unreadable", error.strerror or "no answer")
    if len(raw) > MAX_BYTES:
        return Problem.at(Place(file), "file-too-large", len(raw), limit=MAX_BYTES)
    try:
        return raw.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        column = error.start - raw.rfind(b"\n", 0, error.start)
        return Problem.at(Place(file, line, column), "file-not-utf8", f"{raw[error.start]:#04x}")


def control_characters(text: str, file: str, first_line: int) -> Iterator[Problem]:
    """Every character of a text that no reader would see, or that turns the line around."""
    for found in CONTROL.finditer(text):
        line = first_line + text.count("\n", 0, found.start())
        column = found.start() - text.rfind("\n", 0, found.start())
        yield Problem.at(Place(file, line, column), "text-control-character", f"U+{ord(found[0]):04X}")


def parse_yaml(text: str, file: str) -> Document:
    """Read YAML text that stands in `file`; a text read without a fault is not read twice."""
    name = name_of(_THIS_READER, text)
    if (known := recall("yaml", name)) is not None:
        data, positions = known
        return Document(file, data, positions, ())
    document = _parse(text, file)
    if not document.problems:
        keep("yaml", name, (document.data, document.positions))
    return document


def _parse(text: str, file: str) -> Document:
    loader = yaml.CSafeLoader(text)
    try:
        node = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Place(file, mark.line + 1, mark.column + 1) if mark else Place(file)
        if tab := _TAB.match("".join(text.split("\n")[place.line - 1 : place.line])):
            return _failed(Problem.at(Place(file, place.line, tab.end()), "yaml-tab"))
        return _failed(Problem.at(place, "yaml-syntax", (error.problem or "not YAML").replace("\n", " ")))
    except (yaml.YAMLError, RecursionError) as error:
        line, column = _reader_error_place(text, error)
        return _failed(Problem.at(Place(file, line, column), "yaml-syntax", _first_line(error)))
    finally:
        loader.dispose()
    if node is None or _is_null(node):
        return _failed(Problem.at(Place(file), "file-empty"))
    walker = _Walker(file, text)
    return Document(file, walker.build(node, ()), walker.positions, tuple(walker.problems))


def _failed(problem: Problem) -> Document:
    return Document(problem.place.file, None, {}, (problem,))


def _first_line(error: BaseException) -> str:
    return str(error).splitlines()[0][:100] if str(error) else "nested too deeply"


def _reader_error_place(text: str, error: BaseException) -> tuple[int, int]:
    position = getattr(error, "position", None)
    if not isinstance(position, int):
        return 1, 1
    found = CONTROL.search(text)
    position = found.start() if found else position
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)


class _Walker:
    """Turns composed nodes into data; one walk, so that every fault of a file is found at once."""

    def __init__(self, file: str, text: str) -> None:
        self.file, self.text = file, text
        self.positions: dict[FaultPath, tuple[int, int]] = {}
        self.problems: list[Problem] = []
        self.seen: set[int] = set()
        self.aliases = (
            event for event in yaml.parse(text, Loader=yaml.CSafeLoader) if isinstance(event, yaml.AliasEvent)
        )

    def build(self, node: yaml.Node, path: FaultPath) -> Any:
        """Build the data of `node`, which stands at `path`."""
        self.positions[path] = (node.start_mark.line + 1, node.start_mark.column + 1)
        if id(node) in self.seen:
            self.alias(path)
            return None
        self.seen.add(id(node))
        if len(path) > MAX_DEPTH:
            self.report(path, "yaml-too-deep", len(path), limit=MAX_DEPTH)
            return None
        if isinstance(node, yaml.CollectionNode) and node.tag not in _COLLECTION_TAGS:
            self.report(path, "yaml-tag", node.tag)
            return None
        if isinstance(node, yaml.MappingNode):
            return self.mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return tuple(self.item(child, (*path, index)) for index, child in enumerate(node.value))
        return self.scalar(node, path) if isinstance(node, yaml.ScalarNode) else None

    def report(self, path: FaultPath, code: str, got: object, **facts: object) -> None:
        line, column = self.positions[path]
        place = Place(self.file, line, column, dotted(path).lstrip("."))
        self.problems.append(Problem.at(place, code, got, **facts))

    def alias(self, path: FaultPath) -> None:
        """Point at the next alias in the text: composed nodes only know where the anchor stands."""
        event = next(self.aliases, None)
        if event is not None and event.start_mark is not None:
            self.positions[path] = (event.start_mark.line + 1, event.start_mark.column + 1)
        self.report(path, "yaml-alias", f"*{event.anchor}" if event is not None else "an alias")

    def mapping(self, node: yaml.MappingNode, path: FaultPath) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = key_node.value if isinstance(key_node, yaml.ScalarNode) else None
            unseen = CONTROL.search(str(key))
            key = CONTROL.sub("", str(key)) if unseen else key
            here = (*path, str(key))
            if unseen:
                self.positions[here] = (key_node.start_mark.line + 1, key_node.start_mark.column + 1)
                self.report(here, "text-control-character", f"U+{ord(unseen[0]):04X}")
            if not isinstance(key, str):
                self.positions[here] = (key_node.start_mark.line + 1, key_node.start_mark.column + 1)
                self.report(here, "yaml-key", "")
                continue
            if key in data:
                first = self.positions[here]
                self.positions[here] = (key_node.start_mark.line + 1, key_node.start_mark.column + 1)
                self.report(here, "yaml-duplicate-key", key, first=f"{self.file}:{first[0]}:{first[1]}")
                self.positions[here] = first
                continue
            data[key] = self.build(value_node, here)
            if _is_null(value_node):
                self.report(here, "yaml-empty-value", "")
        return data

    def item(self, node: yaml.Node, path: FaultPath) -> Any:
        value = self.build(node, path)
        if _is_null(node):
            self.report(path, "yaml-empty-item", "")
        return value

    def scalar(self, node: yaml.ScalarNode, path: FaultPath) -> Any:
        value: str = node.value
        if found := CONTROL.search(value):
            self.report(path, "text-control-character", f"U+{ord(found[0]):04X}")
            return value.replace(found[0], "")
        if node.tag not in _PLAIN_TAGS:
            self.report(path, "yaml-tag", node.tag)
            return value
        if node.style:  # the C loader marks a plain word with an empty style
            return value
        return self.plain(value, path)

    def plain(self, value: str, path: FaultPath) -> Any:
        """Read a word without quotes, or report that it could be read two ways."""
        if value in {"true", "false"}:
            return value == "true"
        if value in {"", "~", "null"}:
            return None
        if _INTEGER.match(value) and len(value) < 40:
            return int(value)
        if _LOST_ZERO.match(value):
            self.report(path, "yaml-lost-zero", value, number=value.rstrip("0"))
            return value
        if _DECIMAL.match(value):
            return float(value)
        if trap := next((name for pattern, name in _TRAPS if pattern.match(value)), None):
            self.report(path, f"yaml-trap-{trap}", value)
        return value


_PLAIN_TAGS = frozenset(
    f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "timestamp", "merge", "value")
)
_COLLECTION_TAGS = frozenset(("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"))


def _is_null(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and not node.style and node.value in {"", "~", "null"}
