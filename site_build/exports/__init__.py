"""The ledger for use elsewhere: citations in the forms that people and programs take, and a plain docs tree."""

from site_build.exports.citation import Citation, citation
from site_build.exports.docs_tree import write_docs
from site_build.exports.formats import FORMATS, gbt

__all__ = ["FORMATS", "Citation", "citation", "gbt", "write_docs"]
