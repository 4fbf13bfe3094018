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
