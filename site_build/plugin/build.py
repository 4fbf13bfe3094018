"""Build a whole site: check, one MkDocs build per language beside the old site, then one swap."""

import logging
import os
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import MkDocsException

from site_build.build_id import build_id
from site_build.checks import find_problems
from site_build.evidence import read_digests, read_evidence, read_parity
from site_build.hosting import MOST_RULES, headers_file
from site_build.labs import Bundle, can_run, make_bundle
from site_build.model import Ledger, Release
from site_build.plugin.hooks import LedgerPlugin
from site_build.plugin.preview import Preview
from site_build.policy import HEADERS_FILE
from site_build.problems import Faults, Place, Problem
from site_build.source import Reading, read_ledger
from site_build.swap import built_aside

log = logging.getLogger("site_build")


@dataclass(frozen=True)
class Draft:
    """Everything a site is made from, read and checked, before anything is written."""

    reading: Reading
    problems: tuple[Problem, ...]
    address: str
    """Where the site will stand, with a slash at its end."""
    bundle: Bundle | None
    """What labs need to run in the page."""
    identity: str
    """The build id."""

    @property
    def ledger(self) -> Ledger:
        """The ledger to be published; a draft has one."""
        if self.reading.ledger is None:
            raise Faults(self.problems)
        return self.reading.ledger

    def with_release(self, release: Release) -> "Draft":
        """The same with one more release; the build id does not depend on it."""
        ledger = replace(self.ledger, releases=(*self.ledger.releases, release))
        return replace(self, reading=replace(self.reading, ledger=ledger))


def build_site(root: Path, out: Path, address: str | None = None, *, preview: bool = False) -> str:
    """Check the project at `root` and publish it to `out`; the old site stays whole until the new one is finished.

    A preview publishes what can be read of a ledger with faults, and shows them. Returns the build id.

    Raises:
        Faults: the ledger has errors; nothing was written.
    """
    draft = draft_site(root, address, preview=preview)
    publish(draft, out, preview=preview)
    return draft.identity


def draft_site(root: Path, address: str | None = None, *, preview: bool = False) -> Draft:
    """Read and check the project at `root`, and find out which build it would be.

    Raises:
        Faults: the ledger has errors, unless it is for a preview.
    """
    reading = read_ledger(root)
    problems = find_problems(reading)
    broken = any(problem.severity == "error" for problem in problems)
    if reading.ledger is None or (broken and not preview):
        raise Faults(problems)
    address = (address or reading.ledger.info.address).rstrip("/") + "/"
    bundle = find_bundle(root, reading)
    labs = bundle.live.manifest if bundle else ""
    return Draft(reading, problems, address, bundle, build_id(root, reading.numerics.folder, address, labs))


def publish(draft: Draft, out: Path, *, preview: bool = False) -> None:
    """Build the pages of every language aside, then put them in the place of `out` at once.

    Raises:
        Faults: MkDocs refuses the project, or a result of a command cannot be read; nothing was written.
    """
    root, ledger, bundle = draft.reading.root, draft.ledger, draft.bundle
    day = datetime.fromisoformat(ledger.info.date).replace(tzinfo=UTC)
    os.environ["SOURCE_DATE_EPOCH"] = str(int(day.timestamp()))
    logging.getLogger("mkdocs").setLevel(logging.WARNING)
    evidence = {
        "parity": read_parity(root),
        "seen": read_evidence(root, "coverage"),
        "health": read_evidence(root, "regress"),
        "digests": read_digests(root, ledger.releases),
    }
    with built_aside(out) as aside:
        for index, language in enumerate(ledger.info.languages):
            part = "" if index == 0 else f"{language}/"
            config = read_config(root, site_dir=str(aside / part), site_url=draft.address + part)
            plugin = config.plugins["ledger"]
            if not isinstance(plugin, LedgerPlugin):
                raise Faults([Problem.at(Place("mkdocs.yml"), "mkdocs-refuses", "another plugin named ledger")])
            shown = Preview(draft.problems) if preview else None
            live = bundle.live if bundle else None
            plugin.prepare(draft.reading, language, draft.identity, shown, live=live, **evidence)
            mkdocs_build(config)
        if bundle is not None:
            bundle.write(aside)
        _write_headers(aside, urlsplit(draft.address).path)


def _write_headers(site: Path, base: str) -> None:
    """Tell static hosts of the site's headers; says so where one of them would not read all."""
    rules = headers_file(site, base)
    (site / HEADERS_FILE).write_text(rules, encoding="utf-8")
    if (count := sum(line.startswith("/") for line in rules.splitlines())) > MOST_RULES:
        log.warning(
            "%s: expected at most %s rules, as Cloudflare Pages reads, got %s. Put pages of prose into fewer folders.",
            *(HEADERS_FILE, MOST_RULES, count),
        )


def find_bundle(root: Path, reading: Reading) -> Bundle | None:
    """What labs need to run in the page; says so where they could run and the runtime is missing."""
    if reading.ledger is None or not reading.ledger.labs or not can_run(reading.numerics):
        return None
    bundle = make_bundle(root, reading.ledger, reading.numerics)
    if bundle is None:
        log.warning("LABS ARE STATIC: expected the runtime in %s, got none. Run: k3 runtime fetch", root / ".cache")
    return bundle


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
