"""`k3 fmt`: one form for the ledger's YAML. It changes the look of a file and no value, or leaves the file alone."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from site_build.edit.aside import write_all
from site_build.edit.emit import emit
from site_build.edit.kinds import kind_of, ledger_files
from site_build.edit.shapes import Shape
from site_build.edit.tree import MODELINE, Entry, Tree, read_tree
from site_build.memory import keep, name_of, recall
from site_build.problems import Place, Problem
from site_build.source import parse_yaml, read_yaml

_THIS_FORM = "".join(
    path.read_text(encoding="utf-8")
    for folder in ("edit", "model")
    for path in sorted((Path(__file__).parents[1] / folder).glob("*.py"))
)
"""What a file's form depends on besides its text."""


@dataclass(frozen=True)
class Formatted:
    """What formatting found in a project's files."""

    changed: tuple[str, ...]
    """Files that had another form."""
    problems: tuple[Problem, ...]
    """Why files were left alone."""


class ChangesValueError(ValueError):
    """Formatting would have changed a value or lost a comment; the message says which."""


def format_text(text: str, shape: Shape, modeline: str = "") -> str:
    """A YAML text without faults in the ledger's form, with `modeline` as its first line.

    Raises:
        ChangesValueError: the new text would not give the same data and comments.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    data = parse_yaml(text, "text").data
    tree = read_tree(text, data)
    if tree.root is None or not tree.root.entries:
        return text
    head = [modeline] if modeline else []
    formatted = "\n".join([*head, *_take_head(tree.root.entries[0], modeline), *emit(tree.root, shape)]) + "\n"
    if formatted != text:
        _assert_same(tree, data, formatted)
    return formatted


def _take_head(first: Entry, modeline: str) -> list[str]:
    """Take the comments that open the file, up to the last blank line, from those of its first entry."""
    above = [line for line in first.above if not (modeline and line.startswith(MODELINE))]
    end = len(above) - above[::-1].index("") if "" in above else 0
    first.above = above[end:]
    return above[above[:1] == [""] : end]


def _assert_same(tree: Tree, data: Any, formatted: str) -> None:
    """Compare what both texts say; nothing is written unless this passes."""
    new = parse_yaml(formatted, "text")
    if new.problems or not same(data, new.data):
        raise ChangesValueError(new.problems[0].code if new.problems else "a value")
    if tree.comments != read_tree(formatted, new.data).comments:
        raise ChangesValueError("a comment")


def same(old: Any, new: Any) -> bool:
    """Whether two readings hold the same data: equal values of equal types, lists in the same order."""
    if type(old) is not type(new):
        return False
    if isinstance(old, dict):
        return old.keys() == new.keys() and all(same(value, new[key]) for key, value in old.items())
    if isinstance(old, tuple):
        return len(old) == len(new) and all(same(*pair) for pair in zip(old, new, strict=True))
    return repr(old) == repr(new)


def format_files(root: Path, files: Iterable[str] = (), *, check: bool = False) -> Formatted:
    """Bring ledger files of the project at `root` into form; all of them if none is named.

    `check` writes nothing. A text once found in form is not looked at again. A file with a fault, or one that is no
    ledger file, is left alone and reported.
    """
    changed: list[str] = []
    problems: list[Problem] = []
    for file in files or ledger_files(root):
        kind = kind_of(file)
        document = read_yaml(root, file)
        if kind is None:
            problems.append(Problem.at(Place(file), "fmt-no-ledger-file", Path(file).name))
            continue
        if document.problems:
            problems += document.problems
            continue
        text = (root / file).read_bytes().decode("utf-8")
        name = name_of(_THIS_FORM, file, text)
        if recall("formatted", name):
            continue
        try:
            formatted = format_text(text, kind.shape, kind.modeline(file))
        except ChangesValueError as error:
            problems.append(Problem.at(Place(file), "fmt-changes-value", error))
            continue
        keep("formatted", name_of(_THIS_FORM, file, formatted), True)
        if formatted != text:
            changed.append(file)
            if not check:
                write_all({root / file: formatted})
    if check:
        problems += [Problem.at(Place(file), "fmt-form", file=file) for file in changed]
    return Formatted(tuple(changed), tuple(sorted(problems)))
