"""Derivations of the systems part, called as a ledger calls them: by name, with single numbers."""

from dataclasses import asdict
from inspect import signature
from typing import Any

import pytest

from k3core.configuration import RELEASED
from k3core.registry import DERIVATIONS

FIELDS = {name: value for name, value in asdict(RELEASED).items() if name != "experts_per_token"}
KDA = {"layers": 69, "heads": 96, "key_dim": 128, "value_dim": 128}
HISTORY = {"layers": 69, "heads": 96, "head_dim": 128, "conv_kernel": 4}
LATENT = {"layers": 24, "kv_lora_rank": 512, "extra_dim": 64}
MILLION = {
    "tokens": 2**20,
    "mla_layers": 24,
    "kda_layers": 69,
    "heads": 96,
    "head_dim": 128,
    "conv_kernel": 4,
    "kv_lora_rank": 512,
    "extra_dim": 64,
    "cache_bytes": 1,
    "state_bytes": 4,
    "conv_bytes": 2,
    "tensor_parallel": 8,
}
TOWER = {"layers": 27, "hidden": 1024, "attention": 1536, "intermediate": 4096, "patch": 14, "grid": 64}

CALLS: list[tuple[str, dict[str, Any], int | float]] = [
    ("params.total", FIELDS, 2_779_484_476_000),
    ("params.active", {**FIELDS, "experts_per_token": 16}, 104_189_612_640),
    ("weights.bytes", FIELDS, 1_559_965_433_216),
    ("weights.even_share_bytes", {"total_bytes": 1_559_965_433_216, "devices": 8}, 194_995_679_152),
    ("mla.cache_bytes_per_token", {**LATENT, "bytes_per_element": 1}, 13_824),
    ("mla.cache_gib", {**LATENT, "tokens": 2**20, "bytes_per_element": 1}, 13.5),
    (
        "mla.expanded_bytes_per_token",
        {"layers": 24, "heads": 96, "key_dim": 192, "value_dim": 128, "bytes_per_element": 2},
        1_474_560,
    ),
    ("kda.rank_state_bytes", {**KDA, "bytes_per_element": 4, "tensor_parallel": 8}, 54_263_808),
    ("kda.conv_bytes", {**HISTORY, "bytes_per_element": 2}, 15_261_696),
    ("kda.traffic_bytes", {**KDA, "bytes_per_element": 2}, 414 * 2**20),
    ("cache.checkpoint_bytes", {**HISTORY, "state_bytes": 4, "conv_bytes": 2, "tensor_parallel": 8}, 56_171_520),
    ("cache.break_even_tokens", {"fixed_bytes": 414 * 2**20, "bytes_per_token": 27_648}, 15_701),
    ("cache.page_tokens", {"block_tokens": 512, "mla_bytes_per_token": 1152, "kda_page_bytes": 6_512_640}, 6_144),
    ("cache.sequence_gib", MILLION, 13.5 + 56_171_520 / 2**30),
    ("moonep.redundant_bound", {"experts": 896, "ranks": 8}, 112),
    ("moonep.tight_redundant", {"experts": 896, "ranks": 8}, 98),
    ("moonep.buffer_tokens", {"tokens_per_rank": 4096, "experts_per_token": 16}, 65_536),
    ("moonep.unbalanced_buffer_tokens", {"tokens_per_rank": 4096, "experts_per_token": 16, "ranks": 8}, 524_288),
    ("mx.bits_per_value", {"element": "e2m1"}, 4.25),
    ("muon.update_scale", {"rows": 100, "cols": 64, "rule": "moonlight"}, 2.0),
    ("spec.tokens_per_cycle", {"rate": 0.5, "drafted": 2}, 1.75),
    ("spec.record_ratio", {"key_dim": 128, "value_dim": 128}, 385 / 16_384),
    ("fleet.miss_cost_ratio", {"prefix_tokens": 400_000, "increment_tokens": 4_000}, 101.0),
    ("vision.image_tokens", {"width": 3584, "height": 3584}, 16_384),
    ("vision.video_tokens", {"width": 224, "height": 224, "frames": 5}, 128),
    ("vision.tower_parameters", TOWER, 401_214_464),
]


@pytest.mark.parametrize(("name", "inputs", "want"), [pytest.param(*call, id=call[0]) for call in CALLS])
def test_derivations_give_the_ledgers_numbers(name: str, inputs: dict[str, Any], want: float) -> None:
    """A registered name answers keyword inputs with the number the ledger shows, of its exact type."""
    got = DERIVATIONS[name](**inputs)
    assert (got, type(got)) == (want, type(want))


@pytest.mark.parametrize("name", [pytest.param(call[0], id=call[0]) for call in CALLS])
def test_every_input_has_a_name_and_a_type(name: str) -> None:
    """A derivation's inputs are spelled out one by one, so that each can be traced to its source."""
    for given in signature(DERIVATIONS[name]).parameters.values():
        assert given.kind in {given.KEYWORD_ONLY, given.POSITIONAL_OR_KEYWORD}
        assert given.annotation in {int, float, str}
