"""Consistent hashing with a stand-in, and budgets that cannot be borrowed."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numeric_vectors import expected, inputs

from k3core.fleet import Admission, Ring, miss_cost_ratio
from k3core.guards import InputError

WANT = expected("17.1")
CLUSTERS = inputs("17.1")["clusters"]


def test_ring_of_the_vector() -> None:
    """Eight clusters share 10,000 sessions as checked, and one cluster's sessions spread over all seven others."""
    ring = Ring(CLUSTERS)
    assigned = {f"session-{i}": ring.assign(f"session-{i}") for i in range(10_000)}
    for session in ("session-0", "session-1", "session-42"):
        assert list(assigned[session]) == WANT[session]
    assert Counter(primary for primary, _ in assigned.values()) == WANT["primary_counts"]
    seconds = Counter(second for primary, second in assigned.values() if primary == "c3")
    assert seconds == WANT["secondary_counts_of_c3_sessions"]
    assert seconds.total() == WANT["sessions_on_c3"]


@pytest.mark.parametrize("lost", [pytest.param(c, id=c) for c in CLUSTERS])
def test_losing_a_cluster_moves_only_its_sessions(lost: str) -> None:
    """Each session of a lost cluster goes to its recorded secondary; nobody else moves."""
    ring = Ring(CLUSTERS)
    rest = ring.without(lost)
    for i in range(300):
        primary, secondary = ring.assign(f"session-{i}")
        assert rest.assign(f"session-{i}")[0] == (secondary if primary == lost else primary)


@settings(max_examples=40, derandomize=True, deadline=None, database=None)
@given(st.lists(st.text("ab#0", max_size=3), min_size=2, max_size=6, unique=True), st.integers(1, 9), st.text("s01"))
def test_search_equals_the_walk(clusters: list[str], points: int, session: str) -> None:
    """The binary search finds what walking the circle finds, also past its end, and the two clusters differ."""
    ring = Ring(clusters, points)
    assert ring.assign(session) == ring.assign_by_scan(session)
    assert len(set(ring.assign(session))) == 2


def test_a_class_never_borrows() -> None:
    """A full class refuses although another has tokens, and a completed request gives its estimate back."""
    gate = Admission({"interactive": 100, "batch": 50})
    assert gate.admit("a", "interactive", 60)
    assert not gate.admit("b", "interactive", 41)
    assert gate.admit("b", "interactive", 40)
    assert gate.free("interactive") == 0
    assert gate.free("batch") == 50
    assert gate.complete("a") == 60
    assert gate.free("interactive") == 60


@settings(max_examples=40, derandomize=True, deadline=None, database=None)
@given(st.lists(st.tuples(st.integers(0, 9), st.sampled_from(["x", "y"]), st.integers(1, 8)), max_size=40))
def test_budgets_hold_under_any_interleaving(events: list[tuple[int, str, int]]) -> None:
    """Charges never exceed a class's tokens and always equal the estimates of what runs."""
    gate, running = Admission({"x": 12, "y": 7}), dict[str, tuple[str, int]]()
    for number, kind, cost in events:
        request = str(number)
        if request in running:
            assert gate.complete(request) == running.pop(request)[1]
        else:
            fits = cost <= gate.budgets[kind] - sum(c for k, c in running.values() if k == kind)
            assert gate.admit(request, kind, cost) == fits
            if fits:
                running[request] = (kind, cost)
        for each in gate.budgets:
            used = sum(c for k, c in running.values() if k == each)
            assert gate.free(each) == gate.budgets[each] - used >= 0


def test_a_miss_prefills_a_hundred_times_more() -> None:
    """Without its prefix the typical coding request prefills 404K tokens instead of 4K."""
    assert miss_cost_ratio(prefix_tokens=400_000, increment_tokens=4_000) == 101


@pytest.mark.parametrize(
    ("call", "message"),
    [
        pytest.param(lambda: Ring(["a"]), "clusters: expected two or more different names", id="one-cluster"),
        pytest.param(lambda: Ring(["a", "a"]), "clusters: expected two or more different names", id="twice"),
        pytest.param(lambda: Ring(["a", "b"], 0), "points: expected a whole number from 1, got 0", id="no-points"),
        pytest.param(lambda: Ring(["a", "b"]).without("c"), "cluster: expected one of a, b, got 'c'", id="unknown"),
        pytest.param(lambda: Admission({}), "budgets: expected at least one class", id="no-class"),
        pytest.param(lambda: Admission({"x": -1}), r"budgets\[x\]: .*from 0, got -1", id="debt"),
        pytest.param(lambda: Admission({"x": 1}).admit("r", "y", 1), "kind: expected one of x, got 'y'", id="kind"),
        pytest.param(lambda: Admission({"x": 1}).free("y"), "kind: expected one of x, got 'y'", id="free-kind"),
        pytest.param(lambda: Admission({"x": 1}).admit("r", "x", 0), "estimate: .*from 1, got 0", id="free-request"),
        pytest.param(lambda: Admission({"x": 1}).complete("r"), "request: expected one that is running", id="ended"),
        pytest.param(
            lambda: miss_cost_ratio(prefix_tokens=1, increment_tokens=0), "increment_tokens: .*got 0", id="increment"
        ),
    ],
)
def test_bad_input_is_named(call: object, message: str) -> None:
    """What cannot be placed or charged is refused with its name."""
    assert callable(call)
    with pytest.raises(InputError, match=message):
        call()


def test_a_running_request_cannot_be_admitted_again() -> None:
    """Admitting the same request twice would charge it once and lose the other charge."""
    gate = Admission({"x": 9})
    assert gate.admit("r", "x", 1)
    with pytest.raises(InputError, match="request: expected one that is not running, got 'r'"):
        gate.admit("r", "x", 1)
