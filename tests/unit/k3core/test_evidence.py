"""The published list of faults and of differences between engines says what the tests say now."""

import json
from typing import Any

import pytest
from mutation_results import listed_faults
from mutations import MUTATIONS as MUTATIONS_OF_MECHANISMS
from numeric_vectors import PATH
from numerics_page import MUTATIONS, NUMERICS, TEXTS, VECTORS, numerics_page, page_file
from system_mutations import FAULTS
from vector_differences import beyond_limits
from vector_parity import Difference

RUN = "run make evidence"


def read(path: Any) -> dict[str, Any]:
    """A file of evidence."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def test_every_fault_is_on_the_list_and_was_noticed() -> None:
    """The list holds the faults that the tests make, each with its module and check, and no other."""
    found = read(MUTATIONS)
    noticed = {name: (fault["module"], fault["witness"], fault["noticed"]) for name, fault in found["faults"].items()}
    assert noticed == {name: (fault.module, fault.witness, True) for name, fault in listed_faults().items()}, RUN
    assert found["numerics"] == NUMERICS, RUN
    assert len(noticed) == len(MUTATIONS_OF_MECHANISMS) + len(FAULTS), "two faults share a name"


def test_every_vector_was_met_in_both_engines() -> None:
    """All vectors took part, and no function went beyond the limit that its reason sets."""
    found = read(VECTORS)
    assert found["vectors"] == sorted(vector["id"] for vector in read(PATH)["vectors"]), RUN
    assert found["engines"].keys() == {"CPython", "Pyodide"}
    assert found["numerics"] == NUMERICS, RUN
    assert len(found["functions"]) > 100
    differences = {name: Difference(**row) for name, row in found["functions"].items()}
    assert list(beyond_limits(differences)) == []


@pytest.mark.parametrize("language", TEXTS)
def test_the_committed_page_is_the_generated_one(language: str) -> None:
    """The page shows the evidence that is committed beside it."""
    assert page_file(language).read_text(encoding="utf-8") == numerics_page(language, read(MUTATIONS), read(VECTORS)), (
        RUN
    )


def test_a_fault_that_went_unnoticed_shows() -> None:
    """The page does not call a result good that was not."""
    faults = {"a": {"module": "m", "witness": "w", "noticed": False}}
    page = numerics_page("en", {"faults": faults}, read(VECTORS))
    assert "| `a` | `m` | `w` | **no** |" in page
    assert "`0` of `1` faults were noticed" in page
