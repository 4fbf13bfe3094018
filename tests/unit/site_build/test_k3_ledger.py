"""Q04's number in the real ledger: breaking the value, the display or the function is reported at that very field."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from builders import REPOSITORY

from k3core import registry
from site_build.checks import find_problems
from site_build.model import Ledger
from site_build.problems import Problem
from site_build.source import Numerics, Reading, read_ledger

VALUES = "ledger/values.yaml"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what Q04's numbers rest on in the real ledger."""
    folder = tmp_path_factory.mktemp("k3") / "ledger"
    (folder / "questions").mkdir(parents=True)
    for name in ("ledger.yaml", "grades.yaml", "sources.yaml", "values.yaml", "questions/Q04.yaml"):
        shutil.copy(REPOSITORY / "ledger" / name, folder / name)
    return folder.parent


@pytest.fixture(scope="module")
def faults_before(root: Path) -> set[Problem]:
    """What this part of the ledger reports before anything is broken: names of records left out."""
    return set(find_problems(read_ledger(root)))


@pytest.fixture
def broken_text(root: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The file of values with one text replaced; put back afterwards."""
    file = root / VALUES
    text = file.read_text(encoding="utf-8")
    start = text.index("- id: kda_state_elements")
    old, new = request.param
    assert old in text[start : text.index("\n- id:", start + 1)]
    changed = text[:start] + text[start:].replace(old, new, 1)
    file.write_text(changed, encoding="utf-8")
    yield text
    file.write_text(text, encoding="utf-8")


def place_of(text: str, field: str) -> tuple[str, int, int]:
    """File, line and column of a field's value of `kda_state_elements`, found by reading the text."""
    lines = text.splitlines()
    first = lines.index("- id: kda_state_elements")
    line = next(number for number in range(first, len(lines)) if lines[number].startswith(f"  {field}: "))
    return VALUES, line + 1, len(f"  {field}: ") + 1


def new_faults(reading: Reading, before: set[Problem]) -> list[tuple[str, tuple[str, int, int], str, str]]:
    """What is reported now and was not before: code, place, field, and what stood there."""
    return [
        (problem.code, (problem.place.file, problem.place.line, problem.place.column), problem.place.field, problem.got)
        for problem in find_problems(reading)
        if problem not in before and problem.place.field.startswith("kda_state_elements.")
    ]


@pytest.mark.parametrize("broken_text", [("number: 1572864", "number: 1572865")], indirect=True)
def test_a_wrong_number_is_reported_at_the_number(root: Path, faults_before: set[Problem], broken_text: str) -> None:
    """A KDA state has 1,572,864 elements a layer; one more is refused, with line and column."""
    found = new_faults(read_ledger(root), faults_before)
    assert found == [
        ("derivation-differs", place_of(broken_text, "number"), "kda_state_elements.number", "1572865"),
    ]


@pytest.mark.parametrize("broken_text", [("display: '{:,}'", "display: '{:.2e}'")], indirect=True)
def test_a_wrong_display_is_reported_at_the_display(root: Path, faults_before: set[Problem], broken_text: str) -> None:
    """A print that no longer says the number is refused, with line and column."""
    found = new_faults(read_ledger(root), faults_before)
    assert found == [("display-differs", place_of(broken_text, "display"), "kda_state_elements.display", "1.57e+06")]


def test_a_wrong_function_is_reported_at_the_number(
    root: Path, faults_before: set[Problem], monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the numerics change their answer, the number on record is named, with line and column."""
    text = (root / VALUES).read_text(encoding="utf-8")
    right = registry.DERIVATIONS["kda.state_elements"]
    wrong = {**registry.DERIVATIONS, "kda.state_elements": lambda **inputs: right(**inputs) + 1}
    monkeypatch.setattr(registry, "DERIVATIONS", wrong)
    found = new_faults(read_ledger(root), faults_before)
    assert found == [("derivation-differs", place_of(text, "number"), "kda_state_elements.number", "1572864")]


def test_the_claim_rests_on_these_numbers(root: Path) -> None:
    """Q04 states both numbers as derived, and the ledger recomputes 1,572,864 elements and 207 MiB."""
    reading = read_ledger(root)
    assert isinstance(reading.ledger, Ledger)
    assert isinstance(reading.numerics, Numerics)
    (claim,) = (
        claim
        for question, _, claim in reading.ledger.claims()
        if question.id == "Q04" and {"kda_state_elements", "kda_state_mib"} <= set(claim.derivation)
    )
    assert claim.grade == "D"
    values = reading.ledger.values
    assert (values["kda_state_elements"].number, values["kda_state_mib"].number) == (1572864, 207)
    assert 96 * 128 * 128 == 1572864
    assert 69 * 1572864 * 2 / 2**20 == 207
