"""Context parallelism: summaries, their algebra, and equality with one long scan."""

from itertools import pairwise

import numpy as np
import pytest
from comparers import assert_close, assert_far, assert_same_bits
from hypothesis import given, settings
from hypothesis import strategies as st
from kda_cases import random_state, random_tokens, sliced
from numeric_vectors import expected, generated, inputs

from k3core.gates import bounded_log_decay
from k3core.guards import InputError
from k3core.kcp import (
    KcpSegment,
    compose_segments,
    identity_segment,
    incoming_states,
    kcp_halo_bytes,
    kcp_payload_bytes,
    kda_context_parallel,
    prefix_segments,
    segment_by_chunks,
    segment_by_steps,
)
from k3core.kda import KdaTokens, kda_recurrent
from k3core.primitives import l2norm, sigmoid


def vector_tokens() -> tuple[KdaTokens, list[int]]:
    """Return the twelve tokens (one head, K = 4, V = 3) of the checked case and its cuts."""
    case = inputs("5.1")
    key = l2norm(generated((12, 4), a=1.3, b=0.021, c=0.4))[:, None]
    log_decay = bounded_log_decay(case["z"][:, None], np.zeros((1, 4)), [case["A_log"]])
    return KdaTokens(key, key, case["v"][:, None], log_decay, sigmoid(case["beta_logit"])[:, None]), case["cuts"]


def random_segment(seed: int) -> KcpSegment:
    """Return the summary of a few random tokens."""
    return segment_by_steps(random_tokens(seed, T=1 + seed % 4))


def test_summaries_and_fold_meet_the_vector() -> None:
    """The first summary and all incoming states are the checked ones, and the fold ends at the scan."""
    tokens, cuts = vector_tokens()
    promised = expected("5.1")
    segments = [segment_by_steps(sliced(tokens, *cut)) for cut in pairwise(cuts)]
    assert_close(segments[0].transition[0], promised["M_seg0"])
    assert_close(segments[0].state[0], promised["S_seg0"])
    assert_close(incoming_states(segments)[:, 0], promised["incoming_states"])
    norms = [np.linalg.norm(segment.transition[0], 2) for segment in segments]
    assert_close(norms, promised["spectral_norms"])
    whole = kda_recurrent(*tokens).state
    assert_close(prefix_segments(segments)[-1].state, whole)
    # summing from-zero states is right for additive attention and wrong here
    naive = sum(segment.state for segment in segments)
    assert_close(np.abs(naive - whole).max(), promised["naive_sum_error"], ratio=1e-9)


@pytest.mark.parametrize("T", [0, 1, 13, 16, 40])
def test_fast_summary_is_the_slow_one(T: int) -> None:
    """A chunkwise pass with extra columns gives the product of the token matrices."""
    tokens = random_tokens(T, T=T, rate=3.0)
    fast, slow = segment_by_chunks(tokens), segment_by_steps(tokens)
    assert_close(fast.transition, slow.transition)
    assert_close(fast.state, slow.state)
    # tiles of sixteen, as the released kernel has them, unless another width is asked for
    assert_same_bits(fast.state, segment_by_chunks(tokens, chunk=16).state)


@settings(max_examples=15, deadline=None, derandomize=True, database=None)
@given(st.integers(0, 999), st.integers(0, 999), st.integers(0, 999))
def test_composition_is_associative_with_identity(a: int, b: int, c: int) -> None:
    """Brackets do not matter and the empty segment is neutral."""
    one, two, three = random_segment(a), random_segment(b), random_segment(c)
    left, right = (
        compose_segments(compose_segments(one, two), three),
        compose_segments(one, compose_segments(two, three)),
    )
    none = identity_segment(2, 5, 3)
    for found, want in ((left, right), (compose_segments(none, one), one), (compose_segments(one, none), one)):
        assert_close(found.transition, want.transition)
        assert_close(found.state, want.state)


def test_composition_is_not_commutative() -> None:
    """Order matters: the newer segment's transition stands on the left."""
    one, two = random_segment(1), random_segment(3)
    assert_far(compose_segments(one, two).state, compose_segments(two, one).state)
    assert_far(compose_segments(one, two).transition, compose_segments(two, one).transition)


@pytest.mark.parametrize("bounds", [[0, 40], [0, 1, 40], [0, 13, 13, 27, 40], list(range(0, 41, 5))], ids=str)
def test_ranks_together_are_one_scan(bounds: list[int]) -> None:
    """Any split, with an empty rank or many, from any state, gives the recurrence."""
    tokens, state = random_tokens(7, T=40), random_state(8)
    whole = kda_recurrent(*tokens, state=state)
    split = kda_context_parallel(tokens, bounds, state=state)
    assert_close(split.output, whole.output)
    assert_close(split.state, whole.state)


def test_prefixes_by_doubling_are_the_fold() -> None:
    """Seven segments in three rounds give every prefix in order."""
    segments = [random_segment(seed) for seed in range(7)]
    fold = identity_segment(2, 5, 3)
    for segment, prefix in zip(segments, prefix_segments(segments), strict=True):
        fold = compose_segments(fold, segment)
        assert_close(prefix.transition, fold.transition)
        assert_close(prefix.state, fold.state)


def test_payload_meets_the_vector() -> None:
    """K (K + V) numbers per head: 12 MiB a layer, 828 MiB in all, whatever the length."""
    promised = expected("5.2")
    assert kcp_payload_bytes(1, 128, 128, 1, 1) == promised["elements_per_head"]
    assert kcp_payload_bytes(1, 128, 128, 1, 4) == promised["bytes_per_head"]
    assert kcp_payload_bytes(96, 128, 128, 1, 4) == promised["bytes_per_layer"]
    assert kcp_payload_bytes(96, 128, 128, 69, 4) == promised["MiB_all_69_layers"] * 2**20
    assert kcp_halo_bytes(36_864, 4, 2) == 221_184


def test_bad_segments_are_refused() -> None:
    """No segment, or segments of different shape, are named."""
    with pytest.raises(InputError, match="segments: expected at least 1, got 0"):
        incoming_states([])
    with pytest.raises(InputError, match=r"second\.state: expected shape \(2, 5, 3\)"):
        compose_segments(identity_segment(2, 5, 3), identity_segment(2, 5, 4))
