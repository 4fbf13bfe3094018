"""Kernels broken on purpose: each fault turns the case it names red, and so does each barrier that is left out."""

import re
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import mutants
import pytest
from gpu.mechanisms import MECHANISMS
from gpu.results import FAULT_SHOWS, turns_red
from gpu.suite import Mechanism, Mutation

MUTATIONS = [
    pytest.param(mechanism, mutation, id=f"{mechanism.name}-{mutation.name.replace(' ', '-')}")
    for mechanism in MECHANISMS
    for mutation in mechanism.mutations
]
MODULES = sorted({mechanism.module for mechanism in MECHANISMS})
BARRIER = "cuda.syncthreads()"


def source_of(module: str) -> str:
    """The text of a file of kernels."""
    return Path(str(import_module(module).__file__)).read_text(encoding="utf-8")


BARRIERS = [
    pytest.param(
        module, found.end(), id=f"{module.rpartition('.')[2]}-{source_of(module).count(BARRIER, 0, found.end())}"
    )
    for module in MODULES
    for found in re.finditer(re.escape(BARRIER), source_of(module))
]


@pytest.mark.parametrize(("mechanism", "mutation"), MUTATIONS)
def test_mutation_turns_red(mechanism: Mechanism, mutation: Mutation) -> None:
    """A comparison finds it, or the simulator's own bounds: an accident of another kind passes through."""
    assert turns_red(mechanism, mutation)


def test_an_unbroken_kernel_is_not_red() -> None:
    """What changes nothing is not called noticed."""
    for mechanism in MECHANISMS:
        harmless = Mutation(
            "none", "from typing import Any", "from typing import Any  # the same", next(iter(mechanism.cases))
        )
        assert not turns_red(mechanism, harmless)


@pytest.mark.parametrize(("module", "end"), BARRIERS)
def test_every_barrier_is_needed_and_missed(module: str, end: int) -> None:
    """Without any one barrier some case turns red: none is there for luck, and none could be lost unseen."""
    before = source_of(module)[:end]
    cases = [case for mechanism in MECHANISMS if mechanism.module == module for case in mechanism.cases.values()]
    with mutants.broken(mutants.Mutation(module, before, before.removesuffix(BARRIER) + "pass")) as kernels:
        # the last cases are the widest ones, where a barrier is missed first
        for case in reversed(cases):
            with suppress(*FAULT_SHOWS):
                case(kernels)
                continue
            return
    pytest.fail("no case noticed")
