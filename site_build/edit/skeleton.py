"""A new record as YAML: its fields in order, each with what the record says of it as a comment."""

import json
from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Any

from site_build.edit.fmt import format_text
from site_build.edit.shapes import Shape
from site_build.model import field_documents

COMMENT_WIDTH = 100
"""Columns of a comment."""


def skeleton(shape: Shape, data: Any, hints: Mapping[str, str]) -> str:
    """The text of `data`, commented; `hints` adds to the comment of a field what this ledger allows there."""
    return format_text("\n".join(_lines(shape, data, hints)) + "\n", shape)


def _lines(shape: Shape, data: Any, hints: Mapping[str, str]) -> Iterator[str]:
    if isinstance(data, list):
        for item in data:
            if not isinstance(item, dict):
                yield f"- {json.dumps(item, ensure_ascii=False)}"
                continue
            # the dash stands on a line of its own; formatting joins it with the record
            yield "-"
            yield from _indented(_lines(shape.inner(""), item, hints))
        return
    record = shape.model if not shape.is_prose else None
    documents = field_documents(record) if record else {}
    for name in shape.keys if record else data:
        text = " ".join(part for part in (documents.get(name, ""), hints.get(name, "")) if part)
        if name not in data:
            yield from _comment(f"{name} (optional): {text}")
            continue
        if text:
            yield from _comment(text)
        value = data[name]
        if value and isinstance(value, list | dict):
            yield f"{name}:"
            yield from _indented(_lines(shape.inner(name), value, hints))
        else:
            yield f"{name}: {json.dumps(value, ensure_ascii=False)}"


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in wrap(text, COMMENT_WIDTH - 2, break_long_words=False, break_on_hyphens=False)]


def _indented(lines: Iterator[str]) -> Iterator[str]:
    yield from (f"  {line}" for line in lines)
