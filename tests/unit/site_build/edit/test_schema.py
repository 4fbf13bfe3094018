"""JSON Schemas: as committed, as an independent validator reads them, and as strict as the records."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import REPOSITORY
from jsonschema import Draft202012Validator

from site_build.edit import schema_texts, write_schemas
from site_build.edit.kinds import KINDS, SCHEMAS, kind_of, ledger_files
from site_build.model import FigureContract, Text, Value, field_documents
from site_build.source import read_yaml

TEXTS = schema_texts()
SCHEMA = {name: json.loads(text) for name, text in TEXTS.items()}


def as_json(value: Any) -> Any:
    """Data as a validator of JSON knows it: lists, not tuples."""
    if isinstance(value, dict):
        return {key: as_json(inner) for key, inner in value.items()}
    return [as_json(inner) for inner in value] if isinstance(value, tuple) else value


def faults(name: str, data: Any) -> list[str]:
    """What the validator says of data, one path a fault."""
    return [error.json_path for error in Draft202012Validator(SCHEMA[name]).iter_errors(data)]


def test_committed_schemas_are_the_generated_ones() -> None:
    """`k3 schema` has been run since the records last changed."""
    committed = {path.stem: path.read_text(encoding="utf-8") for path in (REPOSITORY / SCHEMAS).glob("*")}
    assert committed == TEXTS, "run k3 schema"


def test_the_ledger_follows_the_schemas() -> None:
    """Every file of this ledger is right for a validator that knows nothing of this project."""
    files = ledger_files(REPOSITORY)
    assert "ledger/ledger.yaml" in files
    wrong = {}
    for file in files:
        kind = kind_of(file)
        assert kind is not None
        wrong[file] = faults(kind.name, as_json(read_yaml(REPOSITORY, file).data))
    assert {file: found for file, found in wrong.items() if found} == {}


@pytest.mark.parametrize("name", sorted(KINDS))
def test_each_schema_explains_its_fields(name: str) -> None:
    """Each is a schema of its draft; what the record says of a field is there to be shown; null is nowhere."""
    Draft202012Validator.check_schema(SCHEMA[name])
    kind = KINDS[name]
    own = SCHEMA[name]["$defs"][kind.model.__name__] if kind.listed else SCHEMA[name]
    written = {key: field["description"] for key, field in own["properties"].items() if "description" in field}
    assert written == field_documents(kind.model)
    assert '"null"' not in TEXTS[name]
    assert SCHEMA[name]["title"]


def test_documents_reach_inherited_fields() -> None:
    """A field is explained where it is declared, for records that inherit it too."""
    assert field_documents(Value)["id"] == "How markers name it."
    assert field_documents(FigureContract)["id"] == "The file is named after it."
    assert list(field_documents(Text)) == ["en", "zh"]


GOOD = {"id": "rows", "name": {"en": "Rows"}, "grade": "R", "number": 2, "display": "{:,}"}


@pytest.mark.parametrize(
    ("change", "want"),
    [
        pytest.param(lambda value: value, [], id="right"),
        pytest.param(lambda value: value | {"unheard": 1}, ["$[0]"], id="unknown-field"),
        pytest.param(lambda value: value | {"grade": "A"}, ["$[0].grade"], id="not-allowed"),
        pytest.param(lambda value: value | {"number": "2"}, ["$[0].number"], id="text-for-a-number"),
        pytest.param(lambda value: value | {"note": None}, ["$[0].note"], id="null"),
        pytest.param(lambda value: value | {"id": "Rows"}, ["$[0].id"], id="pattern"),
        pytest.param(lambda value: value | {"name": "Rows"}, ["$[0].name"], id="text-without-language"),
        pytest.param(lambda value: {"id": value["id"]}, ["$[0]"] * 4, id="missing-fields"),
    ],
)
def test_a_schema_refuses_what_the_record_refuses(change: Callable[[Any], Any], want: list[str]) -> None:
    """The schema is closed, typed and complete."""
    assert faults("values", [change(GOOD)]) == want


def test_every_file_kind_has_a_modeline_that_leads_to_its_schema(tmp_path: Path) -> None:
    """From each kind of file, the relative path ends at the schema that `k3 schema` writes."""
    written = {path.resolve() for path in write_schemas(tmp_path)}
    led_to = set()
    for kind in KINDS.values():
        file = kind.pattern.replace("*", "X1")
        _, _, relative = kind.modeline(file).partition("$schema=")
        led_to.add((tmp_path / file).parent.joinpath(relative).resolve())
        assert kind_of(file) == kind
    assert led_to == written


@pytest.mark.parametrize(
    "file",
    [
        pytest.param("ledger/other.yaml", id="unknown"),
        pytest.param("ledger/questions/deep/Q1.yaml", id="too-deep"),
        pytest.param("old/ledger/values.yaml", id="elsewhere"),
        pytest.param("ledger/reading/references.bib", id="not-yaml"),
    ],
)
def test_other_files_have_no_kind(file: str) -> None:
    """Only the places that the reader reads count."""
    assert kind_of(file) is None


def test_schemas_go_where_they_are_asked_to(tmp_path: Path) -> None:
    """`--out` names a folder, made if needed; two runs write the same bytes."""
    first = {path.name: path.read_bytes() for path in write_schemas(tmp_path, tmp_path / "a/b")}
    assert first == {path.name: path.read_bytes() for path in write_schemas(tmp_path, tmp_path / "a/b")}
    assert sorted(first) == sorted(f"{name}.json" for name in KINDS)
