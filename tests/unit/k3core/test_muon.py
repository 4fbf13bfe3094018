"""Newton-Schulz against the decomposition, and the split into heads against a loop."""

import numpy as np
import numpy.typing as npt
import pytest
from comparers import assert_close, assert_far
from hypothesis import given, settings
from hypothesis import strategies as st
from numeric_vectors import expected, inputs

from k3core import muon
from k3core.guards import InputError

M = inputs("13.1")["M"]


def summary(matrix: npt.NDArray[np.float64]) -> dict[str, object]:
    """Reduce a matrix to the figures a vector records."""
    return {
        "shape": list(matrix.shape),
        "sum": matrix.sum(),
        "abs_sum": np.abs(matrix).sum(),
        "first": matrix[0, 0],
        "last": matrix[-1, -1],
    }


def head_norms(matrix: npt.NDArray[np.float64]) -> list[float]:
    """Frobenius norm of each of three heads."""
    return [float(np.linalg.norm(block)) for block in np.split(matrix, 3)]


@pytest.mark.parametrize(("heads", "key"), [pytest.param(1, "full_summary", id="full"), (3, "perhead_summary")])
def test_updates_of_the_vector(heads: int, key: str) -> None:
    """The full and the per-head update have the checked sums and corners."""
    want = expected("13.1")[key]
    got = summary(muon.per_head_update(M, heads))
    assert got.pop("shape") == want["shape"]
    for name, value in got.items():
        assert value == pytest.approx(want[name], rel=1e-9), name


def test_singular_values_land_near_one() -> None:
    """Five steps put all singular values into 0.68 to 1.13, where the vector says."""
    want = expected("13.1")
    update = muon.per_head_update(M, 3)
    values = [np.linalg.svd(m, compute_uv=False) for m in (muon.newton_schulz(M), update[:4], update[4:8])]
    for got, key in zip(values, ("full_sv", "head0_sv", "head1_sv"), strict=True):
        assert_close(got, want[key], ratio=1e-9)
        assert 0.68 < got.min() <= got.max() < 1.14


def test_a_loud_head_does_not_quieten_the_others() -> None:
    """Scaling one head's momentum by 100 changes the full update of all heads, and the per-head update of none."""
    want = expected("13.2")
    loud = M.copy()
    loud[:4] *= 100
    assert_close(head_norms(muon.newton_schulz(loud)), want["full_ns5_head_norms"], ratio=1e-6)
    assert_close(head_norms(muon.polar_factor(loud)), want["full_exact_polar_head_norms"], ratio=1e-6)
    assert_close(head_norms(muon.per_head_update(loud, 3)), want["perhead_ns5_norms"], ratio=1e-6)
    change = np.max(np.abs(muon.per_head_update(loud, 3) - muon.per_head_update(M, 3)))
    assert change == pytest.approx(want["perhead_change_from_13.1"], rel=1e-3)
    assert_far(muon.newton_schulz(loud), muon.newton_schulz(M), ratio=0.1)


def test_scalar_map_and_scale_factors() -> None:
    """The scalar map and the public scale factors have the checked values."""
    want = expected("13.3")
    assert_close(muon.newton_schulz_scalar(inputs("13.3")["sigma"]), want["phi5"])
    shapes = {
        "full_q_12288x7168": (12288, 7168),
        "per_head_128x7168": (128, 7168),
        "q_b_head_192x1536": (192, 1536),
        "kv_b_head_256x512": (256, 512),
    }
    for key, (rows, cols) in shapes.items():
        assert muon.update_scale(rows=rows, cols=cols, rule="moonlight") == want["moonlight_0.2sqrt(max)"][key]
    keller = want["keller_sqrt(max(1,rows/cols))"]
    assert muon.update_scale(rows=12288, cols=7168, rule="keller") == keller["full"]
    assert muon.update_scale(rows=128, cols=7168, rule="keller") == keller["per_head"]
    assert muon.update_scale(rows=3, cols=1, rule="none") == 1.0


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(seed=st.integers(0, 10**6), rows=st.integers(1, 7), cols=st.integers(1, 7), steps=st.integers(0, 5))
def test_iteration_equals_the_decomposition(seed: int, rows: int, cols: int, steps: int) -> None:
    """Matrix products alone do what mapping each singular value does, wide, square or tall."""
    matrix = np.random.default_rng(seed).normal(size=(rows, cols))
    got, want = muon.newton_schulz(matrix, steps=steps), muon.newton_schulz_by_svd(matrix, steps=steps)
    assert_close(got, want, ratio=1e-11)


@pytest.mark.parametrize("scale", muon.SCALES)
@pytest.mark.parametrize("heads", [1, 2, 3, 6])
def test_batched_heads_equal_a_loop(heads: int, scale: str) -> None:
    """Heads in one batch get what they get alone, and the scale is that of a head's shape."""
    got, want = (f(M, heads, scale=scale) for f in (muon.per_head_update, muon.per_head_update_by_loop))
    assert_close(got, want, ratio=1e-11)


def test_only_a_cut_between_heads_may_be_split_over_ranks() -> None:
    """Two ranks of two heads get the whole answer; two ranks that cut through a head of three do not."""
    momentum = np.random.default_rng(3).normal(size=(12, 5))
    ranks = [muon.per_head_update(half, 2) for half in np.split(momentum, 2)]
    assert_close(np.concatenate(ranks), muon.per_head_update(momentum, 4), ratio=1e-14)
    wrong = [muon.per_head_update(half, 1) for half in np.split(momentum, 2)]
    assert_far(np.concatenate(wrong), muon.per_head_update(momentum, 3), ratio=0.1)


def test_a_zero_matrix_stays_zero() -> None:
    """No momentum, no update, and no division by zero."""
    assert not np.any(muon.newton_schulz(np.zeros((3, 4))))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        pytest.param(lambda: muon.per_head_update(M, 5), r"heads: expected a divisor of the rows \(12\)", id="heads"),
        pytest.param(lambda: muon.newton_schulz([1.0, 2.0]), r"matrix: expected at least two axes", id="vector"),
        pytest.param(lambda: muon.newton_schulz([[np.nan]]), "matrix: expected finite numbers, got nan", id="nan"),
        pytest.param(lambda: muon.newton_schulz([[1.0]], eps=0.0), "eps: expected a number above 0", id="eps"),
        pytest.param(lambda: muon.newton_schulz([[1.0]], steps=-1), "steps: expected a whole number from 0", id="st"),
        pytest.param(lambda: muon.per_head_update(M, 3, scale="big"), "rule: expected none or moonlight", id="scale"),
    ],
)
def test_bad_input_is_named(call: object, message: str) -> None:
    """What cannot be orthogonalised is refused with its name."""
    assert callable(call)
    with pytest.raises(InputError, match=message):
        call()
