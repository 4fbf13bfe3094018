"""Every case of every mechanism, thread by thread in the simulator: bit-equal to its mirrored witness."""

from importlib import import_module

import pytest
from gpu.mechanisms import MECHANISMS
from gpu.suite import Mechanism

CASES = [
    pytest.param(mechanism, label, id=f"{mechanism.name}-{label}")
    for mechanism in MECHANISMS
    for label in mechanism.cases
]


@pytest.mark.parametrize(("mechanism", "label"), CASES)
def test_case(mechanism: Mechanism, label: str) -> None:
    """The kernel equals its mirror and is as near to float64 as plain arithmetic."""
    mechanism.cases[label](import_module(mechanism.module))
