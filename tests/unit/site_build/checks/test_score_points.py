"""Rows of the benchmarks as points of a chart."""

from dataclasses import replace
from pathlib import Path

from builders import edit, ledger_of, project

from site_build.checks.score_points import score_points
from site_build.model import Scores, Text

SILENT = Text(en="not stated", zh="未说明")
VARIANT = edit("ledger/benchmarks.yaml", "name: 'Flatness'\n", "name: 'Flatness'\n    variant: {en: 'wet', zh: '湿'}\n")


def test_row_becomes_a_point_with_its_scores_and_settings(tmp_path: Path) -> None:
    """A score is written in the benchmarks only; where the source is silent, the chart's own word stands."""
    ledger = ledger_of(project(tmp_path))
    assert score_points(ledger, Scores(table="T1", group="floors", silent=SILENT)) == (
        {
            "row": "flatness",
            "name": "Flatness",
            "unit": "",
            "weak": False,
            "note": "",
            "ours": 81.5,
            "tools": {"en": "None.", "zh": "没有。"},
            "tools_state": "stated",
            "judge": {"en": "not stated", "zh": "未说明"},
            "judge_state": "silent",
        },
    )


def test_variant_tells_rows_of_one_name_apart(tmp_path: Path) -> None:
    """The name of a row with a variant carries it in both languages."""
    (point,) = score_points(ledger_of(project(tmp_path, VARIANT)), Scores(table="T1", silent=SILENT))
    assert point["name"] == {"en": "Flatness (wet)", "zh": "Flatness (湿)"}


def test_notes_and_a_variant_in_one_language_stay_in_it(tmp_path: Path) -> None:
    """A ledger of one language has no other to fill in, and several notes become one text."""
    ledger = ledger_of(project(tmp_path))
    (row,) = ledger.benchmarks.rows
    alone = row.model_copy(update={"notes": (Text(en="Wet."), Text(en="Cold.")), "variant": Text(en="wet")})
    ledger = replace(ledger, benchmarks=ledger.benchmarks.model_copy(update={"rows": (alone,)}))
    (point,) = score_points(ledger, Scores(table="T1", silent=SILENT))
    assert (point["note"], point["name"]) == ({"en": "Wet. Cold."}, {"en": "Flatness (wet)"})


def test_other_groups_and_tables_stay_out(tmp_path: Path) -> None:
    """Only the rows of the group and table named are points."""
    ledger = ledger_of(project(tmp_path))
    assert score_points(ledger, Scores(table="T1", group="walls", silent=SILENT)) == ()
    assert score_points(ledger, Scores(table="T2", silent=SILENT)) == ()
