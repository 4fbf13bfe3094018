"""`k3 new`: a new record that can be read at once, with placeholders where its editor still has to write."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from site_build.checks import NAME_PLACEHOLDER, PLACEHOLDERS, promised_counts
from site_build.edit.aside import write_all
from site_build.edit.bib_entry import KINDS as NODE_KINDS
from site_build.edit.bib_entry import BibEntry, pick_entry
from site_build.edit.fmt import same
from site_build.edit.free_ids import free_id
from site_build.edit.kinds import KINDS, FileKind
from site_build.edit.skeleton import skeleton
from site_build.model import Ledger, read_record
from site_build.problems import Faults, Place, Problem
from site_build.source import parse_bibliography, parse_yaml, read_ledger

BIBLIOGRAPHY = "ledger/reading/references.bib"


@dataclass(frozen=True)
class Written:
    """A new record and where it stands."""

    place: Place
    """The record's first line; the field is its id."""
    last_line: int
    """The record's last line."""


def new_question(root: Path) -> Written:
    """Write a question under the smallest free id to a file of its own."""
    ledger = _ledger(root)
    id_ = _free(ledger, "question", "Q", fill=True)
    file = f"ledger/questions/{id_}.yaml"
    if (root / file).exists():
        raise Faults([Problem.at(Place(file), "new-exists", file)])
    info = ledger.info
    data = {
        "id": id_,
        "topic": info.topics[0].id if info.topics else NAME_PLACEHOLDER,
        "status": info.statuses[0].id if info.statuses else NAME_PLACEHOLDER,
        "promised": promised_counts(ledger)["questions"] < info.promised.questions,
        **{name: _text(ledger) for name in ("object", "title", "answer", "boundary", "would_change")},
        "claims": [_claim_data(ledger, "c1")],
        "acceptance": {
            "statement": _text(ledger),
            "component": NAME_PLACEHOLDER,
            "selector": f'[data-component="{NAME_PLACEHOLDER}"]',
            "state": "planned",
        },
        "reviewed": info.date,
    }
    hints = {
        "topic": _one_of(entry.id for entry in info.topics),
        "status": _one_of(entry.id for entry in info.statuses),
    }
    kind = KINDS["question"]
    text = f"{kind.modeline(file)}\n{skeleton(kind.shape, data, hints)}"
    write_all({root / file: text})
    return Written(Place(file, 2, 1, id_), text.count("\n"))


def new_claim(root: Path, question_id: str) -> Written:
    """Add a claim to a question, with the number after its largest one."""
    ledger = _ledger(root)
    question = ledger.questions.get(question_id)
    file = f"ledger/questions/{question_id}.yaml"
    if question is None:
        unread = [problem for record in ledger.unread if record.id == question_id for problem in record.problems]
        raise Faults(
            unread or [Problem.at(Place("ledger/questions"), "reference-unknown", question_id, kind="question")]
        )
    used = [*(claim.id for claim in question.claims), *(change.claim for change in question.history)]
    id_ = f"c{max(int(claim[1:]) for claim in used) + 1}"
    added = skeleton(KINDS["question"].shape, {"claims": [_claim_data(ledger, id_)]}, {})
    record = parse_yaml(added, file).data["claims"]
    lines = added.splitlines()
    lines = [line for line in lines[lines.index("claims:") + 1 :] if not line.startswith("#")]
    text, old = _read(root, file)
    before = text.splitlines()
    end = _end_of_list(before, "claims")
    new = "\n".join([*before[:end], *lines, *before[end:]]) + "\n"
    _assert_added(file, new, {**old, "claims": (*old["claims"], *record)})
    write_all({root / file: new})
    return Written(Place(file, end + 1, 1, f"{question_id}.{id_}"), end + len(lines))


def new_value(root: Path, id_: str) -> Written:
    """Append a value to `values.yaml`."""
    ledger = _ledger(root)
    data = {
        "id": id_,
        "name": _text(ledger),
        "grade": "R",
        "locators": [],
        "number": 0,
        # printing refuses it, so that nobody passes over the number above it
        "display": PLACEHOLDERS["en"],
    }
    return _append(root, ledger, "values", "value", data, {"unit": _one_of(unit.id for unit in ledger.info.units)})


def new_correction(root: Path) -> Written:
    """Append a correction to `corrections.yaml` under the next id."""
    ledger = _ledger(root)
    texts = {name: _text(ledger) for name in ("title", "who", "says", "right")}
    data = {"id": _free(ledger, "correction", "C"), **texts, "locators": [PLACEHOLDERS["en"]]}
    return _append(root, ledger, "corrections", "correction", data, {})


def new_redline(root: Path) -> Written:
    """Append a red line to `redlines.yaml` under the next id."""
    ledger = _ledger(root)
    texts = {name: _text(ledger) for name in ("statement", "right")}
    rules = {language: [{"all": [NAME_PLACEHOLDER]}] for language in ledger.info.languages}
    lists: dict[str, Any] = {
        name: {language: [] for language in ledger.info.languages} for name in ("must_match", "must_pass")
    }
    data = {"id": _free(ledger, "redline", "RL"), **texts, "locators": [PLACEHOLDERS["en"]], "rules": rules, **lists}
    return _append(root, ledger, "redlines", "redline", data, {})


def new_node(root: Path, id_: str, bibtex: Path | None = None, arxiv: str = "") -> Written:
    """Append a node to `nodes.yaml`, and to the bibliography the entry of a BibTeX export: both or neither.

    Without `id_` the node is named after the entry's key.
    """
    ledger = _ledger(root)
    entry = _entry(root, bibtex, id_, arxiv) if bibtex else None
    texts = _with_entry(root, ledger, entry) if entry else {}
    info = ledger.info
    data = {
        "id": entry.publication.key if entry else id_,
        "stage": info.stages[0].id if info.stages else NAME_PLACEHOLDER,
        "in_path": promised_counts(ledger)["path_nodes"] < info.promised.path_nodes,
        "kind": NODE_KINDS.get(entry.publication.entry_type, "paper") if entry else "paper",
        "why": _text(ledger),
    }
    return _append(root, ledger, "nodes", "cite", data, {"stage": _one_of(stage.id for stage in info.stages)}, texts)


def _entry(root: Path, bibtex: Path, id_: str, arxiv: str) -> BibEntry:
    file = bibtex.relative_to(root).as_posix() if bibtex.is_relative_to(root) else bibtex.as_posix()
    try:
        return pick_entry(bibtex.read_text(encoding="utf-8-sig"), file, id_, arxiv)
    except (OSError, UnicodeDecodeError) as error:
        raise Faults([Problem.at(Place(file), "file-unreadable", str(error).splitlines()[0])]) from None


def _with_entry(root: Path, ledger: Ledger, entry: BibEntry) -> Mapping[Path, str]:
    """The bibliography with one more entry; as it is where the entry already stands there without a node."""
    new = entry.publication
    for old in ledger.publications.values():
        if old.key == new.key or old.url == new.url or (new.arxiv and new.arxiv == old.arxiv):
            if old == new and new.key not in ledger.nodes:
                return {}
            raise Faults([Problem.at(ledger.place("publication", old.key), "new-exists", old.key)])
    path = root / BIBLIOGRAPHY
    before = path.read_text(encoding="utf-8").rstrip("\n") if path.exists() else ""
    text = f"{before}\n\n{entry.text}\n".lstrip("\n")
    old_reading, reading = parse_bibliography(before, BIBLIOGRAPHY), parse_bibliography(text, BIBLIOGRAPHY)
    if new.key not in reading.publications or len(reading.problems) > len(old_reading.problems):
        raise Faults(reading.problems or [Problem.at(Place(BIBLIOGRAPHY), "new-exists", new.key)])
    return {path: text}


def _append(  # noqa: PLR0917 - what is written, and where
    root: Path,
    ledger: Ledger,
    file_kind: str,
    kind: str,
    data: dict[str, Any],
    hints: Mapping[str, str],
    texts: Mapping[Path, str] | None = None,
) -> Written:
    """Add a record to the end of its list, together with other `texts`."""
    files = KINDS[file_kind]
    file, id_ = files.pattern, data["id"]
    if ledger.knows(kind, id_):
        raise Faults([Problem.at(ledger.place(kind, id_), "new-exists", id_)])
    added = skeleton(files.shape, [data], hints)
    record = parse_yaml(added, file).data
    _assert_id(ledger, files, kind, id_)
    _assert_readable(files, file, record[0])
    text, old = _read(root, file)
    before = text.rstrip("\n") or files.modeline(file)
    new = f"{before}\n{added}"
    _assert_added(file, new, (*old, *record) if isinstance(old, tuple) else record)
    write_all({**(texts or {}), root / file: new})
    return Written(Place(file, before.count("\n") + 2, 1, id_), new.count("\n"))


def _ledger(root: Path) -> Ledger:
    reading = read_ledger(root)
    if reading.ledger is None:
        raise Faults(reading.problems)
    return reading.ledger


def _free(ledger: Ledger, kind: str, letters: str, *, fill: bool = False) -> str:
    pattern = ledger.info.ids.get(kind, "")
    used = {*ledger.records[kind], *(record.id for record in ledger.unread if record.kind == kind)}
    place = ledger.place("ledger", "ledger", "ids", kind)
    try:
        id_ = free_id(pattern, letters, used, fill=fill)
    except re.error as error:
        raise Faults([Problem.at(place, "pattern-broken", pattern, reason=error)]) from None
    if id_ is None:
        raise Faults([Problem.at(place, "new-none-free", len(used), pattern=pattern)])
    return id_


def _text(ledger: Ledger) -> dict[str, str]:
    return {language: PLACEHOLDERS[language] for language in ledger.info.languages}


def _claim_data(ledger: Ledger, id_: str) -> dict[str, Any]:
    return {"id": id_, "text": _text(ledger), "grade": "R", "locators": []}


def _one_of(names: Iterable[str]) -> str:
    listed = ", ".join(names)
    return f"One of: {listed}." if listed else ""


def _read(root: Path, file: str) -> tuple[str, Any]:
    """A file's text and data; both empty where it is missing."""
    if not (root / file).exists():
        return "", None
    text = (root / file).read_bytes().decode("utf-8", errors="replace").replace("\r\n", "\n")
    document = parse_yaml(text, file)
    if document.problems:
        raise Faults(document.problems)
    return text, document.data


def _end_of_list(lines: list[str], key: str) -> int:
    """The index after the last line of a list that stands in a record's first column."""
    start = next((index for index, line in enumerate(lines) if line.startswith(f"{key}:")), len(lines) - 1)
    ends = (index for index in range(start + 1, len(lines)) if lines[index][:1] not in {"", " ", "-", "#"})
    end = next(ends, len(lines))
    while end > start and (not lines[end - 1].strip() or lines[end - 1].startswith("#")):
        end -= 1
    return end


def _assert_id(ledger: Ledger, files: FileKind, kind: str, id_: str) -> None:
    """Refuse an id that does not look as this ledger wants it."""
    pattern = ledger.info.ids.get(kind, "")
    if not re.search(pattern, id_):
        raise Faults([Problem.at(Place(files.pattern), "id-pattern", id_, pattern=pattern)])


def _assert_readable(files: FileKind, file: str, record: Any) -> None:
    """Refuse an id that the record does not allow; the rest of a new record is right by itself."""
    found = read_record(files.model, record)
    if isinstance(found, tuple):
        raise Faults(Problem.at(Place(file), "field-pattern", fault.got, expected=fault.expected) for fault in found)


def _assert_added(file: str, text: str, wanted: Any) -> None:
    """Nothing is written unless the file then holds what it held, and the new record."""
    document = parse_yaml(text, file)
    if document.problems or not same(document.data, wanted):
        raise Faults([Problem.at(Place(file), "new-not-inserted")])
