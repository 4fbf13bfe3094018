"""A lab's data as readers see it: a line where it is short, a grid where it has rows."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from site_build.model import print_number, with_powers

SHORT_LIST = 12
"""A longer list in a line is shown by its ends."""
MOST_ROWS = 25
"""Longer columns are shown by rows at equal distances."""
LONG_NUMBER = 1e15
"""From here a whole float is printed with its power of ten."""
Say = Callable[[Any], str | None]
"""How readers see a word or a key of the result; None where it has no name."""


@dataclass(frozen=True)
class Cell:
    """A cell of a grid."""

    lines: tuple[str, ...]
    """Lines of text; a matrix has one for each of its rows."""
    kind: str
    """`number` stands to the right, `numbers` stay on a line, `text` may break anywhere."""


@dataclass(frozen=True)
class Row:
    """A row of a grid."""

    name: str
    """What stands before it; empty where rows have no names."""
    cells: tuple[Cell, ...]
    """One for each column."""


@dataclass(frozen=True)
class Grid:
    """Rows under common heads."""

    heads: tuple[str, ...]
    """Names of the columns; none where they have no names of their own."""
    rows: tuple[Row, ...]
    """From top to bottom."""
    of: int = 0
    """How many rows there are, where not all are shown."""

    @property
    def named(self) -> bool:
        """Whether rows have names."""
        return any(row.name for row in self.rows)

    def kind(self, column: int) -> str:
        """What the cells of a column are: `number` where most of them are."""
        kinds = [row.cells[column].kind for row in self.rows]
        return "number" if kinds.count("number") * 2 > len(kinds) else "text"


@dataclass(frozen=True)
class Printer:
    """How one output's numbers and words are printed."""

    say: Say
    """Names of words and keys."""
    display: str | None = None
    """Format of numbers that are not whole."""

    def text(self, value: Any) -> str:
        """JSON-ready data in one line."""
        if value is None or isinstance(value, bool | str):
            return self.say(value) or str(value)
        if isinstance(value, int | float):
            return self.number(value)
        if isinstance(value, Mapping):
            return "; ".join(f"{self.key(name)}: {self.text(item)}" for name, item in value.items()) or "–"
        items = (f"[{self.text(item)}]" if is_list(item) else self.text(item) for item in shortened(value))
        return ", ".join(items) or "–"

    def number(self, value: float) -> str:
        """A number by its format; a whole one, and any without a format, in full."""
        return with_powers(self._plain(value))

    def _plain(self, value: float) -> str:
        if isinstance(value, int):
            return f"{value:,}"
        whole = f"{value:,.0f}" if value.is_integer() and abs(value) < LONG_NUMBER else repr(value)
        return (print_number(value or 0.0, self.display) if self.display else None) or whole

    def full(self, value: Any) -> str:
        """A single number without its format, where that loses digits; else nothing."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return ""
        return "" if float(self._plain(value).replace(",", "")) == value else replace(self, display=None).number(value)

    def key(self, name: Any) -> str:
        """A key's name."""
        return self.say(name) or str(name)

    def lines(self, value: Any) -> tuple[str, ...]:
        """JSON-ready data as lines: one for each list or mapping in a list."""
        if is_list(value) and any(is_list(item) or isinstance(item, Mapping) for item in value):
            return tuple(self.text(item) for item in value)
        return (self.text(value),)

    def cell(self, value: Any) -> Cell:
        """Data as a cell."""
        if isinstance(value, int | float) and not isinstance(value, bool):
            return Cell((self.text(value),), "number")
        return Cell(self.lines(value), "numbers" if is_list(value) and _is_numeric(value) else "text")

    def grid(self, value: Any) -> Grid | None:
        """Data that has rows: records, a mapping of records, a matrix, texts; None for anything else."""
        if isinstance(value, Mapping) and value and all(isinstance(item, Mapping) for item in value.values()):
            found = self._records(value.values())
            named = zip(found.rows, map(self.key, value), strict=True)
            return Grid(found.heads, tuple(replace(row, name=name) for row, name in named))
        if not is_list(value) or not value:
            return None
        if all(isinstance(item, Mapping) for item in value):
            return self._records(value)
        if all(is_list(item) for item in value):
            return Grid((), tuple(Row("", tuple(map(self.cell, item))) for item in value))
        if all(isinstance(item, str) for item in value):
            return Grid((), tuple(Row(f"{n}", (Cell((item,), "text"),)) for n, item in enumerate(value, start=1)))
        return None

    def _records(self, records: Iterable[Mapping[str, Any]]) -> Grid:
        items = list(records)
        keys = list(dict.fromkeys(key for item in items for key in item))
        rows = tuple(Row("", tuple(self.cell(item.get(key)) for key in keys)) for item in items)
        return Grid(tuple(map(self.key, keys)), rows)


def columns(printers: Sequence[Printer], lists: Sequence[Sequence[Any]]) -> Grid:
    """Lists of one length side by side, the first as the names of the rows; long ones by rows at equal distances."""
    found, whole = [], list(zip(*lists, strict=True))
    for row in thinned(whole):
        name, *cells = (printer.cell(item) for printer, item in zip(printers, row, strict=True))
        found.append(Row(name.lines[0], tuple(cells)))
    return Grid((), tuple(found), len(whole) if len(found) < len(whole) else 0)


def thinned[T](rows: Sequence[T]) -> list[T]:
    """Many rows by some at equal distances, the first and the last among them."""
    last = len(rows) - 1
    if last < MOST_ROWS:
        return list(rows)
    least = -(-last // (MOST_ROWS - 1))
    step = next((step for step in range(least, 2 * least + 4) if last % step == 0), least)
    return [*rows[:last:step], rows[last]]


def shortened(values: Sequence[Any]) -> list[Any]:
    """A long list by its ends, with a mark between."""
    found = list(values)
    return found if len(found) <= SHORT_LIST else [*found[: SHORT_LIST - 2], "…", found[-1]]


def is_list(value: Any) -> bool:
    """Whether data is a list, from YAML or from JSON."""
    return isinstance(value, list | tuple)


def _is_numeric(value: Any) -> bool:
    """Whether a list, or a list of lists, holds numbers alone."""
    return all(_is_numeric(item) if is_list(item) else isinstance(item, int | float) for item in value)
