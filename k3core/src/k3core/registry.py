"""What outsiders may ask for by name: derivations, which give one number, and labs, which give JSON."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from k3core import accounting, gates, kda, labs, moe_counts, parameters, stack

DERIVATIONS: Mapping[str, Callable[..., int | float]] = MappingProxyType(
    {
        "cache.break_even_tokens": accounting.break_even_tokens,
        "cache.checkpoint_bytes": accounting.checkpoint_bytes,
        "cache.page_tokens": accounting.page_tokens,
        "cache.sequence_gib": accounting.sequence_gib,
        "gate.longest_safe_chunk": gates.longest_safe_chunk,
        "gate.min_retention": gates.min_retention,
        "gate.reciprocal_bound": gates.reciprocal_bound,
        "gate.tile_bound": gates.tile_log_decay_bound,
        "kda.conv_bytes": accounting.conv_state_bytes,
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
        "params.active": parameters.active_parameters_of,
        "params.total": parameters.total_parameters_of,
        "stack.kda_layers": stack.kda_layers_in_stack,
        "stack.layers": stack.layers_in_stack,
        "stack.mla_layers": stack.mla_layers_in_stack,
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
    }
)
"""JSON-ready results from keyword inputs as JSON gives them."""
