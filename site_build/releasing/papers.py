"""The files of a project that tell of its releases: the changelog, and how the project itself is cited."""

import re
from collections import Counter

from site_build.history import ChangeKind, changes
from site_build.messages import WORDS
from site_build.model import Language, Release

CHANGELOG = "CHANGELOG.md"
CITATION = "CITATION.cff"
_KINDS: tuple[ChangeKind, ...] = (
    "added",
    "changed",
    "upgraded",
    "downgraded",
    "withdrawn",
    "restored",
    "removed",
    "value",
)
_HEADING = re.compile(r"^## .*$", re.MULTILINE)
_WAITING = re.compile(r"unreleased|未发布", re.IGNORECASE)


def told(release: Release, last: Release | None, language: Language) -> str:
    """What a release changes, in one sentence."""
    words = WORDS[language].release
    if last is None:
        counts = {name: len(getattr(release, name)) for name in ("claims", "questions", "values")}
        return words["first"].format(**counts, build=release.build)
    found = Counter[ChangeKind](change.kind for change in changes(last, release))
    parts = [words[f"change_{kind}"].format(count=found[kind]) for kind in _KINDS if found[kind]]
    said = words["comma"].join(parts) or words["same"]
    return words["later"].format(last=last.version, changes=said, build=release.build)


def with_entry(changelog: str, release: Release, sentence: str, language: Language) -> str:
    """The changelog with this release on top: what waited there for a release belongs to it.

    A changelog that has the entry stays as it is.
    """
    heading = f"## {release.version} ({release.date})"
    changelog = changelog or f"# {WORDS[language].release['changelog']}\n"
    if f"{heading}\n" in changelog:
        return changelog
    first = _HEADING.search(changelog)
    if first is None:
        return f"{changelog.rstrip()}\n\n{heading}\n\n- {sentence}\n"
    before, after = changelog[: first.start()], changelog[first.end() :]
    if _WAITING.search(first[0]):
        return f"{before}{heading}\n\n- {sentence}\n{after.lstrip()}"
    return f"{before}{heading}\n\n- {sentence}\n\n{first[0]}{after}"


def with_version(citation: str, release: Release) -> str:
    """A `CITATION.cff` that names this release."""
    citation = re.sub(r"^version: .*$", f"version: {release.version}", citation, flags=re.MULTILINE)
    return re.sub(r"^date-released: .*$", f"date-released: '{release.date}'", citation, flags=re.MULTILINE)
