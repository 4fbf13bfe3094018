"""The mechanisms of Kimi K3 as readable NumPy functions."""

# packed lines: with a name on each, the door would be longer than any room behind it
# fmt: off
# isort: off
from k3core.accounting import (
    break_even_tokens, checkpoint_bytes, conv_state_bytes, kda_traffic_bytes, mla_cache_bytes_per_token, mla_cache_gib,
    mla_expanded_bytes_per_token, page_tokens, rank_state_bytes, sequence_gib,
)
from k3core.attnres import (
    AttnResPartial, AttnResRun, attnres_block, attnres_blocks, attnres_finished, attnres_full, attnres_kept_sources,
    attnres_last_block_layers, attnres_merged, attnres_mix, attnres_mixes, attnres_partial, attnres_source_counts,
    attnres_source_reads,
)
from k3core.cache_invariants import BrokenCacheError, check_cache, lookup_by_scan
from k3core.chunk import kda_chunked
from k3core.configuration import Configuration
from k3core.delta_layer import KdaMemory, KdaWeights, empty_memory, kda_layer
from k3core.fleet import Admission, Ring, miss_cost_ratio, ring_hash
from k3core.gates import (
    GateGradients, bounded_log_decay, bounded_log_decay_gradients, first_overflow_step, in_log2_units,
    longest_safe_chunk, min_retention, read_log_rates, reciprocal_bound, softplus_log_decay,
    softplus_log_decay_gradients, tile_log_decay_bound,
)
from k3core.guards import InputError
from k3core.kcp import (
    KcpSegment, compose_segments, identity_segment, incoming_states, kcp_halo_bytes, kcp_payload_bytes,
    kda_context_parallel, prefix_segments, segment_by_chunks, segment_by_steps,
)
from k3core.kda import (
    KdaResult, KdaTokens, additive_recalled_share, as_scale, check_state, check_tokens, delta_recalled_share, kda_read,
    kda_recurrent, kda_step, state_bytes, state_elements, state_mib,
)
from k3core.kernel_rounding import kda_kernel_rounded
from k3core.latent_moe import MoeResult, MoeWeights, moe_layer, moe_layer_naive, router_scores
from k3core.layouts import columns_from_history, convert_state, history_from_columns
from k3core.measures import gibibytes, speed_ratio, standard_error_points
from k3core.mla import MlaCache, MlaRead, MlaWeights, empty_cache, gated_mla, mla_absorbed, mla_expanded
from k3core.moe_counts import (
    dispatch_bytes, expert_bytes_mxfp4, expert_parameters, expert_sparsity, mx_bytes, routed_expert_pool,
)
from k3core.moonep import (
    FillingPlan, assign_tokens, buffer_tokens, check_filling, least_redundant_experts, plan_filling,
    redundant_experts_bound, tight_redundant_experts, tight_routing, unbalanced_buffer_tokens,
)
from k3core.muon import (
    newton_schulz, newton_schulz_by_svd, newton_schulz_scalar, per_head_update, per_head_update_by_loop, polar_factor,
    update_scale,
)
from k3core.mx import (
    ElementFormat, MxBlocks, decode_elements, decode_mxfp4_weight, dequantize_blocks, element_values, encode_elements,
    encode_elements_by_search, mx_bits_per_value, pack_nibbles, quantize_blocks, scale_exponent, unpack_nibbles,
)
from k3core.output_gates import kda_output_gate, mla_output_gate
from k3core.parameters import (
    active_parameters, active_parameters_of, dense_mlp_parameters, kda_layer_parameters, mla_layer_parameters,
    moe_layer_parameters, norm_parameters, routed_expert_parameters, total_parameters, total_parameters_of,
)
from k3core.post_training import (
    Iteration, Rollout, budget_tokens, compare_candidates, effort_reward, mopd_reward, partial_rollout, steps_by_order,
    steps_by_token,
)
from k3core.prefix_cache import Page, PrefixCache, Request, chain_hashes, link_hash, longest_boundary
from k3core.primitives import l2norm, rmsnorm, sigmoid, silu, softmax, softplus
from k3core.quantile_balancing import (
    Alternation, Histogram, centred_bias, expert_share, qb_alternating, qb_dual_value, qb_exact_update, qb_histogram,
    qb_histogram_update, qb_pooled, sign_balance_step, token_cutoffs,
)
from k3core.rounding import rounding_named, to_bf16, to_float64, to_fp16, to_fp32
from k3core.routing import Routing, expert_loads, route_tokens, top_experts
from k3core.sequences import check_boundaries, kda_batch, kda_packed
from k3core.shortconv import ConvResult, projected_heads, rolled_back_history, short_conv, short_conv_naive
from k3core.situ import (
    glu, situ_gate, situ_glu, situ_glu_gradients, situ_mlp, situ_output, situ_up, swiglu, swiglu_output,
)
from k3core.speculation import (
    DecodePosition, Draft, accepted_prefix, draft_acceptance, draft_record_ratio, lk_gradient, lk_loss, record_draft,
    replay_draft, residual_distribution, rewind_draft, tokens_per_cycle, tokens_per_cycle_closed,
)
from k3core.stack import kda_layers_in_stack, layer_kinds, layers_in_stack, mla_layers_in_stack
from k3core.step_costs import (
    attention_break_even_tokens, even_free_bytes, expected_distinct_experts, part_weight_bytes_of, routed_weight_bytes,
    sequences_that_fit, step_weight_bytes_of,
)
from k3core.tensors import (
    Tensor, even_share_bytes, free_bytes_beside_weights, kda_tensors, mla_tensors, mlp_tensors, model_tensors,
    weight_bytes_by_dtype, weight_bytes_of, weight_bytes_per_device,
)
from k3core.triangular import halved_inverse, neumann_inverse, substituted_inverse
from k3core.vision import (
    ImageSize,
    image_patches,
    image_prompt,
    image_size,
    image_tokens,
    tower_parameters,
    video_tokens,
)
from k3core.xtml import (
    Control, XtmlElement, XtmlEvent, XtmlParser, escape_attribute, parse_elements, read_element_head, render_segments,
    segment_token_ids, unescape_attribute, write_element, write_element_head,
)
from k3core.xtml_messages import (
    Argument, Call, Message, answer_calls, build_conversation, call_argument, message_element, parse_conversation,
    read_message, serialize_conversation, validate_conversation,
)

__all__ = [
    "Admission", "Alternation", "Argument", "AttnResPartial", "AttnResRun", "BrokenCacheError", "Call", "Configuration",
    "Control", "ConvResult", "DecodePosition", "Draft", "ElementFormat", "FillingPlan", "GateGradients", "Histogram",
    "ImageSize", "InputError", "Iteration", "KcpSegment", "KdaMemory", "KdaResult", "KdaTokens", "KdaWeights",
    "Message", "MlaCache", "MlaRead", "MlaWeights", "MoeResult", "MoeWeights", "MxBlocks", "Page", "PrefixCache",
    "Request", "Ring", "Rollout", "Routing", "Tensor", "XtmlElement", "XtmlEvent", "XtmlParser", "accepted_prefix",
    "active_parameters", "active_parameters_of", "additive_recalled_share", "answer_calls", "as_scale", "assign_tokens",
    "attention_break_even_tokens", "attnres_block", "attnres_blocks", "attnres_finished", "attnres_full",
    "attnres_kept_sources", "attnres_last_block_layers", "attnres_merged", "attnres_mix", "attnres_mixes",
    "attnres_partial", "attnres_source_counts", "attnres_source_reads", "bounded_log_decay",
    "bounded_log_decay_gradients", "break_even_tokens", "budget_tokens", "buffer_tokens", "build_conversation",
    "call_argument", "centred_bias", "chain_hashes", "check_boundaries", "check_cache", "check_filling", "check_state",
    "check_tokens", "checkpoint_bytes", "columns_from_history", "compare_candidates", "compose_segments",
    "conv_state_bytes", "convert_state", "decode_elements", "decode_mxfp4_weight", "delta_recalled_share",
    "dense_mlp_parameters", "dequantize_blocks", "dispatch_bytes", "draft_acceptance", "draft_record_ratio",
    "effort_reward", "element_values", "empty_cache", "empty_memory", "encode_elements", "encode_elements_by_search",
    "escape_attribute", "even_free_bytes", "even_share_bytes", "expected_distinct_experts", "expert_bytes_mxfp4",
    "expert_loads", "expert_parameters", "expert_share", "expert_sparsity", "first_overflow_step",
    "free_bytes_beside_weights", "gated_mla", "gibibytes", "glu", "halved_inverse", "history_from_columns",
    "identity_segment", "image_patches", "image_prompt", "image_size", "image_tokens", "in_log2_units",
    "incoming_states", "kcp_halo_bytes", "kcp_payload_bytes", "kda_batch", "kda_chunked", "kda_context_parallel",
    "kda_kernel_rounded", "kda_layer", "kda_layer_parameters", "kda_layers_in_stack", "kda_output_gate", "kda_packed",
    "kda_read", "kda_recurrent", "kda_step", "kda_tensors", "kda_traffic_bytes", "l2norm", "layer_kinds",
    "layers_in_stack", "least_redundant_experts", "link_hash", "lk_gradient", "lk_loss", "longest_boundary",
    "longest_safe_chunk", "lookup_by_scan", "message_element", "min_retention", "miss_cost_ratio", "mla_absorbed",
    "mla_cache_bytes_per_token", "mla_cache_gib", "mla_expanded", "mla_expanded_bytes_per_token",
    "mla_layer_parameters", "mla_layers_in_stack", "mla_output_gate", "mla_tensors", "mlp_tensors", "model_tensors",
    "moe_layer", "moe_layer_naive", "moe_layer_parameters", "mopd_reward", "mx_bits_per_value", "mx_bytes",
    "neumann_inverse", "newton_schulz", "newton_schulz_by_svd", "newton_schulz_scalar", "norm_parameters",
    "pack_nibbles", "page_tokens", "parse_conversation", "parse_elements", "part_weight_bytes_of", "partial_rollout",
    "per_head_update", "per_head_update_by_loop", "plan_filling", "polar_factor", "prefix_segments", "projected_heads",
    "qb_alternating", "qb_dual_value", "qb_exact_update", "qb_histogram", "qb_histogram_update", "qb_pooled",
    "quantize_blocks", "rank_state_bytes", "read_element_head", "read_log_rates", "read_message", "reciprocal_bound",
    "record_draft", "redundant_experts_bound", "render_segments", "replay_draft", "residual_distribution",
    "rewind_draft", "ring_hash", "rmsnorm", "rolled_back_history", "rounding_named", "route_tokens",
    "routed_expert_parameters", "routed_expert_pool", "routed_weight_bytes", "router_scores", "scale_exponent",
    "segment_by_chunks", "segment_by_steps", "segment_token_ids", "sequence_gib", "sequences_that_fit",
    "serialize_conversation", "short_conv", "short_conv_naive", "sigmoid", "sign_balance_step", "silu", "situ_gate",
    "situ_glu", "situ_glu_gradients", "situ_mlp", "situ_output", "situ_up", "softmax", "softplus", "softplus_log_decay",
    "softplus_log_decay_gradients", "speed_ratio", "standard_error_points", "state_bytes", "state_elements",
    "state_mib", "step_weight_bytes_of", "steps_by_order", "steps_by_token", "substituted_inverse", "swiglu",
    "swiglu_output", "tight_redundant_experts", "tight_routing", "tile_log_decay_bound", "to_bf16", "to_float64",
    "to_fp16", "to_fp32", "token_cutoffs", "tokens_per_cycle", "tokens_per_cycle_closed", "top_experts",
    "total_parameters", "total_parameters_of", "tower_parameters", "unbalanced_buffer_tokens", "unescape_attribute",
    "unpack_nibbles", "update_scale", "validate_conversation", "video_tokens", "weight_bytes_by_dtype",
    "weight_bytes_of", "weight_bytes_per_device", "write_element", "write_element_head",
]
# fmt: on
