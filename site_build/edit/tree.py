"""YAML text as a tree that keeps comments: each hangs on the entry it explains, so that entries can be moved."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

MODELINE = "# yaml-language-server:"
"""How the comment begins that tells an editor's program which schema a file follows."""
_COMMENT = re.compile(r"#[^\n]*")


@dataclass(frozen=True)
class Leaf:
    """A text, number or truth value."""

    value: str
    """The text itself; a number or truth value as written."""
    is_text: bool
    style: str = ""
    """As written: empty for a plain word, else a quote, `|` or `>`."""


@dataclass
class Branch:
    """A mapping or a list."""

    is_map: bool
    flow: bool = False
    """Written in braces or brackets."""
    entries: list["Entry"] = field(default_factory=list)
    trailing: list[str] = field(default_factory=list)
    """Comments after the last entry; an empty text is a blank line."""


@dataclass
class Entry:
    """A key with its value, or an item of a list."""

    key: str
    """Empty in lists."""
    node: Leaf | Branch
    above: list[str] = field(default_factory=list)
    """Comments in the lines before it; an empty text is a blank line."""
    beside: str = ""
    """The comment at the end of its line."""


@dataclass(frozen=True)
class _Comment:
    text: str
    start: int
    column: int
    alone: bool
    """Nothing else stands on its line."""


@dataclass(frozen=True)
class Tree:
    """A whole text."""

    root: Branch | None
    """None where the text is a single value."""
    comments: tuple[str, ...]
    """Every comment, sorted, without modelines."""


def read_tree(text: str, data: Any) -> Tree:
    """The tree of a text whose values are `data`: the caller has read it and found no fault."""
    root = YAML(typ="safe", pure=True).compose(text)
    comments = _comments(text, root)
    kept = tuple(sorted(comment.text for comment in comments if not comment.text.startswith(MODELINE)))
    if not isinstance(root, MappingNode | SequenceNode):
        return Tree(None, kept)
    return Tree(_Reader(text, comments).branch(root, data, len(text), -1), kept)


def _comments(text: str, root: Node) -> list[_Comment]:
    """Every comment outside of scalars, in order."""
    found = []
    position = 0
    for start, end in [*sorted(_scalar_spans(text, root)), (len(text), len(text))]:
        for match in _COMMENT.finditer(text, position, max(start, position)):
            line = text.rfind("\n", 0, match.start()) + 1
            before = text[line : match.start()]
            found.append(_Comment(match[0].rstrip(), match.start(), len(before), not before.strip()))
        position = max(end, position)
    return found


def _scalar_spans(text: str, node: Node) -> Iterator[tuple[int, int]]:
    if isinstance(node, ScalarNode):
        start = node.start_mark.index
        if node.style in {"|", ">"}:
            start = text.find("\n", start) if "\n" in text[start:] else len(text)
        yield start, node.end_mark.index
        return
    for child in node.value:
        for inner in child if isinstance(child, tuple) else (child,):
            yield from _scalar_spans(text, inner)


class _Reader:
    """Walks nodes and comments side by side, in the order of the text."""

    def __init__(self, text: str, comments: list[_Comment]) -> None:
        self.text, self.comments, self.next = text, comments, 0

    def branch(self, node: MappingNode | SequenceNode, data: Any, limit: int, next_column: int) -> Branch:
        """Read a mapping or list; the entry after it starts at `limit`, in `next_column` (-1: there is none)."""
        is_map = isinstance(node, MappingNode)
        branch = Branch(is_map, bool(node.flow_style))
        column = node.start_mark.column
        heads = [child[0] if isinstance(child, tuple) else child for child in node.value]
        for index, child in enumerate(node.value):
            last = index == len(heads) - 1
            after = (limit, next_column) if last else (heads[index + 1].start_mark.index, column)
            entry = Entry("", Leaf("", is_text=True), self.lines_above(heads[index].start_mark.index))
            value = child[1] if isinstance(child, tuple) else child
            if isinstance(child, tuple):
                entry.key = str(child[0].value)
                self.beside(entry, child[0].end_mark.index)
            entry.node = self.value(value, data[entry.key if is_map else index], entry, after)
            branch.entries.append(entry)
        if branch.flow:
            branch.trailing = [line for line in self.lines_above(node.end_mark.index) if line]
        else:
            self.take_trailing(branch, column, limit, next_column)
        return branch

    def value(self, node: Node, data: Any, entry: Entry, after: tuple[int, int]) -> Leaf | Branch:
        """Read what an entry holds, and the comment beside it."""
        if isinstance(node, MappingNode | SequenceNode):
            branch = self.branch(node, data, *after)
            if branch.flow:
                self.beside(entry, node.end_mark.index)
            if not branch.entries:
                entry.above += branch.trailing
                branch.trailing = []
            return branch
        if not isinstance(node, ScalarNode):
            return Leaf("", is_text=False)
        self.beside(entry, node.start_mark.index if node.style in {"|", ">"} else node.end_mark.index)
        is_text = isinstance(data, str)
        return Leaf(data if is_text else str(node.value), is_text, node.style or "")

    def beside(self, entry: Entry, end: int) -> None:
        """Take the comment that follows `end` on the same line."""
        comment = self.peek(len(self.text))
        if comment is None or comment.alone or comment.start < end or "\n" in self.text[end : comment.start]:
            return
        self.next += 1
        if entry.beside:
            entry.above.append(comment.text)
        else:
            entry.beside = comment.text

    def lines_above(self, start: int) -> list[str]:
        """Every comment not yet taken before `start`, with the blank lines between them."""
        lines: list[str] = []
        while (comment := self.peek(start)) is not None:
            self.next += 1
            lines += [*self.blank_before(comment.start), comment.text]
        return lines + self.blank_before(start)

    def take_trailing(self, branch: Branch, column: int, limit: int, next_column: int) -> None:
        """Take the comments after the last entry that are indented as deep as the entries."""
        while (comment := self.peek(limit)) is not None:
            if not comment.alone or comment.column < column or comment.column <= next_column:
                return
            self.next += 1
            branch.trailing += [*self.blank_before(comment.start), comment.text]

    def peek(self, limit: int) -> _Comment | None:
        """The next comment, if it starts before `limit`."""
        found = self.comments[self.next] if self.next < len(self.comments) else None
        return found if found is not None and found.start < limit else None

    def blank_before(self, start: int) -> list[str]:
        """A blank line, if one stands above `start` and nothing but dashes stands before it on its own line."""
        line = self.text.rfind("\n", 0, start)
        previous = self.text.rfind("\n", 0, line) + 1
        first = not self.text[line + 1 : start].strip(" -")
        return [""] if line > 0 and first and not self.text[previous:line].strip() else []
