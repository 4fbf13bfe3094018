"""The wheel of the numerics package, built the same from the same files, and what it must fit."""

import re
import tomllib
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from hatchling.builders.wheel import WheelBuilder

from site_build.labs.pins import Pins, sha256

PURE = "py3-none-any"
_REQUIREMENT = re.compile(r"^Requires-Dist: ([A-Za-z0-9._-]+)", re.MULTILINE)


@dataclass(frozen=True)
class Wheel:
    """A wheel as a file."""

    name: str
    content: bytes

    @property
    def package(self) -> str:
        """The name of its package, in its normal spelling."""
        return normal(self.name.split("-")[0])

    @property
    def version(self) -> str:
        """The version of its package."""
        return self.name.split("-")[1]

    @property
    def tag(self) -> str:
        """The platform it is made for."""
        return tag_of(self.name)

    @property
    def needs(self) -> tuple[str, ...]:
        """Packages that it asks for, in their normal spelling."""
        with ZipFile(BytesIO(self.content)) as packed:
            metadata = next(name for name in packed.namelist() if name.endswith(".dist-info/METADATA"))
            found = _REQUIREMENT.findall(packed.read(metadata).decode())
        return tuple(sorted({normal(name) for name in found}))

    def lock_entry(self) -> dict[str, object]:
        """What a lock file of Pyodide says about it."""
        entry = package_entry(self.name, sha256(self.content))
        return {**entry, "depends": list(self.needs)}


def project_of(package: Path) -> Path | None:
    """The folder with the project file that a package is built from; None for a plain module or a foreign package."""
    for folder in (package, *package.parents[:2]):
        file = folder / "pyproject.toml"
        if file.is_file():
            project = tomllib.loads(file.read_text(encoding="utf-8")).get("project", {})
            return folder if project.get("name", "").replace("-", "_") == package.name else None
    return None


def build_wheel(project: Path) -> Wheel:
    """Build the wheel of a project; its bytes follow from its files and the source date alone."""
    with TemporaryDirectory() as folder:
        built = [Path(path) for path in WheelBuilder(str(project)).build(directory=folder, versions=["standard"])]
        return Wheel(built[0].name, built[0].read_bytes())


def package_entry(name: str, digest: str) -> dict[str, object]:
    """The entry of a wheel without dependencies in a lock file."""
    distribution, version = name.split("-")[:2]
    return {
        "depends": [],
        "file_name": name,
        "imports": [distribution],
        "install_dir": "site",
        "name": normal(distribution),
        "package_type": "package",
        "sha256": digest,
        "unvendored_tests": False,
        "version": version,
    }


def normal(name: str) -> str:
    """The spelling of a package's name that lock files use."""
    return re.sub(r"[-_.]+", "-", name).lower()


def tag_of(name: str) -> str:
    """The platform tag in a wheel's file name."""
    return "-".join(name.removesuffix(".whl").split("-")[2:])


def runtime_tag(pins: Pins) -> str:
    """The tag of wheels that are compiled for the runtime."""
    python = "cp" + "".join(pins.info["python"].split(".")[:2])
    return f"{python}-{python}-pyemscripten_{pins.info['abi_version']}_{pins.info['arch']}"


def misfits(wheel: Wheel, pins: Pins) -> list[tuple[str, str]]:
    """What would keep the numerics from loading in the page: pairs of what was expected and what is there."""
    compiled = {file.name.split("-")[0]: tag_of(file.name) for file in pins.files if file.name.endswith(".whl")}
    found = [(f"{name} for {runtime_tag(pins)}", tag) for name, tag in compiled.items() if tag != runtime_tag(pins)]
    if wheel.tag != PURE:
        found.append((f"a wheel for {PURE}", wheel.tag))
    foreign = sorted(set(wheel.needs) - set(compiled))
    if foreign:
        found.append((f"no package but {', '.join(compiled)}", ", ".join(foreign)))
    return found
