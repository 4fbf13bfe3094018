"""The ledger for use elsewhere: citations in the forms that people and programs take, data, and a plain docs tree."""

from site_build.exports.citation import Citation, citable, citation
from site_build.exports.docs_tree import write_docs
from site_build.exports.edition import Edition
from site_build.exports.files import api_files, language_files
from site_build.exports.formats import FORMATS, gbt
from site_build.exports.sheets import citations
from site_build.exports.signposts import page_head

__all__ = [
    "FORMATS",
    "Citation",
    "Edition",
    "api_files",
    "citable",
    "citation",
    "citations",
    "gbt",
    "language_files",
    "page_head",
    "write_docs",
]
