"""The dimensions that the ledger's arithmetic starts from, and the released model's own."""

from dataclasses import dataclass, fields

from k3core.guards import InputError, as_count


@dataclass(frozen=True, kw_only=True)
class Configuration:
    """The whole numbers that fix every tensor's shape in the text model.

    Each field names the entry of the released configuration it is read from. What the configuration says with a
    flag (full-rank output gates, no rotation, untied embeddings) is part of the formulas, not of this record.

    Raises:
        InputError: a field is not a whole number of at least 1, or a part is larger than its whole.
    Source: config text_config.
    """

    layers: int
    """num_hidden_layers: decoder layers of both kinds."""
    mla_layers: int
    """The length of full_attn_layers; every other layer is KDA."""
    dense_layers: int
    """first_k_dense_replace: leading layers whose MLP is one dense SiTU-GLU."""
    hidden: int
    """hidden_size: the width of a token's vector."""
    vocab: int
    """vocab_size: rows of the embedding and of the output head, which are not tied."""
    heads: int
    """num_attention_heads, equal to linear_attn_config.num_heads."""
    head_dim: int
    """linear_attn_config.head_dim: key and value width of a KDA head, and the rank of its decay projection."""
    conv_kernel: int
    """linear_attn_config.short_conv_kernel_size: taps of the depthwise convolution on q, k and v."""
    q_lora_rank: int
    """Width of the compressed query in MLA."""
    kv_lora_rank: int
    """Width of the cached latent in MLA."""
    qk_nope_head_dim: int
    """Per-head part of an MLA query and key that the latent expands to."""
    qk_rope_head_dim: int
    """Extra key dimensions shared by all heads; not rotated in this model, the name is inherited."""
    v_head_dim: int
    """Value width of an MLA head."""
    dense_intermediate: int
    """intermediate_size: inner width of the dense MLP."""
    experts: int
    """num_experts: routed experts of a layer."""
    experts_per_token: int
    """num_experts_per_token: routed experts that serve one token."""
    shared_experts: int
    """num_shared_experts: experts that serve every token at full width."""
    expert_intermediate: int
    """moe_intermediate_size: inner width of one expert."""
    latent: int
    """routed_expert_hidden_size: width at which routed experts read and write."""

    def __post_init__(self) -> None:
        for field in fields(self):
            as_count(field.name, getattr(self, field.name), low=1)
        for part, whole in (("mla_layers", "layers"), ("dense_layers", "layers"), ("experts_per_token", "experts")):
            if getattr(self, part) > getattr(self, whole):
                raise InputError(part, f"at most {whole} ({getattr(self, whole)})", str(getattr(self, part)))

    @property
    def kda_layers(self) -> int:
        """Layers with Kimi Delta Attention."""
        return self.layers - self.mla_layers

    @property
    def moe_layers(self) -> int:
        """Layers with routed experts."""
        return self.layers - self.dense_layers


RELEASED = Configuration(
    layers=93,
    mla_layers=24,
    dense_layers=1,
    hidden=7168,
    vocab=163840,
    heads=96,
    head_dim=128,
    conv_kernel=4,
    q_lora_rank=1536,
    kv_lora_rank=512,
    qk_nope_head_dim=128,
    qk_rope_head_dim=64,
    v_head_dim=128,
    dense_intermediate=33792,
    experts=896,
    experts_per_token=16,
    shared_experts=2,
    expert_intermediate=3072,
    latent=3584,
)
"""The released model, from the text part of its public configuration."""
