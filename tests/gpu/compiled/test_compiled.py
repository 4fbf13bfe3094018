"""Every kernel compiles for every architecture without a GPU and stays within its limits."""

from importlib import import_module

import pytest
from gpu.compiling import ARCHITECTURES, Assembled, assemble, beyond, llvm_of, loose_arithmetic, ptx_of
from gpu.mechanisms import MECHANISMS
from gpu.suite import Compiled, Limits

KERNELS = [
    pytest.param(mechanism.module, kernel, id=kernel.name) for mechanism in MECHANISMS for kernel in mechanism.kernels
]


@pytest.mark.parametrize("module", sorted({mechanism.module for mechanism in MECHANISMS}))
def test_every_kernel_is_listed_and_explains_itself(module: str) -> None:
    """A file's kernels are those its mechanisms name; each says how it is launched and why it is right."""
    listed = {kernel.name for mechanism in MECHANISMS if mechanism.module == module for kernel in mechanism.kernels}
    inside = vars(import_module(module))
    functions = {name: value for name, value in inside.items() if hasattr(value, "py_func")}
    own = {name: f for name, f in functions.items() if f.py_func.__module__ == module and not f.targetoptions["device"]}
    assert own.keys() == listed
    for name, function in own.items():
        said = " ".join(f"{inside['__doc__']} {function.__doc__}".lower().split())
        assert all(word in said for word in ("grid", "block", "shared memory", "invariant")), name


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize(("module", "kernel"), KERNELS)
def test_kernel_stays_within_its_limits(module: str, kernel: Compiled, architecture: str) -> None:
    """PTX 9.0, which a 13.0 driver reads; registers, shared memory and stack within what is stated, no spills."""
    ptx = ptx_of(module, kernel, architecture)
    assert ".version 9.0" in ptx
    assert f".target {architecture}" in ptx
    assert beyond(assemble(ptx, architecture), kernel.limits) == []


@pytest.mark.parametrize(("module", "kernel"), KERNELS)
def test_kernel_rounds_as_written(module: str, kernel: Compiled) -> None:
    """No product that a compiler could fuse with a sum, and nothing in double precision."""
    assert loose_arithmetic(llvm_of(module, kernel)) == []


def test_poison_is_not_optimised_away() -> None:
    """The kernel that leaves NaN in shared memory really stores it."""
    ptx = ptx_of("gpu.kernels.poison", Compiled("fill_shared", "f4[::1]", Limits(32, 49152)), "sm_90")
    assert assemble(ptx, "sm_90").shared == 49152
    assert "st.shared" in ptx


@pytest.mark.parametrize(
    ("found", "want"),
    [
        pytest.param(Assembled(32, 64, 0, 0), [], id="at-the-limit"),
        pytest.param(Assembled(33, 64, 0, 0), ["registers: 33, at most 32 allowed"], id="registers"),
        pytest.param(
            Assembled(32, 65, 8, 0), ["shared: 65, at most 64 allowed", "stack: 8, at most 0 allowed"], id="memory"
        ),
        pytest.param(Assembled(32, 64, 0, 4), ["spills: 4, at most 0 allowed"], id="spills"),
    ],
)
def test_limits_turn_red(found: Assembled, want: list[str]) -> None:
    """Each need beyond its limit is named."""
    assert beyond(found, Limits(registers=32, shared=64)) == want


def test_loose_arithmetic_turns_red() -> None:
    """A bare product and a double are found; a call of the rounding multiplication is not."""
    llvm = "%a = fmul float %b, %c\n%d = fpext float %a to double\n%e = call float @__nv_fmul_rn(float %b, float %c)"
    assert len(loose_arithmetic(llvm)) == 2


def test_ptxas_refusal_turns_red() -> None:
    """Text that is no PTX does not pass for a small kernel."""
    with pytest.raises(AssertionError, match="ptxas for sm_80"):
        assemble("nonsense", "sm_80")
