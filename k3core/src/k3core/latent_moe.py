"""Stable LatentMoE: routed experts at half width behind a norm, shared experts at full width beside them."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from k3core.guards import Float, as_float, has_shape
from k3core.primitives import RMS_EPS, rmsnorm, sigmoid
from k3core.routing import Routing, route_tokens
from k3core.situ import situ_mlp


class MoeWeights(NamedTuple):
    """One layer; d is the model width, l the latent width, n the experts, f and F the hidden widths."""

    router: Float
    """(n, d): routing reads the full width."""
    bias: Float
    """(n,) from quantile balancing; selection only."""
    down: Float
    """(l, d)."""
    up: Float
    """(d, l)."""
    norm: Float
    """(l,) weight of the norm between the experts' sum and `up`."""
    expert_gate: Float
    """(n, f, l)."""
    expert_up: Float
    """(n, f, l)."""
    expert_down: Float
    """(n, l, f)."""
    shared_gate: Float
    """(F, d): the shared experts as one MLP of their summed width."""
    shared_up: Float
    """(F, d)."""
    shared_down: Float
    """(d, F)."""


class MoeResult(NamedTuple):
    """A layer's output with what led to it."""

    output: Float
    """(T, d)."""
    routed: Float
    """(T, l): the weighed sum of the experts, before the norm."""
    routing: Routing
    """The chosen experts and their weights."""


def router_scores(x: npt.ArrayLike, router: npt.ArrayLike) -> Float:
    """Score every expert for every token: sigmoid(W_r x), (T, n) from (T, d) and (n, d).

    Raises:
        InputError: a width disagrees or a value is not finite.
    Source: report §2.3.3 eq.13.
    """
    x, router = as_float("x", x, ndim=2), as_float("router", router, ndim=2)
    has_shape("router", router, (len(router), x.shape[1]))
    return sigmoid(x @ router.T)


def moe_layer(x: npt.ArrayLike, weights: MoeWeights, k: int, scaling: float = 1.0) -> MoeResult:
    """Run a layer by gathering each expert's tokens, as a kernel would.

    Args:
        x: (T, d) normalised layer input.
        weights: the layer's weights.
        k: routed experts per token, 16 in K3.
        scaling: `routed_scaling_factor`; the norm behind it makes it all but invisible in the output.

    Raises:
        InputError: a shape disagrees, a value is not finite, or k is out of range.
    Source: report §2.3.1 eq.11, §2.3.3 eq.13. Exact: the algebra in float64. Not claimed: real weights, or the
    quantised experts of the released checkpoint.
    """
    x = as_float("x", x, ndim=2)
    routing = route_tokens(router_scores(x, weights.router), weights.bias, k, scaling)
    z = x @ weights.down.T  # (T, l)
    routed = np.zeros_like(z)
    for expert in range(len(weights.bias)):
        token, slot = np.nonzero(routing.experts == expert)
        if token.size:
            part = situ_mlp(z[token], *_expert(weights, expert))
            routed[token] += routing.weights[token, slot][:, None] * part
    return _finish(x, routed, routing, weights)


def moe_layer_naive(x: npt.ArrayLike, weights: MoeWeights, k: int, scaling: float = 1.0) -> MoeResult:
    """Compute `moe_layer` token by token, expert by expert: the slow truth; arguments, errors and source as there."""
    x = as_float("x", x, ndim=2)
    routing = route_tokens(router_scores(x, weights.router), weights.bias, k, scaling)
    routed = np.zeros((len(x), len(weights.down)))
    for t, token in enumerate(x):
        z = weights.down @ token  # (l,)
        for expert, weight in zip(routing.experts[t], routing.weights[t], strict=True):
            routed[t] += weight * situ_mlp(z, *_expert(weights, int(expert)))
    return _finish(x, routed, routing, weights)


def _expert(weights: MoeWeights, expert: int) -> tuple[Float, Float, Float]:
    return weights.expert_gate[expert], weights.expert_up[expert], weights.expert_down[expert]


def _finish(x: Float, routed: Float, routing: Routing, weights: MoeWeights) -> MoeResult:
    # the norm sits between the experts' sum and the way up, so the sum's size no longer matters
    lifted = rmsnorm(routed, weights.norm, RMS_EPS) @ weights.up.T  # (T, d)
    shared = situ_mlp(x, weights.shared_gate, weights.shared_up, weights.shared_down)  # (T, d)
    return MoeResult(lifted + shared, routed, routing)
