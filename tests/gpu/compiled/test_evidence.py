"""The committed evidence and its page say what the suite holds now, and that all of it came out right."""

import json
from pathlib import Path
from typing import Any

import pytest
from gpu.compiling import ARCHITECTURES
from gpu.mechanisms import MECHANISMS
from gpu.page import LANGUAGES, kernels_page, page_file
from gpu.results import faults, file_name

ROOT = Path(__file__).parents[3]
RUN = "run make evidence"


def evidence(level: str) -> dict[str, Any]:
    """A committed file."""
    found: dict[str, Any] = json.loads((ROOT / "evidence" / f"gpu-{level}.json").read_text(encoding="utf-8"))
    return found


def test_every_case_and_mutation_was_simulated() -> None:
    """The file names each mechanism with all its cases, and each mutation with its case, all right."""
    found = evidence("simulated")
    assert {name: run["cases"] for name, run in found["mechanisms"].items()} == {
        mechanism.name: len(mechanism.cases) for mechanism in MECHANISMS
    }, RUN
    assert {name: mutation["case"] for name, mutation in found["mutations"].items()} == {
        f"{mechanism.name}: {mutation.name}": mutation.case
        for mechanism in MECHANISMS
        for mutation in mechanism.mutations
    }, RUN
    assert faults(found) == []


def test_every_kernel_was_assembled() -> None:
    """The file names each kernel with each architecture, within its limits."""
    found = evidence("compiled")
    assert {name: list(built["kernels"]) for name, built in found["mechanisms"].items()} == {
        mechanism.name: sorted(kernel.name for kernel in mechanism.kernels) for mechanism in MECHANISMS
    }, RUN
    for built in found["mechanisms"].values():
        for reports in built["kernels"].values():
            assert reports.keys() == set(ARCHITECTURES)
    assert faults(found) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_the_generated_one(language: str) -> None:
    """The page shows the evidence that is committed beside it."""
    page = kernels_page(language, evidence("simulated"), evidence("compiled"))
    assert page_file(ROOT, language).read_text(encoding="utf-8") == page, RUN


def test_faults_turn_red() -> None:
    """A case that failed and a mutation that nobody noticed are both named."""
    found = {"mechanisms": {"a": {"faults": ["t17: bits differ"]}}, "mutations": {"a: b": {"noticed": False}}}
    assert faults(found) == ["a: t17: bits differ", "a: b: not noticed"]


@pytest.mark.parametrize(
    ("found", "want"),
    [
        pytest.param({"level": "compiled"}, "gpu-compiled", id="level"),
        pytest.param({"level": "hardware", "device": "NVIDIA H200 (SXM)"}, "gpu-nvidia-h200-sxm", id="device"),
    ],
)
def test_file_is_named_after_level_or_device(found: dict[str, Any], want: str) -> None:
    """A device's name becomes part of a file name."""
    assert file_name(found) == want
