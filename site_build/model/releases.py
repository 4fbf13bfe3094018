"""`ledger/releases/<version>.json`: what a release said, kept so that it can be cited and checked for good."""

from collections.abc import Iterable

from pydantic import Field, ValidationError

from site_build.model.base import ClaimRef, Day, GradeId, Language, Line, Model


class ReleasedClaim(Model):
    """A claim as a release had it."""

    text: dict[Language, Line]
    """As written, by language."""
    grade: GradeId
    """R, P, D or T."""
    locators: tuple[Line, ...] = ()
    """Where a reader could check it."""
    boundary: dict[Language, Line]
    """Its own boundary, else its question's, as written."""
    shown: dict[Line, dict[Language, Line]] = Field(default_factory=dict)
    """What each marker in text and boundary printed, by language."""
    withdrawn: dict[Language, Line] | None = None
    """Why it no longer stood, by language."""


class ReleasedValue(Model):
    """A number as a release had it."""

    grade: GradeId
    """R, P, D or T."""
    number: int | float
    """The number itself."""
    shown: dict[Language, Line]
    """The number as printed, by language."""


class Release(Model):
    """A published state of the ledger."""

    version: Line
    """Calendar version, such as `2026.11.0`."""
    date: Day
    """The source date of its build."""
    build: Line
    """The build's id."""
    questions: dict[Line, dict[Language, Line]]
    """Each question's title, by language."""
    claims: dict[ClaimRef, ReleasedClaim]
    """By reference, such as `Q04.c2`."""
    values: dict[Line, ReleasedValue]
    """By id."""


def version_of(releases: Iterable[Release], build: str) -> str:
    """The newest release with this build id; empty where there is none."""
    return next((release.version for release in reversed([*releases]) if release.build == build), "")


def parse_release(text: str) -> Release | str:
    """Read a release from JSON; a line that says what is wrong where it is none."""
    try:
        return Release.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}".lstrip(": ")
