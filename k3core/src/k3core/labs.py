"""The numbers behind labs A to F: plain JSON in, plain JSON out, every input bounded."""

from collections.abc import Callable
from typing import Any

import numpy as np

from k3core import attnres, gates, moe_counts, situ
from k3core import quantile_balancing as qb
from k3core.guards import Array, Float, InputError, as_count, as_float, has_shape, in_range
from k3core.kda import kda_step
from k3core.routing import expert_loads

Reply = dict[str, Any]
"""JSON-ready: str keys; int, float, str, bool, None, list and dict values."""


def as_number(name: str, value: float, low: float, high: float) -> float:
    """Read one finite number from `low` to `high`, or refuse it by name."""
    number = as_float(name, value, ndim=0)
    in_range(name, number, low, high)
    return float(number)


def lab_delta_rule(
    *, beta: float, repeats: int, key: list[float], value: list[float], distractor: list[float], overlap: float
) -> Reply:
    """Lab A: write one key several times by the delta rule and by plain addition, then read it back.

    Args:
        beta: write strength in [0, 1].
        repeats: writes, 1 to 64.
        key: (K,) any non-zero direction, K from 2 to 16; it is scaled to unit length first.
        value: (V,) target, V from 1 to 16, each within plus and minus 1e6.
        distractor: (V,) value stored beforehand under a second key.
        overlap: cosine between the two keys, in [-1, 1].

    Returns:
        Both keys, what each rule ends with, and every write in two steps: `erase` takes away the share beta of what
        the key reads, `add` adds the share beta of the value. Addition has no erasing step.

    Source: report §2.1.1 eq.1. Exact: the matrix arithmetic. Not claimed: real head widths or recall.
    """
    k = _unit("key", key)
    v = _numbers("value", value, 16)
    d = _numbers("distractor", distractor, 16)
    has_shape("distractor", d, v.shape)
    strength, cosine = as_number("beta", beta, 0.0, 1.0), as_number("overlap", overlap, -1.0, 1.0)
    times = as_count("repeats", repeats, 1, 64)
    other = cosine * k + np.sqrt(1.0 - cosine * cosine) * _orthogonal(k)  # (K,)
    delta = added = np.outer(other, d)[None]  # (1, K, V)
    steps = [_memory_step(0, "start", k, delta, added)]
    for n in range(1, times + 1):
        erased = delta - strength * k[:, None] * (k @ delta[0])
        steps.append(_memory_step(n, "erase", k, erased, added))
        token = k[None], v[None], np.zeros((1, k.size)), [strength]
        delta, added = kda_step(delta, *token), kda_step(added, *token, write="additive")
        steps.append(_memory_step(n, "add", k, delta, added))
    reply: Reply = {"key": k.tolist(), "distractor_key": other.tolist(), "steps": steps}
    for rule, state in (("delta", delta[0]), ("additive", added[0])):
        reply[rule] = {
            "state": state.tolist(),
            "recalled": (k @ state).tolist(),
            "distractor_recalled": (other @ state).tolist(),
            "error": float(np.linalg.norm(k @ state - v)),
        }
    return reply


def _memory_step(write: int, phase: str, k: Float, delta: Array, added: Array) -> Reply:
    return {
        "write": write,
        "phase": phase,
        "delta_state": delta[0].tolist(),
        "delta_recalled": (k @ delta[0]).tolist(),
        "additive_recalled": (k @ added[0]).tolist(),
    }


def lab_bounded_decay(*, lower_bound: float, chunk: int, cumulative_decay: float) -> Reply:
    """Lab B: how large the reciprocal of a chunk's decay can become, and which formats can hold it.

    Args:
        lower_bound: of one token's log-decay, -50 to -0.01.
        chunk: tokens, 1 to 1024.
        cumulative_decay: summed log-decay actually met in the chunk, from chunk * lower_bound to 0.

    Returns:
        Exponents and, per format, `bounded` (even the worst case fits), `depends` (what was met fits, the
        worst case does not) or `overflows`; both gates over a grid of logits.

    Source: report §2.1.1 eq.5, fig.3. Exact: the values. Not claimed: a measurement of any kernel.
    """
    bound, tokens = as_number("lower_bound", lower_bound, -50.0, -0.01), as_count("chunk", chunk, 1, 1024)
    worst = -gates.tile_log_decay_bound(bound, tokens)
    met = -as_number("cumulative_decay", cumulative_decay, -worst, 0.0)
    formats: Reply = {}
    for name, largest in gates.LARGEST_FINITE_LOG.items():
        risk = "bounded" if worst <= largest else "depends" if met <= largest else "overflows"
        longest = gates.longest_safe_chunk(bound, largest)
        formats[name] = {"largest_finite_log": largest, "longest_safe_chunk": longest, "risk": risk}
    grid = np.linspace(-8.0, 8.0, 65)[None]
    zero = np.zeros(grid.shape)
    return {
        "min_retention": gates.min_retention(bound),
        "worst_log": worst,
        "met_log": met,
        # past e^709 the number itself leaves float64, and only its logarithm can be shown
        "worst_reciprocal": float(np.exp(worst)) if worst <= 709 else None,
        "met_reciprocal": float(np.exp(met)) if met <= 709 else None,
        "formats": formats,
        "logits": grid[0].tolist(),
        "bounded_gate": gates.bounded_log_decay(grid, zero, [0.0], bound)[0].tolist(),
        "softplus_gate": gates.softplus_log_decay(grid, zero, [0.0])[0].tolist(),
    }


def lab_block_attnres(*, layers: int, block: int) -> Reply:
    """Lab C: what each module of a stack reads, and what full and block AttnRes must keep.

    Args:
        layers: decoder layers, 1 to 256.
        block: decoder layers per block, 1 to 256.

    Source: report §2.2 eq.8-10. Exact: the counts. Not claimed: throughput or quality.
    """
    L, size = as_count("layers", layers, 1, 256), as_count("block", block, 1, 256)
    counts = attnres.attnres_source_counts(L, size)
    return {
        "layer": list(range(1, L + 1)),
        "attention_sources": counts[:-1:2],
        "mlp_sources": counts[1:-1:2],
        "final_sources": counts[-1],
        "block_of_layer": [l // size for l in range(L)],
        "blocks": attnres.attnres_blocks(L, size),
        "last_block_layers": attnres.attnres_last_block_layers(L, size),
        "mixes": attnres.attnres_mixes(L, size),
        "reads_block": sum(counts),
        # a full form keeps the embedding and every module's output, and reads all that exist
        "reads_full": sum(range(2, 2 * L + 2)),
        "kept_block": max(counts),
        "kept_full": 2 * L + 1,
    }


def lab_latent_moe(*, full_width: int, latent_width: int, top_k: int, tokens: int, number_format: str) -> Reply:
    """Lab D: what a layer's dispatch sends at full and at latent width.

    Args:
        full_width: model width, 1 to 65,536.
        latent_width: 1 to full_width.
        top_k: routed experts per token, 1 to 1024.
        tokens: 0 to 1,048,576.
        number_format: `fp32`, `bf16`, `fp8` or `mxfp8`.

    Source: report §2.3.1. Exact: elements and bytes. Not claimed: topology, weight traffic, utilisation.
    """
    full = as_count("full_width", full_width, 1, 65_536)
    latent = as_count("latent_width", latent_width, 1, full)
    k, rows = as_count("top_k", top_k, 1, 1024), as_count("tokens", tokens, 0, 2**20)
    return {
        "elements_full": rows * k * full,
        "elements_latent": rows * k * latent,
        "bytes_full": moe_counts.dispatch_bytes(rows, k, full, number_format),
        "bytes_latent": moe_counts.dispatch_bytes(rows, k, latent, number_format),
        "element_ratio": latent / full,
    }


def lab_situ_glu(*, x: list[float], gate_beta: float, up_beta: float) -> Reply:
    """Lab E: GLU, SwiGLU and SiTU-GLU with both branches fed the same numbers.

    Args:
        x: 1 to 401 numbers within plus and minus 1e6.
        gate_beta: 0.01 to 1e6; 4 in the report.
        up_beta: 0.01 to 1e6; 25 in the report.

    Source: report §2.3.2 eq.12, fig.4. Exact: function values. Not claimed: anything about training loss.
    """
    points = _numbers("x", x, 401)
    betas = as_number("gate_beta", gate_beta, 0.01, 1e6), as_number("up_beta", up_beta, 0.01, 1e6)
    by_gate, by_up = situ.situ_glu_gradients(points, points, *betas)
    return {
        "x": points.tolist(),
        "glu": situ.glu(points, points).tolist(),
        "swiglu": situ.swiglu(points, points).tolist(),
        "situ_glu": situ.situ_glu(points, points, *betas).tolist(),
        "situ_gate": situ.situ_gate(points, betas[0]).tolist(),
        "situ_up": situ.situ_up(points, betas[1]).tolist(),
        "slope_gate": by_gate.tolist(),
        "slope_up": by_up.tolist(),
        "bound": betas[0] * betas[1],
    }


def lab_quantile_balancing(*, scores: list[list[float]], top_k: int, bins: int, sign_step: float, steps: int) -> Reply:
    """Lab F: Quantile Balancing of the router's bias, exact and by histogram, beside the fixed step of an older rule.

    Args:
        scores: (m, n) in [0, 1], m from 2 to 512, n from 2 to 64; the same tokens in every step.
        top_k: 1 to n-1.
        bins: of the histogram, 1 to 10,000.
        sign_step: by which the older rule, the baseline, moves every bias, 0 to 1; Quantile Balancing has none.
        steps: 1 to 50, each rule from a bias of zero.

    Source: report §2.3.3 eq.14, app.D. Exact: the rules. Not claimed: a trace of K3's router.
    """
    s = as_float("scores", scores, ndim=2)
    m, n = as_count("scores rows", s.shape[0], 2, 512), as_count("scores columns", s.shape[1], 2, 64)
    k, B = as_count("top_k", top_k, 1, n - 1), as_count("bins", bins, 1, 10_000)
    size, times = as_number("sign_step", sign_step, 0.0, 1.0), as_count("steps", steps, 1, 50)
    rules: dict[str, Callable[[Float], Float]] = {
        "exact": lambda bias: qb.qb_exact_update(s, bias, k),
        "histogram": lambda bias: qb.qb_histogram_update(qb.qb_histogram(s, bias, k, B), k),
        "sign": lambda bias: qb.sign_balance_step(s, bias, k, size),
    }
    start = np.zeros(n)
    reply: Reply = {
        "share": qb.expert_share(m, n, k),
        "cutoffs": qb.token_cutoffs(s, start, k).tolist(),
        "loads_before": expert_loads(s, start, k).tolist(),
    }
    for name, rule in rules.items():
        bias, trace = start, []
        for n in range(1, times + 1):
            bias = rule(bias)
            trace.append({"step": n, "loads": expert_loads(s, bias, k).tolist(), "bias": bias.tolist()})
        reply[name] = trace
    return reply


def _numbers(name: str, values: list[float], most: int) -> Float:
    vector = as_float(name, values, ndim=1)
    if not 1 <= vector.size <= most:
        raise InputError(name, f"1 to {most} numbers", str(vector.size))
    in_range(name, vector, -1e6, 1e6)
    return vector


def _unit(name: str, direction: list[float]) -> Float:
    vector = _numbers(name, direction, 16)
    as_count(f"{name} length", vector.size, 2)
    length = float(np.linalg.norm(vector))
    if length < 1e-6:
        raise InputError(name, "a direction of length 1e-6 or more", f"{length:g}")
    return vector / length


def _orthogonal(k: Float) -> Float:
    """Return a unit vector across `k`, in the plane of `k` and the axis that `k` leans on least."""
    axis = np.zeros_like(k)
    axis[np.argmin(np.abs(k))] = 1.0
    across = axis - (axis @ k) * k
    return np.asarray(across / np.linalg.norm(across))
