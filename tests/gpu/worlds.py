"""Sequences in float32 for the KDA kernels: ordinary ones, and those that hurt."""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from gpu.suite import Array

from k3core.kda import KdaTokens
from k3core.primitives import l2norm

ADVERSARIAL = ("faithful", "forgetful", "repeated", "zeros", "loaded")
"""Almost no forgetting; log-decays of -5; one key with beta near 1; zeros; a large initial state."""


@dataclass(frozen=True)
class World:
    """Packed sequences with their states, all float32."""

    tokens: KdaTokens
    """query, key, log-decay (T, H, K), value (T, H, V), beta (T, H)."""
    bounds: Array
    """(N + 1,) int32."""
    state: Array
    """(N, H, K, V) before the first token."""
    scale: np.float32
    """Of the queries."""

    @property
    def sequences(self) -> list[tuple[slice, Array]]:
        """The tokens of each sequence and its state."""
        return [(slice(*cut), state) for cut, state in zip(pairwise(self.bounds.tolist()), self.state, strict=True)]


def world(kind: str, *lengths: int, H: int = 2, K: int = 5, V: int = 3) -> World:
    """Build sequences of the given lengths."""
    T, rng = sum(lengths), np.random.default_rng(sum(lengths) + K)
    key, query = l2norm(rng.normal(size=(T, H, K))), l2norm(rng.normal(size=(T, H, K)))
    value, state = rng.normal(size=(T, H, V)), rng.normal(size=(len(lengths), H, K, V))
    log_decay, beta = -5.0 * rng.random((T, H, K)) ** 3, rng.random((T, H))
    if kind == "faithful":
        log_decay *= 1e-6
    elif kind == "forgetful":
        log_decay[:] = -5.0
    elif kind == "repeated":
        key[:], log_decay[:], beta[:] = l2norm(np.ones(K)), -3e-5, 0.9997
    elif kind == "zeros":
        for array in (key, query, value, log_decay, beta, state):
            array[:] = 0.0
    elif kind == "loaded":
        state *= 1e6
    single = [np.asarray(array, np.float32) for array in (query, key, value, log_decay, beta)]
    bounds = np.asarray(np.cumsum([0, *lengths]), np.int32)
    return World(KdaTokens(*single), bounds, np.asarray(state, np.float32), np.float32(K**-0.5))


def cut(whole: World, tokens: slice) -> KdaTokens:
    """Some of a world's tokens."""
    return KdaTokens(*(array[tokens] for array in whole.tokens))


def with_state(whole: World, state: Array) -> World:
    """The same tokens on other states."""
    return replace(whole, state=state)
