"""A description of the published files as OpenAPI 3.1 has it: static files, each answered with GET."""

from typing import Any

from site_build.exports.edition import LICENCE, Edition
from site_build.messages import WORDS
from site_build.views import (
    API,
    CSV,
    CSV_TABLES,
    FOLDERS,
    JSON,
    NAMES,
    SCHEMAS,
    SQLITE,
    csv_file,
    list_file,
    public_kind,
    schema_file,
)

type Part = dict[str, Any]

_MISSING = {"description": "No such file."}


def openapi(edition: Edition) -> Part:
    """The description; schemas are named by their files beside it."""
    info = edition.ledger.info
    labels = WORDS[edition.first].labels
    return {
        "openapi": "3.1.0",
        "info": {
            "title": info.title.in_language(edition.first),
            "summary": edition.said(info.description).get(edition.first, ""),
            "description": labels["api_promise"],
            "version": edition.version or f"{info.date}+{edition.build}",
            "license": {"name": "CC BY 4.0", "url": LICENCE},
            "contact": {"name": info.author, "url": edition.address},
        },
        "servers": [{"url": edition.file(API)}],
        "externalDocs": {"description": labels["api"], "url": edition.page(edition.first, "api")},
        "paths": dict(sorted(_paths(edition, labels).items())),
    }


def _paths(edition: Edition, labels: dict[str, str]) -> dict[str, Part]:
    paths = {
        "/ledger.json": _get("ledger", labels["api_whole_json"], JSON, _schema("ledger")),
        "/ledger.sqlite": _get("database", labels["api_whole_sqlite"], SQLITE, {}),
        "/openapi.json": _get("description", labels["api_openapi"], JSON, {"type": "object"}),
        "/schema/{name}.json": _one("schema", labels["api_schema"], {"type": "object"}, "name", SCHEMAS),
    }
    for kind, name in NAMES.items():
        title = labels[f"api_kind_{public_kind(kind)}"]
        of_list = "index" if kind in FOLDERS else public_kind(kind)
        paths[_path(list_file(kind))] = _get(f"{public_kind(kind)}-list", title, JSON, _schema(of_list))
        if kind in FOLDERS:
            ids = tuple(edition.ledger.records[kind])
            paths[f"/{name}/{{id}}.json"] = _one(public_kind(kind), title, _schema(public_kind(kind)), "id", ids)
    for name in CSV_TABLES:
        paths[_path(csv_file(name))] = _get(f"{name}-table", labels["api_table"], CSV, {"type": "string"})
    if edition.ledger.releases:
        versions = tuple(one.version for one in edition.ledger.releases)
        paths["/releases/{version}.json"] = _one(
            "release", labels["api_release"], _schema("release"), "version", versions
        )
    return paths


def _path(file: str) -> str:
    return file.removeprefix(API)


def _schema(name: str) -> Part:
    return {"$ref": _path(schema_file(name)).removeprefix("/")}


def _get(operation: str, summary: str, media: str, schema: Part) -> Part:
    answers = {"200": {"description": summary, "content": {media: {"schema": schema}}}, "404": _MISSING}
    return {"get": {"operationId": operation, "summary": summary, "responses": answers}}


def _one(operation: str, summary: str, schema: Part, parameter: str, values: tuple[str, ...]) -> Part:
    place = {"name": parameter, "in": "path", "required": True, "schema": {"type": "string", "enum": list(values)}}
    if not values:
        place["schema"] = {"type": "string"}
    return {**_get(operation, summary, JSON, schema), "parameters": [place]}
