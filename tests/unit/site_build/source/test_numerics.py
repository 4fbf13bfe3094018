"""What is read of a numerics package."""

import sys
from types import ModuleType

import pytest

from site_build.source import Numerics, public_names


def triple(number: int) -> int:
    """Three times a number."""
    return 3 * number


def thrice(number: int, how: object = triple, *, word: str = "a", kind: type = int) -> None:
    """Take a function."""


def test_a_signature_holds_no_place_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A function among the defaults stands by its name: the same text in every process."""
    door = ModuleType("door")
    vars(door).update(thrice=thrice, __all__=["thrice"])
    monkeypatch.setitem(sys.modules, "door", door)
    (found,) = public_names(Numerics("door.registry"))
    assert found.signature == "(number, how=triple, *, word='a', kind=<class 'int'>)"
