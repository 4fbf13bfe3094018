"""What the site publishes for programs: addresses below its root, which never change their meaning."""

from dataclasses import dataclass

from site_build.model import Language
from site_build.views.scope import FOLDERS

API = "api/v1"
"""The folder of the data, at the root of the first language."""
FEED = "changes.atom"
"""Beside each language's home page."""
OUTLINE = "llms.txt"
"""Beside each language's home page."""
LISTS_OF = {
    "value": "values",
    "spec": "specs",
    "column": "spec-columns",
    "benchmark": "benchmarks",
    "contender": "benchmark-contenders",
    "dimension": "benchmark-dimensions",
    "setting": "benchmark-settings",
    "group": "benchmark-groups",
    "term": "glossary",
    "grade": "grades",
    "source": "sources",
    "item": "checklist",
    "component": "components",
}
"""Kinds whose records share one file, and its name."""
NAMES = {**FOLDERS, **LISTS_OF}
"""Every kind of record that is published, and the name of its file or folder."""


def public_kind(kind: str) -> str:
    """A kind by the word that readers know: markers cite nodes."""
    return "node" if kind == "cite" else kind


CSV_TABLES = ("questions", "claims", "values", "nodes", "scores", "corrections", "redlines", "glossary")
"""Tables for spreadsheets, in the order of the page."""
_TABLE_OF = {
    "question": "claims",
    "value": "values",
    "cite": "nodes",
    "benchmark": "scores",
    "correction": "corrections",
    "redline": "redlines",
    "term": "glossary",
}
SCHEMAS = (*(public_kind(kind) for kind in NAMES), "index", "release", "ledger")
"""Every schema; one of a kind of record describes its files."""

JSON = "application/json"
SQLITE = "application/vnd.sqlite3"
CSV = "text/csv"
OPENAPI = "application/vnd.oai.openapi+json"
ATOM = "application/atom+xml"


@dataclass(frozen=True)
class Resource:
    """One published file."""

    path: str
    """From the site's root."""
    media: str
    """Its media type."""
    label: str
    """The label that says what it is."""


WHOLE = (
    Resource(f"{API}/ledger.json", JSON, "api_whole_json"),
    Resource(f"{API}/ledger.sqlite", SQLITE, "api_whole_sqlite"),
    Resource(f"{API}/openapi.json", OPENAPI, "api_openapi"),
)
"""Each of these is the whole ledger, or describes all files."""


def list_file(kind: str) -> str:
    """The file of all records of a kind: the records themselves, or where each of them stands."""
    return f"{API}/{NAMES[kind]}.json"


def record_file(kind: str, id_: str) -> str:
    """The file that holds a record."""
    return f"{API}/{FOLDERS[kind]}/{id_}.json" if kind in FOLDERS else list_file(kind)


def schema_file(name: str) -> str:
    """The file of a schema."""
    return f"{API}/schema/{name}.json"


def csv_file(name: str) -> str:
    """The file of a table."""
    return f"{API}/{name}.csv"


def release_file(version: str) -> str:
    """The file of what a release said."""
    return f"{API}/releases/{version}.json"


def beside_home(name: str, language: Language, first: Language) -> str:
    """The path of a file that each language has beside its home page."""
    return name if language == first else f"{language}/{name}"


def table_of(kind: str) -> str:
    """The table for spreadsheets that goes with a list of records; empty where there is none."""
    return _TABLE_OF.get(kind, "")
