"""Claims for use elsewhere: citations in the forms that people and programs take."""

from site_build.exports.citation import Citation, citation
from site_build.exports.formats import FORMATS, gbt

__all__ = ["FORMATS", "Citation", "citation", "gbt"]
