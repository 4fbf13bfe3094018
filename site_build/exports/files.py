"""Every file that the site publishes for programs, by its path from the site's root."""

import json
from typing import Any

from site_build.exports.database import database
from site_build.exports.edition import Edition
from site_build.exports.feed import feed
from site_build.exports.openapi import openapi
from site_build.exports.outline import outline
from site_build.exports.records import enveloped, index, published_records, release, whole_ledger
from site_build.exports.schemas import schemas
from site_build.model import Language
from site_build.views import (
    API,
    FEED,
    FOLDERS,
    OUTLINE,
    csv_file,
    list_file,
    public_kind,
    record_file,
    release_file,
    schema_file,
)


def api_files(edition: Edition) -> dict[str, bytes]:
    """The data of the whole ledger, the same for all languages."""
    records = published_records(edition)
    files = {f"{API}/ledger.json": _json(whole_ledger(edition, records))}
    for kind, found in records.items():
        if kind in FOLDERS:
            files[list_file(kind)] = _json(index(edition, kind))
            for id_, record in found.items():
                files[record_file(kind, id_)] = _json(enveloped(edition, public_kind(kind), {"record": record}))
        else:
            data = {"records": list(found.values())}
            files[list_file(kind)] = _json(enveloped(edition, public_kind(kind), data))
    for one in edition.ledger.releases:
        hashes = {
            reference: hash_ for claims in edition.pinned[one.version].values() for reference, hash_ in claims.items()
        }
        files[release_file(one.version)] = _json(release(edition, one, hashes))
    files |= {schema_file(name): _json(schema) for name, schema in schemas(edition).items()}
    files[f"{API}/openapi.json"] = _json(openapi(edition))
    files[f"{API}/ledger.sqlite"], tables = database(edition)
    return files | {csv_file(name): table for name, table in tables.items()}


def language_files(edition: Edition, language: Language) -> dict[str, bytes]:
    """What stands beside the home page of a language, by its name there."""
    return {FEED: feed(edition, language), OUTLINE: outline(edition, language).encode()}


def _json(data: dict[str, Any]) -> bytes:
    # one line: with indents Python writes JSON ten times more slowly
    return (json.dumps(data, ensure_ascii=False, allow_nan=False) + "\n").encode()
