"""The bundle: what a page needs to run labs, every file named by its hash, the same bytes each time."""

import dataclasses
import json
import re
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from builders import REPOSITORY, TESTS, edit, reading_of
from live_ledger import live_project

from site_build.labs import Bundle, can_run, make_bundle
from site_build.labs import bundle as bundle_module
from site_build.labs import runtime as runtime_module
from site_build.labs.pins import Pins, RuntimeFile, read_pins, sha256
from site_build.labs.wheel import PURE, Wheel, build_wheel, misfits
from site_build.problems import Faults
from site_build.source import Numerics, Reading, read_ledger

TAG = "cp314-cp314-pyemscripten_2026_0_wasm32"
CONTENT = {"pyodide.mjs": b"core", f"numpy-2.4.3-{TAG}.whl": b"numbers"}


@pytest.fixture
def small_runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pins:
    """Two small files stand for the runtime."""
    files = tuple(RuntimeFile(name, len(content), sha256(content)) for name, content in CONTENT.items())
    pins = dataclasses.replace(read_pins(), files=files)
    for module in (bundle_module, runtime_module):
        monkeypatch.setattr(module, "read_pins", lambda: pins)
    (tmp_path / "runtime").mkdir()
    for name, content in CONTENT.items():
        (tmp_path / "runtime" / name).write_bytes(content)
    monkeypatch.setenv("K3_RUNTIME_DIR", str(tmp_path / "runtime"))
    return pins


@pytest.fixture
def reading(tmp_path: Path) -> Reading:
    """The tiny project whose lab can run."""
    return reading_of(live_project(tmp_path / "live"))


def bundle_of(reading: Reading, root: Path) -> Bundle:
    """The bundle of a project that has one."""
    assert reading.ledger is not None
    bundle = make_bundle(root / "live", reading.ledger, reading.numerics)
    assert bundle is not None
    return bundle


def words_of(bundle: Bundle, language: str) -> Any:
    """What a page of that language gets."""
    return json.loads(bundle.files[f"{bundle.live.folder}/labs.{language}.json"])


@pytest.mark.usefixtures("small_runtime")
def test_every_file_is_named_by_its_hash(tmp_path: Path, reading: Reading) -> None:
    """The manifest names every file but itself, its hash is the folder's name, and labs.json is one of the files."""
    bundle = bundle_of(reading, tmp_path)
    folder = bundle.live.folder
    manifest = bundle.files[f"{folder}/integrity.json"]
    assert sha256(manifest) == bundle.live.manifest
    assert folder == f"assets/labs/{bundle.live.manifest[:12]}"
    named = {}
    for path, file in json.loads(manifest)["files"].items():
        place = path.removeprefix("../../../") if path.startswith("../") else f"{folder}/{path}"
        assert (sha256(bundle.files[place]), len(bundle.files[place])) == (file["sha256"], file["size"])
        named[place] = file
    assert set(bundle.files) - set(named) == {f"{folder}/integrity.json"}
    assert {f"{folder}/labs.json", f"{folder}/lab_worker.js", "assets/runtime/314.0.3/pyodide.mjs"} <= set(named)


@pytest.mark.usefixtures("small_runtime")
def test_the_same_inputs_give_the_same_bytes(tmp_path: Path, reading: Reading) -> None:
    """Wheel and lists included."""
    assert bundle_of(reading, tmp_path) == bundle_of(reading, tmp_path)


@pytest.mark.usefixtures("small_runtime")
def test_the_page_is_told_the_door(tmp_path: Path, reading: Reading) -> None:
    """Module and package come from the ledger's own name for its numerics; the lock holds two packages and no more."""
    bundle = bundle_of(reading, tmp_path)
    labs = json.loads(bundle.files[f"{bundle.live.folder}/labs.json"])
    assert labs["door"] == {"package": "tiny-live", "module": "tiny_live.browser", "run": "run"}
    assert labs["functions"] == {"A": "tiny.floor"}
    titles = {language: words_of(bundle, language)["labs"]["A"]["title"] for language in ("en", "zh")}
    assert titles == {"en": "Lay a floor", "zh": "铺地砖"}
    lock = json.loads(bundle.files[f"{bundle.live.folder}/pyodide-lock.json"])
    assert set(lock["packages"]) == {"numpy", "tiny-live"}
    assert [name for name, _ in bundle.live.scripts][-1] == "lab_page.js"


@pytest.mark.usefixtures("small_runtime")
def test_pages_get_source_and_pictures(tmp_path: Path, reading: Reading) -> None:
    """The function as it is written, and the library that draws, which no page loads by itself."""
    bundle = bundle_of(reading, tmp_path)
    source = bundle.live.sources["tiny.floor"]
    assert source.name == "tiny_live.registry.lab_floor"
    assert source.text.startswith("def lab_floor(rows: int, shape: str)")
    assert "eval(" not in bundle.files[f"{bundle.live.folder}/lab_picture.js"].decode()
    assert bundle.files[f"{bundle.live.folder}/charts.js"].endswith(b"as vegaEmbed};")
    assert not {"charts.js", "lab_service.js", "lab_worker.js"} & {name for name, _ in bundle.live.scripts}
    labs = json.loads(bundle.files[f"{bundle.live.folder}/labs.json"])
    assert words_of(bundle, "zh")["labs"]["A"]["picture"]["spec"]["encoding"]["x"]["title"] == "行"
    assert labs["charts"]["font"] == "var(--rl-sans)"


@pytest.mark.usefixtures("small_runtime")
def test_a_formula_in_a_name_is_drawn_and_said(tmp_path: Path) -> None:
    """A label shows it; a screen reader and a citation get its letters, not how it is typed."""
    named = edit("ledger/labs/A.yaml", "en: 'Rows', zh", "en: 'Rows, $\\tau_1$', zh")
    limited = edit("ledger/labs/A.yaml", "boundary: {en: 'No real floor", "boundary: {en: 'No real $\\lambda$")
    lab = words_of(bundle_of(reading_of(live_project(tmp_path / "live", named, limited)), tmp_path), "en")["labs"]["A"]
    found = lab["inputs"][0]
    assert found["name"].startswith("Rows, <")
    assert "<math" in found["name"]
    assert (found["words_name"], lab["boundary"]) == ("Rows, τ1", "No real λ was laid.")


def test_without_a_runtime_there_is_no_bundle(tmp_path: Path, reading: Reading) -> None:
    """The build goes on with static labs."""
    assert reading.ledger is not None
    assert make_bundle(tmp_path / "live", reading.ledger, reading.numerics) is None


def test_only_a_package_with_a_door_can_run(reading: Reading) -> None:
    """A plain module of numerics has static labs."""
    assert can_run(reading.numerics)
    assert not can_run(read_ledger(TESTS / "mini_ledger").numerics)
    assert can_run(Numerics("k3core.registry", folder=REPOSITORY / "k3core" / "src" / "k3core"))


def test_the_numerics_are_a_small_pure_wheel() -> None:
    """Two builds agree to the byte; it asks for NumPy alone and stays below 150 kB."""
    first, again = build_wheel(REPOSITORY / "k3core"), build_wheel(REPOSITORY / "k3core")
    assert first == again
    assert (first.package, first.tag, first.needs) == ("k3core", PURE, ("numpy",))
    assert len(first.content) < 150_000
    with ZipFile(BytesIO(first.content)) as packed:
        metadata = packed.read(next(name for name in packed.namelist() if name.endswith("/METADATA"))).decode()
        assert re.findall(r"Requires-Dist: (.*)", metadata) == ["numpy>=2.2"]
        code = [name for name in packed.namelist() if ".dist-info/" not in name]
        assert {name for name in code if not name.endswith(".py")} == {"k3core/py.typed"}
    assert misfits(first, read_pins()) == []


def test_what_does_not_fit_is_named(small_runtime: Pins) -> None:
    """A compiled wheel of numerics, and packages for another runtime."""
    wheel = build_wheel(REPOSITORY / "k3core")
    compiled = Wheel(wheel.name.replace(PURE, TAG), wheel.content)
    assert misfits(compiled, small_runtime) == [("a wheel for py3-none-any", TAG)]
    other = dataclasses.replace(small_runtime, info={**small_runtime.info, "python": "3.13.2"})
    assert misfits(wheel, other) == [("numpy for cp313-cp313-pyemscripten_2026_0_wasm32", TAG)]
    bare = dataclasses.replace(small_runtime, files=small_runtime.files[:1])
    assert misfits(wheel, bare) == [("no package but ", "numpy")]


def test_an_unfit_runtime_stops_the_build(tmp_path: Path, reading: Reading, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both sides are named."""
    name = "numpy-2.4.3-cp313-cp313-pyodide_2025_0_wasm32.whl"
    pins = dataclasses.replace(read_pins(), files=(RuntimeFile(name, 1, sha256(b"n")),))
    for module in (bundle_module, runtime_module):
        monkeypatch.setattr(module, "read_pins", lambda: pins)
    (tmp_path / name).write_bytes(b"n")
    monkeypatch.setenv("K3_RUNTIME_DIR", str(tmp_path))
    with pytest.raises(Faults) as refusal:
        bundle_of(reading, tmp_path)
    assert [problem.got for problem in refusal.value.problems] == ["cp313-cp313-pyodide_2025_0_wasm32"]
