"""How many parameters the text model has, and how many of them one token uses.

Two forms: closed formulas per part of a layer here, and the list of single tensors in `tensors`, which is the truth.
"""

from k3core.configuration import Configuration
from k3core.moe_counts import expert_parameters


def kda_layer_parameters(c: Configuration) -> int:
    """Count one KDA layer's attention: 443,740,384 for the released dimensions.

    Projections for q, k, v, output and full-rank gate; write strength; low-rank decay with its bias; one decay scale
    per head; three depthwise convolutions; one RMSNorm weight shared by all heads.

    Source: report §2.1.1. Exact: whole numbers. Not claimed: the padding of the stored decay scales to 128 entries,
    of which the model uses one per head.
    """
    inner = c.heads * c.head_dim
    projections = 5 * c.hidden * inner + c.hidden * c.heads
    decay = c.hidden * c.head_dim + c.head_dim * inner + inner + c.heads
    return projections + decay + 3 * inner * c.conv_kernel + c.head_dim


def mla_layer_parameters(c: Configuration) -> int:
    """Count one Gated MLA layer's attention: 232,196,096 for the released dimensions.

    Source: report §2.1.2. Exact: whole numbers.
    """
    query = c.hidden * c.q_lora_rank + c.q_lora_rank
    query += c.q_lora_rank * c.heads * (c.qk_nope_head_dim + c.qk_rope_head_dim)
    latent = c.hidden * (c.kv_lora_rank + c.qk_rope_head_dim) + c.kv_lora_rank
    latent += c.kv_lora_rank * c.heads * (c.qk_nope_head_dim + c.v_head_dim)
    return query + latent + 2 * c.hidden * c.heads * c.v_head_dim


def routed_expert_parameters(c: Configuration) -> int:
    """Count one routed expert, three matrices at latent width: 33,030,144. Source: report §2.3.1."""
    return expert_parameters(c.latent, c.expert_intermediate)


def dense_mlp_parameters(c: Configuration) -> int:
    """Count one dense SiTU-GLU, three matrices at full width: 726,663,168. Source: config intermediate_size."""
    return 3 * c.hidden * c.dense_intermediate


def moe_layer_parameters(c: Configuration, experts: int) -> int:
    """Count one Stable LatentMoE layer with `experts` routed experts: 29,784,936,832 with all 896.

    Besides the experts: router and its balancing bias for all experts, the projections into and out of the latent,
    the norm of the aggregate, and the shared experts at full width.

    Source: report §2.3. Exact: whole numbers.
    """
    router = c.hidden * c.experts + c.experts
    latent = 2 * c.hidden * c.latent + c.latent
    shared = 3 * c.hidden * c.expert_intermediate * c.shared_experts
    return experts * routed_expert_parameters(c) + router + latent + shared


def norm_parameters(c: Configuration) -> int:
    """Count the vectors of model width outside the sublayers.

    Each layer normalises before attention and before the MLP, and one norm closes the model. Attention Residuals add
    two vectors (norm weight and pseudo-query) for each of the two sublayers of a layer, and once before the end.

    Source: report §2.2. Exact: whole numbers; the first layer's attention has a query that is stored but never used.
    """
    norms = 2 * c.layers + 1
    mixes = 2 * c.layers + 1
    return (norms + 2 * mixes) * c.hidden


def _count(c: Configuration, experts: int, embeddings: int) -> int:
    """Add all parts, with `experts` of each layer's routed experts and `embeddings` of the two vocabulary matrices."""
    attention = c.kda_layers * kda_layer_parameters(c) + c.mla_layers * mla_layer_parameters(c)
    mlp = c.dense_layers * dense_mlp_parameters(c) + c.moe_layers * moe_layer_parameters(c, experts)
    return attention + mlp + embeddings * c.vocab * c.hidden + norm_parameters(c)


def total_parameters(c: Configuration) -> int:
    """Count every parameter of the text model: 2,779,484,476,000 for the released dimensions.

    Source: report §3.2 table 1 (2.78T). Exact: whole numbers. Not claimed: the vision tower and its projector, which
    are left out.
    """
    return _count(c, c.experts, embeddings=2)


def active_parameters(c: Configuration) -> int:
    """Count the parameters one token uses: 104,189,612,640 for the released dimensions.

    The input embedding, of which a token reads one row, and the vision tower stay out; the output head is in.

    Source: report §3.2 table 1 (104.2B). Exact: whole numbers. The counting rule is inferred: it is the one that
    meets the report's rounded figure.
    """
    return _count(c, c.experts_per_token, embeddings=1)


def total_parameters_of(
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
    """Count every parameter of the text model from single numbers, named as in `Configuration`.

    Raises:
        InputError: a number is not whole, is below 1, or is larger than its whole.
    Source: report §3.2 table 1; config text_config. Exact: whole numbers. Not claimed: the vision tower.
    """
    # the parameters carry the fields' names; the total does not depend on how many experts a token uses
    return total_parameters(Configuration(**locals(), experts_per_token=1))


def active_parameters_of(
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
    experts_per_token: int,
    shared_experts: int,
    expert_intermediate: int,
    latent: int,
) -> int:
    """Count the parameters one token uses from single numbers, named as in `Configuration`.

    Raises:
        InputError: a number is not whole, is below 1, or is larger than its whole.
    Source: report §3.2 table 1; config text_config. Exact: whole numbers. The input embedding and the vision tower
    are left out, which is the rule that meets the report's rounded figure.
    """
    # the parameters carry the fields' names
    return active_parameters(Configuration(**locals()))
