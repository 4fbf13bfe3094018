"""State, cache and checkpoint bytes, against the checked ledger."""

from typing import Any

import pytest
from numeric_vectors import expected, inputs

from k3core import accounting
from k3core.configuration import RELEASED as C
from k3core.guards import InputError

STATE: dict[str, Any] = {"layers": 69, "heads": 96, "key_dim": 128, "value_dim": 128}
HISTORY: dict[str, Any] = {"layers": 69, "heads": 96, "head_dim": 128, "conv_kernel": 4}
LATENT: dict[str, Any] = {"layers": 24, "kv_lora_rank": 512, "extra_dim": 64}
MIB = 2**20


def test_latent_cache() -> None:
    """The latent cache costs 13,824 elements a token, and a million tokens 13.5 GiB at one byte each."""
    want = expected("6.2")
    assert accounting.mla_cache_bytes_per_token(**LATENT, bytes_per_element=1) == want["bytes_fp8"]
    assert accounting.mla_cache_bytes_per_token(**LATENT, bytes_per_element=2) == want["bytes_bf16"]
    assert accounting.mla_cache_gib(tokens=2**20, **LATENT, bytes_per_element=1) == want["GiB_fp8_1M"]
    assert accounting.mla_cache_gib(tokens=2**20, **LATENT, bytes_per_element=2) == want["GiB_bf16_1M"]


def test_expanded_cache_is_fifty_times_the_latent() -> None:
    """Keeping every head's key and value costs 53.3 times the latent."""
    expanded = accounting.mla_expanded_bytes_per_token(
        layers=24, heads=96, key_dim=192, value_dim=128, bytes_per_element=2
    )
    want = expected("6.2")
    assert expanded == want["expanded_reference_bytes_bf16"]
    assert expanded / want["bytes_bf16"] == want["expanded_over_latent"]


@pytest.mark.parametrize(
    ("layers", "size", "ranks", "field"),
    [
        pytest.param(1, 2, 1, "bf16_MiB_per_layer", id="bf16-layer"),
        pytest.param(1, 4, 1, "fp32_MiB_per_layer", id="fp32-layer"),
        pytest.param(69, 2, 1, "bf16_MiB_total", id="bf16-model"),
        pytest.param(69, 4, 1, "fp32_MiB_total", id="fp32-model"),
        pytest.param(69, 2, 8, "bf16_MiB_tp8", id="bf16-eight-ranks"),
        pytest.param(69, 4, 8, "fp32_MiB_tp8", id="fp32-eight-ranks"),
    ],
)
def test_state(layers: int, size: int, ranks: int, field: str) -> None:
    """The KDA state of one sequence depends on dtype and ranks, never on its length."""
    got = accounting.rank_state_bytes(**{**STATE, "layers": layers}, bytes_per_element=size, tensor_parallel=ranks)
    assert got / MIB == expected("16.1")[field]


def test_convolution_history() -> None:
    """Three taps of q, k and v cost 14.55 MiB over the released model."""
    want = expected("16.1")
    per_layer = accounting.conv_state_bytes(**{**HISTORY, "layers": 1}, bytes_per_element=2)
    assert per_layer == want["conv_bf16_bytes_per_layer(3 taps, q+k+v)"]
    assert accounting.conv_state_bytes(**HISTORY, bytes_per_element=2) / MIB == want["conv_bf16_MiB_total"]


@pytest.mark.parametrize(
    ("size", "ranks", "field"),
    [
        pytest.param(2, 1, "rw_traffic_per_decode_step_MiB", id="one-rank"),
        pytest.param(2, 8, "rw_traffic_tp8_MiB", id="eight-ranks"),
    ],
)
def test_traffic_reads_and_writes_each_state_once(size: int, ranks: int, field: str) -> None:
    """A decode step moves twice the state, in both dtypes."""
    want = expected("16.1")[field]
    for name, bytes_per_element in (("bf16", size), ("fp32", 2 * size)):
        got = accounting.kda_traffic_bytes(**STATE, bytes_per_element=bytes_per_element, tensor_parallel=ranks)
        assert got / MIB == want[name]


def test_checkpoint_and_a_million_tokens_on_one_gpu() -> None:
    """A checkpoint takes 0.0523 GiB a rank at TP 8, and with the latents of 1,048,576 tokens 13.552 GiB."""
    checkpoint = accounting.checkpoint_bytes(**HISTORY, state_bytes=4, conv_bytes=2, tensor_parallel=8)
    assert checkpoint / 2**30 == expected("16.1")["fp32_state_plus_bf16_conv_GiB_tp8"]
    whole = accounting.sequence_gib(
        tokens=2**20,
        mla_layers=C.mla_layers,
        kda_layers=C.kda_layers,
        heads=C.heads,
        head_dim=C.head_dim,
        conv_kernel=C.conv_kernel,
        kv_lora_rank=C.kv_lora_rank,
        extra_dim=C.qk_rope_head_dim,
        cache_bytes=1,
        state_bytes=4,
        conv_bytes=2,
        tensor_parallel=8,
    )
    assert whole == 13.5 + checkpoint / 2**30
    assert f"{whole:.3f}" == "13.552"


def test_break_even() -> None:
    """The FP32 state weighs as much as 15,701 tokens of BF16 latent."""
    assert accounting.break_even_tokens(fixed_bytes=414 * MIB, bytes_per_token=27_648) == 15_701


@pytest.mark.parametrize("case", [pytest.param(name, id=name) for name in expected("16.2")])
def test_page_sizes(case: str) -> None:
    """The smallest page that holds a KDA layer's checkpoint spans the range the report names."""
    ranks = 8 if case.startswith("tp8") else 1
    assert inputs("16.2")["mla_bytes_per_token"] == "576*mb"
    page = accounting.checkpoint_bytes(
        **{**HISTORY, "layers": 1}, state_bytes=4 if "fp32state" in case else 2, conv_bytes=2, tensor_parallel=ranks
    )
    per_token = 576 * (1 if "fp8mla" in case else 2)
    got = accounting.page_tokens(block_tokens=512, mla_bytes_per_token=per_token, kda_page_bytes=page)
    assert got == expected("16.2")[case]


def test_heads_must_split_evenly() -> None:
    """A TP degree that cuts through a head is refused."""
    with pytest.raises(InputError, match=r"tensor_parallel: expected a divisor of heads \(96\), got 7"):
        accounting.rank_state_bytes(**STATE, bytes_per_element=2, tensor_parallel=7)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("layers", 0, id="no-layers"),
        pytest.param("kv_lora_rank", 0.5, id="fraction"),
        pytest.param("bytes_per_element", 0, id="no-bytes"),
        pytest.param("extra_dim", -1, id="negative"),
    ],
)
def test_bad_sizes_are_named(name: str, value: float) -> None:
    """A size that is not a whole number in range is refused by its name."""
    with pytest.raises(InputError, match=f"^{name}: expected a whole number from"):
        accounting.mla_cache_bytes_per_token(**{**LATENT, "bytes_per_element": 1, name: value})
