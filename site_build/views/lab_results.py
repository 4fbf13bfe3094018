"""A lab's data as readers see it: a line where it is short, a grid where it has rows."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from site_build.model import print_number

SHORT_LIST = 12
"""A longer list in a line is shown by its length and ends."""
MOST_ROWS = 25
"""A longer grid is shown by rows at equal distances; each says which it is."""
Say = Callable[[Any], str | None]
"""How readers see a word or a key of the result; None where it has no name."""


@dataclass(frozen=True)
class Row:
    """A row of a grid."""

    name: str
    """What stands before it; empty where the grid has no names of rows."""
    cells: tuple[tuple[str, ...], ...]
    """Each cell as lines of text."""


@dataclass(frozen=True)
class Grid:
    """Rows under common heads."""

    heads: tuple[str, ...]
    """Names of the columns; none where the columns are only counted."""
    rows: tuple[Row, ...]

    @property
    def named(self) -> bool:
        """Whether rows have names."""
        return any(row.name for row in self.rows)


@dataclass(frozen=True)
class Printer:
    """How one output's numbers and words are printed."""

    say: Say
    display: str | None = None

    def text(self, value: Any) -> str:
        """JSON-ready data in one line."""
        if value is None or isinstance(value, bool | str):
            return self.say(value) or str(value)
        if isinstance(value, int | float):
            return self.number(value)
        if isinstance(value, Mapping):
            return "; ".join(f"{self.key(name)}: {self.text(item)}" for name, item in value.items())
        return ", ".join(f"[{self.text(item)}]" if is_list(item) else self.text(item) for item in shortened(value))

    def number(self, value: float) -> str:
        """A number by its format; without one, a whole number whole and another to six digits."""
        if isinstance(value, int):
            return f"{value:,}"
        return (print_number(value, self.display) if self.display else None) or f"{value:.6g}"

    def key(self, name: Any) -> str:
        """A key's name."""
        return self.say(name) or str(name)

    def lines(self, value: Any) -> tuple[str, ...]:
        """JSON-ready data as lines: one for each row of a matrix or item that is a mapping."""
        if is_list(value) and any(is_list(item) or isinstance(item, Mapping) for item in value):
            return tuple(self.text(item) for item in value)
        return (self.text(value),)

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
            return Grid((), tuple(Row("", tuple((self.text(x),) for x in item)) for item in value))
        if all(isinstance(item, str) for item in value):
            return Grid((), tuple(Row(f"{n}", ((item,),)) for n, item in enumerate(value, start=1)))
        return None

    def _records(self, records: Iterable[Mapping[str, Any]]) -> Grid:
        items = list(records)
        keys = list(dict.fromkeys(key for item in items for key in item))
        rows = tuple(Row("", tuple(self.lines(item.get(key, "")) for key in keys)) for item in items)
        return Grid(tuple(map(self.key, keys)), rows)


def columns(printers: Sequence[Printer], heads: Sequence[str], lists: Sequence[Sequence[Any]]) -> Grid:
    """Lists of one length side by side, with the number of each row counted from one."""
    rows = (
        Row(f"{n}", tuple((printer.text(item),) for printer, item in zip(printers, row, strict=True)))
        for n, row in enumerate(zip(*lists, strict=True), start=1)
    )
    return thinned(Grid(tuple(heads), tuple(rows)))


def thinned(grid: Grid) -> Grid:
    """A long grid by rows at equal distances, the first and the last among them."""
    last = len(grid.rows) - 1
    if last < MOST_ROWS:
        return grid
    least = -(-last // (MOST_ROWS - 1))
    step = next((step for step in range(least, 2 * least + 4) if last % step == 0), least)
    kept = grid.rows[::step]
    return replace(grid, rows=kept if kept[-1] is grid.rows[-1] else (*kept, grid.rows[-1]))


def shortened(values: Sequence[Any]) -> list[Any]:
    """A long list by its ends, with a mark between."""
    found = list(values)
    return found if len(found) <= SHORT_LIST else [*found[: SHORT_LIST - 2], "…", found[-1]]


def is_list(value: Any) -> bool:
    """Whether data is a list, from YAML or from JSON."""
    return isinstance(value, list | tuple)
