"""Grades are enforced: what each letter needs, and locators that lead somewhere."""

from collections.abc import Iterator

from site_build.model import Ledger, Locator, Source, ValueInput, find_markers, parse_locator
from site_build.problems import Problem


def claims_have_locators(ledger: Ledger) -> Iterator[Problem]:
    """Every claim and value graded R, P or D says where to look."""
    for question, index, claim in ledger.claims():
        if claim.grade != "T" and not claim.locators:
            place = ledger.place("question", question.id, "claims", index)
            yield Problem.at(place, "grade-without-locator", grade=claim.grade)
    for value in ledger.values.values():
        if value.grade != "T" and not value.locators:
            yield Problem.at(ledger.place("value", value.id), "grade-without-locator", grade=value.grade)


def derived_claims_are_derived(ledger: Ledger) -> Iterator[Problem]:
    """D names what the build computes again, and nothing else does."""
    for question, index, claim in ledger.claims():
        place = ledger.place("question", question.id, "claims", index, "derivation")
        if claim.grade == "D" and not claim.derivation:
            yield Problem.at(place, "derivation-missing")
        for position, value_id in enumerate(claim.derivation):
            value = ledger.values.get(value_id)
            here = ledger.place("question", question.id, "claims", index, "derivation", position)
            if value is None and not ledger.knows("value", value_id):
                yield Problem.at(here, "reference-unknown", value_id, kind="value")
            elif value is not None and value.derivation is None:
                yield Problem.at(here, "derivation-of-given", value_id, grade=value.grade)
    for value in ledger.values.values():
        if (value.grade == "D") != (value.derivation is not None):
            code, got = ("derivation-missing", "") if value.grade == "D" else ("derivation-not-d", value.grade)
            yield Problem.at(ledger.place("value", value.id, "derivation"), code, got)


def grades_fit_locators(ledger: Ledger) -> Iterator[Problem]:
    """R points into the report, P into another source."""
    reports = {source.id for source in ledger.sources.values() if source.kind == "report"}
    if any(record.kind == "source" for record in ledger.unread):
        return  # the broken source may be the report
    for kind, id_, path, record in _graded(ledger):
        wanted = record[0]
        found = [locator for text in record[1] if (locator := parse_locator(text))]
        in_report = [locator for locator in found if locator.source in reports]
        place = ledger.place(kind, id_, *path, "locators")
        if wanted == "R" and found and not in_report:
            yield Problem.at(place, "grade-r-elsewhere", found[0].text, sources=", ".join(sorted(reports)) or "none")
        if wanted == "P" and found and len(in_report) == len(found):
            yield Problem.at(place, "grade-p-in-report", found[0].text)


def _graded(ledger: Ledger) -> Iterator[tuple[str, str, tuple[str | int, ...], tuple[str, tuple[str, ...]]]]:
    for question, index, claim in ledger.claims():
        yield "question", question.id, ("claims", index), (claim.grade, claim.locators)
    for value in ledger.values.values():
        yield "value", value.id, (), (value.grade, value.locators)


def locators_lead_somewhere(ledger: Ledger) -> Iterator[Problem]:
    """Every locator is written in a known form and points at something the ledger knows."""
    for (kind, id_), parts in ledger.parts.items():
        for path, text in parts:
            if not isinstance(text, str) or not ("locators" in path or path[-1] == "locator"):
                continue
            locator = parse_locator(text)
            if locator is None:
                yield Problem.at(ledger.place(kind, id_, *path), "locator-form", text)
            else:
                for code, got, facts in _missing(ledger, locator):
                    yield Problem.at(ledger.place(kind, id_, *path), code, got, **facts)


type _Fault = tuple[str, str, dict[str, object]]
"""Code, got and facts of a problem."""


def _missing(ledger: Ledger, locator: Locator) -> Iterator[_Fault]:
    """Say what a locator points at that is not there."""
    if locator.source == "node":
        if not ledger.knows("cite", locator.target):
            yield "reference-unknown", locator.target, {"kind": "node"}
        return
    if locator.source == "code":
        return
    source = ledger.sources.get(locator.source)
    if source is None and ledger.knows("source", locator.source):
        return  # its own faults are reported
    if source is None:
        yield "locator-source", locator.source, {"known": ", ".join(sorted(ledger.sources))}
    elif locator.source == "config":
        if locator.target not in source.paths:
            yield "locator-path", locator.target, {}
    else:
        yield from _outside_outline(source, locator)


def _outside_outline(source: Source, locator: Locator) -> Iterator[_Fault]:
    sections = {section.number for section in source.outline} | {"", "abstract", "front"}
    if locator.section not in sections:
        yield "locator-section", f"§{locator.section}", {"source": source.id}
    counts = {"eq": source.equations, "fig": source.figures, "table": source.tables, "alg": source.algorithms}
    if locator.part == "app" and locator.number not in source.appendices:
        yield "locator-part", f"app.{locator.number}", {"last": ", ".join(source.appendices) or "none"}
    elif locator.part in counts and not 1 <= int(locator.number) <= counts[locator.part]:
        yield "locator-part", f"{locator.part} {locator.number}", {"last": f"1 to {counts[locator.part]}"}


MODEL_WORDS = {"en": ("model", "teaching"), "zh": ("模型", "教学")}
"""Words that mark a number as a teaching model's, by language."""


def teaching_models_are_marked(ledger: Ledger) -> Iterator[Problem]:
    """A claim of grade T that names a measured unit says in each language that a model speaks."""
    measured = {unit.id for unit in ledger.info.units if unit.measured}
    for question, index, claim in ledger.claims():
        if claim.grade != "T":
            continue
        for language in ledger.info.languages:
            text = claim.text.in_language(language)
            named = (ledger.values.get(marker.target) for marker in find_markers(text) if marker.kind == "value")
            units = sorted({value.unit for value in named if value and value.unit in measured})
            if units and not any(word in text.casefold() for word in MODEL_WORDS[language]):
                place = ledger.place("question", question.id, "claims", index, "text", language)
                yield Problem.at(place, "teaching-unmarked", units[0], words=", ".join(MODEL_WORDS[language]))


def derivations_end(ledger: Ledger) -> Iterator[Problem]:
    """No value is computed from itself, over however many others."""
    for value in ledger.values.values():
        seen: set[str] = set()
        waiting = list(_sources(ledger, value.id))
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                waiting += _sources(ledger, name)
        if value.id in seen:
            place = ledger.place("value", value.id, "derivation", "inputs")
            yield Problem.at(place, "derivation-circle", value.id)


def _sources(ledger: Ledger, value_id: str) -> Iterator[str]:
    value = ledger.values.get(value_id)
    if value is not None and value.derivation is not None:
        for given in value.derivation.inputs.values():
            if isinstance(given, ValueInput):
                yield given.value
