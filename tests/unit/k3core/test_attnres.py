"""Attention Residuals: mixtures, their merge, the block stack and its counts."""

import numpy as np
import pytest
from comparers import assert_close, assert_far
from hypothesis import given, settings
from hypothesis import strategies as st
from numeric_vectors import expected, generated, inputs

from k3core.attnres import (
    Sublayer,
    attnres_block,
    attnres_blocks,
    attnres_finished,
    attnres_full,
    attnres_kept_sources,
    attnres_last_block_layers,
    attnres_merged,
    attnres_mix,
    attnres_mixes,
    attnres_partial,
    attnres_source_counts,
    attnres_source_reads,
)
from k3core.guards import InputError
from k3core.primitives import rmsnorm


def linear_sublayers(count: int) -> list[Sublayer]:
    """Return the checked stack's modules: W_i rmsnorm(h)."""
    weights = [generated((4, 4), a=0.37 + 0.01 * i, b=0.021, c=0.1 * i, amp=0.5) for i in range(count)]
    return [lambda h, w=w: w @ rmsnorm(h) for w in weights]  # type: ignore[misc]


def queries_of(count: int) -> np.ndarray:
    """Return the checked stack's pseudo-queries."""
    return np.stack([generated((4,), a=0.9, b=0.11, c=0.3 * i) for i in range(count)])


def test_mixture_meets_the_vector() -> None:
    """Three sources with a query, and with none, which is the mean."""
    given_inputs, promised = inputs("7.1"), expected("7.1")
    assert_close(attnres_mix(given_inputs["sources"], given_inputs["query"]), promised["h"])
    assert_close(attnres_mix(given_inputs["sources"], np.zeros(4)), promised["zero_query_h"])


def test_merge_meets_the_vector() -> None:
    """Two parts, each with its own maximum, join to the direct mixture."""
    given_inputs, promised = inputs("7.1"), expected("7.2")
    inter = attnres_partial(given_inputs["sources"][:2], given_inputs["query"])
    intra = attnres_partial(given_inputs["sources"][2:], given_inputs["query"])
    for part, want in ((inter, promised["inter_m_l_o"]), (intra, promised["intra_m_l_o"])):
        assert_close(part.largest, want[0])
        assert_close(part.weight, want[1])
        assert_close(part.total, want[2])
    assert_close(attnres_finished(attnres_merged(inter, intra)), promised["merged_h"])


@settings(max_examples=20, deadline=None, derandomize=True, database=None)
@given(st.integers(2, 7), st.integers(1, 6), st.floats(-300, 300), st.integers(0, 10**6))
def test_any_split_merges_to_the_whole(N: int, cut: int, size: float, seed: int) -> None:
    """Parts merge in either order, for batches and for scores far beyond the range of exp."""
    rng = np.random.default_rng(seed)
    sources, query = list(rng.normal(size=(N, 3, 5))), size * rng.normal(size=5)
    first, second = (
        attnres_partial(sources[: min(cut, N - 1)], query),
        attnres_partial(sources[min(cut, N - 1) :], query),
    )
    whole = attnres_mix(sources, query)
    assert_close(attnres_finished(attnres_merged(first, second)), whole)
    assert_close(attnres_finished(attnres_merged(second, first)), whole)


def test_raw_sources_are_mixed() -> None:
    """Keys are normalised, values are not: doubling a lone source doubles the mixture."""
    source = np.array([1.0, 2.0, 3.0])
    assert_close(attnres_mix([2 * source], np.ones(3)), 2 * source)


def test_block_stack_meets_the_vector() -> None:
    """Five layers in blocks of two: every running sum, three finished blocks, and the final mixture."""
    promised = expected("7.4")
    sublayers = linear_sublayers(10)
    layers = list(zip(sublayers[::2], sublayers[1::2], strict=True))
    run = attnres_block(generated((4,), a=0.7, b=0.3, c=0.2), layers, queries_of(11), block=2)
    assert_close(np.stack(run.prefixes), promised["prefix_after_layers"])
    assert len(run.bank) == promised["n_snapshots"]
    assert_close(run.final, promised["final"])


def test_first_attention_query_is_unused() -> None:
    """Layer 0 reads the embedding itself, so its query changes nothing; the next one's does."""
    sublayers = linear_sublayers(4)
    layers = list(zip(sublayers[::2], sublayers[1::2], strict=True))
    embedding, queries = generated((4,), a=0.7, b=0.3, c=0.2), queries_of(5)
    plain = attnres_block(embedding, layers, queries, block=2).final
    for index, compare in ((0, assert_close), (1, assert_far)):
        changed = queries.copy()
        changed[index] *= -3.0
        compare(attnres_block(embedding, layers, changed, block=2).final, plain)


def test_two_phase_reading_is_the_block_stack() -> None:
    """Bank and running sum mixed apart and merged give the final mixture of the stack."""
    sublayers = linear_sublayers(10)
    layers = list(zip(sublayers[::2], sublayers[1::2], strict=True))
    queries = queries_of(11)
    run = attnres_block(generated((4,), a=0.7, b=0.3, c=0.2), layers, queries, block=2)
    parts = attnres_partial(run.bank, queries[-1]), attnres_partial(run.prefixes[-1:], queries[-1])
    assert_close(attnres_finished(attnres_merged(*parts)), run.final)


def test_full_stack_reads_every_output() -> None:
    """With zero queries each module reads the plain mean of all outputs before it."""
    sublayers = linear_sublayers(4)
    embedding = generated((4,), a=0.7, b=0.3, c=0.2)
    outputs = [embedding]
    for sublayer in sublayers:
        outputs.append(sublayer(np.mean(outputs, axis=0)))
    assert_close(attnres_full(embedding, sublayers, np.zeros((5, 4))), np.mean(outputs, axis=0))
    assert_far(attnres_full(embedding, sublayers, queries_of(5)), np.mean(outputs, axis=0))


def test_one_layer_is_the_same_in_both_forms() -> None:
    """One attention and one MLP leave nothing to sum but the pair itself: only the final read differs."""
    sublayers = linear_sublayers(2)
    embedding, queries = generated((4,), a=0.7, b=0.3, c=0.2), queries_of(3)
    attention = sublayers[0](embedding)
    mlp = sublayers[1](attnres_mix([embedding, attention], queries[1]))
    assert_close(attnres_full(embedding, sublayers, queries), attnres_mix([embedding, attention, mlp], queries[2]))
    run = attnres_block(embedding, [(sublayers[0], sublayers[1])], queries, block=1)
    assert_close(run.final, attnres_mix([embedding, attention + mlp], queries[2]))


def test_counts_meet_the_vector() -> None:
    """93 layers in blocks of 12: 186 mixes, 1002 source reads, at most 9 at once, 8 finished blocks."""
    promised = expected("7.3")
    counts = attnres_source_counts(93, 12)
    attention, mlp, final = counts[:-1:2], counts[1:-1:2], counts[-1]
    wanted = promised["attn_sources_layers_0_1_11_12_13_84_92"]
    assert [attention[l] for l in (0, 1, 11, 12, 13, 84, 92)] == wanted
    assert [mlp[l] for l in (0, 11, 12, 84, 92)] == promised["mlp_sources_layers_0_11_12_84_92"]
    assert final == promised["final_sources"] == max(counts)
    assert attnres_mixes(93, 12) == promised["attnres_calls"]
    assert attnres_source_reads(93, 12) == promised["sum_of_source_counts"]
    assert attnres_kept_sources(93, 12) == promised["final_sources"]


@pytest.mark.parametrize(("layers", "block"), [(1, 1), (5, 2), (6, 3), (7, 12), (13, 4)])
def test_counts_are_what_the_stack_reads(layers: int, block: int) -> None:
    """Counting by formula equals counting the rows that a real pass would mix."""
    read: list[int] = []
    bank, prefix = 0, 1
    for l in range(layers):
        read.append(bank + prefix if l else 0)
        if l % block == 0:
            bank, prefix = bank + 1, 0
        read.append(bank + 1)
        prefix = 1
    assert attnres_source_counts(layers, block) == [*read, bank + 1]


@pytest.mark.parametrize(
    ("layers", "block", "blocks", "last"),
    [(93, 12, 8, 9), (96, 12, 8, 12), (97, 12, 9, 1), (1, 12, 1, 1), (5, 1, 5, 1)],
)
def test_blocks_fill_the_stack(layers: int, block: int, blocks: int, last: int) -> None:
    """All blocks but the last are full, and together they hold every layer once."""
    assert attnres_blocks(layers, block) == blocks
    assert attnres_last_block_layers(layers, block) == last
    assert (blocks - 1) * block + last == layers
    with pytest.raises(InputError, match="block: expected a whole number from 1, got 0"):
        attnres_blocks(layers, 0)
    with pytest.raises(InputError, match="layers: expected a whole number from 1, got 0"):
        attnres_last_block_layers(0, block)


def test_bad_stacks_are_refused() -> None:
    """A missing query, a changed width and an empty mixture are named."""
    with pytest.raises(InputError, match=r"queries: expected shape \(5, 4\), got shape \(4, 4\)"):
        attnres_full(np.zeros(4), linear_sublayers(4), np.zeros((4, 4)))
    with pytest.raises(InputError, match=r"sublayer output: expected shape \(4,\), got shape \(3,\)"):
        attnres_full(np.ones(4), [lambda h: h[:3]], np.zeros((2, 4)))
    with pytest.raises(InputError, match="sources: expected at least 1, got 0"):
        attnres_mix([], np.zeros(4))
