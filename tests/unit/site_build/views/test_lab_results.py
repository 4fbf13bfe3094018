"""How a lab's data is laid out: lines, grids, columns, and what long data keeps."""

from typing import Any

import pytest

from site_build.views.lab_results import Printer, columns, thinned

PRINTER = Printer({"risk": "Risk", "bounded": "fits", "": "–", True: "yes", None: "–"}.get, "{:.2f}")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param(1234, "1,234", id="whole"),
        pytest.param(0.125, "0.12", id="format"),
        pytest.param(True, "yes", id="truth"),
        pytest.param(None, "–", id="nothing"),
        pytest.param("bounded", "fits", id="word"),
        pytest.param("other", "other", id="unknown-word"),
        pytest.param([], "–", id="no-items"),
        pytest.param([[1, 2], [3]], "[1, 2], [3]", id="nested"),
        pytest.param({"risk": "bounded", "at": 3}, "Risk: fits; at: 3", id="mapping"),
        pytest.param(list(range(30)), "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, …, 29", id="long"),
    ],
)
def test_text(value: Any, text: str) -> None:
    """Data in one line, with the contract's words."""
    assert PRINTER.text(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1, "0.1"),
        (70144.0, "70,144"),
        (-0.0, "-0"),
        (1e30, "1×10³⁰"),
        (-2.5e-7, "-2.5×10⁻⁷"),
        (0.09997558593750, "0.0999755859375"),
    ],
)
def test_numbers_without_a_format_are_whole(value: float, text: str) -> None:
    """No digit is lost where no format says so."""
    assert Printer({}.get).text(value) == text


@pytest.mark.parametrize(
    ("value", "full"), [(0.125, "0.125"), (0.25, ""), (3.0, ""), (7, ""), ([0.125], ""), (True, "")]
)
def test_a_rounded_number_is_also_given_in_full(value: Any, full: str) -> None:
    """Where the format loses digits, and only there."""
    assert PRINTER.full(value) == full


def test_records_become_a_grid() -> None:
    """Keys are heads by their names; a matrix in a cell keeps its rows; a missing part is shown as missing."""
    grid = PRINTER.grid([{"risk": "bounded", "state": [[1, 2], [3, 4]]}, {"risk": "no"}])
    assert grid is not None
    assert grid.heads == ("Risk", "state")
    assert [[cell.lines for cell in row.cells] for row in grid.rows] == [
        [("fits",), ("1, 2", "3, 4")],
        [("no",), ("–",)],
    ]
    assert grid.rows[0].cells[1].kind == "numbers"
    assert not grid.named


def test_mapping_of_records_names_its_rows() -> None:
    """The outer keys stand before the rows, and numbers stand to the right."""
    grid = PRINTER.grid({"risk": {"n": 1}, "b": {"n": 2.5}})
    assert grid is not None
    assert ([row.name for row in grid.rows], grid.kind(0)) == (["Risk", "b"], "number")


@pytest.mark.parametrize("value", [3, "text", [1, 2], [], {"a": 1}, None])
def test_short_data_has_no_grid(value: Any) -> None:
    """What fits in a line stays in a line."""
    assert PRINTER.grid(value) is None


def test_matrices_and_texts_have_rows_without_heads() -> None:
    """A matrix has one cell for each number, a list of texts one row for each."""
    matrix, texts = PRINTER.grid([[1, 2], [3, 4]]), PRINTER.grid(["a", "b"])
    assert matrix is not None
    assert texts is not None
    assert [[cell.lines[0] for cell in row.cells] for row in matrix.rows] == [["1", "2"], ["3", "4"]]
    assert [(row.name, row.cells[0].lines) for row in texts.rows] == [("1", ("a",)), ("2", ("b",))]


def test_columns_name_their_rows_by_the_first_list() -> None:
    """Lists of one length stand side by side."""
    grid = columns([PRINTER, PRINTER], [[-1.0, 0.0], [5, 6]])
    assert [(row.name, row.cells[0].lines) for row in grid.rows] == [("-1.00", ("5",)), ("0.00", ("6",))]


@pytest.mark.parametrize(("rows", "kept"), [(25, 25), (65, 17), (93, 24), (401, 21), (60, 21)])
def test_long_columns_keep_both_ends(rows: int, kept: int) -> None:
    """Rows at equal distances where the length allows, the first and the last always."""
    found = thinned(list(range(rows)))
    assert (found[0], found[-1], len(found)) == (0, rows - 1, kept)


@pytest.mark.parametrize(("rows", "of"), [(25, 0), (26, 26), (93, 93)])
def test_a_grid_knows_how_many_rows_are_left_out(rows: int, of: int) -> None:
    """A table that skips rows has to say so."""
    assert columns([PRINTER, PRINTER], [list(range(rows))] * 2).of == of
