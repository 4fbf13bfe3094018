"""JSON Schemas of the ledger's files, made from the records: an editor's program completes and explains fields."""

import json
from pathlib import Path
from typing import Any

from site_build.edit.aside import write_all
from site_build.edit.kinds import KINDS, SCHEMAS, FileKind
from site_build.model import DRAFT, record_schema


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
    own = record_schema(kind.model)
    inner = own.pop("$defs", {})
    head = {"$schema": DRAFT}
    if not kind.listed:
        return {**head, **own, **({"$defs": inner} if inner else {})}
    inner[kind.model.__name__] = own
    title = kind.name.capitalize()
    item = {"$ref": f"#/$defs/{kind.model.__name__}"}
    return {**head, "title": title, "description": own.get("description", title), "type": "array", "items": item,
            "$defs": dict(sorted(inner.items()))}  # fmt: skip
