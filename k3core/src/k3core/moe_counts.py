"""What a latent mixture of experts weighs and sends, counted from its shape."""

from types import MappingProxyType

from k3core.guards import as_count, one_of

DISPATCH_BITS = MappingProxyType({"fp32": 32, "bf16": 16, "fp8": 8})
"""Bits per element of formats without a block scale."""


def expert_sparsity(routed: int, active: int) -> float:
    """Return routed / active experts: 896 / 16 = 56 in K3.

    Raises:
        InputError: a count is not a whole number from 1.
    Source: report §2.3.1. Shared experts are not counted.
    """
    return as_count("routed", routed, 1) / as_count("active", active, 1)


def expert_parameters(latent: int, hidden: int) -> int:
    """Count one routed expert's weights: gate, up and down, each latent * hidden, no biases.

    Raises:
        InputError: a count is not a whole number in its range.
    Source: derived from report §2.3.1 eq.11 and table 1: 3 * 3584 * 3072 = 33,030,144.
    """
    return 3 * as_count("latent", latent, 1) * as_count("hidden", hidden, 1)


def routed_expert_pool(moe_layers: int, routed: int) -> int:
    """Count the routed experts of the whole model: 92 * 896 = 82,432 in K3.

    Raises:
        InputError: a count is not a whole number in its range.
    Source: derived from report §3.2 table 1: 93 layers, one of them dense.
    """
    return as_count("moe_layers", moe_layers) * as_count("routed", routed, 1)


def mx_bytes(elements: int, bits: int) -> int:
    """Count the bytes of elements in blocks of 32 that share one scale byte; a started block has its own.

    Args:
        elements: at least 0, in one row.
        bits: per element, 4 for MXFP4 and 8 for MXFP8.

    Raises:
        InputError: a count is not a whole number in its range.
    Source: OCP Microscaling v1.0: 4.25 and 8.25 bits per element.
    """
    elements, bits = as_count("elements", elements), as_count("bits", bits, 4, 8)
    return (elements * bits + 7) // 8 + (elements + 31) // 32


def dispatch_bytes(tokens: int, active: int, width: int, number_format: str) -> int:
    """Count what one layer's dispatch sends: every token once to each of its active experts.

    Args:
        tokens: at least 0.
        active: routed experts per token.
        width: elements per token sent; the latent width, or the model's for comparison.
        number_format: `fp32`, `bf16`, `fp8` or `mxfp8`.

    Raises:
        InputError: a count is out of range, or there is no such format.
    Source: derived from report §2.3.1. Not claimed: topology, deduplication by node, or the way back.
    """
    rows = as_count("tokens", tokens) * as_count("active", active, 1)
    width = as_count("width", width, 1)
    if one_of("number_format", number_format, (*DISPATCH_BITS, "mxfp8")) == "mxfp8":
        return rows * mx_bytes(width, 8)
    return rows * width * DISPATCH_BITS[number_format] // 8


def expert_bytes_mxfp4(latent: int, hidden: int) -> int:
    """Count one routed expert in MXFP4 with scales: 17,547,264 bytes in K3.

    Raises:
        InputError: a count is not a whole number in its range.
    Source: derived; gate and up rows are `latent` long, down rows `hidden`, and scales run along rows.
    """
    latent, hidden = as_count("latent", latent, 1), as_count("hidden", hidden, 1)
    return 2 * hidden * mx_bytes(latent, 4) + latent * mx_bytes(hidden, 4)
