"""JSON Schemas of records, explained by the strings beneath their fields."""

import ast
import inspect
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from textwrap import dedent
from typing import Any

from site_build.model.base import Model

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def record_schema(model: type[Model]) -> dict[str, Any]:
    """The schema of a record: its fields explained, null nowhere, the records inside it under `$defs`."""
    own: dict[str, Any] = _without_null(model.model_json_schema())
    models = {one.__name__: one for one in _models(Model)}
    for name, definition in (*own.get("$defs", {}).items(), (model.__name__, own)):
        if name in models:
            _explain(definition, field_documents(models[name]))
    return own


def _explain(definition: dict[str, Any], documents: dict[str, str]) -> None:
    for name, field in definition.get("properties", {}).items():
        if name in documents:
            field["description"] = documents[name]


def _without_null(schema: Any) -> Any:
    """The schema without the value null, which a record may not hold: an optional field is left out."""
    if isinstance(schema, list):
        return [_without_null(part) for part in schema if part != {"type": "null"}]
    if not isinstance(schema, dict):
        return schema
    parts = {name: _without_null(part) for name, part in schema.items() if not (name == "default" and part is None)}
    if len(parts.get("anyOf", ())) == 1:
        only = parts.pop("anyOf")[0]
        parts = {**only, **parts}
    return parts


def _models(base: type[Model]) -> Iterator[type[Model]]:
    for model in base.__subclasses__():
        yield model
        yield from _models(model)


@lru_cache(maxsize=256)
def field_documents(model: type[Model]) -> dict[str, str]:
    """What each field of a record says of itself: the string beneath it."""
    documents: dict[str, str] = {}
    for part in reversed(model.__mro__):
        if not issubclass(part, Model) or part is Model:
            continue
        body = ast.parse(dedent(inspect.getsource(part))).body[0]
        lines = body.body if isinstance(body, ast.ClassDef) else []
        for line, after in pairwise(lines):
            if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                text = after.value if isinstance(after, ast.Expr) else None
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    documents[line.target.id] = " ".join(text.value.split())
    return documents
