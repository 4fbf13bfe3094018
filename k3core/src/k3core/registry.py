"""What outsiders may ask for by name: derivations, which give one number, and labs, which give JSON."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from k3core import (
    accounting,
    attnres,
    fleet,
    gates,
    kcp,
    kda,
    labs,
    labs_systems,
    moe_counts,
    moonep,
    muon,
    mx,
    parameters,
    quantile_balancing,
    situ,
    speculation,
    stack,
    tensors,
    vision,
)

DERIVATIONS: Mapping[str, Callable[..., int | float]] = MappingProxyType(
    {
        "attnres.blocks": attnres.attnres_blocks,
        "attnres.kept_sources": attnres.attnres_kept_sources,
        "attnres.last_block_layers": attnres.attnres_last_block_layers,
        "attnres.mixes": attnres.attnres_mixes,
        "attnres.source_reads": attnres.attnres_source_reads,
        "cache.break_even_tokens": accounting.break_even_tokens,
        "cache.checkpoint_bytes": accounting.checkpoint_bytes,
        "cache.page_tokens": accounting.page_tokens,
        "cache.sequence_gib": accounting.sequence_gib,
        "fleet.miss_cost_ratio": fleet.miss_cost_ratio,
        "gate.first_overflow_step": gates.first_overflow_step,
        "gate.longest_safe_chunk": gates.longest_safe_chunk,
        "gate.min_retention": gates.min_retention,
        "gate.reciprocal_bound": gates.reciprocal_bound,
        "gate.tile_bound": gates.tile_log_decay_bound,
        "kcp.halo_bytes": kcp.kcp_halo_bytes,
        "kcp.payload_bytes": kcp.kcp_payload_bytes,
        "kda.additive_recalled_share": kda.additive_recalled_share,
        "kda.conv_bytes": accounting.conv_state_bytes,
        "kda.delta_recalled_share": kda.delta_recalled_share,
        "kda.rank_state_bytes": accounting.rank_state_bytes,
        "kda.state_bytes": kda.state_bytes,
        "kda.state_elements": kda.state_elements,
        "kda.state_mib": kda.state_mib,
        "kda.traffic_bytes": accounting.kda_traffic_bytes,
        "mla.cache_bytes_per_token": accounting.mla_cache_bytes_per_token,
        "mla.cache_gib": accounting.mla_cache_gib,
        "mla.expanded_bytes_per_token": accounting.mla_expanded_bytes_per_token,
        "moe.expert_bytes_mxfp4": moe_counts.expert_bytes_mxfp4,
        "moe.expert_parameters": moe_counts.expert_parameters,
        "moe.payload_bytes": moe_counts.dispatch_bytes,
        "moe.routed_expert_pool": moe_counts.routed_expert_pool,
        "moe.sparsity": moe_counts.expert_sparsity,
        "moonep.buffer_tokens": moonep.buffer_tokens,
        "moonep.redundant_bound": moonep.redundant_experts_bound,
        "moonep.tight_redundant": moonep.tight_redundant_experts,
        "moonep.unbalanced_buffer_tokens": moonep.unbalanced_buffer_tokens,
        "muon.update_scale": muon.update_scale,
        "mx.bits_per_value": mx.mx_bits_per_value,
        "params.active": parameters.active_parameters_of,
        "params.total": parameters.total_parameters_of,
        "qb.share": quantile_balancing.expert_share,
        "situ.output": situ.situ_output,
        "situ.swiglu_output": situ.swiglu_output,
        "spec.record_ratio": speculation.draft_record_ratio,
        "spec.tokens_per_cycle": speculation.tokens_per_cycle,
        "stack.kda_layers": stack.kda_layers_in_stack,
        "stack.layers": stack.layers_in_stack,
        "stack.mla_layers": stack.mla_layers_in_stack,
        "vision.image_tokens": vision.image_tokens,
        "vision.tower_parameters": vision.tower_parameters,
        "vision.video_tokens": vision.video_tokens,
        "weights.bytes": tensors.weight_bytes_of,
        "weights.even_share_bytes": tensors.even_share_bytes,
    }
)
"""Scalar results from keyword inputs that are plain int, float or str."""

LABS: Mapping[str, Callable[..., dict[str, Any]]] = MappingProxyType(
    {
        "A": labs.lab_delta_rule,
        "B": labs.lab_bounded_decay,
        "C": labs.lab_block_attnres,
        "D": labs.lab_latent_moe,
        "E": labs.lab_situ_glu,
        "F": labs.lab_quantile_balancing,
        "G": labs_systems.lab_post_training,
        "H": labs_systems.lab_prefix_cache,
    }
)
"""JSON-ready results from keyword inputs as JSON gives them."""
