"""Every rule of the ledger as a pure generator of problems. `CHECKS` lists them; all run, then one verdict."""

from collections.abc import Callable, Iterator

from site_build.checks.components import (
    acceptances_are_there,
    all_points,
    components_hold,
    strip_count,
    strip_pieces,
)
from site_build.checks.evidence import (
    claims_have_locators,
    derivations_end,
    derived_claims_are_derived,
    grades_fit_locators,
    locators_lead_somewhere,
    teaching_models_are_marked,
)
from site_build.checks.lab_points import in_language, pictures_can_be_drawn, series_points
from site_build.checks.labs import labs_match_contracts, static_results
from site_build.checks.numbers import derivations_hold, prints_hold, units_are_known
from site_build.checks.protocols import protocols_are_whole, rows_refer_to_lists, scores_print
from site_build.checks.redlines import redlines_are_kept, redlines_are_proved
from site_build.checks.references import (
    counts_are_promised,
    ids_follow_patterns,
    lists_resolve,
    markers_resolve,
    nodes_have_publications,
    own_lists_resolve,
    pages_have_addresses,
    promised_counts,
    sections_list_their_pages,
    specifications_resolve,
)
from site_build.checks.releases import releases_are_kept, steps_are_true
from site_build.checks.reviews import reviews_are_recent
from site_build.checks.texts import (
    formulas_parse,
    languages_are_complete,
    links_are_safe,
    numbers_are_marked,
    terms_are_kept,
)
from site_build.checks.unwritten import NAME_PLACEHOLDER, PLACEHOLDERS, nothing_is_unwritten
from site_build.model import Ledger
from site_build.problems import Problem
from site_build.source import Numerics, Reading

CHECKS: tuple[Callable[[Ledger], Iterator[Problem]], ...] = (
    claims_have_locators,
    derived_claims_are_derived,
    grades_fit_locators,
    teaching_models_are_marked,
    derivations_end,
    locators_lead_somewhere,
    prints_hold,
    units_are_known,
    lists_resolve,
    specifications_resolve,
    own_lists_resolve,
    nodes_have_publications,
    markers_resolve,
    pages_have_addresses,
    sections_list_their_pages,
    ids_follow_patterns,
    counts_are_promised,
    languages_are_complete,
    numbers_are_marked,
    formulas_parse,
    links_are_safe,
    redlines_are_kept,
    redlines_are_proved,
    terms_are_kept,
    rows_refer_to_lists,
    protocols_are_whole,
    scores_print,
    nothing_is_unwritten,
    acceptances_are_there,
    releases_are_kept,
    steps_are_true,
)
NUMERIC_CHECKS: tuple[Callable[[Ledger, Numerics], Iterator[Problem]], ...] = (
    derivations_hold,
    labs_match_contracts,
    components_hold,
    pictures_can_be_drawn,
)


def find_problems(reading: Reading, today: str = "") -> tuple[Problem, ...]:
    """Every problem of a project: those of reading and those of every check, sorted, each once.

    `today` is the ISO date that reviews are measured against; the ledger's own date if empty.
    """
    found: set[Problem] = set()
    if reading.ledger is not None:
        for check in CHECKS:
            found.update(check(reading.ledger))
        for numeric_check in NUMERIC_CHECKS:
            found.update(numeric_check(reading.ledger, reading.numerics))
        found.update(reviews_are_recent(reading.ledger, today or reading.ledger.info.date))
    # what could not be read as it stands is said once, by its reader
    refused = {str(problem.place) for problem in reading.problems if problem.place.column > 1}
    kept = (problem for problem in found if str(problem.place) not in refused)
    return tuple(sorted({*reading.problems, *kept}))


__all__ = [
    "CHECKS",
    "NAME_PLACEHOLDER",
    "NUMERIC_CHECKS",
    "PLACEHOLDERS",
    "all_points",
    "find_problems",
    "in_language",
    "promised_counts",
    "series_points",
    "static_results",
    "strip_count",
    "strip_pieces",
]
