"""The numerics meet the checked vectors in the browser, and return there what they return here."""

import json

import pytest
from browser.pyodide import run_there
from browser.servers import Site
from numeric_vectors import PATH
from vector_differences import beyond_limits
from vector_parity import differences, distances, packed, run_here

from site_build.regress.visits import OpenContext


def test_vectors_are_met_in_the_browser(new_context: OpenContext, site: Site) -> None:
    """The tests that ask for vectors pass in Pyodide, with the results of Python to within the limits on record."""
    page = new_context().new_page()
    page.goto(f"{site.url}labs/A/")
    here = run_here()
    there = run_there(page, packed(), here["made"])
    assert (there["failed"], there["passed"]) == ([], here["passed"])
    assert there["vectors"] == sorted(
        vector["id"] for vector in json.loads(PATH.read_text(encoding="utf-8"))["vectors"]
    )
    assert list(beyond_limits(differences(here, there))) == []


@pytest.mark.parametrize(
    ("first", "second", "want"),
    [
        pytest.param(1.0, 1.0000000000000002, 1.0, id="one-ulp"),
        pytest.param([1, "a", None], [1, "a", None], 0.0, id="same"),
        pytest.param([1.0], [1.0, 1.0], float("inf"), id="length"),
        pytest.param(1, 1.0, float("inf"), id="type"),
        pytest.param("a", "b", float("inf"), id="text"),
    ],
)
def test_distances_can_fail(first: object, second: object, want: float) -> None:
    """Floats differ by units in the last place, everything else not at all or for good."""
    assert max(distances(first, second)) == want


@pytest.mark.parametrize(
    ("kind", "values", "want"),
    [
        pytest.param("float64", [4.0, 1.0 + 2**-50], 2**-50 / 2**-50, id="of-the-largest"),
        pytest.param("float32", [4.0, 1.0 + 2**-21], 1.0, id="of-its-own-type"),
        pytest.param("float64", [4.0, float("nan")], float("inf"), id="nan"),
        pytest.param("i", [4, 2], float("inf"), id="whole-numbers"),
    ],
)
def test_distances_of_arrays_can_fail(kind: str, values: list[float], want: float) -> None:
    """A difference counts in units of the largest number beside it; a whole number has to be the same."""
    first = {"dtype": kind, "shape": [2], "values": [4, 1]}
    second = {"dtype": kind, "shape": [2], "values": values}
    assert max(distances(first, second)) == want


def test_other_calls_are_noticed() -> None:
    """Engines that went different ways cannot be compared."""
    with pytest.raises(AssertionError, match="1 calls here, 2 there"):
        differences({"calls": [["a", "", 1]]}, {"calls": [["a", "", 1], ["a", "", 1]]})


def test_beyond_a_limit_is_named() -> None:
    """A difference without a reason, and one that is larger than its reason allows."""
    here = {"calls": [["situ_up", "x", 1.0], ["state_bytes", "x", 1], ["state_bytes", "y", 1.0]]}
    there = {"calls": [["situ_up", "x", 2.0], ["state_bytes", "x", 2], ["state_bytes", "z", 1.5]]}
    assert list(beyond_limits(differences(here, there))) == ["situ_up: 2.25e+15 ulp", "state_bytes: inf ulp"]
