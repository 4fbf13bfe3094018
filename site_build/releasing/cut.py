"""Cut a release: everything is made aside, then takes its place; the snapshot comes last and makes it a release.

A kill leaves the project's files as they were, or with papers of a release that is not there yet: the next attempt
writes the same ones again. The same files give the same bytes.
"""

import json
import re
import shutil
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from site_build.edit import write_all
from site_build.evidence import release_evidence
from site_build.hosting import nginx_sample
from site_build.model import Release, parse_release
from site_build.packing import Note, Packed, parse_manifest, sealed, write_archive, write_image
from site_build.plugin import Draft, draft_site, publish
from site_build.problems import Faults, Place, Problem
from site_build.releasing.papers import CHANGELOG, CITATION, told, with_entry, with_version
from site_build.releasing.refusals import refusals
from site_build.source import release_file
from site_build.swap import built_aside, parents_kept
from site_build.views import released

SITE = "site"
IMAGE = "image"


@dataclass(frozen=True)
class Cut:
    """A release that was cut."""

    note: Note
    files: int
    """How many files the manifest names."""
    archive: str
    """SHA-256 of the archive."""
    image: str
    """Digest of the image."""
    written: tuple[str, ...]
    """Files of the project that are new or changed, from its root."""


def cut_release(root: Path, version: str, out: Path, address: str | None = None, *, trial: bool = False) -> Cut:
    """Publish the project at `root` as a release into the folder `out`.

    Args:
        root: the project.
        version: in the form of `CALVER`.
        out: gets `site/`, the archive, `image/` and `nginx.conf`; an earlier attempt there is replaced.
        address: where the site will stand; the ledger's own if there is none.
        trial: whether a reserved address will do.

    Raises:
        Faults: the ledger has errors, or this release may not be cut; no file has changed.
        OSError: a file cannot be written; the project's files are as they were.
    """
    draft = draft_site(root, address)
    papers = {name: root / name for name in (CHANGELOG, CITATION, release_evidence(version), release_file(version))}
    if found := tuple(refusals(draft, version, tuple(papers.values()), out, trial=trial)):
        raise Faults(found)
    snapshot = released(draft.ledger, version, draft.identity).model_dump_json(indent=1) + "\n"
    release = parse_release(snapshot)
    if isinstance(release, str):
        raise Faults([Problem.at(Place(release_file(version), 0), "release-broken", release)])
    with parents_kept(out):
        with built_aside(out) as aside:
            note, packed, image = _pack(draft.with_release(release), release, aside)
            files = len(parse_manifest((aside / SITE / "manifest.json").read_bytes()).files)
        texts = {papers[name]: text for name, text in _papers(draft, release, papers).items()}
        evidence = asdict(note) | {"archive": packed.sha256, "image": image}
        texts[papers[release_evidence(version)]] = json.dumps(evidence, indent=2, sort_keys=True) + "\n"
        texts[papers[release_file(version)]] = snapshot
        try:
            write_all(texts)
        except OSError:
            shutil.rmtree(out, ignore_errors=True)
            raise
    written = tuple(path.relative_to(root).as_posix() for path in texts)
    return Cut(note, files, packed.sha256, image, written)


def _pack(draft: Draft, release: Release, aside: Path) -> tuple[Note, Packed, str]:
    """Site, manifest, archive, image and a sample for a server in a folder."""
    info = draft.ledger.info
    publish(draft, aside / SITE)
    note = sealed(aside / SITE, release.version, release.build, draft.address, info.date)
    day = datetime.fromisoformat(info.date).replace(tzinfo=UTC)
    title = info.title.in_language(info.languages[0])
    archive = aside / f"{_slug(title)}-{release.version}.tar.gz"
    packed = write_archive(aside / SITE, archive, int(day.timestamp()))
    about = {"version": release.version, "title": title, "url": draft.address}
    image = write_image(archive, packed, aside / IMAGE, day.strftime("%Y-%m-%dT%H:%M:%SZ"), about)
    (aside / "nginx.conf").write_text(nginx_sample(urlsplit(draft.address).path), encoding="utf-8")
    return note, packed, image


def _slug(title: str) -> str:
    """A title as a file's name; a title without Latin letters gives `ledger`."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "ledger"


def _papers(draft: Draft, release: Release, papers: dict[str, Path]) -> dict[str, str]:
    """The changelog with its entry, and the project's own citation where it has one."""
    language = draft.ledger.info.languages[0]
    last = draft.ledger.releases[-1] if draft.ledger.releases else None
    log, citation = papers[CHANGELOG], papers[CITATION]
    changelog = log.read_text(encoding="utf-8") if log.is_file() else ""
    found = {CHANGELOG: with_entry(changelog, release, told(release, last, language), language)}
    if citation.is_file():
        found[CITATION] = with_version(citation.read_text(encoding="utf-8"), release)
    return found
