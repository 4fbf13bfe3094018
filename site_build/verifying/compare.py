"""Compare what was found with what the manifest says."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from site_build.packing import MANIFEST, NOTE, Broken, Manifest, Note, parse_note
from site_build.policy import HEADERS_FILE
from site_build.problems import Faults, Problem
from site_build.verifying.found import Contents, manifest_of, named


@dataclass(frozen=True)
class Verdict:
    """What a release is, and every difference from it."""

    manifest: Manifest
    problems: tuple[Problem, ...]
    whole: bool
    """Whether files beyond the manifest would have been seen."""

    @property
    def counts(self) -> dict[str, int]:
        """How many files differ, are missing, are extra."""
        found = Counter(problem.code for problem in self.problems)
        return {name: found[f"file-{name}"] for name in ("differs", "missing", "extra")}


def verify(contents: Contents, digest: str = "") -> Verdict:
    """Every difference between a place and its manifest, the manifest and its note, and a digest from elsewhere.

    Raises:
        Faults: manifest or note cannot be read.
    """
    manifest = manifest_of(contents.manifest, MANIFEST)
    try:
        note = parse_note(contents.note)
    except Broken as error:
        raise Faults([Problem.at(named(NOTE), "note-broken", error)]) from None
    problems = (*_seals(manifest, note, digest), *contents.outside, *_files(manifest, contents))
    return Verdict(manifest, problems, contents.whole)


def _seals(manifest: Manifest, note: Note, digest: str) -> Iterator[Problem]:
    """Whether manifest, note and a digest from elsewhere tell of the same release."""
    if note.manifest != manifest.digest:
        yield Problem.at(named(MANIFEST), "digest-differs", manifest.digest, wanted=note.manifest, source=NOTE)
    if digest and digest != manifest.digest:
        yield Problem.at(named(MANIFEST), "digest-differs", manifest.digest, wanted=digest, source="--digest")
    for name in ("version", "build"):
        wanted, got = getattr(manifest, name), getattr(note, name)
        if wanted != got:
            yield Problem.at(named(NOTE), "note-differs", got, name=name, wanted=wanted)


def _files(manifest: Manifest, contents: Contents) -> Iterator[Problem]:
    """Every file that differs, is missing or is one too many, by name; a host may keep its headers to itself."""
    for path in sorted(manifest.files.keys() | contents.files.keys() | contents.odd.keys()):
        wanted, got, odd = manifest.files.get(path), contents.files.get(path), contents.odd.get(path)
        if wanted is None:
            yield Problem.at(named(path), "file-extra", odd or got)
        elif got is None and odd is None and not contents.whole and path == HEADERS_FILE:
            continue
        elif got is None and odd is None:
            yield Problem.at(named(path), "file-missing", wanted=wanted)
        elif got != wanted:
            yield Problem.at(named(path), "file-differs", odd or got, wanted=wanted)
