"""Benchmark rows carry a whole protocol: every dimension is set or said to be silent, once, by a known name."""

from collections import Counter
from collections.abc import Iterator

from site_build.model import Benchmark, Ledger, print_number, prints_truly
from site_build.problems import Problem


def rows_refer_to_lists(ledger: Ledger) -> Iterator[Problem]:
    """Contenders, groups, settings, dimensions and tables of every row are there."""
    for setting in ledger.benchmarks.settings:
        if not ledger.knows("dimension", setting.dimension):
            place = ledger.place("setting", setting.id, "dimension")
            yield Problem.at(place, "reference-unknown", setting.dimension, kind="dimension")
    for row in ledger.benchmarks.rows:
        named = [
            *((("scores", name), "contender", name) for name in row.scores),
            (("group",), "group", row.group),
            *((("protocol", index), "setting", name) for index, name in enumerate(row.protocol)),
            *((("silent", index), "dimension", name) for index, name in enumerate(row.silent)),
        ]
        for path, kind, name in named:
            if not ledger.knows(kind, name):
                yield Problem.at(ledger.place("benchmark", row.id, *path), "reference-unknown", name, kind=kind)
        if not ledger.knows("table", row.table):
            yield Problem.at(ledger.place("benchmark", row.id, "table"), "reference-unknown", row.table, kind="table")


def protocols_are_whole(ledger: Ledger) -> Iterator[Problem]:
    """Every dimension stands once in a row: set, or silent."""
    of_setting = {setting.id: setting.dimension for setting in ledger.benchmarks.settings}
    for row in ledger.benchmarks.rows:
        counts = Counter([of_setting[name] for name in row.protocol if name in of_setting] + list(row.silent))
        twice = sorted(name for name, count in counts.items() if count > 1)
        missing = [dimension.id for dimension in ledger.benchmarks.dimensions if dimension.id not in counts]
        place = ledger.place("benchmark", row.id, "protocol")
        if twice:
            yield Problem.at(place, "protocol-twice", ", ".join(twice))
        if missing:
            yield Problem.at(place, "protocol-incomplete", ", ".join(missing))


def scores_print(ledger: Ledger) -> Iterator[Problem]:
    """A printed score still says the number."""
    for row in ledger.benchmarks.rows:
        yield from _scores(ledger, row)


def _scores(ledger: Ledger, row: Benchmark) -> Iterator[Problem]:
    for contender, score in row.scores.items():
        place = ledger.place("benchmark", row.id, "scores", contender)
        if score.number is None:
            if score.status != "not-reported":
                yield Problem.at(place, "score-missing", status=score.status)
            continue
        printed = print_number(score.number, score.display)
        if printed is None:
            yield Problem.at(place, "display-format", score.display)
        elif not prints_truly(score.number, printed):
            yield Problem.at(place, "display-differs", printed, number=score.number)
