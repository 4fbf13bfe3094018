"""The recurrent form of KDA against hand-checked numbers and against its own laws."""

import numpy as np
import pytest
from comparers import assert_close, assert_far, assert_same_bits
from kda_cases import random_state, random_tokens, sliced, tokens_of
from numeric_vectors import expected, inputs

from k3core.guards import InputError
from k3core.kda import (
    additive_recalled_share,
    check_tokens,
    delta_recalled_share,
    kda_read,
    kda_recurrent,
    kda_step,
    state_bytes,
    state_elements,
    state_mib,
)


@pytest.mark.parametrize(("write", "want"), [("delta", "S1"), ("additive", "additive_S1")])
def test_one_step_by_hand(write: str, want: str) -> None:
    """A step with K = V = 2 can be checked on paper."""
    given, promised = inputs("1.1"), expected("1.1")
    state = np.array([given["S0"]])
    after = kda_step(
        state,
        np.array([given["k"]]),
        np.array([given["v"]]),
        np.log([given["alpha"]]),
        np.array([given["beta"]]),
        write=write,
    )
    assert_close(after[0], promised[want])
    if write == "delta":
        assert_close(kda_read(after, np.array([given["q"]]), scale=1.0)[0], promised["o"])


def test_one_step_is_the_transition_matrix() -> None:
    """The step equals M S + beta k v^T with M = (I - beta k k^T) Diag(alpha)."""
    given, promised = inputs("1.1"), expected("1.1")
    k, v, beta = np.array(given["k"]), np.array(given["v"]), given["beta"]
    transition = (np.eye(2) - beta * np.outer(k, k)) @ np.diag(given["alpha"])
    assert_close(transition, promised["M"])
    after = kda_step([given["S0"]], [k], [v], np.log([given["alpha"]]), [beta])
    assert_close(after[0], transition @ np.array(given["S0"]) + beta * np.outer(k, v))


def test_scan_meets_the_vector() -> None:
    """Six tokens, two heads, K = 4 and V = 3 end where the float64 oracle ends."""
    tokens, state = tokens_of("1.2")
    promised = expected("1.2")
    result = kda_recurrent(*tokens, state=state)
    assert_close(result.state, promised["S_final"])
    assert_close(result.output[-1], promised["o_last"])
    summary = promised["o_summary"]
    assert_close([result.output.sum(), np.abs(result.output).sum()], [summary["sum"], summary["abs_sum"]])


def test_additive_scan_meets_the_vector() -> None:
    """The comparison write has its own checked numbers, and they are not the delta rule's."""
    tokens, state = tokens_of("1.2")
    promised = expected("1.2")
    result = kda_recurrent(*tokens, state=state, write="additive")
    for found, summary in (
        (result.output, promised["additive_o_summary"]),
        (result.state, promised["additive_S_summary"]),
    ):
        assert_close([found.sum(), np.abs(found).sum()], [summary["sum"], summary["abs_sum"]])
    assert_far(result.state, promised["S_final"])


@pytest.mark.parametrize("write", ["delta", "additive"])
def test_repeated_writes_follow_the_closed_form(write: str) -> None:
    """Writing one key n times converges for the delta rule and grows without end for addition."""
    given, promised = inputs("1.3"), expected("1.3")[write]
    for row, beta in zip(promised, given["betas"], strict=True):
        for want, n in zip(row, given["n"], strict=True):
            state = np.zeros((1, 2, 1))
            for _ in range(n):
                state = kda_step(state, [given["k"]], [given["v"]], np.zeros((1, 2)), [beta], write=write)
            assert_close(np.array(given["k"]) @ state[0], [want])


def test_full_write_is_read_back_exactly() -> None:
    """With a unit key and beta 1 the state returns the value it was given, whatever it held."""
    tokens = random_tokens(3, T=1)
    key = tokens.key[0] / np.linalg.norm(tokens.key[0], axis=-1, keepdims=True)
    after = kda_step(random_state(4), key, tokens.value[0], tokens.log_decay[0], np.ones(2))
    assert_close(kda_read(after, key, scale=1.0), tokens.value[0])


def test_decode_equals_prefill() -> None:
    """Token-by-token decoding is the prefill, bit for bit."""
    tokens, state = random_tokens(5, T=9), random_state(6)
    whole = kda_recurrent(*tokens, state=state)
    for t in range(9):
        state = kda_step(state, tokens.key[t], tokens.value[t], tokens.log_decay[t], tokens.beta[t])
        assert_close(kda_read(state, tokens.query[t]), whole.output[t], ratio=1e-15)
    assert_same_bits(state, whole.state)


@pytest.mark.parametrize("cut", [0, 1, 7, 12, 13], ids=lambda cut: f"cut at {cut}")
def test_split_and_resume(cut: int) -> None:
    """A sequence cut anywhere and resumed from its state is the whole sequence, bit for bit."""
    tokens, state = random_tokens(7, T=13), random_state(8)
    whole = kda_recurrent(*tokens, state=state)
    first = kda_recurrent(*sliced(tokens, 0, cut), state=state)
    second = kda_recurrent(*sliced(tokens, cut, 13), state=first.state)
    assert_same_bits(np.concatenate([first.output, second.output]), whole.output)
    assert_same_bits(second.state, whole.state)


def test_empty_sequence_returns_its_state() -> None:
    """No token leaves the state as it was, in a new array."""
    state = random_state(9)
    result = kda_recurrent(*random_tokens(1, T=0), state=state)
    assert_same_bits(result.state, state)
    assert result.state is not state
    assert result.output.shape == (0, 2, 3)


@pytest.mark.parametrize("field", ["key", "value", "log_decay", "beta"])
def test_later_tokens_cannot_touch_earlier_outputs(field: str) -> None:
    """Causality holds bit for bit: a change at token 5 leaves tokens 0 to 4 alone and moves token 5."""
    tokens = random_tokens(10, T=9)
    changed = getattr(tokens, field).copy()
    changed[5] = changed[5] * 0.5
    before, after = kda_recurrent(*tokens), kda_recurrent(*tokens._replace(**{field: changed}))
    assert_same_bits(after.output[:5], before.output[:5])
    assert_far(after.output[5], before.output[5], ratio=1e-6)


def test_linear_in_values_and_state() -> None:
    """With keys and gates fixed, output and state are linear in (value, initial state)."""
    tokens, state = random_tokens(11, T=7), random_state(12)
    other, other_state = random_tokens(13, T=7).value, random_state(14)
    one = kda_recurrent(*tokens, state=state)
    two = kda_recurrent(*tokens._replace(value=other), state=other_state)
    mixed = kda_recurrent(*tokens._replace(value=2 * tokens.value - 3 * other), state=2 * state - 3 * other_state)
    assert_close(mixed.output, 2 * one.output - 3 * two.output)
    assert_close(mixed.state, 2 * one.state - 3 * two.state)


def test_heads_do_not_mix() -> None:
    """Permuting heads permutes the results, bit for bit."""
    tokens, state = random_tokens(15, T=6, H=3), random_state(16, H=3)
    order = [2, 0, 1]
    plain = kda_recurrent(*tokens, state=state)
    permuted = kda_recurrent(*(array[:, order] for array in tokens), state=state[order])
    assert_same_bits(permuted.output, plain.output[:, order])
    assert_same_bits(permuted.state, plain.state[order])


def test_grouped_heads_share_keys() -> None:
    """Two key heads serving six value heads are the same as six repeated key heads."""
    tokens, few = random_tokens(17, T=5, H=6), random_tokens(18, T=5, H=2)
    grouped = kda_recurrent(few.query, few.key, *tokens[2:])
    repeated = kda_recurrent(np.repeat(few.query, 3, axis=1), np.repeat(few.key, 3, axis=1), *tokens[2:])
    assert_same_bits(grouped.output, repeated.output)


def test_residual_is_formed_before_rounding() -> None:
    """A memory of 4098 corrected to 4096 keeps its difference of 2, which 8-bit significands would lose."""
    after = kda_step([[[4098.0, 1.0]]], [[1.0]], [[4096.0, 0.0]], [[0.0]], [0.5])
    assert_close(after, [[[4097.0, 0.5]]])


def test_float32_is_asked_for_by_name() -> None:
    """The default is float64; float32 differs by rounding only and says so in its dtype."""
    tokens = random_tokens(19, T=20)
    double, single = kda_recurrent(*tokens), kda_recurrent(*tokens, dtype="float32")
    assert double.output.dtype == np.float64
    assert single.output.dtype == np.float32
    assert_close(single.output, double.output, ratio=1e-6)
    assert_far(single.output, double.output, ratio=1e-9)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"beta": np.full((4, 2), 1.5)}, r"beta: expected 0\.\.1, got 1\.5 at \(0, 0\)", id="beta above 1"),
        pytest.param(
            {"log_decay": np.full((4, 2, 5), 0.1)}, "log_decay: expected -inf..0, got 0.1", id="growing memory"
        ),
        pytest.param({"key": np.zeros((4, 2, 4))}, r"key: expected shape \(4, 2, 5\)", id="key too narrow"),
        pytest.param({"value": np.zeros((3, 2, 3))}, "query: expected shape", id="value too short"),
        pytest.param({"query": np.zeros((4, 3, 5))}, "query: expected a number of heads that divides 2", id="heads"),
        pytest.param(
            {"query": np.zeros((4, 2, 0)), "key": np.zeros((4, 2, 0)), "log_decay": np.zeros((4, 2, 0))},
            "query width: expected a whole number from 1, got 0",
            id="no key width",
        ),
        pytest.param(
            {"value": np.zeros((4, 0, 3))}, "value heads: expected a whole number from 1, got 0", id="no head"
        ),
        pytest.param({"value": np.full((4, 2, 3), np.nan)}, "value: expected finite numbers, got nan", id="NaN"),
    ],
)
def test_bad_tokens_are_refused(change: dict[str, np.ndarray], message: str) -> None:
    """A refused argument is named with what was expected and what came."""
    tokens = random_tokens(20, T=4)._replace(**change)
    with pytest.raises(InputError, match=message):
        check_tokens(*tokens)


def test_transposed_state_is_refused() -> None:
    """With K != V a state in (V, K) layout has the wrong shape and is named."""
    with pytest.raises(InputError, match=r"state: expected shape \(2, 5, 3\), got shape \(2, 3, 5\)"):
        kda_recurrent(*random_tokens(21, T=2), state=np.zeros((2, 3, 5)))


def test_state_counts() -> None:
    """The released shape holds 1,572,864 numbers a layer: 207 MiB in BF16 and 414 in float32 over 69 layers."""
    assert state_elements(96, 128, 128) == 1_572_864
    assert state_bytes(96, 128, 128, 69, 2) == 207 * 2**20
    assert [state_mib(96, 128, 128, 69, size) for size in (2, 4)] == [207.0, 414.0]
    with pytest.raises(InputError, match=r"heads: expected a whole number from 1, got 1\.5"):
        state_elements(1.5, 128, 128)  # type: ignore[arg-type]


@pytest.mark.parametrize("strength", [0.0, 0.25, 0.5, 1.0])
def test_recalled_shares_are_what_the_scan_leaves(strength: float) -> None:
    """Both closed forms equal the share that repeated steps leave under a unit key."""
    key, value = np.array([[0.6, 0.8]]), np.array([[5.0, -10.0, 2.0]])
    for write, share in (("delta", delta_recalled_share), ("additive", additive_recalled_share)):
        state = np.zeros((1, 2, 3))
        for writes in range(5):
            assert_close(key[0] @ state[0], share(strength, writes) * value[0])
            state = kda_step(state, key, value, np.zeros((1, 2)), [strength], write=write)
    assert delta_recalled_share(0.5, 4) == 0.9375
    assert additive_recalled_share(0.5, 4) == 2.0
    with pytest.raises(InputError, match=r"strength: expected 0\.\.1"):
        delta_recalled_share(1.5, 2)
    with pytest.raises(InputError, match="writes: expected a whole number from 0, got -1"):
        additive_recalled_share(0.5, -1)
