"""SiTU-GLU: values, bound, gradients, and its two relatives."""

import numpy as np
import pytest
from comparers import assert_close, assert_far
from hypothesis import given, settings
from hypothesis import strategies as st
from numeric_vectors import expected, inputs

from k3core.guards import InputError
from k3core.registry import DERIVATIONS
from k3core.situ import glu, situ_gate, situ_glu, situ_glu_gradients, situ_mlp, situ_up, swiglu


def test_branches_meet_the_vector() -> None:
    """Both branches, their product and SwiGLU at seven points."""
    x, promised = np.array(inputs("9.1")["x"]), expected("9.1")
    for found, name in (
        (situ_gate(x), "gate"),
        (situ_up(x), "up"),
        (situ_glu(x, x), "product"),
        (swiglu(x, x), "swiglu"),
    ):
        np.testing.assert_allclose(found, promised[name], rtol=1e-13)


def test_gradients_meet_the_vector() -> None:
    """Value and both derivatives at three points, one of them far on the up branch."""
    given_inputs, promised = inputs("9.2"), expected("9.2")
    arguments = given_inputs["gate"], given_inputs["up"]
    by_gate, by_up = situ_glu_gradients(*arguments)
    np.testing.assert_allclose(situ_glu(*arguments), promised["f"], rtol=1e-13)
    np.testing.assert_allclose(by_gate, promised["df_dgate"], rtol=1e-13)
    np.testing.assert_allclose(by_up, promised["df_dup"], rtol=1e-13)


def test_minimum_and_limit_meet_the_vector() -> None:
    """The gate branch dips to -0.26977 at -1.21876 and the product saturates at 100."""
    promised = expected("9.3")
    grid = np.linspace(promised["argmin"] - 1, promised["argmin"] + 1, 2001)
    assert abs(situ_gate(grid).min() - promised["min"]) < 1e-7
    assert abs(grid[situ_gate(grid).argmin()] - promised["argmin"]) < 1e-3
    assert float(situ_glu(*promised["float64_saturates_to_100_at"])) == promised["value"]


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.floats(0.5, 10), st.floats(0.5, 50))
def test_bound_holds_everywhere(g: float, u: float, gate_beta: float, up_beta: float) -> None:
    """The magnitude never passes beta_1 beta_2, however large the input."""
    assert abs(float(situ_glu(g, u, gate_beta, up_beta))) <= gate_beta * up_beta * (1 + 1e-15)


def test_gradients_are_slopes() -> None:
    """Central differences agree with both derivatives."""
    rng = np.random.default_rng(0)
    g, u, h = 4 * rng.normal(size=50), 30 * rng.normal(size=50), 1e-5
    by_gate, by_up = situ_glu_gradients(g, u, 3.0, 20.0)
    assert_close((situ_glu(g + h, u, 3.0, 20.0) - situ_glu(g - h, u, 3.0, 20.0)) / (2 * h), by_gate, ratio=1e-8)
    assert_close((situ_glu(g, u + h, 3.0, 20.0) - situ_glu(g, u - h, 3.0, 20.0)) / (2 * h), by_up, ratio=1e-8)


def test_swiglu_is_the_limit() -> None:
    """Near zero, and for growing betas, SiTU-GLU is SwiGLU; far out it is not."""
    g, u = np.linspace(-3, 3, 11), np.linspace(2, -2, 11)
    errors = [np.abs(situ_glu(g, u, size, size) - swiglu(g, u)).max() for size in (10.0, 100.0, 1000.0)]
    assert errors[0] > 50 * errors[1] > 2500 * errors[2]
    assert_close(situ_glu(1e-4 * g, 1e-4 * u), swiglu(1e-4 * g, 1e-4 * u), ratio=1e-8)
    assert_far(situ_glu(50.0, 50.0), swiglu(50.0, 50.0), ratio=0.9)


def test_up_branch_is_capped_too() -> None:
    """Losing the cap on the up branch would let the product pass 100."""
    assert float(situ_glu(50.0, 1e4)) < 100.0 + 1e-9
    assert float(situ_gate(50.0)) * 1e4 > 1e4


def test_glu_is_the_gate_alone() -> None:
    """GLU scales by a number between 0 and 1."""
    np.testing.assert_allclose(glu([0.0, 100.0, -100.0], [2.0, 2.0, 2.0]), [1.0, 2.0, 0.0], atol=1e-12)


def test_mlp_is_two_products_and_the_activation() -> None:
    """The MLP with identity weights is the activation itself; widths that disagree are named."""
    x = np.array([0.5, -2.0, 30.0])
    assert_close(situ_mlp(x, np.eye(3), 2 * np.eye(3), np.eye(3)), situ_glu(x, 2 * x))
    with pytest.raises(InputError, match=r"down: expected shape \(3, 4\), got shape \(4, 3\)"):
        situ_mlp(x, np.zeros((4, 3)), np.zeros((4, 3)), np.zeros((4, 3)))


@pytest.mark.parametrize("beta", [0.0, -1.0, float("nan")])
def test_bad_betas_are_refused(beta: float) -> None:
    """A beta must be a number above 0; none falls back to 1."""
    with pytest.raises(InputError, match="beta: expected"):
        situ_glu(1.0, 1.0, up_beta=beta)
    with pytest.raises(InputError, match="beta: expected"):
        situ_glu_gradients(1.0, 1.0, gate_beta=beta)


def test_one_coordinate_by_name() -> None:
    """Near 0 the two functions nearly agree; at 50 one is below its bound of 100 and the other at 2,500."""
    betas = {"gate_beta": 4, "up_beta": 25}
    near = DERIVATIONS["situ.output"](gate=1, up=1, **betas)
    assert (near, DERIVATIONS["situ.swiglu_output"](gate=1, up=1)) == pytest.approx((0.7158178283, 0.7310585786))
    far = DERIVATIONS["situ.output"](gate=50, up=50, **betas)
    assert (far, DERIVATIONS["situ.swiglu_output"](gate=50, up=50)) == pytest.approx((96.402758005, 2500.0))
    with pytest.raises(InputError, match="beta: expected"):
        DERIVATIONS["situ.output"](gate=1, up=1, gate_beta=0, up_beta=25)
