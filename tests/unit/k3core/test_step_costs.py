"""What a step reads and what is left beside the weights, against sums that are made another way."""

from dataclasses import asdict

import numpy as np
import pytest

from k3core.configuration import RELEASED
from k3core.guards import InputError
from k3core.measures import gibibytes, speed_ratio, standard_error_points
from k3core.moe_counts import expert_bytes_mxfp4
from k3core.step_costs import (
    attention_break_even_tokens,
    even_free_bytes,
    expected_distinct_experts,
    part_weight_bytes_of,
    routed_weight_bytes,
    sequences_that_fit,
    step_weight_bytes_of,
)
from k3core.tensors import model_tensors, weight_bytes_by_dtype

FIELDS = {name: value for name, value in asdict(RELEASED).items() if name != "experts_per_token"}
TOTAL = sum(weight_bytes_by_dtype(RELEASED).values())


def test_routed_experts_are_the_mxfp4_weights() -> None:
    """All routed experts together are what the sum by dtype calls MXFP4."""
    everything = routed_weight_bytes(moe_layers=92, experts=896, latent=3584, hidden=3072)
    assert everything == weight_bytes_by_dtype(RELEASED)["mxfp4"]
    assert routed_weight_bytes(moe_layers=92, experts=16, latent=3584, hidden=3072) * 56 == everything


def test_parts_add_up_to_the_whole() -> None:
    """Every stored byte belongs to one part."""
    parts = {tensor.name.partition(".")[0] for tensor in model_tensors(RELEASED)}
    assert sum(part_weight_bytes_of(part=part, **FIELDS) for part in parts) == TOTAL
    with pytest.raises(InputError, match=r"part: expected one of embedding, .*, got 'tower'"):
        part_weight_bytes_of(part="tower", **FIELDS)


def test_a_step_reads_more_with_every_expert() -> None:
    """One more expert in each layer costs one expert a layer, and all of them everything but the embedding."""
    embedding = part_weight_bytes_of(part="embedding", **FIELDS)
    assert step_weight_bytes_of(experts_read=896, **FIELDS) == TOTAL - embedding
    steps = [step_weight_bytes_of(experts_read=n, **FIELDS) for n in (16, 17)]
    assert steps[1] - steps[0] == 92 * expert_bytes_mxfp4(3584, 3072)


@pytest.mark.parametrize(
    ("tokens", "want"),
    [pytest.param(0, 0.0, id="none"), pytest.param(1, 2.0, id="one"), pytest.param(2, 3.5, id="two")],
)
def test_distinct_experts_by_hand(tokens: int, want: float) -> None:
    """Two of eight experts a token: a second token finds each of them free with probability three quarters."""
    assert expected_distinct_experts(routed=8, active=2, tokens=tokens) == want


def test_distinct_experts_by_drawing() -> None:
    """Drawn choices have the expected number of distinct experts, within five standard errors."""
    rng = np.random.default_rng(3)
    counts = [len({e for _ in range(5) for e in rng.permutation(12)[:3]}) for _ in range(4000)]
    error = np.std(counts) / np.sqrt(len(counts))
    assert abs(np.mean(counts) - expected_distinct_experts(routed=12, active=3, tokens=5)) < 5 * error


def test_attention_meets_the_weights() -> None:
    """At the break-even context attention multiplies no more than the weights, and one token later it does."""
    shape = {"layers": 24, "heads": 96, "key_dim": 192, "value_dim": 128}
    active = 104_189_612_640
    tokens = attention_break_even_tokens(active_parameters=active, **shape)
    assert tokens * 24 * 96 * (192 + 128) <= active < (tokens + 1) * 24 * 96 * (192 + 128)


def test_room_beside_the_weights() -> None:
    """Eight devices of 288 GB leave 93 GB each, which is room for six sequences of 13.552 GiB."""
    free = even_free_bytes(total_bytes=TOTAL, devices=8, device_bytes=288 * 10**9)
    assert free == 93_004_320_848
    assert sequences_that_fit(free_bytes=free, sequence_gib=13.552) == 6
    assert even_free_bytes(total_bytes=TOTAL, devices=4, device_bytes=288 * 10**9) < 0
    assert sequences_that_fit(free_bytes=2**60, sequence_gib=2.0**30) == 1
    for size in (0.0, 1.5 * 2**30):
        with pytest.raises(InputError, match="sequence_gib: expected"):
            sequences_that_fit(free_bytes=free, sequence_gib=size)


def test_error_of_a_score_by_drawing() -> None:
    """Scores of drawn test runs spread as the formula says."""
    rng = np.random.default_rng(5)
    scores = rng.binomial(400, 0.7, size=20_000) / 4
    assert abs(np.std(scores) / standard_error_points(score=70.0, tasks=400) - 1) < 0.03
    with pytest.raises(InputError, match="score: expected"):
        standard_error_points(score=101.0, tasks=400)


def test_binary_units() -> None:
    """Three halves of 2**30 bytes are one and a half GiB."""
    assert gibibytes(count=3 * 2**29) == 1.5


def test_a_saving_is_no_speed() -> None:
    """Half of the time saved is twice as fast, and a time of zero has no ratio."""
    assert speed_ratio(before=10.0, after=5.0) == 2.0
    with pytest.raises(InputError, match="after: expected a time above 0, got 0"):
        speed_ratio(before=10.0, after=0.0)
