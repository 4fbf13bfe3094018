"""Batches, packed sequences and layouts: nothing leaks between sequences, nothing is transposed by accident."""

import numpy as np
import pytest
from comparers import assert_close, assert_same_bits
from kda_cases import random_state, random_tokens, sliced, tokens_of
from numeric_vectors import expected

from k3core.chunk import kda_chunked
from k3core.guards import InputError
from k3core.kda import kda_recurrent
from k3core.layouts import columns_from_history, convert_state, history_from_columns
from k3core.sequences import KdaForm, kda_batch, kda_packed

FORMS = pytest.mark.parametrize("form", [kda_recurrent, kda_chunked], ids=["recurrent", "chunked"])
BOUNDS = [0, 5, 5, 6, 23]


@FORMS
def test_packed_is_each_sequence_alone(form: KdaForm) -> None:
    """Sequences of 5, 0, 1 and 17 tokens give the bits of four separate runs, each from its own state."""
    tokens = random_tokens(0, T=23)
    states = np.stack([random_state(n) for n in range(4)])
    packed = kda_packed(tokens, BOUNDS, states=states, form=form)
    for n in range(4):
        alone = form(*sliced(tokens, BOUNDS[n], BOUNDS[n + 1]), state=states[n])
        assert_same_bits(packed.output[BOUNDS[n] : BOUNDS[n + 1]], alone.output)
        assert_same_bits(packed.state[n], alone.state)
    assert_same_bits(packed.state[1], states[1])


@FORMS
def test_sequences_start_from_zero_not_from_a_neighbour(form: KdaForm) -> None:
    """Without initial states a one-token sequence knows nothing of the sequence before it."""
    tokens = random_tokens(1, T=23)
    packed = kda_packed(tokens, BOUNDS, form=form)
    assert_same_bits(packed.output[5:6], form(*sliced(tokens, 5, 6)).output)


@FORMS
def test_order_of_sequences_is_irrelevant(form: KdaForm) -> None:
    """Permuting the sequences of a batch permutes the results, bit for bit."""
    tokens = [np.stack(fields) for fields in zip(*(random_tokens(n, T=9) for n in range(3)), strict=True)]
    states, order = np.stack([random_state(n) for n in range(3)]), [2, 0, 1]
    plain = kda_batch(tuple(tokens), states=states, form=form)
    permuted = kda_batch(tuple(array[order] for array in tokens), states=states[order], form=form)
    assert_same_bits(permuted.output, plain.output[order])
    assert_same_bits(permuted.state, plain.state[order])


@pytest.mark.parametrize(
    "bounds",
    [[0, 5], [1, 23], [0, 9, 5, 23], [0.0, 23.0], 23, []],
    ids=["too short", "late start", "falling", "floats", "a number", "empty"],
)
def test_bad_boundaries_are_refused(bounds: object) -> None:
    """Boundaries that do not cover the packed tokens are refused."""
    with pytest.raises(InputError, match="cu_seqlens: expected whole numbers rising from 0 to 23"):
        kda_packed(random_tokens(2, T=23), bounds)  # type: ignore[arg-type]


def test_one_state_per_sequence() -> None:
    """A missing or transposed initial state is refused."""
    with pytest.raises(InputError, match=r"states: expected shape \(4, 2, 5, 3\), got shape \(4, 2, 3, 5\)"):
        kda_packed(random_tokens(3, T=23), BOUNDS, states=np.zeros((4, 2, 3, 5)))


def test_no_sequence_has_no_state() -> None:
    """Nothing packed gives nothing, in the shapes that something would have."""
    result = kda_packed(random_tokens(3, T=0, H=2, K=5, V=3), [0])
    assert (result.output.shape, result.state.shape) == ((0, 2, 3), (0, 2, 5, 3))


def test_value_first_layout_meets_the_vector() -> None:
    """The released layout is the transpose per head, and converting back is the identity."""
    tokens, state = tokens_of("1.2")
    final = kda_recurrent(*tokens, state=state).state
    sizes = {"key_dim": 4, "value_dim": 3}
    turned = convert_state(final, source="key_first", target="value_first", **sizes)
    assert_close(turned, expected("1.2")["S_final_v_first_layout"])
    assert_same_bits(convert_state(turned, source="value_first", target="key_first", **sizes), final)
    assert_same_bits(convert_state(final, source="key_first", target="key_first", **sizes), final)
    with pytest.raises(InputError, match=r"state: expected shape \(2, 3, 4\), got shape \(2, 4, 3\)"):
        convert_state(final, source="value_first", target="key_first", **sizes)
    with pytest.raises(InputError, match="source: expected key_first or value_first, got 'kv'"):
        convert_state(final, source="kv", target="key_first", **sizes)


def test_convolution_cache_of_four_columns() -> None:
    """The cache of fla has the current input as its last column; the history is the newest three."""
    columns = np.arange(8.0).reshape(2, 4)
    np.testing.assert_array_equal(history_from_columns(columns), [[1, 5], [2, 6], [3, 7]])
    np.testing.assert_array_equal(columns_from_history(history_from_columns(columns))[:, 1:], columns[:, 1:])
