"""JSON Schemas of the ledger's files, made from the records: an editor's program completes and explains fields."""

import ast
import inspect
import json
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Any

from site_build.edit.aside import write_all
from site_build.edit.kinds import KINDS, SCHEMAS, FileKind
from site_build.model import Model

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def schema_texts() -> dict[str, str]:
    """Every schema as JSON text, by the name of its kind of file."""
    return {name: _as_text(_schema(kind)) for name, kind in sorted(KINDS.items())}


def write_schemas(root: Path, out: Path | None = None) -> tuple[Path, ...]:
    """Write every schema to `out`, or into the ledger; return the files."""
    folder = out or root / SCHEMAS
    texts = {folder / f"{name}.json": text for name, text in schema_texts().items()}
    folder.mkdir(parents=True, exist_ok=True)
    write_all(texts)
    return tuple(texts)


def _as_text(schema: dict[str, Any]) -> str:
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def _schema(kind: FileKind) -> dict[str, Any]:
    own = _without_null(kind.model.model_json_schema())
    inner = own.pop("$defs", {})
    documents = field_documents_by_name()
    for name, definition in (*inner.items(), (kind.model.__name__, own)):
        _explain(definition, documents.get(name, {}))
    head = {"$schema": _DRAFT}
    if not kind.listed:
        return {**head, **own, **({"$defs": inner} if inner else {})}
    inner[kind.model.__name__] = own
    title = kind.name.capitalize()
    item = {"$ref": f"#/$defs/{kind.model.__name__}"}
    return {**head, "title": title, "description": own.get("description", title), "type": "array", "items": item,
            "$defs": dict(sorted(inner.items()))}  # fmt: skip


def _explain(definition: dict[str, Any], documents: dict[str, str]) -> None:
    for name, field in definition.get("properties", {}).items():
        if name in documents:
            field["description"] = documents[name]


def _without_null(schema: Any) -> Any:
    """The schema without the value null, which a ledger file may not hold: an optional field is left out."""
    if isinstance(schema, list):
        return [_without_null(part) for part in schema if part != {"type": "null"}]
    if not isinstance(schema, dict):
        return schema
    parts = {name: _without_null(part) for name, part in schema.items() if not (name == "default" and part is None)}
    if len(parts.get("anyOf", ())) == 1:
        only = parts.pop("anyOf")[0]
        parts = {**only, **parts}
    return parts


def field_documents_by_name() -> dict[str, dict[str, str]]:
    """For every record by its name: what each of its fields says of itself."""
    return {model.__name__: field_documents(model) for model in _models(Model)}


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
