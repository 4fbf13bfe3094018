"""Locators, markers and printed numbers: each small grammar says what it takes and what it leaves."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_build.model import (
    MARKER_KINDS,
    Locator,
    Marker,
    find_markers,
    parse_locator,
    print_number,
    prints_truly,
    same_number,
)


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("report", Locator("report", "report"), id="source"),
        pytest.param("report abstract", Locator("report", "report abstract", "abstract"), id="abstract"),
        pytest.param("report §2.1.1", Locator("report", "report §2.1.1", "2.1.1"), id="section"),
        pytest.param("report §2.10 eq.12", Locator("report", "report §2.10 eq.12", "2.10", "eq", "12"), id="equation"),
        pytest.param("report fig.3", Locator("report", "report fig.3", "", "fig", "3"), id="figure"),
        pytest.param("report §3 table 1", Locator("report", "report §3 table 1", "3", "table", "1"), id="table"),
        pytest.param("report alg.2", Locator("report", "report alg.2", "", "alg", "2"), id="algorithm"),
        pytest.param("report app.B", Locator("report", "report app.B", "", "app", "B"), id="appendix"),
        pytest.param("rfc-3339 front", Locator("rfc-3339", "rfc-3339 front", "front"), id="other-source"),
        pytest.param("config a.b_c[0]", Locator("config", "config a.b_c[0]", target="a.b_c[0]"), id="configuration"),
        pytest.param("node smith-2020", Locator("node", "node smith-2020", target="smith-2020"), id="node"),
        pytest.param("node a_b §4.2", Locator("node", "node a_b §4.2", "4.2", target="a_b"), id="node-section"),
        pytest.param(
            "code o/r@v1.0:src/a.py#f.g", Locator("code", "code o/r@v1.0:src/a.py#f.g", target="o/r@v1.0:src/a.py#f.g"),
            id="code",
        ),
        pytest.param("code o/r@1a:a.py", Locator("code", "code o/r@1a:a.py", target="o/r@1a:a.py"), id="code-file"),
    ],
)  # fmt: skip
def test_locators_read(text: str, want: Locator) -> None:
    """A locator means the same wherever it is written."""
    assert parse_locator(text) == want


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "Report",
            "report  §2",
            "report 2.1",
            "report §",
            "report §2.",
            "report §a",
            "report eq 1",
            "report eq.1 fig.2",
        ),
        *("report table1", "report app.b", "report §1 extra", "report eq.1 fig.2", "config", "config a b"),
        *("node", "node A", "node x §"),
        *("code", "code o/r:a.py", "code o@1:a", "code o/r@1:a b", "report §2.1, eq.1", "report\n§2", "report §1 "),
    ],
)
def test_other_texts_are_no_locators(text: str) -> None:
    """Near misses are refused, not guessed."""
    assert parse_locator(text) is None


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("a :value[x_1] b", [("value", "x_1", False)], id="in-a-sentence"),
        pytest.param("共:value[x]、:term[a-b]。", [("value", "x", False), ("term", "a-b", False)], id="chinese"),
        pytest.param("::question[Q04]", [("question", "Q04", True)], id="block"),
        pytest.param(":spec[hidden.k3]", [("spec", "hidden.k3", False)], id="field"),
        pytest.param(":nothing[x]", [("nothing", "x", False)], id="unknown-kinds-are-found-too"),
        pytest.param("(:claim[Q04.c2])", [("claim", "Q04.c2", False)], id="brackets-around"),
        pytest.param("\\:value[x]", [], id="escaped"),
        pytest.param("at 10:value[x]", [], id="after-a-digit"),
        pytest.param("http:value[x]", [], id="after-a-letter"),
        pytest.param(":::value[x]", [], id="three-colons"),
        pytest.param(":value[x y] :value[] :Value[x] :value(x)", [], id="near-misses"),
    ],
)
def test_markers_are_found(text: str, want: list[tuple[str, str, bool]]) -> None:
    """Markers are found in any language, and what only looks like one is not."""
    found = find_markers(text)
    assert [(marker.kind, marker.target, marker.block) for marker in found] == want
    assert [text[marker.start : marker.end] for marker in found] == [marker.source for marker in found]


@given(
    st.sampled_from(MARKER_KINDS),
    st.from_regex(r"[A-Za-z0-9_.-]{1,12}", fullmatch=True),
    st.booleans(),
    st.text(alphabet=" 。，()x\n", max_size=3),
)
def test_a_written_marker_is_read_back(kind: str, target: str, block: bool, around: str) -> None:
    """Whatever is written as a marker is read as that marker, with its place."""
    before = around if not around.endswith("x") else f"{around} "
    written = Marker(kind, target, block, 0, 0).source
    (marker,) = find_markers(before + written + around)
    assert (marker.kind, marker.target, marker.block, marker.start) == (kind, target, block, len(before))


@pytest.mark.parametrize(
    ("number", "display", "want"),
    [
        (1572864, "{:,}", "1,572,864"),
        (93, "{:d}", "93"),
        (0, "{:,}", "0"),
        (-1234, "{:,}", "-1,234"),
        (3.14159, "{:.2f}", "3.14"),
        (12345.678, "{:,.1f}", "12,345.7"),
        (1.5e-7, "{:.1e}", "1.5e-07"),
        (0.25, "{:.3g}", "0.25"),
        (2.0, "{:d}", None),
        (1, "{:>10}", None),
        (1, "{0}", None),
        (1, "{:,}{:,}", None),
        (1, "{:.2f} MiB", None),
        (1, "{:.200f}", None),
        (1, "%d", None),
        (1, "{:s}", None),
        (1, "{.real}", None),
        (1, "", None),
    ],
)
def test_numbers_print(number: float, display: str, want: str | None) -> None:
    """A display is a small part of Python's formats and nothing else."""
    assert print_number(number, display) == want


@given(st.integers(-(10**18), 10**18), st.sampled_from(["{:,}", "{:d}"]))
def test_whole_numbers_print_truly(number: int, display: str) -> None:
    """A whole number can be read back exactly."""
    printed = print_number(number, display)
    assert printed is not None
    if abs(number) < 2**53:
        assert prints_truly(number, printed)
        assert not prints_truly(number + 1, printed)


@given(st.floats(1e-6, 1e12), st.sampled_from(["{:.3e}", "{:,.8f}", "{:.4g}"]))
def test_floats_print_to_three_digits(number: float, display: str) -> None:
    """A print that is accepted is within half a thousandth; one digit off is refused."""
    printed = print_number(number, display)
    assert printed is not None
    if prints_truly(number, printed):
        assert math.isclose(float(printed.replace(",", "")), number, rel_tol=5.1e-4)
    assert not prints_truly(number * 1.01, printed)


@pytest.mark.parametrize("printed", ["nan", "inf", "1 MiB", "", "1e", "--1", "0x10", "１２"])
def test_what_is_no_number_never_prints_truly(printed: str) -> None:
    """A print has to be a number in plain digits."""
    assert not prints_truly(1.0, printed)


@pytest.mark.parametrize(
    ("expected", "computed", "want"),
    [
        pytest.param(6, 6, True, id="whole"),
        pytest.param(6, 7, False, id="whole-off-by-one"),
        pytest.param(2**60, 2**60 + 1, False, id="whole-large"),
        pytest.param(6, 6.0, False, id="kinds-differ"),
        pytest.param(0.1 + 0.2, 0.3, True, id="rounding"),
        pytest.param(1.0, 1.0 + 1e-11, False, id="beyond-tolerance"),
        pytest.param(0.0, 1e-300, False, id="zero"),
        pytest.param(1.0, math.nan, False, id="nan"),
        pytest.param(1.0, math.inf, False, id="infinite"),
    ],
)
def test_recomputed_numbers_are_compared(expected: float, computed: float, want: bool) -> None:
    """Whole numbers agree exactly, floats to 1e-12, and one is never the other."""
    assert same_number(expected, computed) is want
