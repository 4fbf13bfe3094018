"""What a run at each level finds, as a record that a file of evidence holds."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from importlib import import_module
from importlib.metadata import version
from typing import Any

import mutants
import numpy as np
from gpu.compiling import ARCHITECTURES, assemble, beyond, ptx_of
from gpu.libraries import compare
from gpu.mechanisms import MECHANISMS
from gpu.suite import Mechanism, Mutation
from gpu.target import SIMULATED
from gpu.timing import measure
from numba import cuda

FAULT_SHOWS = (AssertionError, IndexError, OverflowError)
"""What a comparison raises, and the simulator where an index or a stored number leaves its bounds."""
Record = dict[str, Any]


def simulated() -> Record:
    """Every case and every mutation in the simulator."""
    return {
        "level": "simulated",
        "versions": _versions("numba-cuda", "numba", "numpy"),
        "mechanisms": {mechanism.name: _cases(mechanism, mechanism.cases) for mechanism in MECHANISMS},
        "mutations": dict(_mutations()),
    }


def compiled() -> Record:
    """What ptxas reports for every kernel on every architecture."""
    return {
        "level": "compiled",
        "versions": _versions("numba-cuda", "nvidia-nvvm", "nvidia-cuda-nvcc"),
        "mechanisms": {mechanism.name: _assembled(mechanism) for mechanism in MECHANISMS},
    }


def hardware() -> Record:
    """Every case, the large ones too, on the device, and how fast it runs."""
    device = cuda.get_current_device()
    return {
        "level": "hardware",
        "device": _text(device.name),
        "driver": ".".join(str(part) for part in cuda.cudadrv.driver.get_version()),
        "versions": _versions("numba-cuda", "numba", "numpy", "nvidia-nvvm"),
        "mechanisms": {mechanism.name: _cases(mechanism, _all_cases(mechanism)) for mechanism in MECHANISMS},
        "kda_kernels": compare(),
        "timings": measure(),
    }


def file_name(found: Record) -> str:
    """The evidence file's name without its ending: `gpu-simulated`, `gpu-compiled`, `gpu-nvidia-h200`."""
    return "gpu-" + re.sub(r"[^a-z0-9]+", "-", str(found.get("device", found["level"])).lower()).strip("-")


def faults(found: Record) -> list[str]:
    """Every case, limit and mutation that did not come out as it must."""
    lines = [f"{name}: {line}" for name, result in found["mechanisms"].items() for line in result["faults"]]
    missed = (name for name, result in found.get("mutations", {}).items() if not result["noticed"])
    return lines + [f"{name}: not noticed" for name in missed]


def _all_cases(mechanism: Mechanism) -> Mapping[str, Any]:
    return {**mechanism.cases, **{f"large-{label}": case for label, case in mechanism.large.items()}}


def _cases(mechanism: Mechanism, cases: Mapping[str, Any]) -> Record:
    errors, wrong = {}, []
    for label, case in cases.items():
        try:
            errors[label] = float(f"{case(import_module(mechanism.module)):.3g}")
        except FAULT_SHOWS as fault:
            wrong.append(f"{label}: {str(fault).splitlines()[0]}")
    worst = max(errors, key=lambda label: errors[label], default=None)
    found = {"cases": len(cases), "worst_case": worst, "worst_error": errors.get(worst or ""), "faults": wrong}
    return found if SIMULATED else {**found, "errors": errors}


def _mutations() -> Iterator[tuple[str, Record]]:
    for mechanism in MECHANISMS:
        for mutation in mechanism.mutations:
            noticed = turns_red(mechanism, mutation)
            yield f"{mechanism.name}: {mutation.name}", {"case": mutation.case, "noticed": noticed}


def turns_red(mechanism: Mechanism, mutation: Mutation) -> bool:
    """Whether a kernel broken on purpose fails the case that the mutation names."""
    fault = mutants.Mutation(mechanism.module, mutation.old, mutation.new)
    with mutants.broken(fault) as kernels, suppress(*FAULT_SHOWS):
        mechanism.cases[mutation.case](kernels)
        return False
    return True


def _assembled(mechanism: Mechanism) -> Record:
    kernels, wrong = {}, []
    for kernel in mechanism.kernels:
        reports = {name: assemble(ptx_of(mechanism.module, kernel, name), name) for name in ARCHITECTURES}
        kernels[kernel.name] = {name: asdict(report) for name, report in reports.items()}
        wrong += [f"{kernel.name} {name}: {line}" for name, r in reports.items() for line in beyond(r, kernel.limits)]
    every = [report for reports in kernels.values() for report in reports.values()]
    most = {need: int(np.max([report[need] for report in every])) for need in every[0]}
    return {"kernels": kernels, "most": most, "faults": wrong}


def _versions(*names: str) -> dict[str, str]:
    return {name: version(name) for name in names}


def _text(name: Any) -> str:
    return name.decode() if isinstance(name, bytes) else str(name)
