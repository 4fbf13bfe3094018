"""Speculative decoding: how well a draft overlaps its target, and how KDA goes back after a rejection."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from k3core.guards import Float, InputError, as_count, as_float, has_shape, in_range
from k3core.kda import kda_step


def draft_acceptance(target: npt.ArrayLike, draft: npt.ArrayLike) -> float:
    """The probability that a token drawn from `draft` is accepted: sum of min(p, q), one minus the total variation.

    Args:
        target: (V,) p, a distribution.
        draft: (V,) q, a distribution.

    Raises:
        InputError: shapes differ, or a row is not a distribution to 1e-9.
    Source: report §4.1.4 eq.16. Exact at temperature 1.
    """
    p, q = _check_pair(target, draft)
    return float(np.minimum(p, q).sum())


def lk_loss(target: npt.ArrayLike, draft: npt.ArrayLike) -> float:
    """The draft's training loss -log(sum min(p, q)), natural log, at temperature 1.

    Raises:
        InputError: as `draft_acceptance`, or the two share no token, where the loss is infinite.
    Source: report §4.1.4 eq.16. Exact.
    """
    return -float(np.log(_positive_overlap(target, draft)))


def lk_gradient(target: npt.ArrayLike, draft: npt.ArrayLike) -> Float:
    """The gradient of `lk_loss` with respect to the logits whose softmax is `draft`.

    -(q_j / a) ([q_j < p_j] - sum of q_i over q_i < p_i). Where q_j = p_j the loss has a kink; the value there is that
    of q_j just above p_j.

    Returns:
        (V,) float64, summing to 0.

    Raises:
        InputError: as `lk_loss`.
    Source: report §4.1.4 eq.16, differentiated. Exact away from the kinks.
    """
    a = _positive_overlap(target, draft)
    p, q = _check_pair(target, draft)
    short = q < p
    return np.asarray(-(q / a) * (short - q[short].sum()))


def residual_distribution(target: npt.ArrayLike, draft: npt.ArrayLike) -> Float:
    """The distribution that replaces a rejected token: max(p - q, 0), scaled to sum 1.

    Raises:
        InputError: as `draft_acceptance`, or the two are equal, where nothing is ever rejected.
    Source: report §4.1.4, the standard rule it builds on. Exact.
    """
    p, q = _check_pair(target, draft)
    rest = np.maximum(p - q, 0.0)
    if not rest.sum() > 0:
        raise InputError("draft", "a distribution that differs from the target", "the same")
    return np.asarray(rest / rest.sum())


def accepted_prefix(target: npt.ArrayLike, draft: npt.ArrayLike, tokens: npt.ArrayLike, draws: npt.ArrayLike) -> int:
    """Count the drafted tokens that stand: token t does while draws[t] * q_t(token) < p_t(token).

    Args:
        target: (T, V) the target's distribution at each drafted position.
        draft: (T, V) the distribution each token was drawn from.
        tokens: (T,) the drafted tokens.
        draws: (T,) uniform numbers in [0, 1).

    Raises:
        InputError: shapes differ, a row is not a distribution, or a token was not drawable.
    Source: report §4.1.4, the standard rule it builds on. Exact for the draws given; it draws nothing itself.
    """
    p, q = as_float("target", target, ndim=2), as_float("draft", draft, ndim=2)
    T, V = p.shape
    ids, u = np.asarray(tokens), as_float("draws", draws)
    has_shape("draft", q, (T, V))
    has_shape("tokens", ids, (T,))
    has_shape("draws", u, (T,))
    in_range("draws", u, 0.0, np.nextafter(1.0, 0.0))
    for t in range(T):
        _check_pair(p[t], q[t])
        token = as_count(f"tokens[{t}]", ids[t], 0, V - 1)
        if not q[t, token] > 0:
            raise InputError(f"tokens[{t}]", "a token the draft could draw", str(token))
        if not u[t] * q[t, token] < p[t, token]:
            return t
    return len(p)


def tokens_per_cycle(*, rate: float, drafted: int) -> float:
    """Expected tokens of a cycle that drafts `drafted` tokens, each accepted with probability `rate`.

    The accepted ones and the one the target adds: 1 + a + ... + a^n. 3.14 at a = 0.7 with 7 drafted.

    Raises:
        InputError: `rate` outside 0..1, or a bad count.
    Source: report §4.1.4 (7 unrolled steps). Exact under independence. Not claimed: that real acceptance is
    independent or equal at each position.
    """
    in_range("rate", rate, 0.0, 1.0)
    return float(sum(rate**i for i in range(as_count("drafted", drafted) + 1)))


def tokens_per_cycle_closed(*, rate: float, drafted: int) -> float:
    """The closed form (1 - a^(n+1)) / (1 - a) of `tokens_per_cycle`, which loses digits as a nears 1.

    Raises:
        InputError: as `tokens_per_cycle`.
    Source: the finite geometric sum.
    """
    in_range("rate", rate, 0.0, 1.0)
    count = as_count("drafted", drafted) + 1
    return float(count) if rate == 1 else (1 - rate**count) / (1 - rate)


@dataclass(frozen=True)
class Draft:
    """What is kept of a drafted run instead of a state per token."""

    state: Float
    """(H, K, V) memory before the first drafted token."""
    key: Float
    """(T, H, K)."""
    written: Float
    """(T, H, V) what the delta rule really wrote, beta (v - S^T k), after the correction."""
    log_decay: Float
    """(T, H, K)."""


def record_draft(
    state: npt.ArrayLike, key: npt.ArrayLike, value: npt.ArrayLike, log_decay: npt.ArrayLike, beta: npt.ArrayLike
) -> Draft:
    """Run the drafted tokens once and keep what a replay needs.

    Args:
        state: (H, K, V) float64.
        key: (T, H, K).
        value: (T, H, V).
        log_decay: (T, H, K) at most 0.
        beta: (T, H) in [0, 1].

    Raises:
        InputError: a shape disagrees or a value leaves its range.
    Source: report §5.4.2. Exact: float64. Not claimed: the layout or dtype in which a kernel caches its inputs.
    """
    before = as_float("state", state, ndim=3)
    H, K, V = before.shape
    k, v = as_float("key", key, ndim=3), as_float("value", value, ndim=3)
    g, b = as_float("log_decay", log_decay, ndim=3), as_float("beta", beta, ndim=2)
    T = len(k)
    for name, array, shape in (("value", v, (T, H, V)), ("log_decay", g, (T, H, K)), ("beta", b, (T, H))):
        has_shape(name, array, shape)
    written = np.empty((T, H, V))
    memory = before
    for t in range(T):
        after = kda_step(memory, k[t], v[t], g[t], b[t])
        faded = np.exp(g[t])[..., None] * memory  # (H, K, V)
        written[t] = b[t][:, None] * (v[t] - np.einsum("hkv,hk->hv", faded, k[t]))
        memory = after
    return Draft(before, k, written, g)


def replay_draft(draft: Draft, accepted: int) -> Float:
    """The state after the first `accepted` drafted tokens, from the records alone and without a serial scan.

    S_h = e^(G_h) S_0 + sum over j <= h of e^(G_h - G_j) k_j u_j^T, with G the running sum of log decays; every
    exponent is at most 0.

    Returns:
        (H, K, V) float64.

    Raises:
        InputError: `accepted` is not a whole number from 0 to T.
    Source: report §5.4.2. Exact: the algebra; the order of the sums differs from the serial scan.
    """
    count = as_count("accepted", accepted, 0, len(draft.key))
    total = np.cumsum(draft.log_decay[:count], axis=0)  # (h, H, K)
    if count == 0:
        return draft.state.copy()
    faded = draft.key[:count] * np.exp(total[-1] - total)  # (h, H, K)
    return np.asarray(
        np.exp(total[-1])[..., None] * draft.state + np.einsum("thk,thv->hkv", faded, draft.written[:count])
    )


@dataclass(frozen=True)
class DecodePosition:
    """Everything of a sequence that a rejection has to take back."""

    state: Float
    """(H, K, V) KDA memory."""
    history: Float
    """(W - 1, C) the projection outputs the next convolution needs, oldest first."""
    cached_tokens: int
    """Tokens whose latents count; later ones are overwritten."""


def rewind_draft(before: DecodePosition, draft: Draft, projected: npt.ArrayLike, accepted: int) -> DecodePosition:
    """Keep `accepted` of the drafted tokens, in KDA state, convolution history and latent length alike.

    Args:
        before: the position before drafting; its state is the draft's.
        draft: from `record_draft`.
        projected: (T, C) projection outputs of the drafted tokens, before the convolution.
        accepted: tokens that stand.

    Raises:
        InputError: shapes disagree or `accepted` is out of range.
    Source: report §5.4.2. Exact. Not claimed: the token the target adds, which is a decode step of its own.
    """
    rows = as_float("projected", projected, ndim=2)
    has_shape("projected", rows, (len(draft.key), before.history.shape[1]))
    state = replay_draft(draft, accepted)
    taps = len(before.history)
    history = np.concatenate([before.history, rows])[accepted : accepted + taps]
    return DecodePosition(state, history, before.cached_tokens + accepted)


def draft_record_ratio(*, key_dim: int, value_dim: int) -> float:
    """Numbers kept per drafted token (k, v, log decay, beta) over those of a whole state: 2.35 % for 128 by 128.

    Raises:
        InputError: a width below 1.
    Source: report §5.4.2. Exact for equal dtypes.
    """
    K, V = as_count("key_dim", key_dim, low=1), as_count("value_dim", value_dim, low=1)
    return (2 * K + V + 1) / (K * V)


def _check_pair(target: npt.ArrayLike, draft: npt.ArrayLike) -> tuple[Float, Float]:
    """Read two distributions over the same tokens, or refuse."""
    p, q = as_float("target", target, ndim=1), as_float("draft", draft, ndim=1)
    has_shape("draft", q, p.shape)
    for name, row in (("target", p), ("draft", q)):
        in_range(name, row, 0.0, 1.0)
        if abs(row.sum() - 1) > 1e-9:
            raise InputError(name, "probabilities that sum to 1", f"a sum of {row.sum():.12g}")
    return p, q


def _positive_overlap(target: npt.ArrayLike, draft: npt.ArrayLike) -> float:
    """The acceptance, or refuse where it is zero."""
    a = draft_acceptance(target, draft)
    if not a > 0:
        raise InputError("draft", "some overlap with the target", f"{a:g}")
    return a
