"""The released text model tensor by tensor: the slow truth under the parameter count, and weights by dtype."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from k3core.configuration import Configuration
from k3core.guards import as_count, one_of

BITS = {"mxfp4": Fraction(17, 4), "bf16": Fraction(16), "f32": Fraction(32)}
"""Bits a stored weight takes; an MXFP4 block of 32 shares one byte of scale, hence 4.25."""


@dataclass(frozen=True)
class Tensor:
    """A named weight, how often it occurs, how it is stored and how it may be split over devices."""

    name: str
    """A readable name; not the checkpoint's key."""
    shape: tuple[int, ...]
    """Rows first, as the checkpoint stores a matrix: (out, in)."""
    copies: int
    """How many tensors of this kind the model has."""
    dtype: str
    """A key of `BITS`."""
    split: str
    """`experts`, `heads`, `columns` (any even cut), or `none` (every device holds it)."""

    @property
    def elements(self) -> int:
        """Parameters in all copies."""
        return prod(self.shape) * self.copies

    @property
    def bytes(self) -> int:
        """Bytes of all copies; whole, because rows of experts hold whole blocks of 32."""
        return int(self.elements * BITS[self.dtype] / 8)


def kda_tensors(c: Configuration) -> Iterator[Tensor]:
    """List the tensors of KDA attention over all its layers. Source: report §2.1.1."""
    n, inner = c.kda_layers, c.heads * c.head_dim
    for name in ("kda.q", "kda.k", "kda.v", "kda.gate"):
        yield Tensor(name, (inner, c.hidden), n, "bf16", "heads")
    yield Tensor("kda.out", (c.hidden, inner), n, "bf16", "heads")
    yield Tensor("kda.write_strength", (c.heads, c.hidden), n, "bf16", "heads")
    yield Tensor("kda.decay_down", (c.head_dim, c.hidden), n, "bf16", "none")
    yield Tensor("kda.decay_up", (inner, c.head_dim), n, "bf16", "heads")
    yield Tensor("kda.decay_bias", (inner,), n, "f32", "heads")
    yield Tensor("kda.decay_scale", (c.heads,), n, "f32", "heads")
    for name in ("kda.conv_q", "kda.conv_k", "kda.conv_v"):
        yield Tensor(name, (inner, c.conv_kernel), n, "f32", "heads")
    yield Tensor("kda.out_norm", (c.head_dim,), n, "f32", "none")


def mla_tensors(c: Configuration) -> Iterator[Tensor]:
    """List the tensors of Gated MLA over all its layers. Source: report §2.1.2."""
    n, values = c.mla_layers, c.heads * c.v_head_dim
    query_rows = c.heads * (c.qk_nope_head_dim + c.qk_rope_head_dim)
    expanded_rows = c.heads * (c.qk_nope_head_dim + c.v_head_dim)
    yield Tensor("mla.q_down", (c.q_lora_rank, c.hidden), n, "bf16", "none")
    yield Tensor("mla.q_norm", (c.q_lora_rank,), n, "bf16", "none")
    yield Tensor("mla.q_up", (query_rows, c.q_lora_rank), n, "bf16", "heads")
    yield Tensor("mla.kv_down", (c.kv_lora_rank + c.qk_rope_head_dim, c.hidden), n, "bf16", "none")
    yield Tensor("mla.kv_norm", (c.kv_lora_rank,), n, "bf16", "none")
    yield Tensor("mla.kv_up", (expanded_rows, c.kv_lora_rank), n, "bf16", "heads")
    yield Tensor("mla.gate", (values, c.hidden), n, "bf16", "heads")
    yield Tensor("mla.out", (c.hidden, values), n, "bf16", "heads")


def mlp_tensors(c: Configuration, experts: int) -> Iterator[Tensor]:
    """List the tensors of dense and expert MLPs, with `experts` routed experts a layer. Source: report §2.3."""
    n, shared = c.moe_layers, c.expert_intermediate * c.shared_experts
    for name in ("dense.gate", "dense.up"):
        yield Tensor(name, (c.dense_intermediate, c.hidden), c.dense_layers, "bf16", "columns")
    yield Tensor("dense.down", (c.hidden, c.dense_intermediate), c.dense_layers, "bf16", "columns")
    for name in ("expert.gate", "expert.up"):
        yield Tensor(name, (c.expert_intermediate, c.latent), n * experts, "mxfp4", "experts")
    yield Tensor("expert.down", (c.latent, c.expert_intermediate), n * experts, "mxfp4", "experts")
    yield Tensor("moe.router", (c.experts, c.hidden), n, "bf16", "none")
    yield Tensor("moe.balance_bias", (c.experts,), n, "bf16", "none")
    yield Tensor("moe.latent_down", (c.latent, c.hidden), n, "bf16", "none")
    yield Tensor("moe.latent_norm", (c.latent,), n, "bf16", "none")
    yield Tensor("moe.latent_up", (c.hidden, c.latent), n, "bf16", "none")
    for name in ("shared.gate", "shared.up"):
        yield Tensor(name, (shared, c.hidden), n, "bf16", "columns")
    yield Tensor("shared.down", (c.hidden, shared), n, "bf16", "columns")


def model_tensors(c: Configuration, *, active: bool = False) -> tuple[Tensor, ...]:
    """List every tensor of the text model, or those that one token uses.

    `active` keeps `experts_per_token` routed experts a layer and drops the input embedding.

    Source: report §2; config text_config and quantization_config. Exact: shapes. Stored dtypes are those of the
    released checkpoint as third parties report them: routed experts MXFP4; convolutions, decay scale, decay bias and
    KDA output norm FP32; the rest BF16. Not claimed: vision tensors, and the padding of the decay scale to 128.
    """
    ends = () if active else (Tensor("embedding", (c.vocab, c.hidden), 1, "bf16", "columns"),)
    return (
        *ends,
        Tensor("head", (c.vocab, c.hidden), 1, "bf16", "columns"),
        Tensor("norms", (c.hidden,), 2 * c.layers + 1, "bf16", "none"),
        Tensor("residual_mix.norm", (c.hidden,), 2 * c.layers + 1, "bf16", "none"),
        Tensor("residual_mix.query", (c.hidden,), 2 * c.layers + 1, "bf16", "none"),
        *kda_tensors(c),
        *mla_tensors(c),
        *mlp_tensors(c, c.experts_per_token if active else c.experts),
    )


def weight_bytes_by_dtype(c: Configuration) -> dict[str, int]:
    """Add up the stored bytes of the text model for each dtype, in the order of `BITS`.

    Source: as `model_tensors`. Exact: whole bytes.
    """
    sums = dict.fromkeys(BITS, 0)
    for tensor in model_tensors(c):
        sums[tensor.dtype] += tensor.bytes
    return sums


def weight_bytes_per_device(c: Configuration, devices: int, replicated: str = "none") -> Fraction:
    """Bytes of text weights on each of `devices` equal devices, exact.

    Args:
        c: the dimensions.
        devices: how many devices share the weights.
        replicated: `none` for an even cut of everything, which no placement can beat; `small` to keep on every device
            the tensors whose `split` is `none`, as tensor parallelism over heads and experts does.

    Raises:
        InputError: `devices` is not a whole number of at least 1, or `replicated` is another word.
    Source: config quantization_config. Exact: the sum. Not claimed: any engine's own placement, buffers or padding.
    """
    count = as_count("devices", devices, low=1)
    keeps = one_of("replicated", replicated, ("none", "small")) == "small"
    parts = (Fraction(t.bytes, 1 if keeps and t.split == "none" else count) for t in model_tensors(c))
    return sum(parts, Fraction(0))


def free_bytes_beside_weights(c: Configuration, devices: int, device_bytes: int, replicated: str = "none") -> Fraction:
    """Bytes left on each device beside the text weights; negative where they do not fit.

    On 8 devices of 288 * 10**9 bytes an even cut leaves about 93 * 10**9 bytes each for cache, state and buffers.

    Raises:
        InputError: a count is not a whole number of at least 1, or `replicated` is another word.
    Source: config quantization_config. Exact: the subtraction. Not claimed: what firmware and runtime reserve.
    """
    return as_count("device_bytes", device_bytes, low=1) - weight_bytes_per_device(c, devices, replicated)


def weight_bytes_of(
    *,
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
    """Bytes of the stored text weights from single numbers, named as in `Configuration`: about 1.56 * 10**12.

    Raises:
        InputError: a number is not whole, is below 1, or is larger than its whole.
    Source: config text_config, quantization_config. Exact for the dtypes that `model_tensors` names. Not claimed:
    vision tensors, padding and file headers.
    """
    # the parameters carry the fields' names; storage does not depend on how many experts a token uses
    return sum(weight_bytes_by_dtype(Configuration(**locals(), experts_per_token=1)).values())


def even_share_bytes(*, total_bytes: int, devices: int) -> int:
    """Bytes of each device's share of an even cut, rounded up; no placement of the same weights needs less.

    Raises:
        InputError: a number is not whole, or `devices` is below 1.
    Source: derived. Not claimed: that an engine cuts evenly; see `weight_bytes_per_device`.
    """
    return -(-as_count("total_bytes", total_bytes) // as_count("devices", devices, low=1))
