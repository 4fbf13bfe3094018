"""The project's citation file, read by a program that others read such files with."""

from pathlib import Path

import pytest
from cffconvert import Citation
from jsonschema import ValidationError

FILE = (Path(__file__).parents[2] / "CITATION.cff").read_text(encoding="utf-8")


def test_the_citation_file_is_valid() -> None:
    """It keeps to the schema of its version, and gives a reference with the title and the makers."""
    citation = Citation(FILE)
    citation.validate()
    assert "K3 Ledger contributors" in citation.as_bibtex()
    assert "title = {K3 Ledger}" in citation.as_bibtex()


def test_a_broken_citation_file_is_refused() -> None:
    """A kind that the schema does not know is told."""
    with pytest.raises(ValidationError, match="is not one of"):
        Citation(FILE.replace("type: dataset", "type: ledger")).validate()
