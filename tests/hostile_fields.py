"""Put hostile texts into every text field that the models declare, and say into which they went."""

from collections.abc import Callable, Container, Iterator
from inspect import get_annotations
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAliasType, Union, get_args, get_origin

import yaml
from hostile_texts import PAYLOADS, Payload
from pydantic import StringConstraints

from site_build.model import LANGUAGES, LedgerInfo, Model, PageHead, Text
from site_build.source import FILES, Bibliography, parse_bibliography

KEPT = {
    **dict.fromkeys(
        (
            *("Score.display", "Value.display", "Cell.display", "LabOutput.display"),
            *("Rule.all", "Rule.unless", "LedgerInfo.ids"),
        ),
        "a format or a pattern: what is none is refused",
    ),
    **dict.fromkeys(
        (
            *("Claim.locators", "Value.locators", "Contract.locators", "Cell.locators", "Benchmark.locators"),
            *("Component.locators", "LabContract.locators", "RedLine.locators", "Correction.locators", "Term.locator"),
        ),
        "a locator: what is none is refused",
    ),
    **dict.fromkeys(
        (
            *("LabContract.function", "Derivation.function", "LedgerInfo.numerics", "LedgerInfo.example"),
            *("Chart.lab", "Chart.series", "Picture.series", "Embed.page", "Embed.anchor", "ProseSection.pages"),
            *("Choice.id", "Derivation.inputs", "Section.number", "Source.paths", "PageHead.id", "PageHead.needs"),
            *("Chart.inputs", "LabExample.inputs", "LabExample.outputs", "LabInput.default"),
        ),
        "a name of something that is there, or a value for it: what is none is refused",
    ),
    "LedgerInfo.edit_url": "an address",
}
"""Fields with a grammar of their own, each with its reason; hostile texts in them are refused, or are data."""
NOT_READ = frozenset({"Fault", "Text", "Publication", "Person", "Release", "ReleasedClaim", "ReleasedValue"})
"""Models that no YAML file describes: a bibliography's entries have a test of their own, a release what claims say."""
WITH_CARE = frozenset({"Claim.withdrawn", "Cell.text"})
"""Fields that change what a record is: they are filled where they stand, and not added."""

type Put = Callable[[str, str], str]
"""Takes a field such as `Claim.text` and a language, or none; gives a text."""


def owner_of(model: type[Model], field: str) -> str:
    """The field with the name of the model that declares it: `Contract.title`."""
    return next(f"{part.__name__}.{field}" for part in model.__mro__ if field in get_annotations(part))


def bare(annotation: Any) -> Any:
    """A type without its constraints, its name and its None."""
    while True:
        if isinstance(annotation, TypeAliasType):
            annotation = annotation.__value__
        elif get_origin(annotation) is Annotated and annotation.__origin__ is not str:
            annotation = annotation.__origin__
        elif get_origin(annotation) in (Union, UnionType) and NoneType in get_args(annotation):
            annotation = Union[tuple(part for part in get_args(annotation) if part is not NoneType)]  # noqa: UP007
        else:
            return annotation


def is_free(annotation: Any) -> bool:
    """Whether a type is text without a pattern that says more than that something stands there."""
    annotation = bare(annotation)
    if annotation is str:
        return True
    if get_origin(annotation) is not Annotated:
        return False
    patterns = [part.pattern for part in annotation.__metadata__ if isinstance(part, StringConstraints)]
    return patterns == [r"\S"]


def field_type(model: type[Model], field: str) -> Any:
    """The whole type of a field; pydantic keeps constraints beside it."""
    info = model.model_fields[field]
    constraints = tuple(part for part in info.metadata if isinstance(part, StringConstraints))
    return Annotated[info.annotation, *constraints] if constraints else info.annotation


def holds_text(annotation: Any) -> bool:
    """Whether a field of this type holds texts of its own, not those of a record inside it."""
    annotation = bare(annotation)
    if annotation is Text or annotation is Any or is_free(annotation):
        return True
    if get_origin(annotation) in (None, Literal, Annotated):
        return False
    return any(holds_text(part) for part in get_args(annotation) if part is not Ellipsis)


def declared() -> set[str]:
    """Every text field of every model that a YAML file describes."""

    def below(model: type[Model]) -> Iterator[type[Model]]:
        for part in model.__subclasses__():
            yield part
            yield from below(part)

    return {
        owner_of(model, field)
        for model in below(Model)
        if model.__module__.startswith("site_build.model.") and model.__name__ not in NOT_READ
        for field in model.model_fields
        if holds_text(field_type(model, field))
    }


def filled(model: type[Model], data: dict[str, Any], put: Put, kept: Container[str] = KEPT) -> dict[str, Any]:
    """A record's data with a text from `put` in every text field but the kept ones, whether it was there or not."""
    whole = dict(data)
    for field in model.model_fields:
        where, kind = owner_of(model, field), field_type(model, field)
        if where in kept:
            continue
        if field not in whole and where not in WITH_CARE:
            whole |= {field: begun} if (begun := _begun(bare(kind))) is not None else {}
        if field in whole:
            whole[field] = _filled(kind, whole[field], put, where, kept)
    return whole


def _begun(annotation: Any) -> Any:
    """Something for an optional text field to begin with; None where it is no such field."""
    if get_origin(annotation) is tuple:
        inner = _begun(bare(get_args(annotation)[0]))
        return None if inner is None or isinstance(inner, list) else [inner]
    return {} if annotation is Text else "" if is_free(annotation) else None


def _filled(annotation: Any, data: Any, put: Put, where: str, kept: Container[str]) -> Any:
    """A part of a record with texts in it, whatever its type."""
    annotation = bare(annotation)
    if annotation is Text or (annotation is Any and isinstance(data, dict) and set(data) <= set(LANGUAGES)):
        return {language: put(where, language) for language in LANGUAGES}
    if is_free(annotation):
        # a sentence that a rule has to find or to let pass stays in front
        return f"{data} {put(where, '')}" if where.startswith("RedLine.must") else put(where, "")
    if isinstance(data, list):
        inner = get_args(annotation)[0] if get_origin(annotation) is tuple else Any
        return [_filled(inner, item, put, where, kept) for item in data]
    return _filled_mapping(annotation, data, put, where, kept) if isinstance(data, dict) else data


def _filled_mapping(
    annotation: Any, data: dict[str, Any], put: Put, where: str, kept: Container[str]
) -> dict[str, Any]:
    if (model := _model_of(annotation, data)) is not None:
        return filled(model, data, put, kept)
    key, value = get_args(annotation) if get_origin(annotation) is dict else (str, Any)
    names = {name: put(where, "") if is_free(key) and key is not str else name for name in data}
    return {names[name]: _filled(value, item, put, where, kept) for name, item in data.items()}


def _model_of(annotation: Any, data: dict[str, Any]) -> type[Model] | None:
    """The model that describes a mapping: the type itself, or the member of a union that its kind names."""
    members = [bare(part) for part in get_args(annotation)] or [annotation]
    models = [part for part in members if isinstance(part, type) and issubclass(part, Model)]
    if "kind" in data and len(models) > 1:
        return next(part for part in models if get_args(part.model_fields["kind"].annotation) == (data["kind"],))
    return models[0] if models and get_origin(annotation) not in (tuple, dict) else None


class Injector:
    """Gives each field all payloads or some, beginning with another one each time."""

    def __init__(self, *, in_code: bool, count: int = len(PAYLOADS)) -> None:
        self.in_code, self.count = in_code, count
        self.fields: dict[str, int] = {}
        """How many payloads went into each field."""
        self.calls = 0

    def put(self, where: str, language: str) -> str:
        """Payloads in a row: those of a text in code spans if asked, all others as they are."""
        # a unit is named the same wherever it is used
        turn = 0 if where.endswith(".unit") or where == "Unit.id" else self.calls
        self.calls += 1
        chosen = some_payloads(turn, self.count)
        self.fields[where] = self.fields.get(where, 0) + len(chosen)
        # the rules of running text hold for the heads of pages too
        is_text = language or where.startswith("PageHead.")
        texts = [payload.in_code if is_text and self.in_code else payload.text for payload in chosen]
        return " ¦ ".join(texts)

    def fill(self, root: Path) -> None:
        """Fill every record of the project at `root`, its `ledger.yaml`, its pages' heads and its bibliography."""
        fill_records(root, self.put)
        (root / "ledger/reading/references.bib").write_text(self.entry("smith-2020"), encoding="utf-8")

    def entry(self, key: str) -> str:
        """A bibliography's entry with every payload that BibTeX can hold in each of its fields."""
        held = [payload for payload in some_payloads(0, self.count) if not read_bibtex(key, payload.text).problems]
        text = " ¦ ".join(payload.text for payload in held)
        for field in ("title", "authors", "venue", "fields"):
            self.fields[f"Publication.{field}"] = len(held)
        return BIBTEX.format(key=key, text=text)


def fill_records(root: Path, put: Put, kept: Container[str] = KEPT) -> None:
    """Put texts into every record of the project at `root`, its `ledger.yaml` and the heads of its pages."""
    for files in FILES:
        folder = root / "ledger" / files.path
        for path in sorted(folder.glob("*.yaml")) if files.folder else [folder]:
            data = yaml.safe_load(path.read_text(encoding="utf-8"))
            if files.folder:
                data = filled(files.model, data, put, kept)
            elif files.within:
                data[files.within] = [filled(files.model, row, put, kept) for row in data[files.within]]
            else:
                data = [filled(files.model, row, put, kept) for row in data]
            _write(path, data)
    info = root / "ledger/ledger.yaml"
    _write(info, filled(LedgerInfo, yaml.safe_load(info.read_text(encoding="utf-8")), put, kept))
    for page in sorted((root / "content").rglob("*.md")):
        _, head, body = page.read_text(encoding="utf-8").split("---\n", 2)
        head = as_yaml(filled(PageHead, yaml.safe_load(head), put, kept))
        page.write_text(f"---\n{head}---\n{body}", encoding="utf-8")


def some_payloads(turn: int, count: int) -> list[Payload]:
    """That many payloads but long ones, and one of these; those that could open code or a formula stand last."""
    short = [payload for payload in PAYLOADS if payload.family != "long or deep"]
    long = [payload for payload in PAYLOADS if payload.family == "long or deep"]
    first = turn * min(count, 7) % len(short)
    turned = [*short[first:], *short[:first]][:count]
    chosen = [*turned, long[turn % len(long)]] if count > 1 else turned
    return sorted(chosen, key=lambda payload: "`" in payload.text or "$" in payload.text)


BIBTEX = """\
@article{{{key},
  author = {{{{{text}}} and Li, Wei}},
  title = {{{text}}},
  journal = {{{text}}},
  note = {{{text}}},
  year = {{2020}},
  url = {{https://tiles.example/floors}}
}}
"""


def read_bibtex(key: str, text: str) -> Bibliography:
    """What reading finds of an entry with this text in each field."""
    return parse_bibliography(BIBTEX.format(key=key, text=text), "references.bib")


def as_yaml(data: Any) -> str:
    """Data as YAML, texts whole on their lines."""
    text: str = yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=2**20)
    return text


def _write(path: Path, data: Any) -> None:
    path.write_text(as_yaml(data), encoding="utf-8")
