"""The numbers behind labs I and L: what a sequence costs in bytes, and what a number is worth in few bits."""

from types import MappingProxyType

import numpy as np

from k3core import accounting, mx
from k3core.guards import Float, InputError, as_count, as_float, in_range, one_of
from k3core.labs import Reply
from k3core.rounding import to_bf16, to_fp16

MIB = 2**20
HEADS, HEAD_DIM, CONV_KERNEL = 96, 128, 4
"""Shape of a KDA layer. Source: config text_config.linear_attn_config."""
KV_LORA_RANK, EXTRA_DIM = 512, 64
"""What an MLA layer keeps of a token. Source: config text_config.kv_lora_rank, qk_rope_head_dim."""
ELEMENT_BYTES = MappingProxyType({"fp8": 1, "bf16": 2, "fp32": 4})


def lab_memory_ledger(
    *, tokens: int, kda_layers: int, mla_layers: int, tensor_parallel: int, state_format: str, cache_format: str
) -> Reply:
    """Lab I: what one sequence holds on one GPU, and what one decode step reads and writes there.

    Args:
        tokens: context length, 0 to 1,048,576.
        kda_layers: 0 to 256; their heads are divided among the GPUs.
        mla_layers: 0 to 256; every GPU holds the whole latent cache.
        tensor_parallel: GPUs that share the heads, a divisor of 96.
        state_format: of the KDA states, `bf16` or `fp32`; the convolution history is BF16.
        cache_format: of the latents, `fp8` or `bf16`.

    Source: report §2.1.1 eq.1, §2.1.2, §5.4.2; config text_config. Exact: whole bytes and their power-of-two units.
    Not claimed: pages, buffers, weights, or which formats a deployment uses.
    """
    count, ranks = as_count("tokens", tokens, 0, MIB), as_count("tensor_parallel", tensor_parallel, 1, HEADS)
    kda, mla = as_count("kda_layers", kda_layers, 0, 256), as_count("mla_layers", mla_layers, 0, 256)
    state_bytes = ELEMENT_BYTES[one_of("state_format", state_format, ("bf16", "fp32"))]
    cache_bytes = ELEMENT_BYTES[one_of("cache_format", cache_format, ("fp8", "bf16"))]
    shape = {"heads": HEADS, "bytes_per_element": state_bytes, "tensor_parallel": ranks}
    layer_state = accounting.rank_state_bytes(layers=1, key_dim=HEAD_DIM, value_dim=HEAD_DIM, **shape)
    history = {"head_dim": HEAD_DIM, "conv_kernel": CONV_KERNEL}
    layer_conv = accounting.conv_state_bytes(layers=1, **history, **{**shape, "bytes_per_element": 2})
    layer_token = accounting.mla_cache_bytes_per_token(
        layers=1, kv_lora_rank=KV_LORA_RANK, extra_dim=EXTRA_DIM, bytes_per_element=cache_bytes
    )
    state, conv, per_token = kda * layer_state, kda * layer_conv, mla * layer_token
    total = state + conv + count * per_token
    return {
        "state_mib": state / MIB,
        "conv_mib": conv / MIB,
        "cache_bytes_per_token": per_token,
        "cache_mib": count * per_token / MIB,
        "total_bytes": total,
        "total_gib": total / accounting.GIB,
        # the cache is read whole in every step, the state is read and written, whatever the context
        "state_traffic_mib": 2 * state / MIB,
        "cache_traffic_mib": count * per_token / MIB,
        "break_even_tokens": accounting.break_even_tokens(fixed_bytes=state, bytes_per_token=per_token)
        if mla
        else None,
        "by_context": [
            {"tokens": n, "state_mib": (state + conv) / MIB, "cache_mib": n * per_token / MIB}
            for n in (1024, 8192, 65_536, 262_144, 1_048_576)
        ],
    }


def lab_low_precision(*, values: list[float]) -> Reply:
    """Lab L: what is left of numbers in narrow formats, alone and in blocks that share a scale.

    Args:
        values: 1 to 32 numbers within plus and minus 1e30; missing ones of the block are zeros.

    Returns:
        `casts`: each number in each format by itself; FP16 beyond its range is the word `infinity`, the narrower
        formats saturate. The others: the whole list as one MX block, under each scale rule.

    Source: report §4.1.4; OCP Microscaling Formats v1.0 §5.3, §6.3. Exact: every rounding, through float32 for BF16
    and FP16. Not claimed: which scale rule training used, or any effect on a model.
    """
    numbers = as_float("values", values, ndim=1)
    if not 1 <= numbers.size <= mx.BLOCK:
        raise InputError("values", f"1 to {mx.BLOCK} numbers", str(numbers.size))
    in_range("values", numbers, -1e30, 1e30)
    columns = {"bf16": to_bf16(numbers), "fp16": to_fp16(numbers)}
    for element in ("e4m3", "e5m2", "e2m1"):
        columns[element] = mx.decode_elements(mx.encode_elements(numbers, element), element)
    casts = []
    for i, number in enumerate(numbers.tolist()):
        casts.append({"value": number} | {name: _finite(column[i]) for name, column in columns.items()})
    return {
        "casts": casts,
        "mxfp4": [_block(numbers, "e2m1", rule) for rule in mx.RULES],
        "mxfp8_e4m3": [_block(numbers, "e4m3", rule) for rule in mx.RULES],
        "mxfp8_e5m2": [_block(numbers, "e5m2", rule) for rule in mx.RULES],
        "bits_mxfp4": mx.mx_bits_per_value(element="e2m1"),
        "bits_mxfp8": mx.mx_bits_per_value(element="e4m3"),
    }


def _finite(number: float) -> float | str:
    """JSON has no infinity."""
    return float(number) if np.isfinite(number) else "infinity" if number > 0 else "-infinity"


def _block(numbers: Float, element: str, rule: str) -> Reply:
    """Quantise a block and say what became of it."""
    padded = np.zeros(mx.BLOCK)
    padded[: numbers.size] = numbers
    block = mx.quantize_blocks(padded, element, rule)
    found = mx.dequantize_blocks(block)[: numbers.size]
    exponent = int(block.scales[0]) - 127
    limit = np.ldexp(mx.ELEMENTS[element].largest, exponent)
    return {
        "rule": rule,
        "scale_exponent": exponent,
        "clipped": int(np.count_nonzero(np.abs(numbers) > limit)),
        "decoded": found.tolist(),
        "largest_error": float(np.max(np.abs(found - numbers))),
    }
