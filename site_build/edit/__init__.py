"""Tools for editors: new records, one form for the ledger's files, schemas, the page of codes. This is the door."""

from site_build.edit.aside import write_all
from site_build.edit.bib_entry import ARXIV
from site_build.edit.codes import codes_page, write_codes
from site_build.edit.fmt import Formatted, format_files
from site_build.edit.new import (
    Written,
    new_claim,
    new_correction,
    new_node,
    new_question,
    new_redline,
    new_value,
)
from site_build.edit.schema import schema_texts, write_schemas
from site_build.edit.start import new_ledger
from site_build.edit.turn import in_turn

__all__ = [
    "ARXIV",
    "Formatted",
    "Written",
    "codes_page",
    "format_files",
    "in_turn",
    "new_claim",
    "new_correction",
    "new_ledger",
    "new_node",
    "new_question",
    "new_redline",
    "new_value",
    "schema_texts",
    "write_all",
    "write_codes",
    "write_schemas",
]
