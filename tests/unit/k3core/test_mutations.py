"""Corrupt the package on purpose, one line at a time, and watch a named check turn red."""

import pytest
from mutated_world import World
from mutations import MUTATIONS
from witnesses import WITNESSES


@pytest.mark.parametrize("name", MUTATIONS)
def test_mutation_turns_its_witness_red(name: str) -> None:
    """A broken line is noticed by the check that is there for it, and by an assertion, not by accident."""
    mutation = MUTATIONS[name]
    with pytest.raises(AssertionError):
        WITNESSES[mutation.witness](World(mutation.module, mutation.old, mutation.new))


@pytest.mark.parametrize("name", WITNESSES)
def test_witness_is_green_on_the_whole_package(name: str) -> None:
    """The same checks pass on an unbroken copy, so that red means the fault and nothing else."""
    WITNESSES[name](World())


def test_every_witness_has_something_to_notice() -> None:
    """Each check is the witness of at least one fault."""
    assert {mutation.witness for mutation in MUTATIONS.values()} == set(WITNESSES)


def test_a_text_that_is_not_there_once_is_refused() -> None:
    """A mutation that no longer fits the code fails instead of passing quietly."""
    for old in ("no such text", "import"):
        with pytest.raises(LookupError, match=r"kda\.py holds \d+ times, not once"):
            World("kda", old, "")
