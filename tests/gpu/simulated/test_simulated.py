"""Every case of every mechanism, thread by thread in the simulator: bit-equal to its mirrored witness."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import pytest
from gpu.mechanisms import MECHANISMS
from gpu.suite import Mechanism

Cases = Mapping[str, Callable[[Any], float]]


def named(cases_of: Callable[[Mechanism], Cases]) -> list[Any]:
    """A parameter for each case, by mechanism and label."""
    return [
        pytest.param(mechanism.module, case, id=f"{mechanism.name}-{label}")
        for mechanism in MECHANISMS
        for label, case in cases_of(mechanism).items()
    ]


@pytest.mark.parametrize(("module", "case"), named(lambda mechanism: mechanism.cases))
def test_case(module: str, case: Callable[[Any], float]) -> None:
    """The kernel equals its mirror and is as near to float64 as plain arithmetic."""
    case(import_module(module))


@pytest.mark.large
@pytest.mark.parametrize(("module", "case"), named(lambda mechanism: mechanism.large))
def test_large_case(module: str, case: Callable[[Any], float]) -> None:
    """The same with the released model's widths."""
    case(import_module(module))
