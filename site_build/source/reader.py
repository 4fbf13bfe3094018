"""Read a project's ledger and prose: every fault found in one pass, every record that can be read kept."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from site_build.model import (
    LANGUAGES,
    Benchmarks,
    Fault,
    FaultPath,
    Ledger,
    LedgerInfo,
    Model,
    Origin,
    PageHead,
    Positions,
    Prose,
    Specs,
    Unread,
    dotted,
    read_record,
)
from site_build.problems import Place, Problem
from site_build.source.bib_source import read_bibliography
from site_build.source.files import FILES, Files
from site_build.source.numerics import Numerics, load_numerics
from site_build.source.releases import read_releases
from site_build.source.strays import unread_files
from site_build.source.yaml_source import Document, control_characters, parse_yaml, read_text, read_yaml

BIBLIOGRAPHY = "ledger/reading/references.bib"


@dataclass(frozen=True)
class Reading:
    """What reading found: a ledger (none if `ledger.yaml` itself is broken), its numerics, and every problem."""

    root: Path
    ledger: Ledger | None
    numerics: Numerics
    problems: tuple[Problem, ...]


@dataclass
class _Gathered:
    records: dict[str, dict[str, Any]] = field(default_factory=dict)
    origins: dict[tuple[str, str], Origin] = field(default_factory=dict)
    unread: list[Unread] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def read_ledger(root: Path) -> Reading:
    """Read the project at `root`."""
    gathered = _Gathered()
    info = _read_info(root, gathered)
    documents: dict[str, Document] = {}
    for files in FILES:
        gathered.records[files.kind] = {}
        for name in _paths(root, files):
            document = documents.setdefault(name, read_yaml(root, name))
            _gather(files, document, gathered)
    for document in documents.values():
        gathered.problems += document.problems
    bibliography = read_bibliography(root, BIBLIOGRAPHY)
    gathered.problems += bibliography.problems
    gathered.unread += bibliography.unread
    for key, line in bibliography.lines.items():
        gathered.origins["publication", key] = Origin(BIBLIOGRAPHY, {(): (line, 1)})
    gathered.problems += unread_files(root, BIBLIOGRAPHY, info.ids if info else {})
    if info is None:
        return Reading(root, None, Numerics(""), tuple(sorted(set(gathered.problems))))
    prose = tuple(_read_prose(root, gathered.problems))
    releases = tuple(read_releases(root, gathered.problems))
    ledger = replace(_join(info, gathered), publications=bibliography.publications, prose=prose, releases=releases)
    return Reading(root, ledger, load_numerics(root, info.numerics), tuple(sorted(set(gathered.problems))))


def _join(info: LedgerInfo, gathered: _Gathered) -> Ledger:
    """The records of all kinds as one ledger, without pages and publications."""
    kinds = gathered.records
    return Ledger(
        info=info,
        grades=kinds["grade"],
        sources=kinds["source"],
        values=kinds["value"],
        specs=Specs(columns=tuple(kinds["column"].values()), rows=tuple(kinds["spec"].values())),
        questions=kinds["question"],
        figures=kinds["figure"],
        tables=kinds["table"],
        labs=kinds["lab"],
        benchmarks=Benchmarks(
            contenders=tuple(kinds["contender"].values()),
            dimensions=tuple(kinds["dimension"].values()),
            settings=tuple(kinds["setting"].values()),
            groups=tuple(kinds["group"].values()),
            rows=tuple(kinds["benchmark"].values()),
        ),
        checklist=kinds["item"],
        components=kinds["component"],
        redlines=kinds["redline"],
        corrections=kinds["correction"],
        nodes=kinds["cite"],
        terms=kinds["term"],
        unread=tuple(gathered.unread),
        origins=gathered.origins,
    )


def _read_info(root: Path, gathered: _Gathered) -> LedgerInfo | None:
    document = read_yaml(root, "ledger/ledger.yaml")
    gathered.problems += document.problems
    gathered.origins["ledger", "ledger"] = Origin(document.file, document.positions)
    if document.data is None:
        return None
    found = read_record(LedgerInfo, document.data)
    if isinstance(found, LedgerInfo):
        return found
    gathered.problems += _problems(found, document, (), ("ledger", LedgerInfo))
    return None


def _paths(root: Path, files: Files) -> list[str]:
    if not files.folder:
        path = root / "ledger" / files.path
        # a link to nowhere is a file that cannot be read, not one that is not there
        return [f"ledger/{files.path}"] if path.exists() or path.is_symlink() else []
    return sorted(path.relative_to(root).as_posix() for path in (root / "ledger" / files.path).glob("*.yaml"))


def _gather(files: Files, document: Document, gathered: _Gathered) -> None:
    """Read every record of one kind that stands in `document`."""
    if document.data is None:
        known = Path(document.file).stem if files.folder else ""
        gathered.unread.append(Unread(files.kind, known, document.file, document.problems))
        return
    positions = _positions(document, 0 if files.folder else 2 if files.within else 1)
    for path, data in _items(files, document, gathered):
        id_ = data.get("id") if isinstance(data, dict) else None
        name = id_ if isinstance(id_, str) else Path(document.file).stem
        found = read_record(files.model, data)
        origin = Origin(document.file, positions.get(path, {}))
        first = gathered.origins.get((files.kind, name))
        if isinstance(found, tuple):
            problems = _problems(found, document, path, (name, files.model))
            known = name if files.folder or isinstance(id_, str) else ""
            gathered.unread.append(Unread(files.kind, known, document.file, problems or document.problems))
            gathered.problems += problems
        elif first is not None:
            place = origin.place(name, ("id",))
            gathered.problems.append(Problem.at(place, "id-twice", name, first=first.place(name, ("id",))))
            continue
        else:
            gathered.records[files.kind][name] = found
            if files.folder and Path(document.file).stem != name:
                gathered.problems.append(
                    Problem.at(origin.place(name, ("id",)), "id-not-file", name, file=document.file)
                )
        gathered.origins.setdefault((files.kind, name), origin)


def _items(files: Files, document: Document, gathered: _Gathered) -> Iterator[tuple[FaultPath, Any]]:
    if files.folder:
        yield (), document.data
        return
    rows: Any = document.data
    base: FaultPath = ()
    if files.within:
        rows = document.data.get(files.within) if isinstance(document.data, dict) else None
        base = (files.within,)
    if not isinstance(rows, tuple):
        problem = Problem.at(document.place(*base), "file-not-list", _kind_of(rows))
        gathered.problems.append(problem)
        gathered.unread.append(Unread(files.kind, "", document.file, (problem,)))
        return
    for index, data in enumerate(rows):
        yield (*base, index), data


def _kind_of(value: Any) -> str:
    return "a mapping" if isinstance(value, dict) else repr(value)[:60]


def _positions(document: Document, depth: int) -> Mapping[FaultPath, Positions]:
    """The positions of each record of a document, seen from there; one pass, however many records."""
    if depth == 0:
        return {(): document.positions}
    found: dict[FaultPath, dict[FaultPath, tuple[int, int]]] = {}
    for path, where in document.positions.items():
        if len(path) >= depth:
            found.setdefault(path[:depth], {})[path[depth:]] = where
    return found


_CODES = {
    "missing": "field-missing",
    "extra_forbidden": "field-unknown",
    "string_type": "field-not-text",
    "int_type": "field-not-whole-number",
    "float_type": "field-not-number",
    "bool_type": "field-not-true-false",
    "literal_error": "field-not-allowed",
    "string_pattern_mismatch": "field-pattern",
    "tuple_type": "field-not-list",
    "model_type": "field-not-mapping",
    "model_attributes_type": "field-not-mapping",
    "dict_type": "field-not-mapping",
    "string_too_short": "field-empty",
    "too_short": "field-empty",
}


def _problems(
    faults: tuple[Fault, ...], document: Document, base: FaultPath, record: tuple[str, type[Model]]
) -> tuple[Problem, ...]:
    """The faults of a record, each cause once."""
    problems = {fault.path: _problem(fault, document, base, record) for fault in faults}
    # a misspelt name is not also a missing field
    for path, problem in list(problems.items()):
        if problem.code == "field-misspelt":
            meant = (*path[:-1], dict(problem.facts)["nearest"])
            if meant in problems and problems[meant].code == "field-missing":
                del problems[meant]
    # what the YAML reader refused is said once, with its own way to mend it
    refused = {str(problem.place) for problem in document.problems}
    return tuple(problem for problem in problems.values() if str(problem.place) not in refused)


def _problem(fault: Fault, document: Document, base: FaultPath, record: tuple[str, type[Model]]) -> Problem:
    name, model = record
    place = document.place(*base, *fault.path)
    place = Place(place.file, place.line, place.column, name + dotted(fault.path))
    code = _CODES.get(fault.kind, "field-invalid")
    if code == "field-unknown":
        known = _field_names(model, fault.path[:-1])
        near = get_close_matches(str(fault.path[-1]), known, 1)
        if near:
            return Problem.at(place, "field-misspelt", fault.path[-1], nearest=near[0], known=", ".join(known))
        return Problem.at(place, code, fault.path[-1], known=", ".join(known))
    if code == "field-missing":
        return Problem.at(place, code, field=fault.path[-1] if fault.path else "id")
    return Problem.at(place, code, fault.got, expected=fault.expected)


def _field_names(model: type[Model], path: FaultPath) -> list[str]:
    """The names that the mapping at `path` inside a `model` record may hold."""
    here: Any = model
    for part in path:
        if isinstance(part, int) or not (isinstance(here, type) and issubclass(here, Model)):
            continue
        # a part that is no field is a key of a mapping: the model stays the one of its values
        here = _inner_model(here.model_fields[part].annotation) if part in here.model_fields else here
    return list(here.model_fields) if isinstance(here, type) and issubclass(here, Model) else []


def _inner_model(annotation: Any) -> type[Model] | None:
    if isinstance(annotation, type) and issubclass(annotation, Model):
        return annotation
    inner = (_inner_model(argument) for argument in getattr(annotation, "__args__", ()))
    return next((model for model in inner if model is not None), None)


def _read_prose(root: Path, problems: list[Problem]) -> Iterator[Prose]:
    """Read every `<id>.<language>.md` below `content/`."""
    for path in sorted((root / "content").rglob("*.md")):
        file = path.relative_to(root).as_posix()
        stem, _, language = path.stem.rpartition(".")
        if language not in LANGUAGES or not stem:
            problems.append(Problem.at(Place(file), "prose-name", path.name))
            continue
        text = read_text(root, file)
        if isinstance(text, Problem):
            problems.append(text)
            continue
        text = text.replace("\r\n", "\n")
        head, body, first_line = _split_front_matter(text)
        problems.extend(control_characters(body, file, first_line))
        document = parse_yaml(head, file) if head else None
        meta = document.data if document and isinstance(document.data, dict) else {}
        problems.extend(document.problems if document else ())
        read = read_record(PageHead, {"id": stem, "title": stem, **meta})
        found = _problems(read, document, (), (stem, PageHead)) if isinstance(read, tuple) and document else ()
        problems += found
        there = {*meta, *(dict(problem.facts).get("nearest") for problem in found)}
        problems.extend(
            Problem.at(Place(file, 2), "prose-front-matter", field=name)
            for name in ("id", "title")
            if name not in there
        )
        if not isinstance(read, PageHead):
            read = PageHead(id=stem, title=stem)
        section = path.parent.relative_to(root / "content").as_posix().strip(".")
        yield Prose(read, section, language, file, body, first_line)


def _split_front_matter(text: str) -> tuple[str, str, int]:
    """Head, body, and the line of the file on which the body begins."""
    if not text.startswith("---\n"):
        return "", text, 1
    head, fence, body = text[4:].partition("\n---\n")
    if not fence:
        return "", text, 1
    # the blank first line keeps the line numbers of the head right
    return "\n" + head, body, head.count("\n") + 4
