"""The suites by name, in the order in which they are told."""

from collections.abc import Mapping

from site_build.regress.cases import Suite
from site_build.regress.suites import (
    accessibility,
    address,
    auditor,
    citation,
    contracts,
    home,
    labs,
    navigation,
    no_script,
    offline,
    parity,
    path,
    policy,
    printing,
    questions,
    search,
)

REMOTE = ("address",)
"""Suites that look at what only a deployed site has."""
SUITES: Mapping[str, Suite] = {
    "home": home.cases,
    "navigation": navigation.cases,
    "questions": questions.cases,
    "figures": contracts.figures,
    "tables": contracts.tables,
    "labs": labs.cases,
    "parity": parity.cases,
    "path": path.cases,
    "search": search.cases,
    "auditor": auditor.cases,
    "citation": citation.cases,
    "accessibility": accessibility.cases,
    "print": printing.cases,
    "no-script": no_script.cases,
    "offline": offline.cases,
    "policy": policy.cases,
    "address": address.cases,
}
