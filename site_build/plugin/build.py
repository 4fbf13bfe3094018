"""Build a whole site: check, one MkDocs build per language beside the old site, then one swap."""

import logging
import os
from datetime import UTC, datetime
from pathlib import Path

from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import MkDocsException

from site_build.build_id import build_id
from site_build.checks import find_problems
from site_build.plugin.hooks import LedgerPlugin
from site_build.plugin.preview import Preview
from site_build.problems import Faults, Place, Problem
from site_build.source import read_ledger
from site_build.swap import built_aside


def build_site(root: Path, out: Path, address: str | None = None, *, preview: bool = False) -> str:
    """Check the project at `root` and publish it to `out`; the old site stays whole until the new one is finished.

    A preview publishes what can be read of a ledger with faults, and shows them. Returns the build id.

    Raises:
        Faults: the ledger has errors; nothing was written.
    """
    reading = read_ledger(root)
    problems = find_problems(reading)
    broken = any(problem.severity == "error" for problem in problems)
    if reading.ledger is None or (broken and not preview):
        raise Faults(problems)
    address = (address or reading.ledger.info.address).rstrip("/") + "/"
    identity = build_id(root, reading.numerics.folder, address)
    day = datetime.fromisoformat(reading.ledger.info.date).replace(tzinfo=UTC)
    os.environ["SOURCE_DATE_EPOCH"] = str(int(day.timestamp()))
    logging.getLogger("mkdocs").setLevel(logging.WARNING)
    with built_aside(out) as aside:
        for index, language in enumerate(reading.ledger.info.languages):
            part = "" if index == 0 else f"{language}/"
            config = read_config(root, site_dir=str(aside / part), site_url=address + part)
            plugin = config.plugins["ledger"]
            if not isinstance(plugin, LedgerPlugin):
                raise Faults([Problem.at(Place("mkdocs.yml"), "mkdocs-refuses", "another plugin named ledger")])
            plugin.prepare(reading, language, identity, Preview(problems) if preview else None)
            mkdocs_build(config)
    return identity


def read_config(root: Path, **settings: str) -> MkDocsConfig:
    """Read the project's `mkdocs.yml`.

    Raises:
        Faults: it is not there, MkDocs refuses it, or it lacks the two plugins.
    """
    try:
        config = load_config(str(root / "mkdocs.yml"), **settings)
    except (MkDocsException, OSError) as error:
        reason = " ".join(str(error).split())[:160] or type(error).__name__
        raise Faults([Problem.at(Place("mkdocs.yml"), "mkdocs-refuses", reason)]) from None
    missing = [name for name in ("ledger", "material/search") if name not in config.plugins]
    if missing:
        raise Faults([Problem.at(Place("mkdocs.yml"), "mkdocs-refuses", f"no plugin {', '.join(missing)}")])
    return config
