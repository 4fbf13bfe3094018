"""Kernels broken on purpose: each fault turns the case it names red."""

import pytest
from gpu.mechanisms import MECHANISMS
from gpu.results import turns_red
from gpu.suite import Mechanism, Mutation

MUTATIONS = [
    pytest.param(mechanism, mutation, id=f"{mechanism.name}-{mutation.name.replace(' ', '-')}")
    for mechanism in MECHANISMS
    for mutation in mechanism.mutations
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
