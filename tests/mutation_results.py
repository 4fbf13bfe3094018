"""Make every deliberate fault in the numerics, and say what its witness made of it."""

from dataclasses import dataclass

from mutants import Mutation, broken
from mutated_world import World
from mutations import MUTATIONS
from system_mutations import FAULTS, SEEN
from witnesses import WITNESSES


@dataclass(frozen=True)
class Fault:
    """A fault as the published list names it."""

    module: str
    witness: str


def listed_faults() -> dict[str, Fault]:
    """Every fault by its name, in order of the lists."""
    mechanisms = {name: Fault(one.module, one.witness) for name, one in MUTATIONS.items()}
    systems = {_system_name(row[0], row[1]): Fault(row[1], row[4].__name__) for row in FAULTS}
    return mechanisms | systems


def run_faults() -> dict[str, bool]:
    """Make each fault in turn; whether its witness noticed it."""
    found = {}
    for name, fault in MUTATIONS.items():
        try:
            WITNESSES[fault.witness](World(fault.module, fault.old, fault.new))
            found[name] = False
        except AssertionError:
            found[name] = True
    for name, module, old, new, witness in FAULTS:
        try:
            with broken(Mutation(f"k3core.{module}", old, new)) as mutant:
                witness(mutant)
            found[_system_name(name, module)] = False
        except SEEN:
            found[_system_name(name, module)] = True
    return found


def _system_name(name: str, module: str) -> str:
    return f"{module.replace('_', ' ')}: {name.replace('-', ' ')}"
