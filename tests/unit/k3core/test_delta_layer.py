"""A whole KDA layer: decoding is prefill, forms agree, and a hand-written pass agrees too."""

import numpy as np
import pytest
from comparers import assert_close, assert_far, assert_same_bits

from k3core.delta_layer import KdaWeights, empty_memory, kda_layer
from k3core.guards import InputError
from k3core.kda import kda_recurrent


def random_weights(seed: int) -> KdaWeights:
    """Return a layer with d=7, H=2, K=5, V=3, R=4 and four taps."""
    rng = np.random.default_rng(seed)
    d, H, K, V, R, W = 7, 2, 5, 3, 4, 4
    shapes: list[tuple[int, ...]] = [
        (H * K, d),
        (H * K, d),
        (H * V, d),
        (H * K, W),
        (H * K, W),
        (H * V, W),
        (R, d),
        (H * K, R),
    ]
    shapes += [(H, K), (H,), (H, d), (H * V, d), (V,), (d, H * V)]
    return KdaWeights(*(rng.normal(size=shape) for shape in shapes))


def random_inputs(seed: int, T: int = 21) -> np.ndarray:
    """Return layer inputs (T, 7)."""
    return np.random.default_rng(seed).normal(size=(T, 7))


@pytest.mark.parametrize("cut", [0, 1, 2, 17, 20], ids=lambda cut: f"prefill of {cut}")
def test_decode_equals_prefill(cut: int) -> None:
    """A chunked prefill and single steps after it are one pass, convolutions and state included."""
    weights, x = random_weights(0), random_inputs(1)
    whole, memory = kda_layer(x, weights)
    part, carried = kda_layer(x[:cut], weights)
    rows = [part]
    for row in x[cut:]:
        out, carried = kda_layer(row[None], weights, carried, form=kda_recurrent)
        rows.append(out)
    assert_close(np.concatenate(rows), whole)
    for found, want in zip(carried, memory, strict=True):
        assert_close(found, want)


def test_first_token_by_hand() -> None:
    """The first token's output is one write and one read, spelled out with nothing but NumPy."""
    w, x = random_weights(2), random_inputs(3, T=1)

    def heads(weight: np.ndarray, taps: np.ndarray) -> np.ndarray:
        y = taps[:, -1] * (weight @ x[0])
        return np.asarray(y / (1 + np.exp(-y))).reshape(2, -1)

    q, k, v = heads(w.query, w.query_taps), heads(w.key, w.key_taps), heads(w.value, w.value_taps)
    q, k = (a / np.sqrt((a * a).sum(axis=1, keepdims=True) + 1e-6) for a in (q, k))
    beta = 1 / (1 + np.exp(-w.beta @ x[0]))
    # nothing was stored before, so the decay of the first token cannot be seen
    read = beta[:, None] * np.sum(k * q, axis=1, keepdims=True) * v / np.sqrt(5)
    normed = read / np.sqrt((read * read).mean(axis=1, keepdims=True) + 1e-5) * w.norm
    gated = normed.ravel() / (1 + np.exp(-w.gate @ x[0]))
    assert_close(kda_layer(x, w)[0][0], w.out @ gated)


def test_order_of_tokens_matters() -> None:
    """Without positions the layer still tells orders apart: the decay and the convolution do."""
    weights, x = random_weights(4), random_inputs(5)
    assert_far(kda_layer(x[::-1], weights)[0][-1], kda_layer(x, weights)[0][-1])
    assert_far(kda_layer(x[[1, 0, *range(2, 21)]], weights)[0][-1], kda_layer(x, weights)[0][-1], ratio=1e-9)


def test_later_tokens_cannot_touch_earlier_outputs() -> None:
    """Causality holds for the whole layer, and the caller's memory is left alone."""
    weights, x = random_weights(6), random_inputs(7)
    changed = x.copy()
    changed[13:] += 1.0
    assert_close(kda_layer(changed, weights)[0][:13], kda_layer(x, weights)[0][:13], ratio=1e-14)
    memory = empty_memory(weights)
    kda_layer(x, weights, memory)
    for array in memory:
        assert_same_bits(array, np.zeros_like(array))


def test_bad_width_is_refused() -> None:
    """An input of another width is named."""
    with pytest.raises(InputError, match=r"x: expected shape \(3, 7\), got shape \(3, 6\)"):
        kda_layer(np.zeros((3, 6)), random_weights(8))
