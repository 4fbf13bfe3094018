"""Attention Residuals against k3core's mixture, which sees all sources at once."""

from collections.abc import Callable
from typing import Any

import numpy as np
from gpu import arithmetic as a
from gpu.launching import Out, launch
from gpu.suite import Array, Compiled, Limits, Mechanism, Mutation, judge

from k3core.attnres import attnres_mix

ULPS = 64
"""On a device: a score's exponential is off by two units, at each of up to nine sources."""
EPS = np.float32(1e-5)


def mix_case(
    spread: float, N: int, D: int, *, T: int = 2, threads: int = 8, pull: float = 1.0
) -> Callable[[Any], float]:
    """N sources of T tokens; the query's length sets how sharply the mixture prefers."""

    def run(kernels: Any) -> float:
        rng = np.random.default_rng(N * D)
        sources = np.asarray(rng.normal(size=(N, T, D)) * spread, np.float32)
        query = np.asarray(rng.normal(size=D) * pull, np.float32)
        (out,) = launch(kernels.attnres_mix, T, threads, sources, query, EPS, Out((T, D)))
        truth = attnres_mix(list(sources), query, eps=float(EPS))
        return judge(out, mirrored(sources, query, threads), truth, plain(sources, query), ulps=ULPS)

    return run


def over_threads(terms: Array, threads: int) -> Array:
    """Add the last axis: each thread its own terms in turn, then the threads in halves."""
    parts = np.zeros((*terms.shape[:-1], threads), np.float32)
    for start in range(0, terms.shape[-1], threads):
        row = terms[..., start : start + threads]
        parts[..., : row.shape[-1]] += row
    return np.asarray(a.in_halves(parts))


def mirrored(sources: Array, query: Array, threads: int) -> Array:
    """Round where the kernel rounds."""
    D = np.float32(len(query))
    scores = over_threads(sources * query, threads) / a.sqrt(over_threads(sources * sources, threads) / D + EPS)
    largest, weight, total = scores[0], np.ones_like(scores[0]), np.float32(0) + sources[0]
    for score, source in zip(scores[1:], sources[1:], strict=True):
        reached = np.maximum(largest, score)
        kept, share = a.exp(largest - reached), a.exp(score - reached)
        weight, total = weight * kept + share, total * kept[:, None] + share[:, None] * source
        largest = reached
    return np.asarray(total / weight[:, None])


def plain(sources: Array, query: Array) -> Array:
    """The two-pass softmax in float32."""
    scores = (sources / np.sqrt(np.mean(sources * sources, axis=-1, keepdims=True) + EPS)) @ query
    weights = np.exp(scores - np.max(scores, axis=0))
    return np.asarray(np.sum((weights / np.sum(weights, axis=0))[..., None] * sources, axis=0))


ATTNRES = Mechanism(
    name="attnres-mix",
    module="gpu.kernels.attnres",
    cases={
        **{f"d{D}": mix_case(1.0, 3, D) for D in (1, 15, 16, 17, 60, 63, 80)},
        "one-source": mix_case(1.0, 1, 17),
        "nine-sources": mix_case(1.0, 9, 33, T=3, threads=4),
        "sharp": mix_case(1.0, 9, 17, pull=30.0),
        "plain-mean": mix_case(1.0, 5, 17, pull=0.0),
        "zeros": mix_case(0.0, 3, 17),
        "large": mix_case(1e4, 4, 17),
        "widest": mix_case(1.0, 2, 1000, T=1, threads=64),
    },
    kernels=[Compiled("attnres_mix", "f4[:,:,::1] f4[::1] f4 f4[:,::1]", Limits(56, 2048))],
    mutations=[
        Mutation(
            "the old mixture keeps its scale",
            "kept = np.float32(0) if i == 0 else exp(largest - reached)",
            "kept = np.float32(1)",
            "d17",
        ),
        Mutation(
            "no norm of the key",
            "score = div(products[0], sqrt(div(squares[0], np.float32(D)) + eps))",
            "score = products[0]",
            "d17",
        ),
        Mutation("not divided by the weight", "div(out[t, d], weight)", "out[t, d]", "d17"),
        Mutation(
            "no barrier between halves", "while half > 0:\n            cuda.syncthreads()", "while half > 0:", "d17"
        ),
        Mutation(
            "no barrier before the next source",
            "largest = reached\n        cuda.syncthreads()",
            "largest = reached",
            "d17",
        ),
        Mutation("neighbour's token", "product += mul(sources[i, t, d]", "product += mul(sources[i, t - 1, d]", "d17"),
    ],
)
