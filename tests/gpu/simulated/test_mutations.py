"""Kernels broken on purpose: each fault turns the case it names red."""

import mutants
import pytest
from gpu.mechanisms import MECHANISMS
from gpu.suite import Mechanism, Mutation

MUTATIONS = [
    pytest.param(mechanism, mutation, id=f"{mechanism.name}-{mutation.name.replace(' ', '-')}")
    for mechanism in MECHANISMS
    for mutation in mechanism.mutations
]


@pytest.mark.parametrize(("mechanism", "mutation"), MUTATIONS)
def test_mutation_turns_red(mechanism: Mechanism, mutation: Mutation) -> None:
    """A comparison finds it, or the simulator's own bounds: no accident of another kind counts."""
    fault = mutants.Mutation(mechanism.module, mutation.old, mutation.new)
    found = r"bits differ|error ratio|different barriers|out of bounds"
    with mutants.broken(fault) as kernels, pytest.raises((AssertionError, IndexError, OverflowError), match=found):
        mechanism.cases[mutation.case](kernels)
