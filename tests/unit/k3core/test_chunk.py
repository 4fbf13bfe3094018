"""Chunkwise KDA is the recurrence in another order: any chunk, any tail, both exponentials, both inverses."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from comparers import assert_close, assert_far, assert_same_bits
from hypothesis import given, settings
from hypothesis import strategies as st
from kda_cases import random_state, random_tokens, sliced, tokens_of
from numeric_vectors import expected

from k3core.chunk import kda_chunked
from k3core.guards import InputError
from k3core.kda import kda_recurrent
from k3core.rounding import to_fp16


@pytest.mark.parametrize("inverse", ["solve", "neumann"])
def test_chunks_of_sixteen_meet_the_vector(inverse: str) -> None:
    """T = 37 in chunks of 16, 16 and 5 ends where the float64 oracle ends."""
    tokens, state = tokens_of("3.3")
    promised = expected("3.3")
    result = kda_chunked(*tokens, state=state, chunk=16, inverse=inverse)
    assert_close(result.output[36, 0], promised["o_row36"])
    assert_close(result.state[0, 0], promised["S_row0"])
    for found, summary in ((result.output, promised["o_summary"]), (result.state, promised["S_summary"])):
        assert_close([found.sum(), np.abs(found).sum()], [summary["sum"], summary["abs_sum"]])


@pytest.mark.parametrize("T", [1, 5, 16, 37])
@pytest.mark.parametrize("exponentials", ["anchored", "direct"])
@pytest.mark.parametrize("chunk", [1, 2, 7, 16, 64])
def test_chunked_equals_recurrent(chunk: int, exponentials: str, T: int) -> None:
    """Chunking changes the order of the sums, not the answer."""
    tokens, state = random_tokens(T, T=T, rate=5.0), random_state(1)
    truth = kda_recurrent(*tokens, state=state)
    result = kda_chunked(*tokens, state=state, chunk=chunk, exponentials=exponentials)
    assert_close(result.output, truth.output)
    assert_close(result.state, truth.state)


@settings(max_examples=15, deadline=None, derandomize=True, database=None)
@given(st.integers(1, 40), st.integers(1, 20), st.integers(1, 6), st.integers(0, 5), st.integers(0, 10**6))
def test_any_shape_and_rate(T: int, chunk: int, width: int, rate: int, seed: int) -> None:
    """The equality holds for random shapes with K != V, from no decay to K3's bound."""
    shape = {"H": 1 + seed % 3, "K": width, "V": width + 2}
    tokens, state = random_tokens(seed, T=T, rate=float(rate), **shape), random_state(seed, **shape)
    truth = kda_recurrent(*tokens, state=state, scale=0.7)
    result = kda_chunked(*tokens, state=state, chunk=chunk, scale=0.7)
    assert_close(result.output, truth.output)
    assert_close(result.state, truth.state)


@pytest.mark.parametrize("cut", [0, 1, 15, 16, 17, 36, 37], ids=lambda cut: f"cut at {cut}")
def test_split_and_resume(cut: int) -> None:
    """A sequence cut anywhere, also inside a chunk, resumes from its state."""
    tokens, state = random_tokens(2, T=37), random_state(3)
    whole = kda_recurrent(*tokens, state=state)
    first = kda_chunked(*sliced(tokens, 0, cut), state=state)
    second = kda_chunked(*sliced(tokens, cut, 37), state=first.state)
    assert_close(np.concatenate([first.output, second.output]), whole.output)
    assert_close(second.state, whole.state)


@pytest.mark.parametrize("exponentials", ["anchored", "direct"])
@pytest.mark.parametrize("field", ["query", "key", "value", "log_decay", "beta"])
def test_later_tokens_cannot_touch_earlier_outputs(field: str, exponentials: str) -> None:
    """Causality holds bit for bit, also inside a chunk: an anchor in mid-chunk would break it."""
    tokens = random_tokens(4, T=37, rate=5.0)
    changed = getattr(tokens, field).copy()
    changed[25:] = changed[25:] * 0.37
    before = kda_chunked(*tokens, exponentials=exponentials)
    after = kda_chunked(*tokens._replace(**{field: changed}), exponentials=exponentials)
    assert_same_bits(after.output[:25], before.output[:25])
    assert_far(after.output[25:], before.output[25:], ratio=1e-6)


def test_a_longer_sequence_has_the_same_beginning() -> None:
    """Tokens that follow leave the earlier outputs alone bit for bit, padded tail included."""
    tokens = random_tokens(5, T=37)
    short, long = kda_chunked(*sliced(tokens, 0, 21)), kda_chunked(*tokens)
    assert_same_bits(long.output[:21], short.output)


def test_threads_change_no_bit() -> None:
    """Heads are independent, so working on them at the same time is the same work."""
    tokens, state = random_tokens(6, T=37, H=5), random_state(7, H=5)
    one = kda_chunked(*tokens, state=state)
    for threads in (2, 3, 64):
        many = kda_chunked(*tokens, state=state, threads=threads)
        assert_same_bits(many.output, one.output)
        assert_same_bits(many.state, one.state)


def test_steep_decay_needs_direct_exponentials() -> None:
    """A gate without a floor leaves the anchored range and is told so; differences always stay finite."""
    tokens = random_tokens(8, T=20, rate=120.0)
    with pytest.raises(InputError, match=r"log_decay: expected exponents within 702 of the anchor \(or direct\)"):
        kda_chunked(*tokens)
    assert_close(kda_chunked(*tokens, exponentials="direct").output, kda_recurrent(*tokens).output)


@pytest.mark.parametrize(
    ("rate", "anchor_rate", "fits"),
    [
        pytest.param(5.0, 5.0, True, id="K3's worst"),
        pytest.param(7.5, 5.0, True, id="beyond it"),
        pytest.param(10.0, 5.0, False, id="too steep"),
        pytest.param(10.0, 10.0, True, id="anchored for it"),
        pytest.param(5.0, 0.0, True, id="anchored at the first row"),
        pytest.param(6.0, 0.0, False, id="without a shift"),
    ],
)
def test_float32_range_of_a_tile(rate: float, anchor_rate: float, fits: bool) -> None:
    """Sixteen float32 tokens fit while both factors around the anchor stay finite, and are refused beyond."""
    tokens = random_tokens(9, T=16)
    tokens = tokens._replace(log_decay=np.full_like(tokens.log_decay, -rate))
    if not fits:
        with pytest.raises(InputError, match="exponents within 81"):
            kda_chunked(*tokens, anchor_rate=anchor_rate, dtype="float32")
        return
    result = kda_chunked(*tokens, anchor_rate=anchor_rate, dtype="float32")
    assert_close(result.output, kda_recurrent(*tokens).output, ratio=3e-6)


def test_unused_entries_may_overflow() -> None:
    """Above the diagonal a float32 chunk of 32 overflows; selection keeps it out, a zero mask would not."""
    tokens = random_tokens(10, T=32)
    tokens = tokens._replace(log_decay=np.full_like(tokens.log_decay, -5.0))
    result = kda_chunked(*tokens, chunk=32, dtype="float32")
    assert_close(result.output, kda_recurrent(*tokens).output, ratio=3e-6)
    promised = expected("3.6")
    assert np.isinf(to_fp16(promised["max_upper_entry"]))
    with np.errstate(invalid="ignore"):
        assert np.isnan(to_fp16(promised["max_upper_entry"]) * 0.0)


def test_additive_write_is_another_function() -> None:
    """The chunk form implements the delta rule, visibly."""
    tokens = random_tokens(11, T=20)
    assert_far(kda_chunked(*tokens).output, kda_recurrent(*tokens, write="additive").output)


def test_nothing_to_do() -> None:
    """No token, or a state of the caller's, is left as it was."""
    state = random_state(12)
    kept = state.copy()
    result = kda_chunked(*random_tokens(0, T=0), state=state)
    assert_same_bits(result.state, kept)
    for H in (1, 2):
        tokens, state = random_tokens(0, T=32, H=H), random_state(12, H=H)
        before = [array.copy() for array in (*tokens, state)]
        kda_chunked(*tokens, state=state)
        for array, unchanged in zip((*tokens, state), before, strict=True):
            assert_same_bits(array, unchanged)


def test_threads_are_started_only_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page has no threads, so a plain call starts none, and neither does a single head."""
    asked: list[int] = []

    class Pool(ThreadPoolExecutor):
        def __init__(self, workers: int) -> None:
            asked.append(workers)
            super().__init__(workers)

    monkeypatch.setattr("k3core.chunk.ThreadPoolExecutor", Pool)
    kda_chunked(*random_tokens(6, T=5, H=3))
    kda_chunked(*random_tokens(6, T=5, H=1), threads=2)
    assert asked == []
    kda_chunked(*random_tokens(6, T=5, H=3), threads=2)
    assert asked == [2]


def test_limits_of_options_are_read() -> None:
    """The longest chunk, and an anchor between the first row and K3's, change the range and not the result."""
    tokens = random_tokens(6, T=20, rate=0.5)
    choices: list[dict[str, Any]] = [{"chunk": 1024, "anchor_rate": 0.0}, {"anchor_rate": 0.5}]
    for options in choices:
        assert_close(kda_chunked(*tokens, **options).output, kda_chunked(*tokens).output)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param({"chunk": 0}, "chunk: expected a whole number from 1 to 1024, got 0", id="chunk 0"),
        pytest.param({"chunk": 1025}, "chunk: expected a whole number from 1 to 1024, got 1025", id="chunk 1025"),
        pytest.param({"anchor_rate": -0.1}, r"anchor_rate: expected 0\.\.1e\+06, got -0.1", id="anchor"),
        pytest.param({"inverse": "lu"}, "inverse: expected solve or neumann, got 'lu'", id="inverse"),
        pytest.param({"exponentials": "fast"}, "exponentials: expected anchored or direct", id="exponentials"),
        pytest.param({"threads": 0}, "threads: expected a whole number from 1 to 64, got 0", id="threads"),
        pytest.param({"dtype": "float16"}, "dtype: expected float64 or float32, got 'float16'", id="dtype"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], message: str) -> None:
    """A refused option is named with what was expected and what came."""
    with pytest.raises(InputError, match=message):
        kda_chunked(*random_tokens(0, T=3), **options)
