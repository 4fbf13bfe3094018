"""The rounded chunk form: small steady error with substitution, collapse with the FP16 series."""

import numpy as np
import pytest
from comparers import assert_same_bits, error_ratio
from kda_cases import random_state, random_tokens
from numeric_vectors import expected, generated

from k3core.gates import bounded_log_decay
from k3core.guards import InputError
from k3core.kda import KdaTokens, kda_recurrent
from k3core.kernel_rounding import kda_kernel_rounded
from k3core.primitives import l2norm, sigmoid
from k3core.rounding import to_bf16


def repeated_key(T: int) -> KdaTokens:
    """Return T tokens that share one key and hardly decay: the case that breaks the FP16 series."""
    key = np.tile(l2norm(to_bf16(generated((16,), a=0.7, b=0.05, c=0.2))), (T, 1, 1))
    value = np.tile(to_bf16(generated((16, 16), a=0.9, b=0.013, c=0.4)), (T // 16, 1))[:, None]
    log_decay = bounded_log_decay(np.full((T, 1, 16), -12.0), np.zeros((1, 16)), [0.0])
    return KdaTokens(key, key, value, log_decay, np.full((T, 1), float(sigmoid(8.0))))


def ratios(inverse: str) -> list[float]:
    """Return the output's error ratio over the first 16, 64 and 256 tokens."""
    tokens = repeated_key(256)
    truth = kda_recurrent(*tokens, scale=0.25).output
    found = kda_kernel_rounded(*tokens, scale=0.25, inverse=inverse).output
    return [error_ratio(found[:n], truth[:n]) for n in expected("3.7")["n"]]


def test_repeated_key_breaks_the_series_only() -> None:
    """More than a tenth of the signal is lost with the FP16 series, less than 3 % with substitution."""
    promised = expected("3.7")
    series, solved = ratios("fp16_neumann"), ratios("substitution")
    for found, want in zip(series, promised["fp16_neumann_ratio"], strict=True):
        assert found > 0.1
        assert want / 3 < found < want * 3
    for found, want in zip(solved, promised["exact_triangular_inverse_then_bf16_ratio"], strict=True):
        assert found < 0.03
        assert want / 3 < found < want * 3


def test_ordinary_tokens_stay_within_a_percent() -> None:
    """With different keys the rounded form is within 2 % and does not drift over 512 tokens."""
    tokens, state = random_tokens(0, T=512, K=32, V=24), random_state(1, K=32, V=24)
    truth, found = kda_recurrent(*tokens, state=state), kda_kernel_rounded(*tokens, state=state)
    assert 1e-4 < error_ratio(found.output, truth.output) < 2e-2
    assert error_ratio(found.output[-64:], truth.output[-64:]) < 2e-2
    assert_same_bits(found.state, to_bf16(found.state))


def test_tail_and_empty_sequence() -> None:
    """A tail shorter than a chunk is its own chunk; no token leaves the rounded state."""
    tokens, state = random_tokens(2, T=21), random_state(3)
    assert error_ratio(kda_kernel_rounded(*tokens).output, kda_recurrent(*tokens).output) < 2e-2
    assert_same_bits(kda_kernel_rounded(*random_tokens(2, T=0), state=state).state, to_bf16(state))
    with pytest.raises(InputError, match="inverse: expected substitution or fp16_neumann, got 'solve'"):
        kda_kernel_rounded(*tokens, inverse="solve")
