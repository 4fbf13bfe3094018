"""The harness itself: each way in which a kernel can misbehave turns a launch red."""

from typing import Any

import numpy as np
import pytest
from comparers import assert_same_bits
from gpu.launching import GUARD, InOut, Out, launch
from gpu.target import kernel
from numba import cuda

GIVEN = np.arange(6, dtype=np.float32)


@kernel
def doubled(given: Any, out: Any) -> None:
    """Right."""
    i = cuda.grid(1)
    if i < out.shape[0]:
        out[i] = given[i] + given[i]


@kernel
def half_filled(given: Any, out: Any) -> None:
    """Leaves the upper half unwritten."""
    i = cuda.grid(1)
    if i < out.shape[0] // 2:
        out[i] = given[i]


@kernel
def writes_its_input(given: Any, out: Any) -> None:
    """Changes what it should read only."""
    i = cuda.grid(1)
    if i < out.shape[0]:
        out[i] = given[i]
        given[i] = np.float32(0)


@kernel
def racing(given: Any, out: Any) -> None:
    """Every thread writes the same place."""
    out[0] = given[cuda.threadIdx.x]


@kernel
def reads_unwritten_memory(given: Any, out: Any) -> None:
    """Reads the shared memory of a thread that may not have come yet."""
    shared = cuda.shared.array((6,), np.float32)
    shared[cuda.threadIdx.x] = given[cuda.threadIdx.x]
    out[cuda.threadIdx.x] = shared[5 - cuda.threadIdx.x]


@kernel
def parting(given: Any, out: Any) -> None:
    """Sends half of a block to another barrier."""
    if cuda.threadIdx.x < 3:
        cuda.syncthreads()
        out[cuda.threadIdx.x] = given[0]
    else:
        cuda.syncthreads()
        out[cuda.threadIdx.x] = given[1]


def beyond(offset: int) -> Any:
    """A kernel that writes around its array, through the memory that the array is a part of."""

    @kernel
    def writes_the_band(given: Any, out: Any) -> None:
        memory = out._item if hasattr(out, "_item") else out
        memory._ary.base[GUARD + offset] = given[0]
        if cuda.threadIdx.x < 6:
            out[cuda.threadIdx.x] = given[0]

    return writes_the_band


def test_a_right_kernel_passes() -> None:
    """What it wrote comes back."""
    (out,) = launch(doubled, 2, 4, GIVEN, Out((6,)))
    assert_same_bits(out, GIVEN + GIVEN)


def test_unwritten_places_hold_poison() -> None:
    """An output that nobody fills is NaN, and no witness is."""
    (out,) = launch(half_filled, 1, 8, GIVEN, Out((6,)))
    assert np.isnan(out[3:]).all()
    assert not np.isnan(out[:3]).any()


@pytest.mark.parametrize(
    ("broken", "what"),
    [
        pytest.param(writes_its_input, "bits differ", id="input-written"),
        pytest.param(racing, "bits differ", id="race"),
        pytest.param(reads_unwritten_memory, "bits differ", id="no-barrier"),
        pytest.param(parting, "different barriers", id="barriers-part"),
        pytest.param(beyond(-1), "bits differ", id="band-before"),
        pytest.param(beyond(6), "bits differ", id="band-after"),
    ],
)
def test_misbehaviour_turns_red(broken: Any, what: str) -> None:
    """Each is found without a look at the result's value."""
    with pytest.raises(AssertionError, match=what):
        launch(broken, 1, 6, GIVEN, Out((6,)))


def test_in_place_arrays_start_anew_in_each_run() -> None:
    """Two runs of a kernel that adds to its array do not add twice."""

    @kernel
    def add(given: Any, out: Any) -> None:
        out[cuda.threadIdx.x] += given[cuda.threadIdx.x]

    (out,) = launch(add, 1, 6, GIVEN, InOut(GIVEN))
    assert_same_bits(out, GIVEN + GIVEN)
