"""MoonEP's balanced expert parallelism: a filling planner that gives every rank the same number of tokens.

E experts live on R ranks, E/R each, in order. A router sends `tokens[e]` tokens to expert e; the ranks differ in load.
The planner copies some experts to other ranks for one step ("redundant experts") so that all ranks compute the same
number C of tokens. Two theorems bound the copies: E/R on a rank always suffice, and some routings need nearly as many.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from k3core.guards import InputError, as_count


@dataclass(frozen=True)
class FillingPlan:
    """Which tokens move where in one step."""

    target: int
    """C: tokens that every rank computes."""
    moved: tuple[dict[int, int], ...]
    """For each receiving rank, the tokens it takes over from each foreign expert."""
    givers: tuple[int | None, ...]
    """For each rank, the one rank it receives from; none where it receives nothing."""

    @property
    def fills(self) -> int:
        """How many ranks received tokens."""
        return sum(1 for giver in self.givers if giver is not None)

    @property
    def redundant(self) -> tuple[tuple[int, ...], ...]:
        """For each rank, the foreign experts it holds a copy of, in order."""
        return tuple(tuple(sorted(taken)) for taken in self.moved)


def plan_filling(tokens: Sequence[int], ranks: int) -> FillingPlan:
    """Balance the ranks by filling one at a time.

    Each round takes the least loaded rank below C and the most loaded rank (ties: lowest index) and moves exactly
    what the first lacks, the giver's largest experts first (ties: lowest index). A rank at C never changes again, so
    there are at most R - 1 rounds; a giver still holds only its own experts' tokens, so it can always give.

    Args:
        tokens: (E,) whole numbers, tokens routed to each expert; E a multiple of `ranks`, the sum too.
        ranks: R, at least 1.

    Raises:
        InputError: a count is not whole or negative, or E or the sum is not a multiple of `ranks`.
    Source: report §5.2.1 and app. E. Exact: the balance and both bounds. Not claimed: the report's GPU planner, which
    is called near-optimal and not described; its plans may differ.
    """
    experts_per_rank, target = _check_routing(tokens, ranks)
    home = [list(tokens[r * experts_per_rank : (r + 1) * experts_per_rank]) for r in range(ranks)]
    loads = [sum(counts) for counts in home]
    moved: list[dict[int, int]] = [{} for _ in range(ranks)]
    givers: list[int | None] = [None] * ranks
    while min(loads) < target:
        taker, giver = loads.index(min(loads)), loads.index(max(loads))
        need = target - loads[taker]
        for held, e in sorted((-count, e) for e, count in enumerate(home[giver])):
            take = min(need, -held)
            if take:
                moved[taker][giver * experts_per_rank + e] = take
                home[giver][e] -= take
                need -= take
        loads[giver] -= target - loads[taker]
        loads[taker], givers[taker] = target, giver
    return FillingPlan(target, tuple(moved), tuple(givers))


def check_filling(tokens: Sequence[int], ranks: int, plan: FillingPlan) -> None:
    """Recount a plan from nothing and hold it to Theorem 1; the planner's own bookkeeping is not believed.

    Raises:
        InputError: a load differs from C, an expert gives more than it has, a rank receives its own expert or from
            two ranks, or it holds more than E/R redundant experts.
    Source: report §5.2.1 theorem 1 (app. E).
    """
    experts_per_rank, target = _check_routing(tokens, ranks)
    left = list(tokens)
    received = [0] * ranks
    for rank, taken in enumerate(plan.moved):
        sources = {e // experts_per_rank for e in taken}
        if len(taken) > experts_per_rank:
            raise InputError("plan", f"at most {experts_per_rank} redundant experts", f"{len(taken)} on rank {rank}")
        if rank in sources or len(sources) > 1:
            raise InputError("plan", "one foreign giver for each rank", f"rank {rank} from {sorted(sources)}")
        for e, count in taken.items():
            left[e] -= count
            received[rank] += count
            if count < 1 or left[e] < 0:
                raise InputError("plan", f"1 to {tokens[e]} tokens from expert {e}", str(count))
    for rank in range(ranks):
        load = sum(left[rank * experts_per_rank : (rank + 1) * experts_per_rank]) + received[rank]
        if load != target:
            raise InputError("plan", f"{target} tokens on rank {rank}", str(load))


def least_redundant_experts(tokens: Sequence[int], ranks: int) -> int:
    """Redundant experts that *every* balanced plan needs on its fullest rank: a lower bound.

    A rank whose own experts have fewer than C tokens must take the rest from foreign experts, and no choice needs
    fewer of them than the largest ones do.

    Raises:
        InputError: as `plan_filling`.
    Source: report §5.2.1 theorem 2 (app. E), its argument for a general routing. Not claimed: that a plan meets it.
    """
    experts_per_rank, target = _check_routing(tokens, ranks)
    needed = 0
    for rank in range(ranks):
        own = range(rank * experts_per_rank, (rank + 1) * experts_per_rank)
        lack = target - sum(tokens[e] for e in own)
        foreign = sorted((t for e, t in enumerate(tokens) if e not in own), reverse=True)
        count = 0
        while lack > 0:
            lack -= foreign[count]
            count += 1
        needed = max(needed, count)
    return needed


def redundant_experts_bound(*, experts: int, ranks: int) -> int:
    """E/R: redundant experts on a rank that always suffice.

    Raises:
        InputError: `ranks` does not divide `experts`.
    Source: report §5.2.1 theorem 1.
    """
    return _experts_per_rank(experts, ranks)


def tight_redundant_experts(*, experts: int, ranks: int) -> int:
    """ceil(E(R-1)/R^2): redundant experts that the hardest known routing needs on one rank.

    With 896 experts: 98 of the bound 112 on 8 ranks, 53 of 56 on 16, and the bound itself on 32 and 64.

    Raises:
        InputError: `ranks` does not divide `experts`.
    Source: report §5.2.1 theorem 2.
    """
    _experts_per_rank(experts, ranks)
    return -(-experts * (ranks - 1) // ranks**2)


def tight_routing(*, experts: int, ranks: int) -> list[int]:
    """Build the routing of Theorem 2: rank 0 receives nothing, all other experts R^2 tokens each.

    Raises:
        InputError: `ranks` does not divide `experts`.
    Source: report §5.2.1 theorem 2 (app. E). Exact: whole numbers, any multiple behaves alike.
    """
    empty = _experts_per_rank(experts, ranks)
    return [0] * empty + [ranks**2] * (experts - empty)


def assign_tokens(
    routing: npt.NDArray[np.integer], ranks: int, plan: FillingPlan, experts: int
) -> npt.NDArray[np.int64]:
    """Say for every token and choice which rank computes it.

    Of an expert's tokens, in row order, the first ones stay at home and the moved ones follow in rank order.

    Args:
        routing: (tokens, K) expert of each choice.
        ranks: R.
        plan: made for the counts of `routing`.
        experts: E.

    Returns:
        (tokens, K) rank of each choice; every rank occurs exactly C times.

    Raises:
        InputError: an expert is not in 0..E-1, or the plan does not fit the counts.
    Source: report §5.2.1. Exact: the counts. Not claimed: which tokens of an expert the real system moves.
    """
    if routing.size and (routing.min() < 0 or routing.max() >= experts):
        raise InputError("routing", f"experts from 0 to {experts - 1}", f"{routing.min()}..{routing.max()}")
    counts = np.bincount(routing.ravel(), minlength=experts).tolist()
    check_filling(counts, ranks, plan)
    rank_of = routing.ravel() // (experts // ranks)
    for e in range(experts):
        rows = np.flatnonzero(routing.ravel() == e)
        for rank in range(ranks - 1, -1, -1):
            take = plan.moved[rank].get(e, 0)
            rows, taken = rows[: rows.size - take], rows[rows.size - take :]
            rank_of[taken] = rank
    return rank_of.reshape(routing.shape).astype(np.int64)


def buffer_tokens(*, tokens_per_rank: int, experts_per_token: int) -> int:
    """S x K: token slots of a rank's fixed receive buffer under exact balance.

    Raises:
        InputError: a count is not a whole number in its range.
    Source: report §5.2.1. Exact: whole slots.
    """
    return as_count("tokens_per_rank", tokens_per_rank) * as_count("experts_per_token", experts_per_token, low=1)


def unbalanced_buffer_tokens(*, tokens_per_rank: int, experts_per_token: int, ranks: int) -> int:
    """S x K x R: slots that a copy-free exchange without balance must be ready for, all tokens going to one rank.

    Raises:
        InputError: a count is not a whole number in its range.
    Source: report §5.2.1. Exact: whole slots.
    """
    return as_count("ranks", ranks, low=1) * buffer_tokens(
        tokens_per_rank=tokens_per_rank, experts_per_token=experts_per_token
    )


def _experts_per_rank(experts: int, ranks: int) -> int:
    """E/R, or refuse."""
    as_count("experts", experts, low=1)
    if experts % as_count("ranks", ranks, low=1):
        raise InputError("ranks", f"a divisor of experts ({experts})", str(ranks))
    return experts // ranks


def _check_routing(tokens: Sequence[int], ranks: int) -> tuple[int, int]:
    """Return E/R and C, or refuse counts that no plan can balance."""
    experts_per_rank = _experts_per_rank(len(tokens), ranks)
    for e, count in enumerate(tokens):
        as_count(f"tokens[{e}]", count)
    if sum(tokens) % ranks:
        raise InputError("tokens", f"a sum that {ranks} ranks can share", str(sum(tokens)))
    return experts_per_rank, sum(tokens) // ranks
