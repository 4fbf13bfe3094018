"""The numbers behind labs J and K: work split over ranks, a sequence for KDA and tokens for experts."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from k3core import kcp, moonep
from k3core.guards import Array, Float, InputError, as_count, as_float, has_shape, in_range
from k3core.kda import KdaTokens, kda_recurrent
from k3core.labs import Reply, as_number

AGREES = 1e-9
"""Two states count as equal within this, relative to the larger; rounding stays far below, mistakes far above."""


def lab_context_parallel(
    *, keys: list[list[float]], values: list[list[float]], log_decay: float, beta: float, ranks: int
) -> Reply:
    """Lab J: the state with which each rank must start, by the ordered scan and by the wrong sum.

    Args:
        keys: (T, K) directions, T from 2 to 64, K from 1 to 8; each is scaled to unit length.
        values: (T, V), V from 1 to 8, each within plus and minus 1e6.
        log_decay: of every token and channel, -5 to 0.
        beta: write strength of every token, 0 to 1.
        ranks: 2 to 8, at most T; neighbouring segments of nearly equal length.

    Returns:
        Per rank: its tokens, what it computes alone (`from_zero`, `transition`), and the incoming state by one long
        recurrence, by the scan, and by adding up what the ranks before it end with.

    Source: report §5.1.2 eq.17. Exact: the algebra. Not claimed: time, overlap or the exchange itself.
    """
    k, v = _rows("keys", keys, 1e3), _rows("values", values, 1e6)
    T, K = k.shape
    has_shape("values", v, (T, v.shape[1]))
    length = np.linalg.norm(k, axis=1, keepdims=True)  # (T, 1)
    if np.any(length < 1e-6):
        raise InputError("keys", "directions of length 1e-6 or more", f"{length.min():g}")
    gates = np.full((T, 1, K), as_number("log_decay", log_decay, -5.0, 0.0))
    strengths = np.full((T, 1), as_number("beta", beta, 0.0, 1.0))
    tokens = KdaTokens(np.zeros((T, 1, K)), (k / length)[:, None], v[:, None], gates, strengths)
    count = as_count("ranks", ranks, 2, min(8, T))
    cuts = [T * n // count for n in range(count + 1)]
    segments = [kcp.segment_by_steps(_part(tokens, start, stop)) for start, stop in pairwise(cuts)]
    scanned = kcp.incoming_states(segments)[:, 0]  # (N, K, V)
    zero = np.zeros(scanned[:1].shape)
    summed = np.concatenate([zero, np.cumsum([s.state[0] for s in segments], axis=0)[:-1]])
    true = [kda_recurrent(*_part(tokens, 0, start)).state[0] for start in cuts[:-1]]
    return {
        "per_rank": [
            {
                "rank": n,
                "first_token": cuts[n] + 1,
                "last_token": cuts[n + 1],
                "transition": segments[n].transition[0].tolist(),
                "from_zero": segments[n].state[0].tolist(),
                "incoming": true[n].tolist(),
                "by_scan": scanned[n].tolist(),
                "by_sum": summed[n].tolist(),
            }
            for n in range(count)
        ],
        "scan_agrees": _agree(scanned, true),
        "sum_agrees": _agree(summed, true),
        "sum_error": float(np.max(np.abs(summed - np.stack(true)))),
        "payload_elements": kcp.kcp_payload_bytes(1, K, v.shape[1], 1, 1),
        "tokens_per_rank": [stop - start for start, stop in pairwise(cuts)],
    }


def lab_expert_balance(*, tokens: list[int], ranks: int) -> Reply:
    """Lab K: a plan that gives every rank the same number of tokens by copying a few experts.

    Args:
        tokens: (E,) tokens routed to each expert, 1 to 256 whole numbers up to 1,000,000; `ranks` divides the sum.
        ranks: R, 1 to 64, a divisor of E; rank r owns experts r E/R onwards.

    Returns:
        Per rank: load before and after, the rank it takes from and the experts copied to it; `placement` says how many
        tokens of each expert each rank computes.

    Source: report §5.2.1, app.E. Exact: the balance and both bounds. Not claimed: the report's own planner, which is
    not described; its plans may differ.
    """
    if not isinstance(tokens, list) or not 1 <= len(tokens) <= 256:
        raise InputError("tokens", "1 to 256 counts", repr(tokens)[:80])
    counts = [as_count(f"tokens[{e}]", count, 0, 10**6) for e, count in enumerate(tokens)]
    E, R = len(counts), as_count("ranks", ranks, 1, 64)
    plan = moonep.plan_filling(counts, R)
    moonep.check_filling(counts, R, plan)
    placement = np.zeros((R, E), dtype=np.int64)
    placement[np.arange(E) // (E // R), np.arange(E)] = counts
    loads = placement.sum(axis=1).tolist()
    for rank, taken in enumerate(plan.moved):
        for e, count in taken.items():
            placement[rank, e] += count
            placement[e // (E // R), e] -= count
    return {
        "target": plan.target,
        "loads": loads,
        "largest_load": max(loads),
        "per_rank": [
            {
                "rank": rank,
                "load_before": loads[rank],
                "takes_from": plan.givers[rank],
                "copied_experts": list(plan.redundant[rank]),
                "taken_tokens": sum(plan.moved[rank].values()),
                "load_after": int(placement[rank].sum()),
            }
            for rank in range(R)
        ],
        "placement": placement.tolist(),
        "fills": plan.fills,
        "most_copies": max(map(len, plan.redundant)),
        "least_copies_needed": moonep.least_redundant_experts(counts, R),
        "copies_bound": moonep.redundant_experts_bound(experts=E, ranks=R),
        "copies_hardest": moonep.tight_redundant_experts(experts=E, ranks=R),
        "slots_balanced": plan.target,
        "slots_worst": sum(counts),
    }


def _rows(name: str, rows: list[list[float]], limit: float) -> Float:
    matrix = as_float(name, rows, ndim=2)
    as_count(f"{name} rows", matrix.shape[0], 2, 64)
    as_count(f"{name} columns", matrix.shape[1], 1, 8)
    in_range(name, matrix, -limit, limit)
    return matrix


def _part(tokens: KdaTokens, start: int, stop: int) -> KdaTokens:
    return KdaTokens(*(array[start:stop] for array in tokens))


def _agree(states: Array, true: Sequence[Array]) -> bool:
    wanted = np.stack(true)
    return bool(np.max(np.abs(states - wanted)) <= AGREES * max(1.0, float(np.max(np.abs(wanted)))))
