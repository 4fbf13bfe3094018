"""Everything that a page needs to run labs, as files of the site: runtime, wheel, lock, contracts, scripts, manifest.

The manifest names every file with its hash, and its own hash stands in the pages and in the folder's name: a page and
the files it asks for are always of one build.
"""

import base64
import inspect
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from site_build.checks import static_results
from site_build.labs.pins import Pins, read_pins, sha256
from site_build.labs.runtime import find_runtime
from site_build.labs.wheel import Wheel, build_wheel, misfits, package_entry, project_of
from site_build.messages import WORDS
from site_build.model import Language, Ledger
from site_build.problems import Faults, Place, Problem
from site_build.source import Numerics
from site_build.views import LabSource, LiveLabs, Scope, lab_data
from site_build.visuals import CHART_CONFIG, chart_script

BROWSER = Path(__file__).parent / "browser"
ENTRY = "lab_page.js"
WORKER = "lab_worker.js"
SERVICE = "lab_service.js"
"""The one script that stands at the site's root: from there it sees every request of the site."""
CHARTS = "charts.js"
"""The library that draws, which pages load when a lab with a picture runs."""
DOOR = "browser"
"""The module beside the registry whose `run` is the one way into Python."""


@dataclass(frozen=True)
class Bundle:
    """The files of one build, by their path below the site's root."""

    files: Mapping[str, bytes]
    live: LiveLabs
    """What pages have to know."""

    def write(self, site: Path) -> None:
        """Put the files into a built site."""
        for path, content in self.files.items():
            (site / path).parent.mkdir(parents=True, exist_ok=True)
            (site / path).write_bytes(content)


def can_run(numerics: Numerics) -> bool:
    """Whether the numerics are a package with a door of its own, which can be built into a wheel."""
    folder = numerics.folder
    return folder is not None and (folder / f"{DOOR}.py").is_file() and project_of(folder) is not None


def make_bundle(root: Path, ledger: Ledger, numerics: Numerics) -> Bundle | None:
    """Put the files together; None where the runtime has not been fetched.

    Raises:
        Faults: runtime, compiled packages and the numerics' wheel do not fit together.
    """
    runtime = {found.file.name: found.content for found in find_runtime(root)}
    project = project_of(numerics.folder) if numerics.folder else None
    if project is None or any(content is None for content in runtime.values()):
        return None
    pins = read_pins()
    wheel = build_wheel(project)
    if faults := misfits(wheel, pins):
        place = Place(f"{project.name}/pyproject.toml")
        raise Faults([Problem.at(place, "lab-wheel-unfit", got, wanted=wanted) for wanted, got in faults])
    heavy = {f"assets/runtime/{pins.version}/{name}": content for name, content in runtime.items() if content}
    scripts = {path.name: path.read_bytes() for path in sorted(BROWSER.glob("*.js"))}
    charts = {CHARTS: chart_script()} if any(lab.picture for lab in ledger.labs.values()) else {}
    shared = {**heavy, SERVICE: scripts.pop(SERVICE)}
    own = {
        wheel.name: wheel.content,
        "pyodide-lock.json": _json(_lock(pins, wheel)),
        "labs.json": _json(_labs(ledger, numerics, pins, wheel)),
        **{f"labs.{language}.json": _json(content) for language, content in _in_languages(ledger, numerics)},
        **scripts,
        **charts,
    }
    manifest = _json({"files": _hashes(own, "") | _hashes(shared, "../../../")})
    folder = f"assets/labs/{sha256(manifest)[:12]}"
    own["integrity.json"] = manifest
    files = shared | {f"{folder}/{name}": content for name, content in own.items()}
    size = sum(len(content) for content in (*heavy.values(), wheel.content))
    tags = tuple((name, _integrity(own[name])) for name in _page_scripts(own))
    return Bundle(files, LiveLabs(folder, sha256(manifest), tags, size, _sources(ledger, numerics)))


def _sources(ledger: Ledger, numerics: Numerics) -> dict[str, LabSource]:
    """By its name in the registry, each lab's function as it is written."""
    functions = {lab.function: numerics.labs.get(lab.function) for lab in ledger.labs.values()}
    return {
        name: LabSource(f"{function.__module__}.{function.__qualname__}", inspect.getsource(function))
        for name, function in functions.items()
        if inspect.isfunction(function)
    }


def _page_scripts(names: Iterable[str]) -> list[str]:
    """The scripts of the page, the one that starts the rest last."""
    scripts = [name for name in names if name.endswith(".js") and name not in (ENTRY, WORKER, CHARTS)]
    return [*sorted(scripts), ENTRY]


def _hashes(files: Mapping[str, bytes], prefix: str) -> dict[str, dict[str, Any]]:
    """For each file, as the bundle's own folder sees it, hash and size."""
    return {f"{prefix}{path}": {"sha256": sha256(content), "size": len(content)} for path, content in files.items()}


def _integrity(content: bytes) -> str:
    """A hash as an `integrity` attribute wants it."""
    return "sha256-" + base64.b64encode(bytes.fromhex(sha256(content))).decode()


def _lock(pins: Pins, wheel: Wheel) -> dict[str, Any]:
    """A lock file of Pyodide with the packages that labs need, and no other."""
    compiled = [package_entry(file.name, file.sha256) for file in pins.files if file.name.endswith(".whl")]
    entries = [*compiled, wheel.lock_entry()]
    return {"info": pins.info, "packages": {entry["name"]: entry for entry in entries}}


def _labs(ledger: Ledger, numerics: Numerics, pins: Pins, wheel: Wheel) -> dict[str, Any]:
    """The way into Python, and how pictures are drawn."""
    runtime = f"../../../assets/runtime/{pins.version}/"
    return {
        "door": {"package": wheel.package, "module": f"{numerics.module.rpartition('.')[0]}.{DOOR}", "run": "run"},
        "numerics": {"name": wheel.package, "version": wheel.version, "sha256": sha256(wheel.content)},
        "runtime": {"version": pins.version, "python": pins.info["python"], "folder": runtime},
        "charts": CHART_CONFIG,
        "functions": {lab.id: lab.function for lab in ledger.labs.values()},
    }


def _in_languages(ledger: Ledger, numerics: Numerics) -> Iterator[tuple[Language, dict[str, Any]]]:
    """Contracts and words; a page needs those of its own language."""
    results = static_results(ledger, numerics)
    for language in ledger.info.languages:
        labs = {
            lab.id: lab_data(Scope(ledger, language, f"labs/{lab.id}"), lab, results.get(lab.id, {}))
            for lab in ledger.labs.values()
        }
        yield language, {"words": WORDS[language].live | _certain_words(WORDS[language].labels), "labs": labs}


def _certain_words(labels: Mapping[str, str]) -> dict[str, str]:
    """Words that static and live results share."""
    names = ("yes", "no", "static_result", "output", "value", "certainty", "inputs", "lab_rows")
    return {name: labels[name] for name in names}


def _json(data: Any) -> bytes:
    return (json.dumps(data, ensure_ascii=False, sort_keys=True, allow_nan=False) + "\n").encode()
