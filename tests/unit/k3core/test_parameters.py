"""The parameter count, against the checked figures and against the list of single tensors."""

from dataclasses import asdict, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numeric_vectors import expected

from k3core import parameters
from k3core.configuration import RELEASED, Configuration
from k3core.guards import InputError
from k3core.tensors import (
    BITS,
    Tensor,
    even_share_bytes,
    free_bytes_beside_weights,
    model_tensors,
    weight_bytes_by_dtype,
    weight_bytes_of,
    weight_bytes_per_device,
)

LEDGER = expected("16.3")
SIZES = st.integers(1, 9)


@st.composite
def configurations(draw: st.DrawFn) -> Configuration:
    """Draw small dimensions in which no part is larger than its whole."""
    sizes = {name: draw(SIZES) for name in asdict(RELEASED)}
    sizes["mla_layers"] = draw(st.integers(1, sizes["layers"]))
    sizes["dense_layers"] = draw(st.integers(1, sizes["layers"]))
    sizes["experts_per_token"] = draw(st.integers(1, sizes["experts"]))
    return Configuration(**sizes)


@pytest.mark.parametrize(
    ("got", "field"),
    [
        pytest.param(parameters.kda_layer_parameters(RELEASED), "kda_layer", id="kda-layer"),
        pytest.param(parameters.mla_layer_parameters(RELEASED), "mla_layer", id="mla-layer"),
        pytest.param(parameters.routed_expert_parameters(RELEASED), "expert", id="expert"),
        pytest.param(parameters.moe_layer_parameters(RELEASED, RELEASED.experts), "moe_layer", id="moe-layer"),
        pytest.param(parameters.dense_mlp_parameters(RELEASED), "dense_mlp", id="dense-mlp"),
        pytest.param(parameters.total_parameters(RELEASED), "total", id="total"),
        pytest.param(parameters.active_parameters(RELEASED), "activated_excl_input_embedding", id="active"),
    ],
)
def test_released_dimensions_give_the_checked_counts(got: int, field: str) -> None:
    """Each part of the released model has the checked number of parameters."""
    assert got == LEDGER[field]


def test_single_numbers_give_the_same_counts() -> None:
    """A ledger that passes plain numbers gets what the record gives."""
    fields = asdict(RELEASED)
    assert parameters.active_parameters_of(**fields) == LEDGER["activated_excl_input_embedding"]
    del fields["experts_per_token"]
    assert parameters.total_parameters_of(**fields) == LEDGER["total"]


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(configurations())
def test_formulas_equal_the_sum_over_tensors(c: Configuration) -> None:
    """The closed formulas and the list of tensors count the same, for the whole model and for one token."""
    assert parameters.total_parameters(c) == sum(t.elements for t in model_tensors(c))
    assert parameters.active_parameters(c) == sum(t.elements for t in model_tensors(c, active=True))


def test_activation_follows_the_experts_of_a_token() -> None:
    """One more routed expert a token adds one expert in each layer that has experts."""
    more = replace(RELEASED, experts_per_token=RELEASED.experts_per_token + 1)
    added = parameters.active_parameters(more) - parameters.active_parameters(RELEASED)
    assert added == RELEASED.moe_layers * LEDGER["expert"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"hidden": 0}, "hidden: expected a whole number from 1, got 0", id="zero"),
        pytest.param({"hidden": 7168.0}, "hidden: expected a whole number from 1, got 7168.0", id="fraction"),
        pytest.param({"heads": True}, "heads: expected a whole number from 1, got True", id="bool"),
        pytest.param({"mla_layers": 94}, r"mla_layers: expected at most layers \(93\), got 94", id="too-many-mla"),
        pytest.param({"dense_layers": 94}, r"dense_layers: expected at most layers \(93\), got 94", id="dense"),
        pytest.param(
            {"experts_per_token": 897}, r"experts_per_token: expected at most experts \(896\), got 897", id="experts"
        ),
    ],
)
def test_impossible_dimensions_are_refused(change: dict[str, int], message: str) -> None:
    """A dimension that no model can have is named with the value that came."""
    with pytest.raises(InputError, match=message):
        replace(RELEASED, **change)


def test_weights_by_dtype() -> None:
    """Routed experts are the bulk at 4.25 bits; what stays in FP32 is tens of megabytes."""
    sizes = weight_bytes_by_dtype(RELEASED)
    assert sizes == {"mxfp4": 1_446_456_066_048, "bf16": 113_465_216_000, "f32": 44_151_168}
    assert sizes["mxfp4"] == RELEASED.moe_layers * RELEASED.experts * 17_547_264


@pytest.mark.parametrize(
    ("replicated", "free"),
    [
        pytest.param("none", 93_004_320_848, id="even-cut"),
        pytest.param("small", 82_943_583_504, id="small-tensors-everywhere"),
    ],
)
def test_text_weights_fit_eight_devices_of_288_gb(replicated: str, free: int) -> None:
    """Eight devices of 288 GB hold the text weights and leave about a third for everything else."""
    assert free_bytes_beside_weights(RELEASED, 8, 288 * 10**9, replicated) == free
    # on smaller devices the same bytes are missing
    assert free_bytes_beside_weights(RELEASED, 8, 100 * 10**9, replicated) == free - 188 * 10**9


def test_replication_costs_what_is_replicated() -> None:
    """On one device both placements agree, and on more the difference is the replicated tensors' own bytes."""
    assert (
        weight_bytes_per_device(RELEASED, 1)
        == weight_bytes_per_device(RELEASED, 1, "small")
        == sum(weight_bytes_by_dtype(RELEASED).values())
    )
    small = sum(t.bytes for t in model_tensors(RELEASED) if t.split == "none")
    assert weight_bytes_per_device(RELEASED, 8, "small") - weight_bytes_per_device(RELEASED, 8) == small * 7 / 8


def test_weights_from_single_numbers() -> None:
    """A ledger that passes plain numbers gets the bytes of the checkpoint and the share of eight devices."""
    fields = asdict(RELEASED)
    del fields["experts_per_token"]
    total = weight_bytes_of(**fields)
    assert total == sum(weight_bytes_by_dtype(RELEASED).values()) == 1_559_965_433_216
    assert even_share_bytes(total_bytes=total, devices=8) == 194_995_679_152
    assert even_share_bytes(total_bytes=9, devices=8) == 2


def test_bad_placement_is_refused() -> None:
    """A word for the placement that means nothing is refused with the words that do."""
    with pytest.raises(InputError, match="replicated: expected none or small, got 'all'"):
        weight_bytes_per_device(RELEASED, 8, "all")


def test_every_tensor_can_be_stored() -> None:
    """Every tensor names a known dtype, a unique name and a known way to split."""
    tensors: tuple[Tensor, ...] = model_tensors(RELEASED)
    assert {t.dtype for t in tensors} == set(BITS)
    assert {t.split for t in tensors} == {"experts", "heads", "columns", "none"}
    assert len({t.name for t in tensors}) == len(tensors)
