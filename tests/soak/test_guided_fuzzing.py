"""The same readers, given inputs that libFuzzer chooses by the places in the code that they reach."""

import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import REPOSITORY, TESTS
from fuzz_bytes import FORMS
from fuzz_runs import drawn
from fuzz_targets import TARGETS

ENGINE = REPOSITORY / ".cache" / "fuzzing"
RUNNER = TESTS / "soak" / "fuzzing" / "run_target.py"
RUNS = {
    "yaml": 140_000,
    "bibtex": 14_000,
    "locators": 3_000_000,
    "markers": 300_000,
    "markdown": 20_000,
    "xtml": 140_000,
    "archives": 40_000,
    "labs": 400_000,
}
"""Half a minute each."""
SEED = 20261130
MOST_MB = 1_000
LIMIT_S = 10
"""How long one input may take; the machine may be busy."""
_DONE = re.compile(r"DONE +cov: (?P<edges>\d+) ft: (?P<features>\d+)")
_STATISTICS = re.compile(
    r"^stat::number_of_executed_units: (?P<inputs>\d+)$|^stat::peak_rss_mb: +(?P<peak_mb>\d+)$", re.MULTILINE
)


def test_every_target_has_its_runs() -> None:
    """None is forgotten, and each has a form as bytes."""
    assert RUNS.keys() == TARGETS.keys() == FORMS.keys()


def write_seeds(name: str, folder: Path) -> Path:
    """Some hundred inputs that the fuzzing without guidance draws."""
    folder.mkdir()
    for number, content in enumerate(sorted({FORMS[name].write(one) for one in drawn(name, SEED)})):
        (folder / f"{number:04}").write_bytes(content)
    return folder


def guided(name: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a target in a process of its own until it has read enough; what fails it is left in `folder`."""
    seeds = write_seeds(name, folder / "seeds")
    limits = (f"-rss_limit_mb={MOST_MB}", f"-timeout={LIMIT_S}", f"-runs={RUNS[name]}", f"-seed={SEED}")
    path = os.pathsep.join(filter(None, (str(ENGINE), str(TESTS), os.environ.get("PYTHONPATH"))))
    return subprocess.run(
        [sys.executable, str(RUNNER), name, str(seeds), *limits, "-print_final_stats=1", f"-artifact_prefix={folder}/"],
        env=os.environ | {"PYTHONPATH": path, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


def processor_seconds() -> float:
    """What processes that have ended took of the processor: a busy machine counts no more than an idle one."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.parametrize("name", RUNS)
def test_readers_answer_what_leads_further(tmp_path: Path, keep_figures: Callable[..., None], name: str) -> None:
    """No error but the declared ones, no hang, and memory within its bound, in every place that the inputs reach."""
    assert (ENGINE / ".ready").exists(), "expected the fuzzer in .cache/fuzzing, got none. Run: bash setup.sh fuzzing"
    before = processor_seconds()
    done = guided(name, tmp_path)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said[-5_000:]
    found = [match.groupdict() for form in (_DONE, _STATISTICS) for match in form.finditer(said)]
    figures = {key: int(value) for group in found for key, value in group.items() if value is not None}
    assert figures.keys() == {"edges", "features", "inputs", "peak_mb"}, said[-2_000:]
    assert figures["inputs"] >= RUNS[name]
    assert figures["peak_mb"] <= MOST_MB
    keep_figures("coverage-guided fuzzing", **{name: figures | {"seconds": round(processor_seconds() - before)}})
