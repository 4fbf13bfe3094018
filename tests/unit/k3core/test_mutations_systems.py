"""Deliberate faults in the systems modules, each of which a named witness must see."""

from importlib import import_module

import pytest
import system_witnesses as see
from mutants import Mutation, broken
from system_mutations import FAULTS, SEEN

PAIRS = sorted({f"{row[1]} {row[4].__name__}" for row in FAULTS})


@pytest.mark.parametrize(("module", "witness"), [pytest.param(*pair.split(), id=pair) for pair in PAIRS])
def test_the_witness_is_content_with_the_real_module(module: str, witness: str) -> None:
    """A witness that complained about sound code would prove nothing."""
    getattr(see, witness)(import_module(f"k3core.{module}"))


@pytest.mark.parametrize(
    ("module", "old", "new", "witness"), [pytest.param(*row[1:], id=f"{row[1]}-{row[0]}") for row in FAULTS]
)
def test_the_witness_sees_the_fault(module: str, old: str, new: str, witness: see.Witness) -> None:
    """Each fault makes its witness raise, by a comparison or a refusal and not by a crash."""
    with broken(Mutation(f"k3core.{module}", old, new)) as mutant, pytest.raises(SEEN):
        witness(mutant)


def test_a_fault_that_is_not_made_is_noticed() -> None:
    """A piece of source that no longer stands there fails loudly instead of testing nothing."""
    gone = Mutation("k3core.vision", "no such line", "")
    with pytest.raises(AssertionError, match="stands there 0 times"), broken(gone):
        pass
