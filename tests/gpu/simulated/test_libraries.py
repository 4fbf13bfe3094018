"""The way to public kernels, walked with stand-ins: what they are given is what their documentation asks for."""

from typing import Any

import numpy as np
from comparers import assert_close
from gpu.libraries import Logits, from_logits, with_fla, with_flash_kda
from gpu.suite import Array
from gpu.witnesses.kda import recurrent

from k3core.gates import bounded_log_decay
from k3core.primitives import sigmoid
from k3core.rounding import to_bf16
from k3core.sequences import kda_packed

FORMATS: dict[str, Any] = {"float32": np.float32, "int64": np.int64}


def put(array: Array, name: str) -> Array:
    """Hold an array in a format as a device would."""
    return np.asarray(to_bf16(array), np.float32) if name == "bfloat16" else np.array(array, FORMATS[name])


def given() -> Logits:
    """Three sequences, one of them empty, K != V."""
    return from_logits("ordinary", 3, 0, 5, H=2, K=5, V=3)


def stand_in_fla(
    *tokens: Array, scale: float, initial_state: Array, output_final_state: bool, cu_seqlens: Array
) -> Any:
    """Arguments of fla's KDA: a batch of one in front, log-decays, a key-first state."""
    assert output_final_state
    assert all(array.shape[0] == 1 for array in tokens)
    packed = kda_packed(tuple(array[0] for array in tokens), cu_seqlens, states=initial_state, scale=scale)
    return packed.output[None], packed.state


def stand_in_flash_kda(*arguments: Any, initial_state: Array, final_state: Array, cu_seqlens: Array) -> None:
    """Arguments of FlashKDA's forward pass: logits, a value-first state, outputs filled in place."""
    query, key, value, gate, beta, scale, out, log_rate, bias, lowest = arguments
    assert initial_state.flags.c_contiguous
    decay = bounded_log_decay(gate[0], bias, log_rate, lowest)
    tokens = (query[0], key[0], value[0], decay, sigmoid(beta[0]))
    packed = kda_packed(tokens, cu_seqlens, states=initial_state.swapaxes(2, 3), scale=scale)
    out[0], final_state[:] = packed.output, packed.state.swapaxes(2, 3)


def test_fla_is_given_what_it_asks_for() -> None:
    """The stand-in's answer is the recurrence."""
    worlds, truth = given(), recurrent(given().world, "float64")
    found = with_fla(stand_in_fla, worlds, put, np.asarray)
    assert_close(found.output, truth.output)
    assert_close(found.state, truth.state)


def test_flash_kda_is_given_what_it_asks_for() -> None:
    """The logits it works from are those of the log-decays and strengths, up to their storage in float32."""
    worlds, truth = given(), recurrent(given().world, "float64")
    found = with_flash_kda(stand_in_flash_kda, worlds, put, np.asarray)
    assert_close(found.output, truth.output, ratio=1e-6)
    assert_close(found.state, truth.state, ratio=1e-6)
