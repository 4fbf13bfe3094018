"""JSON Schemas of the published files: what a record of the ledger has, and what is published beside it."""

from functools import lru_cache
from typing import Any

from site_build.exports.edition import Edition
from site_build.exports.shapes import RECORDS, ClaimFacts, Entry, Head, Issue
from site_build.model import DRAFT, Claim, LedgerInfo, Model, Release, record_schema
from site_build.views import FOLDERS, NAMES, public_kind, schema_file

type Schema = dict[str, Any]
type Definitions = dict[str, Schema]
"""Schemas of records, by name."""

_HASHES: Schema = {
    "type": "object",
    "description": "The hash of each claim, by reference.",
    "additionalProperties": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
}


def schemas(edition: Edition) -> dict[str, Schema]:
    """Every schema, by its name."""
    records = {kind: _record(kind) for kind in NAMES}
    found = {}
    for kind, definitions in records.items():
        one = _ref(RECORDS[kind][0])
        fields = {"record": one} if kind in FOLDERS else {"records": _many(one)}
        found[public_kind(kind)] = _file(edition, public_kind(kind), fields, definitions)
    found["index"] = _file(edition, "index", {"records": _many(_ref(Entry))}, _definitions(Entry))
    fields = {"release": _ref(Release), "hashes": _HASHES}
    found["release"] = _file(edition, "release", fields, _definitions(Release))
    whole = _definitions(LedgerInfo) | _definitions(Issue)
    for definitions in records.values():
        whole |= definitions
    lists = {NAMES[kind]: _many(_ref(RECORDS[kind][0])) for kind in NAMES}
    fields = {"info": _ref(LedgerInfo), "releases": _many(_ref(Issue)), **lists}
    found["ledger"] = _file(edition, "ledger", fields, whole)
    return found


def _file(edition: Edition, name: str, fields: dict[str, Schema], definitions: Definitions) -> Schema:
    fields = {"$schema": {"type": "string"}, "ledger": _ref(Head), **fields}
    return {
        "$schema": DRAFT,
        "$id": edition.file(schema_file(name)),
        "title": name,
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
        "$defs": dict(sorted((definitions | _definitions(Head)).items())),
    }


def _ref(model: type[Model]) -> Schema:
    return {"$ref": f"#/$defs/{model.__name__}"}


def _many(item: Schema) -> Schema:
    return {"type": "array", "items": item}


@lru_cache(maxsize=64)
def _definitions(model: type[Model]) -> Definitions:
    """The schema of a record and of the records inside it; nobody changes it."""
    own = record_schema(model)
    return {**own.pop("$defs", {}), model.__name__: own}


def _record(kind: str) -> Definitions:
    found = _joined(*RECORDS[kind])
    return found | _joined(Claim, ClaimFacts) if kind == "question" else found


def _joined(model: type[Model], more: type[Model]) -> Definitions:
    """A record with further fields, which come first and stand for its own of the same name."""
    found = _definitions(model) | _definitions(more)
    own, extra = found[model.__name__], found.pop(more.__name__)
    fields = {name: field for name, field in own["properties"].items() if name not in extra["properties"]}
    return found | {
        model.__name__: own
        | {
            "properties": extra["properties"] | fields,
            "required": sorted({*own["required"], *extra["required"]}),
        }
    }
