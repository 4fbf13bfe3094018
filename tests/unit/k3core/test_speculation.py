"""Draft acceptance, its loss, and going back after a rejection."""

from itertools import product

import numpy as np
import numpy.typing as npt
import pytest
from comparers import assert_close, assert_far, assert_same_bits
from hypothesis import given, settings
from hypothesis import strategies as st
from numeric_vectors import expected, generated, inputs

from k3core import speculation as sp
from k3core.guards import InputError
from k3core.kda import kda_step

Float = npt.NDArray[np.float64]
P, Q = inputs("14.3")["p_target"], inputs("14.3")["q_draft"]
QUICK = settings(max_examples=25, derandomize=True, deadline=None, database=None)


def softmax(z: Float) -> Float:
    """Turn logits into a distribution."""
    e = np.exp(z - z.max())
    return np.asarray(e / e.sum())


def test_acceptance_loss_gradient_and_residual() -> None:
    """The worked distributions give the checked acceptance, loss, gradient, residual and tokens per cycle."""
    want = expected("14.3")
    assert sp.draft_acceptance(P, Q) == pytest.approx(want["acceptance"], abs=1e-15)
    assert sp.draft_acceptance(P, Q) == pytest.approx(1 - want["tv"], abs=1e-15)
    assert sp.lk_loss(P, Q) == pytest.approx(want["lk"], abs=1e-14)
    assert_close(sp.lk_gradient(P, Q), want["grad_wrt_draft_logits"], ratio=1e-14)
    assert_close(sp.residual_distribution(P, Q), want["residual"], ratio=1e-14)
    cycle = sp.tokens_per_cycle(rate=0.7, drafted=inputs("14.3")["gamma"])
    assert cycle == pytest.approx(want["expected_tokens_per_cycle_iid"], rel=1e-15)


@st.composite
def logit_pairs(draw: st.DrawFn) -> tuple[Float, Float]:
    """Draw logits of a target and a draft over the same few tokens."""
    size = draw(st.integers(2, 6))
    row = st.lists(st.floats(-4, 4), min_size=size, max_size=size)
    return np.array(draw(row)), np.array(draw(row))


@QUICK
@given(pair=logit_pairs())
def test_gradient_is_the_slope(pair: tuple[Float, Float]) -> None:
    """Away from the kinks the gradient is what a small change of each logit does."""
    p, z = softmax(pair[0]), pair[1]
    if np.min(np.abs(p - softmax(z))) < 1e-4:
        return
    slope = []
    for j in range(z.size):
        nudge = np.zeros(z.size)
        nudge[j] = 1e-6
        slope.append((sp.lk_loss(p, softmax(z + nudge)) - sp.lk_loss(p, softmax(z - nudge))) / 2e-6)
    np.testing.assert_allclose(sp.lk_gradient(p, softmax(z)), slope, atol=1e-8)


@QUICK
@given(pair=logit_pairs())
def test_accepting_and_replacing_gives_the_target(pair: tuple[Float, Float]) -> None:
    """Accepted draft tokens together with the residual are distributed exactly as the target."""
    p, q = softmax(pair[0]), softmax(pair[1])
    a = sp.draft_acceptance(p, q)
    if a < 1 - 1e-9:
        assert_close(np.minimum(p, q) + (1 - a) * sp.residual_distribution(p, q), p, ratio=1e-12)


def test_acceptance_counts_the_draws_that_stand() -> None:
    """Over a fine grid of draws, the share of accepted tokens is the acceptance."""
    grid = (np.arange(1000) + 0.5) / 1000
    share = sum(Q[token] * np.mean([sp.accepted_prefix([P], [Q], [token], [u]) for u in grid]) for token in range(3))
    assert share == pytest.approx(sp.draft_acceptance(P, Q), abs=1e-3)


@pytest.mark.parametrize(
    ("draws", "want"),
    [
        pytest.param([0.0, 0.0, 0.0], 3, id="all-stand"),
        pytest.param([0.0, 0.9, 0.0], 1, id="second-falls"),
        pytest.param([0.9, 0.0, 0.0], 0, id="first-falls"),
    ],
)
def test_the_first_rejection_ends_the_run(draws: list[float], want: int) -> None:
    """Tokens after a rejected one do not count, however good."""
    assert sp.accepted_prefix([P] * 3, [Q] * 3, [2, 2, 2], draws) == want


@pytest.mark.parametrize("rate", [0.0, 0.3, 0.9, 1.0])
@pytest.mark.parametrize("drafted", [0, 1, 7])
def test_tokens_per_cycle_forms(rate: float, drafted: int) -> None:
    """Sum, closed form and an enumeration of all outcomes agree."""
    total = 0.0
    for outcome in product([True, False], repeat=drafted):
        chance = float(np.prod([rate if ok else 1 - rate for ok in outcome]))
        total += chance * (1 + (outcome.index(False) if False in outcome else drafted))
    assert sp.tokens_per_cycle(rate=rate, drafted=drafted) == pytest.approx(total, rel=1e-13)
    assert sp.tokens_per_cycle_closed(rate=rate, drafted=drafted) == pytest.approx(total, rel=1e-13)


def vector_draft() -> tuple[Float, Float, Float, Float, Float]:
    """State, keys, values, log decays and write strengths of the replay vector, with one head."""
    case = inputs("14.4")
    k = generated((5, 4), a=0.9, b=0.04, c=0.2)
    k = k / np.sqrt((k * k).sum(-1, keepdims=True) + 1e-6)
    g = -5.0 / (1 + np.exp(-case["z"]))
    beta = 1 / (1 + np.exp(-case["beta_logit"]))
    return case["S0"][None], k[:, None], case["v"][:, None], g[:, None], beta[:, None]


def serial(case: tuple[Float, Float, Float, Float, Float], count: int) -> Float:
    """Step through the first tokens one by one."""
    state, k, v, g, beta = case
    for t in range(count):
        state = kda_step(state, k[t], v[t], g[t], beta[t])
    return state


def test_replay_of_the_vector() -> None:
    """Records and the state after three accepted tokens are the checked ones."""
    want = expected("14.4")
    case = vector_draft()
    draft = sp.record_draft(*case)
    assert_close(draft.written[:, 0], want["u_records"])
    assert_close(sp.replay_draft(draft, 3)[0], want["S_after_3"])
    ratio = want["record_bytes_ratio_per_token(k,v,g,beta)/(state)"]
    assert sp.draft_record_ratio(key_dim=128, value_dim=128) == ratio


@QUICK
@given(seed=st.integers(0, 10**6), drafted=st.integers(1, 7), data=st.data())
def test_replay_equals_the_serial_scan(seed: int, drafted: int, data: st.DataObject) -> None:
    """After any number of accepted tokens, the replay is the state a scan of just those tokens reaches."""
    rng = np.random.default_rng(seed)
    H, K, V = 2, 4, 3
    k = rng.normal(size=(drafted, H, K))
    k /= np.linalg.norm(k, axis=-1, keepdims=True)
    case = (rng.normal(size=(H, K, V)), k, rng.normal(size=(drafted, H, V)), -5 * rng.random((drafted, H, K)))
    whole = (*case, rng.random((drafted, H)))
    accepted = data.draw(st.integers(0, drafted))
    assert_close(sp.replay_draft(sp.record_draft(*whole), accepted), serial(whole, accepted))


def test_going_back_takes_state_history_and_length() -> None:
    """After a rejection all three parts are what decoding only the accepted tokens leaves."""
    case = vector_draft()
    rng = np.random.default_rng(1)
    history, projected = rng.normal(size=(3, 6)), rng.normal(size=(5, 6))
    start = sp.DecodePosition(case[0], history, cached_tokens=100)
    for accepted in range(6):
        got = sp.rewind_draft(start, sp.record_draft(*case), projected, accepted)
        rows = [*history, *projected[:accepted]]
        assert_close(got.state, serial(case, accepted))
        assert_same_bits(got.history, np.array(rows[-3:]))
        assert got.cached_tokens == 100 + accepted


def test_replaying_the_uncorrected_value_is_wrong() -> None:
    """The record must hold what was written after the delta correction, not the value that came in."""
    state, k, v, g, beta = vector_draft()
    wrong = sp.Draft(state, k, beta[..., None] * v, g)
    assert_far(sp.replay_draft(wrong, 3), serial((state, k, v, g, beta), 3), ratio=0.05)


@pytest.mark.parametrize(("place", "name"), [(2, "value"), (3, "log_decay"), (4, "beta")])
def test_a_draft_is_recorded_whole(place: int, name: str) -> None:
    """A field with more tokens than keys is refused: its last ones would be dropped unseen."""
    draft = list(vector_draft())
    draft[place] = np.concatenate([draft[place], draft[place][:1]])
    with pytest.raises(InputError, match=f"{name}: expected shape"):
        sp.record_draft(*draft)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        pytest.param(lambda: sp.draft_acceptance([0.5, 0.5], [1.0]), r"draft: expected shape \(2,\)", id="shape"),
        pytest.param(lambda: sp.draft_acceptance([0.5, 0.4], [0.5, 0.5]), "target: .*got a sum of 0.9", id="sum"),
        pytest.param(
            lambda: sp.draft_acceptance([1.5, -0.5], [0.5, 0.5]), "target: expected 0..1, got 1.5", id="range"
        ),
        pytest.param(lambda: sp.lk_loss([1.0, 0.0], [0.0, 1.0]), "draft: expected some overlap", id="no-overlap"),
        pytest.param(lambda: sp.residual_distribution(P, P), "draft: expected a distribution that differs", id="equal"),
        pytest.param(lambda: sp.accepted_prefix([P], [[0.0, 0.5, 0.5]], [0], [0.1]), "could draw, got 0", id="never"),
        pytest.param(lambda: sp.accepted_prefix([P], [Q], [3], [0.1]), r"tokens\[0\]: .*0 to 2, got 3", id="token"),
        pytest.param(lambda: sp.accepted_prefix([P], [Q], [0], [1.0]), "draws: expected 0..1, got 1", id="draw"),
        pytest.param(lambda: sp.tokens_per_cycle(rate=1.1, drafted=7), "rate: expected 0..1, got 1.1", id="rate"),
        pytest.param(
            lambda: sp.replay_draft(sp.record_draft(*vector_draft()), 6), "accepted: .*0 to 5, got 6", id="many"
        ),
        pytest.param(lambda: sp.draft_record_ratio(key_dim=0, value_dim=1), "key_dim: .*from 1, got 0", id="width"),
    ],
)
def test_bad_input_is_named(call: object, message: str) -> None:
    """What is no distribution or no draft is refused with its name."""
    assert callable(call)
    with pytest.raises(InputError, match=message):
        call()
