"""Reading an editor's files. This is the package's door."""

from site_build.source.bib_source import parse_bibliography, read_bibliography
from site_build.source.bibliography import Bibliography
from site_build.source.files import FILES, Files
from site_build.source.numerics import Numerics, PublicName, public_names
from site_build.source.patterns import read_pattern
from site_build.source.reader import Reading, read_ledger
from site_build.source.releases import release_file
from site_build.source.time_limit import LIMIT, OutOfTime, in_time
from site_build.source.yaml_source import Document, parse_yaml, read_yaml

__all__ = [
    "FILES",
    "LIMIT",
    "Bibliography",
    "Document",
    "Files",
    "Numerics",
    "OutOfTime",
    "PublicName",
    "Reading",
    "in_time",
    "parse_bibliography",
    "parse_yaml",
    "public_names",
    "read_bibliography",
    "read_ledger",
    "read_pattern",
    "read_yaml",
    "release_file",
]
