"""The list of everything the suite compares."""

from gpu.suite import Mechanism
from gpu.witnesses.attnres import ATTNRES
from gpu.witnesses.chunk import CHUNKS, SERIES
from gpu.witnesses.inputs import CONV, GATE
from gpu.witnesses.kcp import COMPOSE
from gpu.witnesses.kda import REPLAY, SCAN, STEP
from gpu.witnesses.mx import MXFP4, MXFP8
from gpu.witnesses.router import BALANCE, ROUTER
from gpu.witnesses.situ import SITU

MECHANISMS: tuple[Mechanism, ...] = (
    *(GATE, CONV, STEP, SCAN, CHUNKS, SERIES, REPLAY, COMPOSE),
    *(ATTNRES, ROUTER, BALANCE, SITU, MXFP4, MXFP8),
)
