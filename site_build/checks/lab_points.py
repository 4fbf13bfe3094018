"""Points of charts from the results of labs, and whether a lab's own picture can be drawn."""

from collections.abc import Iterator, Mapping
from typing import Any

from site_build.checks.labs import at_path, static_results
from site_build.model import Ledger
from site_build.problems import Problem
from site_build.source import Numerics
from site_build.visuals import ChartError, chart_svg

type Points = tuple[dict[str, Any], ...]


def series_points(result: Any, series: Mapping[str, str]) -> Points | str:
    """A point for each place of lists of one length, or one point of single values; or why there are none."""
    columns = {name: at_path(result, path) for name, path in series.items()}
    if columns and not any(column is None or isinstance(column, list) for column in columns.values()):
        return (columns,)
    lengths = {name: len(column) if isinstance(column, list) else -1 for name, column in columns.items()}
    if not columns or len(set(lengths.values())) != 1 or -1 in lengths.values():
        return f"lists of equal length, got {lengths}"
    return tuple(dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))


def in_language(spec: Any, language: str) -> Any:
    """A specification with every `{en, zh}` text in one language."""
    if isinstance(spec, Mapping):
        if spec and set(spec) <= {"en", "zh"}:
            return spec.get(language, "")
        return {name: in_language(value, language) for name, value in spec.items()}
    if isinstance(spec, list | tuple):
        return [in_language(value, language) for value in spec]
    return spec


def pictures_can_be_drawn(ledger: Ledger, numerics: Numerics) -> Iterator[Problem]:
    """Every lab's picture finds its columns in the result, and compiles in every language."""
    for id_, result in static_results(ledger, numerics).items():
        picture = ledger.labs[id_].picture
        if picture is None:
            continue
        points = series_points(result, picture.series)
        if isinstance(points, str):
            yield Problem.at(ledger.place("lab", id_, "picture", "series"), "component-points", points)
            continue
        for language in ledger.info.languages:
            try:
                chart_svg(in_language(picture.spec, language), points, title="", description="")
            except ChartError as error:
                yield Problem.at(ledger.place("lab", id_, "picture", "spec"), "component-chart", str(error))
                break
