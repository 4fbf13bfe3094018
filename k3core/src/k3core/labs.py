"""The numbers behind the ledger's labs: plain JSON in, plain JSON out, every input bounded."""

from typing import Any

import numpy as np

from k3core.guards import as_count, as_float, has_shape, in_range
from k3core.kda import kda_step

Reply = dict[str, Any]
"""JSON-ready: str keys; int, float, str, bool, list and dict values."""


def lab_delta_rule(
    *, beta: float, repeats: int, key: list[float], value: list[float], distractor: list[float], overlap: float
) -> Reply:
    """Lab A: write one key several times by the delta rule and by plain addition, then read it back.

    Args:
        beta: write strength in [0, 1].
        repeats: writes, 1 to 64.
        key: (K,) any non-zero direction, K from 2 to 16; it is scaled to unit length first.
        value: (V,) target, V from 1 to 16.
        distractor: (V,) value stored beforehand under a second key.
        overlap: cosine between the two keys, in [-1, 1].

    Source: report §2.1.1 eq.1. Exact: the matrix arithmetic. Not claimed: real head widths or recall.
    """
    k = _unit("key", key)
    v = as_float("value", value, ndim=1)
    as_count("value length", len(v), 1, 16)
    d = as_float("distractor", distractor, ndim=1)
    has_shape("distractor", d, v.shape)
    in_range("beta", beta, 0.0, 1.0)
    in_range("overlap", overlap, -1.0, 1.0)
    other = overlap * k + np.sqrt(1.0 - overlap * overlap) * _orthogonal(k)  # (K,)
    reply: Reply = {"key": k.tolist(), "distractor_key": other.tolist()}
    for write in ("delta", "additive"):
        state = np.outer(other, d)[None]  # (1, K, V)
        trace = [(k @ state[0]).tolist()]
        for _ in range(as_count("repeats", repeats, 1, 64)):
            state = kda_step(state, k[None], v[None], np.zeros((1, k.size)), np.array([beta]), write=write)
            trace.append((k @ state[0]).tolist())
        reply[write] = {
            "state": state[0].tolist(),
            "recalled": trace,
            "distractor_recalled": (other @ state[0]).tolist(),
            "error": float(np.linalg.norm(k @ state[0] - v)),
        }
    return reply


def _unit(name: str, direction: list[float]) -> Any:
    vector = as_float(name, direction, ndim=1)
    as_count(f"{name} length", vector.size, 2, 16)
    length = float(np.linalg.norm(vector))
    in_range(f"{name} norm", length, 1e-6, 1e6)
    return vector / length


def _orthogonal(k: Any) -> Any:
    """Return the unit vector orthogonal to `k` nearest to the axis that `k` leans on least."""
    axis = np.zeros_like(k)
    axis[np.argmin(np.abs(k))] = 1.0
    across = axis - (axis @ k) * k
    return across / np.linalg.norm(across)
