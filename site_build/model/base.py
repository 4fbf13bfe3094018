"""What every record is made of: a closed frozen model, bilingual text, and the types of ids."""

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")

RecordId = Annotated[str, StringConstraints(pattern=r"^[A-Z]{1,3}\d{0,4}$")]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$")]
ClaimId = Annotated[str, StringConstraints(pattern=r"^c[1-9]\d*$")]
ClaimRef = Annotated[str, StringConstraints(pattern=r"^[A-Z]{1,3}\d{0,4}\.c[1-9]\d*$")]


def _is_day(text: str) -> str:
    """Refuse dates that no calendar has, such as the 31st of April."""
    try:
        date.fromisoformat(text)
    except ValueError:
        raise ValueError("a date such as 2026-11-29") from None
    return text


Day = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}$"), AfterValidator(_is_day)]
Url = Annotated[str, StringConstraints(pattern=r"^https?://[^\s<>\"']+$")]
_NOT_BLANK = r"\S"
Line = Annotated[str, StringConstraints(pattern=_NOT_BLANK)]
Number = int | Annotated[float, Field(allow_inf_nan=False)]
GradeId = Literal["R", "P", "D", "T"]


class Model(BaseModel):
    """Frozen and closed: a record is what the file says, and an unknown field is a fault."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Text(Model):
    """The same text, written in each language of the ledger."""

    en: Line | None = None
    """English, as an engineer in Zurich would write it."""
    zh: Line | None = None
    """Chinese, as an engineer in Beijing would write it."""

    def in_language(self, language: Language) -> str:
        """The text in `language`; empty where it is missing, which a check reports."""
        return (self.en if language == "en" else self.zh) or ""


FaultPath = tuple[str | int, ...]


class Fault(Model):
    """A field that could not be read, before it has a place in a file."""

    path: FaultPath
    """Keys and indexes from the record's root to the field."""
    kind: str
    """pydantic's name of the error, such as `missing` or `extra_forbidden`."""
    got: str
    """The value that came, shortened."""
    expected: str
    """pydantic's description of what would have been right."""


def read_record[M: Model](model: type[M], data: Any) -> M | tuple[Fault, ...]:
    """Return the record that `data` describes, or every fault in it."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        return _once([_fault(item, data) for item in error.errors(include_url=False)])


_MEMBERS = ("model_type", "int_type", "string_type", "float_type")
"""Faults that members of a union give for one field, the most telling last."""


def _once(faults: list[Fault]) -> tuple[Fault, ...]:
    """One fault a field: of what the members of a union say, the deepest, then the most telling."""
    around = {fault.path[:length] for fault in faults for length in range(len(fault.path))}
    kept: dict[FaultPath, Fault] = {}
    for fault in (fault for fault in faults if fault.path not in around):
        other = kept.get(fault.path)
        if other is None or _weight(fault) > _weight(other):
            kept[fault.path] = fault
        elif fault.kind == other.kind and fault.expected != other.expected:
            kept[fault.path] = other.model_copy(update={"expected": f"{other.expected} or {fault.expected}"})
    return tuple(kept.values())


def _weight(fault: Fault) -> int:
    return _MEMBERS.index(fault.kind) if fault.kind in _MEMBERS else len(_MEMBERS)


def _fault(item: Any, data: Any) -> Fault:
    path = _known_path(item["loc"], data, missing=item["type"] == "missing")
    allowed = item.get("ctx", {}).get("expected") or item.get("ctx", {}).get("pattern")
    return Fault(
        path=path,
        kind="string_too_short" if allowed == _NOT_BLANK else item["type"],
        got=_typed(item["input"], short=item["type"] == "value_error"),
        expected=str(allowed or item["msg"].removeprefix("Value error, ").removeprefix("Input should be ")),
    )


def _known_path(location: tuple[str | int, ...], data: Any, *, missing: bool) -> FaultPath:
    """Drop the names pydantic adds for members of a union, which stand in no file."""
    path: list[str | int] = []
    here = data
    for index, part in enumerate(location):
        last = index == len(location) - 1
        if isinstance(here, dict) and (part in here or (missing and last)):
            path.append(part)
            here = here.get(part)
        elif isinstance(here, tuple) and isinstance(part, int) and part < len(here):
            path.append(part)
            here = here[part]
    return tuple(path)


def _typed(value: Any, *, short: bool) -> str:
    """A value as YAML has it, shortened; what takes several lines in words."""
    if short and isinstance(value, tuple):
        return f"[{', '.join(map(str, value))}]"[:120]
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, tuple):
        return "a list" if value else "an empty list"
    return str(value).lower() if isinstance(value, bool) else repr(value)[:120]
