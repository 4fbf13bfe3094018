"""Chunkwise KDA with a kernel's rounding points: how far BF16 and FP16 operands carry, and where they break."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from k3core.guards import Float, as_count, one_of
from k3core.kda import KdaResult, KdaTokens, as_scale, check_state, check_tokens
from k3core.rounding import to_bf16, to_fp16, to_fp32
from k3core.triangular import neumann_inverse, substituted_inverse

KERNEL_INVERSES = ("substitution", "fp16_neumann")
"""Substitution with its result stored in BF16; or the doubling series with every product in FP16."""


class _Rounded(NamedTuple):
    """A chunk's operands as a kernel stores them."""

    query: Float
    """(H, C, K) BF16, decayed from the chunk's start and scaled."""
    key: Float
    """(H, C, K) BF16, decayed from the chunk's start."""
    inverse_key: Float
    """(H, C, K) BF16, divided by the same decay."""
    restored_key: Float
    """(H, C, K) BF16, decayed up to the chunk's end."""
    value: Float
    """(H, C, V) BF16."""
    beta: Float
    """(H, C, 1)."""
    kept: Float
    """(H, K, 1) BF16: what the chunk leaves of the incoming state."""


def kda_kernel_rounded(
    query: npt.ArrayLike,
    key: npt.ArrayLike,
    value: npt.ArrayLike,
    log_decay: npt.ArrayLike,
    beta: npt.ArrayLike,
    *,
    state: npt.ArrayLike | None = None,
    scale: float | None = None,
    chunk: int = 16,
    inverse: str = "substitution",
) -> KdaResult:
    """Compute `kda_chunked` with BF16 operands, an FP16 inverse and a BF16 state.

    Args:
        query: (T, Hk, K), as in `kda_recurrent`.
        key: (T, Hk, K).
        value: (T, H, V).
        log_decay: (T, H, K); its sums over a chunk are held in float32.
        beta: (T, H).
        state: (H, K, V), rounded to BF16 on entry; zeros where none is given.
        scale: K^-1/2 where none is given, rounded to BF16.
        chunk: C, 1 to 64.
        inverse: `substitution`, or `fp16_neumann` to show what it does to similar keys.

    Returns:
        output (T, H, V) and state (H, K, V) in float64, holding BF16 numbers; not finite where a factor overflows.

    Raises:
        InputError: as `kda_recurrent`.
    Source: the public FlashKDA kernels' order of roundings; report §5.1.1. Exact: each named rounding. Not
    claimed: bits of a GPU, whose sums run in another order and whose exp and tanh are approximate.
    """
    tokens = check_tokens(query, key, value, log_decay, beta)
    memory = to_bf16(check_state(state, tokens))
    one_of("inverse", inverse, KERNEL_INVERSES)
    C = as_count("chunk", chunk, 1, 64)
    factor = float(to_bf16(as_scale(scale, tokens.key.shape[-1])))
    output = np.empty_like(tokens.value)
    for start in range(0, len(output), C):
        part = _rounded(KdaTokens(*(array[start : start + C] for array in tokens)), factor)
        with np.errstate(over="ignore", invalid="ignore"):
            o, memory = _step(part, memory, inverse)
        output[start : start + C] = o.swapaxes(0, 1)
    return KdaResult(output, memory)


def _rounded(tokens: KdaTokens, scale: float) -> _Rounded:
    query, key, value, log_decay = (array.swapaxes(0, 1) for array in tokens[:4])  # (H, C, ...)
    summed = to_fp32(np.cumsum(to_fp32(log_decay), axis=1))  # (H, C, K)
    with np.errstate(over="ignore"):
        decay, growth = to_bf16(np.exp(summed)), to_bf16(np.exp(-summed))
    kept = decay[:, -1:]  # (H, 1, K)
    key = to_bf16(key)
    inverse_key = to_bf16(key * growth)
    return _Rounded(
        to_bf16(to_bf16(to_bf16(query) * decay) * scale),
        to_bf16(key * decay),
        inverse_key,
        to_bf16(inverse_key * kept),
        to_bf16(value),
        tokens.beta.T[..., None],
        kept.swapaxes(1, 2),
    )


def _step(part: _Rounded, memory: Float, inverse: str) -> tuple[Float, Float]:
    C = part.key.shape[1]
    index = np.arange(C)
    products = part.key @ part.inverse_key.swapaxes(1, 2)  # (H, C, C)
    # the strength is multiplied in after the product was stored, so L is rounded twice
    lower = np.where(index[:, None] > index, to_fp16(to_fp16(products) * to_fp16(part.beta)), 0.0)
    attend = np.where(index[:, None] >= index, to_bf16(part.query @ part.inverse_key.swapaxes(1, 2)), 0.0)
    if inverse == "substitution":
        undo = to_bf16(substituted_inverse(lower))
    else:
        undo = to_bf16(neumann_inverse(lower, product_rounding="fp16"))
    missing = to_bf16(part.value - to_bf16(part.key @ memory))  # (H, C, V)
    pseudo = to_bf16(undo @ to_bf16(missing * to_bf16(part.beta)))  # (H, C, V)
    output = to_bf16(to_bf16(part.query @ memory) + to_bf16(attend @ pseudo))
    grown = to_fp32(part.restored_key.swapaxes(1, 2) @ pseudo)  # (H, K, V)
    return output, to_bf16(to_fp32(memory * part.kept + grown))
