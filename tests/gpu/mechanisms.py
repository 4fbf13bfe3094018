"""The list of everything the suite compares."""

from gpu.suite import Mechanism
from gpu.witnesses.chunk import CHUNKS, SERIES
from gpu.witnesses.kda import REPLAY, SCAN, STEP
from gpu.witnesses.situ import SITU

MECHANISMS: tuple[Mechanism, ...] = (STEP, SCAN, CHUNKS, SERIES, REPLAY, SITU)
