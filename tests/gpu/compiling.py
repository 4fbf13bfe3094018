"""Compile kernels to PTX and through ptxas, on a machine that need not have a GPU, and read what ptxas reports."""

import re
import subprocess
import tempfile
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import nvidia.cu13
from gpu.suite import Compiled, Limits
from numba import cuda
from numba.cuda import compiler
from numba.cuda.core import sigutils

ARCHITECTURES = ("sm_80", "sm_90", "sm_100")
PTXAS = Path(nvidia.cu13.__path__[0]) / "bin" / "ptxas"
"""The assembler of the pinned wheel; another one on the path is not asked."""


@dataclass(frozen=True)
class Assembled:
    """What ptxas says of a kernel on one architecture."""

    registers: int
    """Per thread."""
    shared: int
    """Bytes of static shared memory."""
    stack: int
    """Bytes of stack frame per thread."""
    spills: int
    """Bytes stored and loaded because registers ran out."""


def ptx_of(module: str, kernel: Compiled, architecture: str) -> str:
    """Compile one kernel for one architecture."""
    capability = _capability(architecture)
    with _without_device(capability):
        ptx, _ = cuda.compile_ptx(_function(module, kernel), _signature(kernel), cc=capability)
    return str(ptx)


def llvm_of(module: str, kernel: Compiled) -> str:
    """The kernel as numba hands it to NVVM, before anything of a library is linked in."""
    capability = _capability(ARCHITECTURES[0])
    with _without_device(capability):
        arguments, nothing = sigutils.normalize_signature(_signature(kernel))
        compiled = compiler.compile_cuda(_function(module, kernel), nothing, arguments, cc=capability)
    return str(compiled.library.get_llvm_str())


def assemble(ptx: str, architecture: str) -> Assembled:
    """Put PTX through ptxas.

    Raises:
        AssertionError: ptxas refuses it.
    """
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "kernel.ptx"
        source.write_text(ptx, encoding="utf-8")
        command = [str(PTXAS), "-v", f"-arch={architecture}", str(source), "-o", str(Path(folder) / "kernel.cubin")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"ptxas for {architecture}: {done.stderr}")
    return Assembled(
        _number(r"Used (\d+) registers", done.stderr),
        _number(r"(\d+) bytes smem", done.stderr),
        _number(r"(\d+) bytes stack frame", done.stderr),
        _number(r"(\d+) bytes spill stores", done.stderr) + _number(r"(\d+) bytes spill loads", done.stderr),
    )


def beyond(found: Assembled, limits: Limits) -> list[str]:
    """What of a kernel's needs passes its limits; a spill is always too much."""
    allowed = Assembled(limits.registers, limits.shared, limits.stack, 0)
    return [
        f"{name}: {value}, at most {asdict(allowed)[name]} allowed"
        for name, value in asdict(found).items()
        if value > asdict(allowed)[name]
    ]


def loose_arithmetic(llvm: str) -> list[str]:
    """Lines that a compiler may round otherwise than the mirrored witness does: bare products, double precision."""
    # a constant written in double precision is cut to float32 by the compiler, before anything runs
    lines = [line for line in llvm.splitlines() if not re.search(r"fptrunc double 0x[0-9a-f]+ to float", line)]
    return [line.strip() for line in lines if re.search(r"\bfmul\b|\bdouble\b", line)]


def _function(module: str, kernel: Compiled) -> Any:
    return getattr(import_module(module), kernel.name).py_func


def _signature(kernel: Compiled) -> str:
    return f"void({', '.join(kernel.types.split())})"


def _capability(architecture: str) -> tuple[int, int]:
    return divmod(int(architecture.removeprefix("sm_")), 10)


def _without_device(capability: tuple[int, int]) -> Any:
    """Answer for the device that numba asks about while it compiles a device function."""
    return patch("numba.cuda.dispatcher.get_current_device", lambda: SimpleNamespace(compute_capability=capability))


def _number(pattern: str, text: str) -> int:
    return sum(int(found) for found in re.findall(pattern, text))
