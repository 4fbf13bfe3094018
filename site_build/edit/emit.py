"""A tree as YAML text in the one form that the ledger's files have."""

import re
import unicodedata
from functools import lru_cache

from site_build.edit.shapes import Shape
from site_build.edit.tree import Branch, Entry, Leaf
from site_build.source import parse_yaml

WIDTH = 120
"""Columns of a line; what cannot be broken may be longer."""
_WORD = re.compile(r"^[A-Za-z][A-Za-z0-9_]*(?:[-.][A-Za-z0-9_]+)*$")
_SPACE = re.compile(r"(?<=\S) (?=\S)")
_FORMULA = re.compile(r"\$(?! )(?:\\.|[^$\\\n])+\$")
_HELD = "\ue000"
_CJK = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_HIDDEN = frozenset("\u2028\u2029\ufeff\ufffe\uffff")
_MORE_INDENTED = (" ", "\t")


def emit(branch: Branch, shape: Shape, indent: int = 0, *, joined: bool = False) -> list[str]:
    """The lines of a mapping or list whose entries stand in column `indent`.

    `joined`: the first entry continues a dash's line, above which its comments already stand.
    """
    lines: list[str] = []
    for index, entry in enumerate(_ordered(branch, shape)):
        above = _above(entry, shape.inner(entry.key)) if index or not joined else []
        lines += [_indented(line, indent) for line in (above if index else _without_blank_start(above))]
        lines += _entry(entry, shape, indent)
    trailing = branch.trailing if lines else _without_blank_start(branch.trailing)
    return lines + [_indented(line, indent) for line in trailing]


def _indented(line: str, indent: int) -> str:
    return " " * indent + line if line else ""


def _ordered(branch: Branch, shape: Shape) -> list[Entry]:
    """Entries in the order of the record's fields; what it does not know comes last."""
    if not branch.is_map:
        return branch.entries
    rank = {key: index for index, key in enumerate(shape.keys)}
    return sorted(branch.entries, key=lambda entry: rank.get(entry.key, len(rank)))


def _above(entry: Entry, shape: Shape) -> list[str]:
    """The comments above an entry, among them those of the first entry that shares a dash's line."""
    above = list(entry.above)
    node = entry.node
    while not entry.key and isinstance(node, Branch) and node.entries and _flow(node, shape) is None:
        first = _ordered(node, shape)[0]
        above += [line for line in first.above if line]
        entry, shape, node = first, shape.inner(first.key), first.node
    return [line for index, line in enumerate(above) if line or index == 0 or above[index - 1]]


def _without_blank_start(lines: list[str]) -> list[str]:
    return lines[1:] if lines[:1] == [""] else lines


def _entry(entry: Entry, shape: Shape, indent: int) -> list[str]:
    inner = shape.inner(entry.key)
    head = " " * indent + (f"{_key(entry.key)}:" if entry.key else "-")
    beside = f"  {entry.beside}" if entry.beside else ""
    if isinstance(entry.node, Leaf):
        first, *rest = _leaf(entry.node, inner, prose=shape.is_prose, column=len(head) + 1, indent=indent + 2)
        return [f"{head} {first}{beside}", *rest]
    flow = _flow(entry.node, inner)
    if flow is not None and (not entry.node.entries or len(head) + 1 + len(flow) <= WIDTH):
        return [f"{head} {flow}{beside}"]
    if entry.key:
        return [head + beside, *emit(entry.node, inner, indent + 2)]
    first, *rest = emit(entry.node, inner, indent + 2, joined=True)
    return [head + first[indent + 1 :], *rest]


def _flow(branch: Branch, shape: Shape) -> str | None:
    """A mapping or list in one line, where it was written so and holds numbers and names only; else None."""
    if not branch.entries:
        return "{}" if branch.is_map else "[]"
    if not branch.flow or branch.trailing:
        return None
    parts = []
    for entry in _ordered(branch, shape):
        inner = shape.inner(entry.key)
        if entry.above not in ([], [""]) or entry.beside:
            return None
        if isinstance(entry.node, Branch):
            text = _flow(entry.node, inner)
        elif entry.node.is_text and not _is_plain(entry.node, inner):
            text = None
        else:
            text = entry.node.value
        if text is None:
            return None
        parts.append(f"{_key(entry.key)}: {text}" if branch.is_map else text)
    return "{" + ", ".join(parts) + "}" if branch.is_map else "[" + ", ".join(parts) + "]"


def _key(key: str) -> str:
    return key if _is_word(key) else _quoted(key)


def _leaf(leaf: Leaf, shape: Shape, *, prose: bool, column: int, indent: int) -> list[str]:
    """A value's lines: what follows the colon or dash, which ends before `column`, and lines at `indent`."""
    if not leaf.is_text or _is_plain(leaf, shape):
        return [leaf.value]
    if any(_is_hidden(letter) for letter in leaf.value):
        return [_escaped(leaf.value)]
    if "\n" in leaf.value:
        return _block(leaf, indent)
    quoted = _quoted(leaf.value)
    if prose and column + len(quoted) > WIDTH and not _CJK.search(leaf.value) and leaf.value == leaf.value.strip():
        wrapped = _wrap(leaf.value, WIDTH - indent)
        if len(wrapped) > 1:
            return [">-", *(_indented(line, indent) for line in wrapped)]
    return [quoted]


def _is_plain(leaf: Leaf, shape: Shape) -> bool:
    """Whether a text stands without quotes: a name does, and what is no text as far as the records know."""
    return (shape.is_name or (not shape.is_known and not leaf.style)) and _is_word(leaf.value)


@lru_cache(maxsize=4096)
def _is_word(text: str) -> bool:
    """Whether a text without quotes would be read as that text, by this reader and by others."""
    if not _WORD.match(text):
        return False
    document = parse_yaml(f"{text}: {text}\n", "word")
    return not document.problems and document.data == {text: text}


def _is_hidden(letter: str) -> bool:
    return letter in _HIDDEN or (letter not in "\n\t" and unicodedata.category(letter) in {"Cc", "Cs"})


def _quoted(text: str) -> str:
    if "\n" in text or any(_is_hidden(letter) for letter in text):
        return _escaped(text)
    return "'" + text.replace("'", "''") + "'"


def _escaped(text: str) -> str:
    parts = (_ESCAPES.get(letter, f"\\u{ord(letter):04x}" if _is_hidden(letter) else letter) for letter in text)
    return '"' + "".join(parts) + '"'


def _block(leaf: Leaf, indent: int) -> list[str]:
    """A text of several lines: folded if it was folded, else line by line."""
    value = leaf.value
    lines = value.removesuffix("\n").split("\n")
    odd = any(line and not line.strip() for line in lines) or not lines[-1]
    if odd or not lines[0] or lines[0].startswith(_MORE_INDENTED):
        return [_escaped(value)]
    chomp = "" if value.endswith("\n") else "-"
    if leaf.style != ">" or _CJK.search(value) or any(line != line.strip() for line in lines):
        return [f"|{chomp}", *(_indented(line, indent) for line in lines)]
    folded: list[str] = []
    for index, line in enumerate(lines):
        folded += ([""] if index else []) + (_wrap(line, WIDTH - indent) if line else [])
    return [f">{chomp}", *(_indented(line, indent) for line in folded)]


def _wrap(text: str, width: int) -> list[str]:
    """Break a text at single spaces, which folding puts back; a formula stays in one line."""
    whole = _FORMULA.sub(lambda found: found[0].replace(" ", _HELD), text) if _HELD not in text else text
    lines: list[str] = []
    for word in _SPACE.split(whole):
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return [line.replace(_HELD, " ") for line in lines] if whole != text else lines
