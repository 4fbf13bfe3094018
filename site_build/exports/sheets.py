"""Every claim of a ledger in every form, as its page shows them."""

from collections.abc import Mapping

from site_build.exports.citation import citable, citation
from site_build.exports.formats import FORMATS
from site_build.model import Language, Ledger
from site_build.views import released

type Forms = Mapping[str, str]
"""A citation by the name of its form."""


def citations(ledger: Ledger, language: Language, address: str) -> dict[str, Forms]:
    """By reference, the forms of each claim that stands; `address` is the site's own, with a slash at its end."""
    current = released(ledger)
    found: dict[str, Forms] = {}
    for reference, claim in current.claims.items():
        # a preview has claims that are not whole yet
        whole = language in claim.text and language in claim.boundary and claim.grade in ledger.grades
        if whole and not claim.withdrawn:
            cited = citation(ledger, citable(ledger, current, reference), reference, language, address)
            found[reference] = {name: form(cited) for name, form in FORMATS.items()}
    return found
