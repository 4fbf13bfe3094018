"""What a decode step has to read, what the weights weigh part by part, and what is left beside them.

Everything here is a number of bytes, tokens or sequences, counted from shapes. A time follows from none of it.
"""

from k3core.accounting import GIB
from k3core.configuration import Configuration
from k3core.guards import InputError, as_count, in_range
from k3core.moe_counts import expert_bytes_mxfp4
from k3core.tensors import model_tensors


def routed_weight_bytes(*, moe_layers: int, experts: int, latent: int, hidden: int) -> int:
    """Bytes of `experts` routed experts in each of `moe_layers` layers, in MXFP4 with scales.

    All 896 experts of 92 layers take 1,446,456,066,048; the 16 that serve one token 25,829,572,608.

    Raises:
        InputError: a number is not whole or is below its least value.
    Source: report §4.1.4; config quantization_config. Exact: whole bytes.
    """
    count = as_count("moe_layers", moe_layers) * as_count("experts", experts)
    return count * expert_bytes_mxfp4(latent, hidden)


def expected_distinct_experts(*, routed: int, active: int, tokens: int) -> float:
    """Expected number of a layer's experts that at least one of `tokens` tokens uses: n (1 - (1 - k/n)^m).

    Raises:
        InputError: a count is not whole, or more experts are active than there are.
    Source: derived. Exact if every token picks `active` of `routed` experts uniformly and independently. Not claimed:
    that routing is uniform or that tokens of one batch are independent; both usually lower the number.
    """
    n = as_count("routed", routed, 1)
    missed = 1 - as_count("active", active, 0, n) / n
    return float(n * (1 - missed ** as_count("tokens", tokens)))


def part_weight_bytes_of(
    *,
    part: str,
    layers: int,
    mla_layers: int,
    dense_layers: int,
    hidden: int,
    vocab: int,
    heads: int,
    head_dim: int,
    conv_kernel: int,
    q_lora_rank: int,
    kv_lora_rank: int,
    qk_nope_head_dim: int,
    qk_rope_head_dim: int,
    v_head_dim: int,
    dense_intermediate: int,
    experts: int,
    shared_experts: int,
    expert_intermediate: int,
    latent: int,
) -> int:
    """Bytes of the stored tensors of one part, the first word of their names: `kda`, `mla`, `shared`, `expert` etc.

    Raises:
        InputError: no tensor belongs to `part`, or a dimension is refused by `Configuration`.
    Source: config text_config, quantization_config. Exact for the dtypes that `model_tensors` names.
    """
    dims = {name: value for name, value in locals().items() if name != "part"}
    sizes: dict[str, int] = {}
    for tensor in model_tensors(Configuration(**dims, experts_per_token=1)):
        name = tensor.name.partition(".")[0]
        sizes[name] = sizes.get(name, 0) + tensor.bytes
    if part not in sizes:
        raise InputError("part", f"one of {', '.join(sizes)}", repr(part))
    return sizes[part]


def step_weight_bytes_of(
    *,
    experts_read: int,
    layers: int,
    mla_layers: int,
    dense_layers: int,
    hidden: int,
    vocab: int,
    heads: int,
    head_dim: int,
    conv_kernel: int,
    q_lora_rank: int,
    kv_lora_rank: int,
    qk_nope_head_dim: int,
    qk_rope_head_dim: int,
    v_head_dim: int,
    dense_intermediate: int,
    experts: int,
    shared_experts: int,
    expert_intermediate: int,
    latent: int,
) -> int:
    """Bytes of text weights that a decode step reads once when it uses `experts_read` routed experts in each layer.

    The input embedding, of which a token reads one row, stays out.

    Raises:
        InputError: `experts_read` is not from 1 to `experts`, or a dimension is refused by `Configuration`.
    Source: config text_config, quantization_config. Exact: whole bytes. Not claimed: that every layer uses the same
    number, nor that a weight is read only once.
    """
    dims = {name: value for name, value in locals().items() if name != "experts_read"}
    c = Configuration(**dims, experts_per_token=experts_read)
    return sum(tensor.bytes for tensor in model_tensors(c, active=True))


def attention_break_even_tokens(
    *, active_parameters: int, layers: int, heads: int, key_dim: int, value_dim: int
) -> int:
    """Context at which one new token's MLA attention takes as many multiplications as its weights, rounded down.

    Each earlier token costs `key_dim + value_dim` multiplications in every head of every layer; the weights cost one
    each. 141,316 tokens for the released model, with keys and values expanded per head.

    Raises:
        InputError: a number is not whole or is below 1.
    Source: report §2.1.2, §3.2 table 1. Not claimed: time, nor the absorbed form, which multiplies more and reads less.
    """
    per_token = as_count("layers", layers, 1) * as_count("heads", heads, 1)
    per_token *= as_count("key_dim", key_dim, 1) + as_count("value_dim", value_dim, 1)
    return as_count("active_parameters", active_parameters, 1) // per_token


def even_free_bytes(*, total_bytes: int, devices: int, device_bytes: int) -> int:
    """Bytes left on each equal device beside an even cut of `total_bytes`; negative where that does not fit.

    Raises:
        InputError: a number is not whole, or `devices` is below 1.
    Source: derived. Not claimed: an engine's placement, nor what firmware and runtime reserve.
    """
    share = -(-as_count("total_bytes", total_bytes) // as_count("devices", devices, 1))
    return as_count("device_bytes", device_bytes) - share


def sequences_that_fit(*, free_bytes: int, sequence_gib: float) -> int:
    """Whole sequences of `sequence_gib` GiB that `free_bytes` would hold if nothing else needed room.

    Raises:
        InputError: `free_bytes` is not whole, or `sequence_gib` is not above 0.
    Source: derived. An upper limit: buffers, the vision tower and a runtime's reserve come first.
    """
    in_range("sequence_gib", sequence_gib, 2.0**-30, 2.0**30)
    return int(as_count("free_bytes", free_bytes) // (sequence_gib * GIB))
