"""What a comparison of the labs' engines found, in lines."""

from collections.abc import Iterator
from typing import Any


def parity_lines(found: dict[str, Any]) -> Iterator[str]:
    """The engines with their versions, then a line for each lab."""
    yield f"build {found['build']}, {found['numerics']['name']} {found['numerics']['version']}"
    for name, engine in found["engines"].items():
        versions = ", ".join(f"{key} {value}" for key, value in engine.items()) if engine else None
        yield f"{name}: {versions or 'not run on hardware'}"
    for lab, result in found["labs"].items():
        worst = "another result" if result["worst_ulp"] is None else f"{result['worst_ulp']:g} ulp"
        place = f" in {result['worst_output']}" if result["worst_output"] else ""
        verdict = "within limits" if result["within_limits"] else "BEYOND ITS LIMIT"
        yield f"{lab}: {result['runs']} runs, {result['outputs']} outputs, worst {worst}{place}: {verdict}"
    yield from _kernel_lines(found.get("kernels", []))


def _kernel_lines(runs: list[dict[str, Any]]) -> Iterator[str]:
    """Each level at which kernels of the numerics were run, with a line for each mechanism."""
    for run in runs:
        device = f" on {run['device']}" if "device" in run else ""
        versions = ", ".join(f"{key} {value}" for key, value in run["versions"].items())
        yield f"kernels {run['level']}{device}: build {run['build']}, {versions}"
        for name, result in run["mechanisms"].items():
            verdict = "BEYOND ITS LIMIT" if result["faults"] else "within limits"
            yield f"{name}: {_kernel_result(result)}: {verdict}"
    if runs and all(run["level"] != "hardware" for run in runs):
        yield "kernels hardware: not run on hardware"


def _kernel_result(result: dict[str, Any]) -> str:
    if "most" in result:
        most = result["most"]
        return f"{most['registers']} registers, {most['shared']} bytes shared, {most['spills']} bytes spilled"
    worst = "none" if result["worst_error"] is None else f"{result['worst_error']:.1e} in {result['worst_case']}"
    return f"{result['cases']} cases, worst error {worst}"
