"""The list of everything the suite compares."""

from gpu.suite import Mechanism
from gpu.witnesses.situ import SITU

MECHANISMS: tuple[Mechanism, ...] = (SITU,)
