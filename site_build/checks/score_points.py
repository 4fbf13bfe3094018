"""Rows of the benchmarks as points of a chart, so that a score is written once and drawn from there."""

from typing import Any

from site_build.model import Benchmark, Ledger, Scores


def score_points(ledger: Ledger, scores: Scores) -> tuple[dict[str, Any], ...]:
    """One point a row: its name, its scores by contender, its settings by dimension."""
    return tuple(
        _point(ledger, row, scores)
        for row in ledger.benchmarks.rows
        if row.table == scores.table and scores.group in (None, row.group)
    )


def _point(ledger: Ledger, row: Benchmark, scores: Scores) -> dict[str, Any]:
    settings = {setting.id: setting for setting in ledger.benchmarks.settings}
    stated = {settings[id_].dimension: settings[id_] for id_ in row.protocol if id_ in settings}
    point: dict[str, Any] = {
        "row": row.id,
        "name": _name(row),
        "unit": row.unit or "",
        "weak": row.weak,
        "note": _notes(row),
    }
    for contender, score in row.scores.items():
        if score.number is not None:
            point[contender] = score.number
    for dimension in ledger.benchmarks.dimensions:
        setting = stated.get(dimension.id)
        point[dimension.id] = (setting.text if setting else scores.silent).model_dump(exclude_none=True)
        point[f"{dimension.id}_state"] = "silent" if setting is None else "stated" if setting.stated else "open"
    return point


def _notes(row: Benchmark) -> str | dict[str, str]:
    notes = [note.model_dump(exclude_none=True) for note in row.notes]
    return (
        {language: " ".join(note[language] for note in notes if language in note) for language in notes[0]}
        if notes
        else ""
    )


def _name(row: Benchmark) -> str | dict[str, str]:
    if row.variant is None:
        return row.name
    return {language: f"{row.name} ({text})" for language, text in row.variant.model_dump(exclude_none=True).items()}
