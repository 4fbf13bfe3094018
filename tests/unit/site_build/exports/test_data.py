"""The published JSON: as its schemas say, every record once, hashes that anyone can compute, addresses that lead on."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from builders import REPOSITORY, TESTS, edit, ledger_of, project
from builds import Built
from html_pages import pages_of
from jsonschema import Draft202012Validator
from released_worlds import QUESTION, release

from site_build.exports import Edition, api_files
from site_build.model import Ledger
from site_build.views import API

pytestmark = pytest.mark.slow

ADDRESS = "https://data.example/below/"
BUILD = "0123456789ab"
WORLDS = {"k3": REPOSITORY, "mini": TESTS / "mini_ledger", "tiny": TESTS / "tiny_ledger"}


def published(ledger: Ledger, build: str = BUILD) -> dict[str, Any]:
    """Every JSON file by its path below the folder of the data."""
    files = api_files(Edition(ledger, ADDRESS, build))
    return {
        path.removeprefix(f"{API}/"): json.loads(content) for path, content in files.items() if path.endswith(".json")
    }


def faults(files: dict[str, Any]) -> list[str]:
    """What the schema that each file names says of it."""
    schemas = {path: Draft202012Validator(data) for path, data in files.items() if path.startswith("schema/")}
    return [
        f"{path}: {error.json_path}: {error.message[:80]}"
        for path, data in files.items()
        if path not in schemas and path != "openapi.json"
        for error in schemas[data["$schema"].removeprefix(f"{ADDRESS}{API}/")].iter_errors(data)
    ]


@pytest.fixture(scope="module", params=WORLDS)
def world(request: pytest.FixtureRequest) -> tuple[Ledger, dict[str, Any]]:
    """A ledger and what is published of it."""
    ledger = ledger_of(WORLDS[request.param])
    return ledger, published(ledger)


def test_every_file_follows_its_schema(world: tuple[Ledger, dict[str, Any]]) -> None:
    """A validator that knows nothing of this project finds the schemas well formed and the files as they say."""
    _, files = world
    for path, schema in files.items():
        if path.startswith("schema/"):
            Draft202012Validator.check_schema(schema)
            assert schema["$id"] == f"{ADDRESS}{API}/{path}"
    assert faults(files) == []


@pytest.mark.parametrize(
    ("path", "change"),
    [
        pytest.param("questions/Q1.json", lambda record: record.pop("boundary"), id="missing"),
        pytest.param("questions/Q1.json", lambda record: record.update(more="x"), id="unknown"),
        pytest.param("questions/Q1.json", lambda record: record["claims"][0].update(grade="A"), id="grade"),
        pytest.param("questions/Q1.json", lambda record: record["claims"][0].pop("hash"), id="hash"),
        pytest.param("nodes/smith-2020.json", lambda record: record.update(publication={}), id="publication"),
    ],
)
def test_schemas_refuse_other_data(path: str, change: Any) -> None:
    """A field too few, too many or of another kind is named with its place."""
    files = published(ledger_of(WORLDS["tiny"]))
    change(files[path]["record"])
    assert {line.partition(": ")[0] for line in faults(files)} == {path}


def test_schemas_refuse_what_stands_around_a_record() -> None:
    """A field beside the record, and a file without its ledger, are named too."""
    files = published(ledger_of(WORLDS["tiny"]))
    files["questions/Q1.json"]["more"] = "x"
    del files["values.json"]["ledger"]
    assert {line.partition(": ")[0] for line in faults(files)} == {"questions/Q1.json", "values.json"}


def test_every_record_is_published_once(world: tuple[Ledger, dict[str, Any]]) -> None:
    """What stands in the ledger, in the whole file and in the single files are the same records."""
    ledger, files = world
    wanted = {(kind, id_) for kind, records in ledger.records.items() if kind != "ledger" for id_ in records}
    whole = files["ledger.json"]
    found = [
        ("cite" if record["type"] == "node" else record["type"], record["id"], record["file"])
        for name, records in whole.items()
        if isinstance(records, list) and name != "releases"
        for record in records
    ]
    assert sorted((kind, id_) for kind, id_, _ in found) == sorted(wanted)
    for kind, id_, file in found:
        single = files[file.removeprefix(f"{ADDRESS}{API}/")]
        records = single["records"] if "records" in single else [single["record"]]
        assert [record for record in records if record["id"] == id_], (kind, id_)
    assert whole["ledger"]["languages"] == list(ledger.info.languages)


def test_hashes_can_be_computed_by_anyone(world: tuple[Ledger, dict[str, Any]]) -> None:
    """SHA-256 over canonical JSON of what the file says is hashed gives the hash; one other word gives another."""
    ledger, files = world
    claims = [claim for question in files["ledger.json"]["questions"] for claim in question["claims"]]
    assert len(claims) == len([*ledger.claims()])
    for claim in claims:
        canonical = json.dumps(claim["hashed"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert hashlib.sha256(canonical.encode()).hexdigest() == claim["hash"]
        assert hashlib.sha256(canonical.replace("text", "test", 1).encode()).hexdigest() != claim["hash"]
        assert claim["boundary"].keys() == claim["text"].keys() == set(ledger.info.languages)


def test_texts_are_words() -> None:
    """Markers print what they print on a page; the words that were hashed keep them."""
    question = published(ledger_of(WORLDS["tiny"]))["questions/Q1.json"]["record"]
    assert question["answer"]["en"] == "The floor has 6\u00a0tiles."
    first, second = question["claims"][:2]
    assert first["text"]["zh"] == "乘积 a b 为 6\u00a0块。"
    assert first["hashed"]["text"]["zh"] == "乘积 $a b$ 为 :value[area]。"
    assert (first["boundary"]["en"], second["boundary"]["en"]) == ("Counted, not measured.", "For this floor only.")


@pytest.mark.parametrize("name", ["mini", "hostile"])
def test_every_address_leads_to_the_record(name: str, request: pytest.FixtureRequest) -> None:
    """The built site has each file, each page, and each anchor that the data names."""
    built: Built = request.getfixturevalue(name)
    whole = json.loads((built.site / API / "ledger.json").read_text(encoding="utf-8"))
    root, pages = whole["ledger"]["address"], pages_of(built.site)
    ids = {address: {part.attributes.get("id") for part in page.all()} for address, page in pages.items()}
    records = [record for records in whole.values() if isinstance(records, list) for record in records]
    claims = [claim for question in whole["questions"] for claim in question["claims"]]
    dead = []
    for record in [*records, *claims]:
        for address in record["address"].values():
            path, _, anchor = address.removeprefix(root).partition("#")
            if path not in ids or (anchor and anchor not in ids[path]):
                dead.append(address)
    assert records
    assert dead == []
    assert all((built.site / record["file"].removeprefix(root)).is_file() for record in records)


def test_releases_are_published_as_they_were(tmp_path: Path) -> None:
    """Each release has its file with its own texts and hashes; the build that is a release says so."""
    root = tmp_path / "tiny"
    release(root, "2026.1.0")
    release(root, "2026.2.0", edit(QUESTION, "'A leaflet agrees.'", "'Two leaflets agree.'"))
    files = published(ledger_of(root), "build-2026.2.0")
    first, second = (files[f"releases/{version}.json"] for version in ("2026.1.0", "2026.2.0"))
    assert faults(files) == []
    assert first["release"]["claims"]["Q1.c3"]["text"]["en"] == "A leaflet agrees."
    assert first["hashes"]["Q1.c3"] != second["hashes"]["Q1.c3"]
    assert first["hashes"]["Q1.c1"] == second["hashes"]["Q1.c1"]
    assert files["ledger.json"]["ledger"]["version"] == "2026.2.0"
    assert [one["version"] for one in files["ledger.json"]["releases"]] == ["2026.1.0", "2026.2.0"]
    assert published(ledger_of(root))["ledger.json"]["ledger"]["version"] == ""


def test_a_ledger_with_faults_is_published_too(tmp_path: Path) -> None:
    """A preview of a ledger whose records name what is not there, or cannot be read, has its data all the same."""
    change = edit(QUESTION, "nodes: [smith-2020]", "nodes: [nobody]")
    broken = project(tmp_path, change, edit("ledger/figures/F1.yaml", "shows:", "shown:"))
    files = published(ledger_of(broken))
    assert files["questions/Q1.json"]["record"]["nodes"] == ["nobody"]
    assert files["figures.json"]["records"] == []
