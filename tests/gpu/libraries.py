"""Public KDA kernels beside ours, on a device where their packages import: the same tokens, one table of errors.

`fla` takes log-decays and write strengths, `flash_kda` the logits of both and a value-first state. All tokens are
such that BF16 holds them, so that the table compares kernels and not the rounding of their inputs.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from comparers import error_ratio
from gpu.kernels import chunk, kda
from gpu.launching import InOut, Out, launch
from gpu.suite import Array
from gpu.witnesses.chunk import launched
from gpu.witnesses.kda import recurrent
from gpu.worlds import ADVERSARIAL, World, world

from k3core.kda import KdaResult
from k3core.primitives import sigmoid
from k3core.rounding import to_bf16

LOWEST = -5.0
Put = Callable[[Array, str], Any]
"""Puts an array onto the device, in a format by torch's name."""
Take = Callable[[Any], Array]


@dataclass(frozen=True)
class Logits:
    """A world together with the logits it was made from."""

    world: World
    """Its log-decays and strengths are those of the logits, to float32."""
    decay: Array
    """(T, H, K); log-decay = -5 sigmoid(logit)."""
    beta: Array
    """(T, H); strength = sigmoid(logit)."""


def from_logits(kind: str, *lengths: int, H: int, K: int, V: int) -> Logits:
    """A world whose every number comes from numbers that BF16 holds."""
    whole = world(kind, *lengths, H=H, K=K, V=V)
    query, key, value, log_decay, beta = whole.tokens
    decay, strength = _bf16(_logit(log_decay / LOWEST)), _bf16(_logit(beta))
    single = [np.asarray(array, np.float32) for array in (LOWEST * sigmoid(decay), sigmoid(strength))]
    tokens = type(whole.tokens)(_bf16(query), _bf16(key), _bf16(value), *single)
    return Logits(replace(whole, tokens=tokens, state=_bf16(whole.state)), decay, strength)


def with_fla(kernel: Callable[..., Any], given: Logits, put: Put, take: Take) -> KdaResult:
    """Call `chunk_kda` or `fused_recurrent_kda`."""
    whole = given.world
    formats = ("bfloat16", "bfloat16", "bfloat16", "float32", "float32")
    tokens = (put(array[None], name) for array, name in zip(whole.tokens, formats, strict=True))
    out, state = kernel(
        *tokens,
        scale=float(whole.scale),
        initial_state=put(whole.state, "float32"),
        output_final_state=True,
        cu_seqlens=put(whole.bounds, "int64"),
    )
    return KdaResult(take(out)[0], take(state))


def with_flash_kda(kernel: Callable[..., Any], given: Logits, put: Put, take: Take) -> KdaResult:
    """Call `flash_kda.fwd`, which fills its outputs in place."""
    whole = given.world
    _, H, K, _ = whole.state.shape
    query, key, value = whole.tokens[:3]
    tokens = (put(array[None], "bfloat16") for array in (query, key, value, given.decay, given.beta))
    out = put(np.zeros_like(value)[None], "bfloat16")
    start = put(np.ascontiguousarray(whole.state.swapaxes(2, 3)), "float32")
    state = put(np.zeros_like(whole.state.swapaxes(2, 3)), "float32")
    gate = (put(np.zeros(H, np.float32), "float32"), put(np.zeros((H, K), np.float32), "float32"), LOWEST)
    ends = {"initial_state": start, "final_state": state, "cu_seqlens": put(whole.bounds, "int64")}
    kernel(*tokens, float(whole.scale), out, *gate, **ends)
    return KdaResult(take(out)[0], take(state).swapaxes(2, 3))


def compare() -> dict[str, dict[str, dict[str, float]]]:
    """By kind of world and kernel, the error ratios of output and state to float64."""
    table = {}
    for kind in ("ordinary", *ADVERSARIAL):
        given = from_logits(kind, 1, 60, 19, H=2, K=128, V=128)
        truth = recurrent(given.world, "float64")
        table[kind] = {
            name: {
                "output": error_ratio(found.output, truth.output),
                "state": error_ratio(found.state, truth.state),
            }
            for name, found in ((name, run(given)) for name, run in _kernels())
        }
    return table


def _kernels() -> Iterator[tuple[str, Callable[[Logits], KdaResult]]]:
    """Our own kernels, and those of the packages that are here."""
    yield "kda_chunk", lambda given: launched(chunk.kda_chunk, given.world, 128)
    yield "kda_scan", lambda given: _scanned(given.world)
    if find_spec("torch") is None:
        return
    torch = import_module("torch")

    def put(array: Array, name: str) -> Any:
        return torch.from_numpy(np.ascontiguousarray(array)).to("cuda", getattr(torch, name))

    def take(tensor: Any) -> Array:
        return np.asarray(tensor.float().cpu().numpy())

    if find_spec("fla") is not None:
        library = import_module("fla.ops.kda")
        for name in ("chunk_kda", "fused_recurrent_kda"):
            yield f"fla {name}", partial(with_fla, getattr(library, name), put=put, take=take)
    if find_spec("flash_kda") is not None:
        yield "flash_kda fwd", partial(with_flash_kda, import_module("flash_kda").fwd, put=put, take=take)


def _scanned(whole: World) -> KdaResult:
    N, H, _, V = whole.state.shape
    arguments = (*whole.tokens, whole.scale, whole.bounds, InOut(whole.state), Out(whole.tokens.value.shape))
    state, out = launch(kda.kda_scan, (N * H, -(-V // 32)), 32, *arguments)
    return KdaResult(out, state)


def _bf16(x: Array) -> Array:
    return np.asarray(to_bf16(x), np.float32)


def _logit(share: Array) -> Array:
    inside = np.clip(np.float64(share), 1e-9, 1 - 1e-9)
    return np.asarray(np.log(inside / (1 - inside)))
