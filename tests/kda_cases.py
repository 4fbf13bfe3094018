"""Worlds for KDA tests: sequences with K != V, from the checked vectors or from a seed."""

from typing import Any

import numpy as np
import numpy.typing as npt
from numeric_vectors import inputs

from k3core.gates import bounded_log_decay
from k3core.kda import KdaTokens
from k3core.primitives import l2norm, sigmoid

Float = npt.NDArray[np.float64]


def tokens_of(vector_id: str) -> tuple[KdaTokens, Float]:
    """Return the tokens (T, H, ...) and the initial state of a vector that gives z and beta logits."""
    given: dict[str, Any] = inputs(vector_id)
    _, H, K = given["z"].shape
    log_decay = bounded_log_decay(given["z"], np.zeros((H, K)), np.broadcast_to(given["A_log"], (H,)))
    tokens = KdaTokens(l2norm(given["q"]), l2norm(given["k"]), given["v"], log_decay, sigmoid(given["beta_logit"]))
    return tokens, given["S0"]


def random_tokens(seed: int, T: int, *, H: int = 2, K: int = 5, V: int = 3, rate: float = 1.0) -> KdaTokens:
    """Return unit queries and keys, log-decays in (-rate, 0) and write strengths in (0, 1)."""
    rng = np.random.default_rng(seed)
    return KdaTokens(
        l2norm(rng.normal(size=(T, H, K))),
        l2norm(rng.normal(size=(T, H, K))),
        rng.normal(size=(T, H, V)),
        -rate * rng.random((T, H, K)),
        rng.random((T, H)),
    )


def random_state(seed: int, *, H: int = 2, K: int = 5, V: int = 3) -> Float:
    """Return a dense state (H, K, V)."""
    return np.random.default_rng(seed).normal(size=(H, K, V))


def sliced(tokens: KdaTokens, start: int, stop: int) -> KdaTokens:
    """Return the tokens from `start` up to `stop`."""
    return KdaTokens(*(array[start:stop] for array in tokens))
