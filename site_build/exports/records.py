"""Every record of the ledger as plain data: texts in words of each language, addresses beside ids."""

from collections.abc import Mapping
from typing import Any

from site_build.exports.edition import LICENCE, Edition
from site_build.model import Claim, Component, Model, Question, Release, Text, Value
from site_build.views import NAMES, data_path, public_kind, release_file, schema_file

type Data = dict[str, Any]


def head(edition: Edition) -> Data:
    """What every file says of the ledger that it comes from."""
    info = edition.ledger.info
    return {
        "title": edition.said(info.title),
        "author": info.author,
        "licence": LICENCE,
        "address": edition.address,
        "build": edition.build,
        "version": edition.version,
        "date": info.date,
        "languages": list(info.languages),
    }


def enveloped(edition: Edition, schema: str, fields: Data) -> Data:
    """The content of a file: its schema, its ledger, and what it is about."""
    return {"$schema": edition.file(schema_file(schema)), "ledger": head(edition), **fields}


def published_records(edition: Edition) -> dict[str, dict[str, Data]]:
    """Every published record, by kind and id."""
    return {
        kind: {id_: _record(edition, kind, id_, record) for id_, record in edition.ledger.records[kind].items()}
        for kind in NAMES
    }


def whole_ledger(edition: Edition, records: Mapping[str, Mapping[str, Data]]) -> Data:
    """The ledger in one file."""
    issues = [
        {"version": one.version, "date": one.date, "build": one.build, "file": edition.file(release_file(one.version))}
        for one in edition.ledger.releases
    ]
    lists = {NAMES[kind]: list(found.values()) for kind, found in records.items()}
    return enveloped(edition, "ledger", {"info": _plain(edition, edition.ledger.info), "releases": issues, **lists})


def index(edition: Edition, kind: str) -> Data:
    """Where each record of a kind stands."""
    ids = edition.ledger.records[kind]
    entries = [_place(edition, kind, id_) | {"title": edition.title(kind, id_)} for id_ in ids]
    return enveloped(edition, "index", {"records": entries})


def release(edition: Edition, one: Release, hashes: Mapping[str, str]) -> Data:
    """What a release said, with the hash of each claim."""
    said = one.model_dump(mode="json", exclude_none=True)
    return enveloped(edition, "release", {"release": said, "hashes": dict(hashes)})


def _place(edition: Edition, kind: str, id_: str) -> Data:
    address, file = edition.addresses(kind, id_), edition.record_address(kind, id_)
    return {"type": public_kind(kind), "id": id_, "address": address, "file": file}


def _record(edition: Edition, kind: str, id_: str, record: Model) -> Data:
    data = _place(edition, kind, id_)
    data |= _plain(edition, record)
    if isinstance(record, Question):
        data["claims"] = [_claim(edition, record, claim) for claim in record.claims]
    elif isinstance(record, Value):
        data["printed"] = {
            language: scope.printed(record.number, record.display, record.unit)
            for language, scope in edition.scopes.items()
        }
    elif isinstance(record, Component):
        data["data"] = {language: edition.root(language) + data_path(record) for language in edition.scopes}
    elif kind == "cite" and id_ in edition.ledger.publications:
        data["publication"] = _plain(edition, edition.ledger.publications[id_])
    return data


def _claim(edition: Edition, question: Question, claim: Claim) -> Data:
    reference = f"{question.id}.{claim.id}"
    written = edition.state.claims[reference].model_dump(mode="json", exclude={"withdrawn"})
    plain: Data = _plain(edition, claim)
    return plain | {
        "boundary": edition.said(edition.ledger.boundary(question, claim)),
        "reference": reference,
        "address": edition.addresses("claim", reference),
        "hash": edition.hashes[reference],
        "hashed": {"id": reference, **written},
    }


def _plain(edition: Edition, item: Any) -> Any:
    """A record as data: each text in the words of every language; what is not said is left out."""
    if isinstance(item, Text):
        return edition.said(item)
    if isinstance(item, Model):
        item = dict(item)
    if isinstance(item, Mapping):
        return {name: _plain(edition, value) for name, value in item.items() if value is not None}
    return [_plain(edition, part) for part in item] if isinstance(item, tuple) else item
