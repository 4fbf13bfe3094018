"""Bytes of state, cache and checkpoint: what one sequence holds, and what one decode step moves.

Units: plain bytes, or GiB of 2**30 bytes where a name says so. A dtype enters as bytes per element (FP8 is 1, BF16 2,
FP32 4). Numbers from the report are reproduced; a running engine adds padding, pages and buffers of its own.
"""

from k3core import kda
from k3core.guards import InputError, as_count

GIB = 2**30
"""Bytes in one GiB; a table in GB of 10**9 differs by 7 %."""


def mla_cache_bytes_per_token(*, layers: int, kv_lora_rank: int, extra_dim: int, bytes_per_element: int) -> int:
    """Bytes that the MLA layers keep for one token: 13,824 at one byte an element.

    Each MLA layer keeps the latent and the extra key dimensions shared by all heads. Tensor parallelism does not
    divide this: every rank holds the whole latent.

    Raises:
        InputError: a number is not whole or is below 1.
    Source: report §2.1.2; config kv_lora_rank, qk_rope_head_dim. Exact: whole bytes. Not claimed: page padding.
    """
    as_count("layers", layers, low=1)
    as_count("kv_lora_rank", kv_lora_rank, low=1)
    as_count("extra_dim", extra_dim)
    as_count("bytes_per_element", bytes_per_element, low=1)
    return layers * (kv_lora_rank + extra_dim) * bytes_per_element


def mla_cache_gib(*, tokens: int, layers: int, kv_lora_rank: int, extra_dim: int, bytes_per_element: int) -> float:
    """GiB that the MLA layers keep for `tokens` tokens: 13.5 at 1,048,576 tokens and one byte an element.

    Raises:
        InputError: a number is not whole or is below its least value.
    Source: report §2.1.2; config max_position_embeddings. Exact up to one division by 2**30.
    """
    as_count("tokens", tokens)
    per_token = mla_cache_bytes_per_token(
        layers=layers, kv_lora_rank=kv_lora_rank, extra_dim=extra_dim, bytes_per_element=bytes_per_element
    )
    return tokens * per_token / GIB


def mla_expanded_bytes_per_token(
    *, layers: int, heads: int, key_dim: int, value_dim: int, bytes_per_element: int
) -> int:
    """Bytes a token would cost if every head's key and value were kept: 1,474,560 in BF16, 53.3 times the latent.

    Raises:
        InputError: a number is not whole or is below 1.
    Source: code of the released reference model, which caches this form. Exact: whole bytes.
    """
    for name, value in (("layers", layers), ("heads", heads), ("key_dim", key_dim), ("value_dim", value_dim)):
        as_count(name, value, low=1)
    as_count("bytes_per_element", bytes_per_element, low=1)
    return layers * heads * (key_dim + value_dim) * bytes_per_element


def rank_state_bytes(
    *, layers: int, heads: int, key_dim: int, value_dim: int, bytes_per_element: int, tensor_parallel: int = 1
) -> int:
    """Bytes of KDA memory that one rank keeps for one sequence, whatever its length.

    69 layers of 96 heads of 128 by 128 take 207 MiB in BF16 and 414 MiB in FP32; eight ranks share that by heads.

    Raises:
        InputError: a number is not whole or below 1, or `tensor_parallel` does not divide `heads`.
    Source: report §2.1.1 eq.1. Exact: whole bytes. Not claimed: which dtype a given engine uses.
    """
    return kda.state_bytes(_heads_per_rank(heads, tensor_parallel), key_dim, value_dim, layers, bytes_per_element)


def conv_state_bytes(
    *, layers: int, heads: int, head_dim: int, conv_kernel: int, bytes_per_element: int, tensor_parallel: int = 1
) -> int:
    """Bytes of convolution history that one rank keeps for one sequence.

    q, k and v each keep the last `conv_kernel - 1` projection outputs: 221,184 bytes a layer in BF16.

    Raises:
        InputError: a number is not whole or below 1, or `tensor_parallel` does not divide `heads`.
    Source: report §2.1.1 eq.2; config short_conv_kernel_size. Exact: whole bytes. Not claimed: the fourth column
    that some caches keep, which repeats the present input.
    """
    as_count("layers", layers, low=1)
    as_count("head_dim", head_dim, low=1)
    as_count("conv_kernel", conv_kernel, low=1)
    as_count("bytes_per_element", bytes_per_element, low=1)
    channels = 3 * _heads_per_rank(heads, tensor_parallel) * head_dim
    return layers * (conv_kernel - 1) * channels * bytes_per_element


def kda_traffic_bytes(
    *, layers: int, heads: int, key_dim: int, value_dim: int, bytes_per_element: int, tensor_parallel: int = 1
) -> int:
    """Bytes one decode step moves for the KDA states of one sequence: each state is read once and written once.

    414 MiB in BF16 and 828 MiB in FP32 over the released model, at any context length.

    Raises:
        InputError: as `rank_state_bytes`.
    Source: report §5.4.2. Exact: whole bytes of state. Not claimed: weights, caches or replay records moved beside it.
    """
    return 2 * rank_state_bytes(
        layers=layers,
        heads=heads,
        key_dim=key_dim,
        value_dim=value_dim,
        bytes_per_element=bytes_per_element,
        tensor_parallel=tensor_parallel,
    )


def checkpoint_bytes(
    *,
    layers: int,
    heads: int,
    head_dim: int,
    conv_kernel: int,
    state_bytes: int,
    conv_bytes: int,
    tensor_parallel: int = 1,
) -> int:
    """Bytes of one prefix checkpoint on one rank: every KDA layer's state and its convolution history.

    `state_bytes` and `conv_bytes` are bytes per element. FP32 state and BF16 history take 53.57 MiB a rank at TP 8.

    Raises:
        InputError: a number is not whole or below 1, or `tensor_parallel` does not divide `heads`.
    Source: report §5.4.1. Exact: whole bytes. Not claimed: the padding to a page.
    """
    state = rank_state_bytes(
        layers=layers,
        heads=heads,
        key_dim=head_dim,
        value_dim=head_dim,
        bytes_per_element=state_bytes,
        tensor_parallel=tensor_parallel,
    )
    conv = conv_state_bytes(
        layers=layers,
        heads=heads,
        head_dim=head_dim,
        conv_kernel=conv_kernel,
        bytes_per_element=conv_bytes,
        tensor_parallel=tensor_parallel,
    )
    return state + conv


def sequence_gib(
    *,
    tokens: int,
    mla_layers: int,
    kda_layers: int,
    heads: int,
    head_dim: int,
    conv_kernel: int,
    kv_lora_rank: int,
    extra_dim: int,
    cache_bytes: int,
    state_bytes: int,
    conv_bytes: int,
    tensor_parallel: int,
) -> float:
    """GiB that one GPU holds for one sequence: the whole latent cache and its share of state and history.

    1,048,576 tokens with an FP8 latent, FP32 state and BF16 history at TP 8 take 13.552 GiB on each GPU.

    Raises:
        InputError: a number is not whole or below its least value, or `tensor_parallel` does not divide `heads`.
    Source: report §5.4.1; config text_config. Exact up to one division by 2**30. Not claimed: pages, buffers and
    weights, nor that a deployment uses these dtypes.
    """
    per_token = mla_cache_bytes_per_token(
        layers=mla_layers, kv_lora_rank=kv_lora_rank, extra_dim=extra_dim, bytes_per_element=cache_bytes
    )
    fixed = checkpoint_bytes(
        layers=kda_layers,
        heads=heads,
        head_dim=head_dim,
        conv_kernel=conv_kernel,
        state_bytes=state_bytes,
        conv_bytes=conv_bytes,
        tensor_parallel=tensor_parallel,
    )
    return (as_count("tokens", tokens) * per_token + fixed) / GIB


def break_even_tokens(*, fixed_bytes: int, bytes_per_token: int) -> int:
    """Tokens from which a cache of `bytes_per_token` is no longer smaller than a state of `fixed_bytes`, rounded down.

    The FP32 KDA state of the released model equals the BF16 latents of 15,701 tokens.

    Raises:
        InputError: a number is not whole, or `bytes_per_token` is below 1.
    Source: report §2.1. Exact: whole tokens.
    """
    return as_count("fixed_bytes", fixed_bytes) // as_count("bytes_per_token", bytes_per_token, low=1)


def page_tokens(*, block_tokens: int, mla_bytes_per_token: int, kda_page_bytes: int) -> int:
    """Tokens of the smallest page, in whole hash blocks, whose latent bytes hold one KDA layer's checkpoint.

    512-token blocks, a BF16 latent layer of 1,152 bytes a token, and FP32 state with BF16 history give 6,144 tokens on
    one rank and 1,024 on each of eight: the range the report names.

    Raises:
        InputError: a number is not whole or below 1.
    Source: report §5.4.1. Exact: whole tokens. Not claimed: that the report chose its pages by this rule.
    """
    block = as_count("block_tokens", block_tokens, low=1) * as_count("mla_bytes_per_token", mla_bytes_per_token, low=1)
    blocks = -(-as_count("kda_page_bytes", kda_page_bytes, low=1) // block)
    return blocks * block_tokens


def _heads_per_rank(heads: int, tensor_parallel: int) -> int:
    """Split heads evenly over ranks, or refuse."""
    ranks = as_count("tensor_parallel", tensor_parallel, low=1)
    if as_count("heads", heads, low=1) % ranks:
        raise InputError("tensor_parallel", f"a divisor of heads ({heads})", str(ranks))
    return heads // ranks
