"""The filling planner and the two theorems about redundant experts."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numeric_vectors import expected, inputs

from k3core import moonep
from k3core.guards import InputError

TABLE = expected("11.2")["table_E896"]


@pytest.mark.parametrize("vector", [pytest.param("11.1", id="four-ranks"), pytest.param("11.3", id="giver-is-filled")])
def test_worked_plans(vector: str) -> None:
    """Two plans worked by hand come out move by move, the second with a giver that is filled later."""
    case, want = inputs(vector), expected(vector)
    plan = moonep.plan_filling(case["tokens_per_expert"], case["R"])
    assert plan.target == want["target"]
    assert [list(row) for row in plan.redundant] == want["redundant_per_rank"]
    assert [{str(e): n for e, n in row.items()} for row in plan.moved] == want["tokens_moved"]
    assert plan.fills == want["fills"]
    moonep.check_filling(case["tokens_per_expert"], case["R"], plan)


def test_hardest_routing_of_the_vector() -> None:
    """With rank 0 empty and the rest uniform, rank 0 needs as many copies as Theorem 2 says."""
    case, want = inputs("11.2"), expected("11.2")
    plan = moonep.plan_filling(case["tokens_per_expert"], case["R"])
    assert len(plan.redundant[0]) == want["redundant_on_rank0"]
    assert moonep.tight_redundant_experts(experts=8, ranks=4) == want["tight_value"]


@pytest.mark.parametrize("ranks", [pytest.param(int(r), id=f"R{r}") for r in TABLE])
def test_both_theorems_with_896_experts(ranks: int) -> None:
    """No plan of the hardest routing does with fewer copies, and ours stays within E/R."""
    tight, bound = TABLE[str(ranks)]
    assert moonep.tight_redundant_experts(experts=896, ranks=ranks) == tight
    assert moonep.redundant_experts_bound(experts=896, ranks=ranks) == bound
    routing = moonep.tight_routing(experts=896, ranks=ranks)
    plan = moonep.plan_filling(routing, ranks)
    moonep.check_filling(routing, ranks, plan)
    assert moonep.least_redundant_experts(routing, ranks) == tight
    assert tight <= max(len(row) for row in plan.redundant) <= bound


@st.composite
def routings(draw: st.DrawFn) -> tuple[list[int], int]:
    """Draw heavy-tailed counts whose sum the ranks can share."""
    ranks, per_rank = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    count = st.one_of(st.just(0), st.integers(0, 6), st.integers(0, 10_000))
    tokens = draw(st.lists(count, min_size=ranks * per_rank, max_size=ranks * per_rank))
    tokens[draw(st.integers(0, len(tokens) - 1))] += -sum(tokens) % ranks
    return tokens, ranks


@settings(max_examples=60, derandomize=True, deadline=None, database=None)
@given(routings())
def test_any_routing_is_balanced_within_the_bounds(case: tuple[list[int], int]) -> None:
    """Every rank computes C tokens, with at most E/R and no fewer than the needed copies, in at most R - 1 fills."""
    tokens, ranks = case
    plan = moonep.plan_filling(tokens, ranks)
    moonep.check_filling(tokens, ranks, plan)
    assert plan.fills <= ranks - 1
    worst = max(len(row) for row in plan.redundant)
    assert moonep.least_redundant_experts(tokens, ranks) <= worst <= len(tokens) // ranks


@settings(max_examples=20, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 2**31), st.sampled_from([(4, 8), (3, 9), (2, 2)]))
def test_tokens_land_where_the_plan_says(seed: int, shape: tuple[int, int]) -> None:
    """Token by token, every rank computes exactly C, a home token stays unless moved, and moves are the plan's."""
    ranks, experts = shape
    routing = np.floor(experts * np.random.default_rng(seed).random((6 * ranks, 2)) ** 3).astype(np.int64)
    counts = np.bincount(routing.ravel(), minlength=experts).tolist()
    plan = moonep.plan_filling(counts, ranks)
    where = moonep.assign_tokens(routing, ranks, plan, experts)
    assert np.bincount(where.ravel(), minlength=ranks).tolist() == [plan.target] * ranks
    for rank, e in product(range(ranks), range(experts)):
        if rank != e // (experts // ranks):
            assert np.sum((where == rank) & (routing == e)) == plan.moved[rank].get(e, 0)


def smallest_by_search(tokens: list[int], ranks: int) -> int:
    """Try every way to place the tokens, and return the fewest copies on the fullest rank."""
    per_rank, target = len(tokens) // ranks, sum(tokens) // ranks
    best = len(tokens)
    splits = [[s for s in product(range(t + 1), repeat=ranks) if sum(s) == t] for t in tokens]
    for placement in product(*splits):
        if all(sum(row[r] for row in placement) == target for r in range(ranks)):
            copies = [sum(row[r] > 0 and e // per_rank != r for e, row in enumerate(placement)) for r in range(ranks)]
            best = min(best, max(copies))
    return best


@pytest.mark.parametrize(
    ("tokens", "ranks"),
    [
        pytest.param([0, 0, 4, 4], 2, id="tight-two-ranks"),
        pytest.param([0, 0, 1, 3, 3, 2], 3, id="three-ranks"),
        pytest.param([5, 1, 0], 3, id="single-expert-ranks"),
        pytest.param([3, 3, 1, 1], 2, id="split-one"),
    ],
)
def test_lower_bound_holds_against_every_plan(tokens: list[int], ranks: int) -> None:
    """An exhaustive search never beats the lower bound, and the planner never beats the search."""
    best = smallest_by_search(tokens, ranks)
    plan = moonep.plan_filling(tokens, ranks)
    assert moonep.least_redundant_experts(tokens, ranks) <= best <= max(len(row) for row in plan.redundant)


@pytest.mark.parametrize(
    ("tokens", "needed"),
    [
        pytest.param([0, 0, 3, 3, 3, 3], 2, id="first-rank-lacks-four"),
        pytest.param([3, 3, 3, 3, 0, 0], 2, id="last-rank-lacks-four"),
        pytest.param([4, 4, 2, 1, 2, 2], 1, id="one-token-is-enough-to-need-a-copy"),
        pytest.param([2, 2, 2, 2, 2, 2], 0, id="balanced"),
    ],
)
def test_lower_bound_by_hand(tokens: list[int], needed: int) -> None:
    """Three ranks of two experts: what a rank lacks, in the largest experts of the other ranks."""
    assert moonep.least_redundant_experts(tokens, 3) == needed


SMALL, WIDE = [12, 12, 0], [6, 6, 6, 6, 0, 0]


@pytest.mark.parametrize(
    ("tokens", "taken", "message"),
    [
        pytest.param(SMALL, {0: 7}, "expected 8 tokens on rank 0, got 5", id="unbalanced"),
        pytest.param(SMALL, {2: 8}, r"one foreign giver for each rank, got rank 2 from \[2\]", id="own-expert"),
        pytest.param(SMALL, {0: 4, 1: 4}, "at most 1 redundant experts, got 2 on rank 2", id="too-many-copies"),
        pytest.param(WIDE, {0: 4, 2: 4}, r"got rank 2 from \[0, 1\]", id="two-givers"),
        pytest.param(SMALL, {0: 13}, "expected 1 to 12 tokens from expert 0, got 13", id="more-than-there-is"),
        pytest.param(SMALL, {0: 0}, "expected 1 to 12 tokens from expert 0, got 0", id="empty-move"),
    ],
)
def test_wrong_plans_are_seen(tokens: list[int], taken: dict[int, int], message: str) -> None:
    """A plan that does not balance, or breaks a rule of moving, is refused."""
    plan = moonep.FillingPlan(8, ({}, {}, taken), (None, None, 0))
    with pytest.raises(InputError, match=message):
        moonep.check_filling(tokens, 3, plan)


@pytest.mark.parametrize(
    ("tokens", "ranks", "message"),
    [
        pytest.param([1, 2, 3], 2, r"ranks: expected a divisor of experts \(3\), got 2", id="experts-do-not-split"),
        pytest.param([1, 2], 2, "tokens: expected a sum that 2 ranks can share, got 3", id="tokens-do-not-split"),
        pytest.param([1, -1], 2, r"tokens\[1\]: expected a whole number from 0, got -1", id="negative"),
        pytest.param([1, 1], 0, "ranks: expected a whole number from 1, got 0", id="no-ranks"),
    ],
)
def test_impossible_routings_are_refused(tokens: list[int], ranks: int, message: str) -> None:
    """Counts that no plan can balance are named."""
    with pytest.raises(InputError, match=message):
        moonep.plan_filling(tokens, ranks)


def test_a_token_for_no_expert_is_refused() -> None:
    """A choice outside the experts is named before anything is counted."""
    plan = moonep.plan_filling([2, 2], 2)
    with pytest.raises(InputError, match=r"routing: expected experts from 0 to 1, got 0\.\.2"):
        moonep.assign_tokens(np.array([[0, 1], [2, 1]]), 2, plan, 2)


def test_buffers() -> None:
    """Balance makes the receive buffer smaller by the number of ranks."""
    assert moonep.buffer_tokens(tokens_per_rank=4096, experts_per_token=16) == 65_536
    assert moonep.buffer_tokens(tokens_per_rank=4096, experts_per_token=1) == 4096
    assert moonep.unbalanced_buffer_tokens(tokens_per_rank=4096, experts_per_token=16, ranks=64) == 65_536 * 64
