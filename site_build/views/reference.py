"""The reference of the numerics package, from its own docstrings."""

from dataclasses import dataclass

from site_build.views.pages import Page
from site_build.views.scope import Html, Scope


@dataclass(frozen=True)
class Documented:
    """A public function or class of the numerics package."""

    name: str
    module: str
    signature: str
    text: str
    """The docstring."""
    used: tuple[Html, ...]
    """Values of the ledger that call it."""


@dataclass(frozen=True)
class ReferenceView:
    """The whole package, module by module."""

    title: str
    lead: str
    package: str
    modules: tuple[tuple[str, tuple[Documented, ...]], ...]


def reference_page(scope: Scope) -> Page:
    """The page of the numerics package."""
    found: dict[str, list[Documented]] = {}
    for item in scope.results.reference:
        used = tuple(
            scope.value(value)
            for value in scope.ledger.values.values()
            if value.derivation is not None and value.derivation.function in item.registered
        )
        entry = Documented(item.name, item.module, item.signature, item.text, used)
        found.setdefault(item.module, []).append(entry)
    package = scope.ledger.info.numerics.partition(".")[0]
    title, lead = f"{scope.labels['reference']}{scope.labels['colon']}{package}", scope.labels["lead_reference"]
    modules = tuple((module, tuple(items)) for module, items in sorted(found.items()))
    return Page("reference", "reference", title, lead, ReferenceView(title, lead, package, modules))
