"""The home page, the coverage page, and pages of prose."""

from dataclasses import dataclass

from site_build.model import Model, Prose
from site_build.views.claim import ClaimView, claim_view
from site_build.views.components import ComponentView, component_view
from site_build.views.pages import Entry, Page, entry
from site_build.views.scope import CITING, FOLDERS, Html, Scope, shown_id


@dataclass(frozen=True)
class Door:
    """A way in for one kind of user."""

    name: str
    why: str
    link: str


@dataclass(frozen=True)
class HomeView:
    """The home page: what this is, one real claim, four doors, the questions."""

    title: str
    description: Html
    example: ClaimView | None
    example_title: str
    marks: tuple[str, str, str]
    """What grade, locator and boundary mean."""
    doors: tuple[Door, ...]
    opening: ComponentView | None
    """The component that the page opens with."""
    questions: tuple[Entry, ...]


def home_page(scope: Scope) -> Page:
    """The home page of one language."""
    info, labels = scope.ledger.info, scope.labels
    found = scope.ledger.claim(info.example)
    opening = scope.ledger.components.get(info.opening or "")
    corrected = "corrections" if scope.ledger.corrections else "values"
    doors = (
        ("read", "questions"),
        ("check", "grades"),
        ("edit", corrected),
        ("cite", CITING if scope.results.citations else "sources"),
    )
    view = HomeView(
        title=scope.say(info.title),
        description=scope.line(info.description),
        example=claim_view(scope, *found) if found else None,
        example_title=scope.words(found[0].title) if found else "",
        marks=(labels["mark_grade"], labels["mark_locator"], labels["mark_boundary"]),
        doors=tuple(Door(labels[name], labels[f"{name}_why"], scope.to(path)) for name, path in doors),
        opening=component_view(scope, opening) if opening else None,
        questions=tuple(entry(scope, "question", id_) for id_ in scope.ledger.questions),
    )
    return Page("", "home", scope.say(info.title), scope.words(info.description), view, kind="home")


@dataclass(frozen=True)
class Tile:
    """One promised record: its page, and what is still open."""

    id: str
    title: str
    link: str
    open: str
    """What is missing; empty for nothing."""
    sources: int
    """How many locators it has."""
    seen: str
    """What a browser found; empty where none has looked."""


@dataclass(frozen=True)
class CoverageRow:
    """One kind of promised record."""

    title: str
    promised: int
    there: int
    tiles: tuple[Tile, ...]


@dataclass(frozen=True)
class CoverageView:
    """What was promised and what is there."""

    title: str
    lead: str
    looked: str
    """In which build a browser looked last, and whether it is this one."""
    rows: tuple[CoverageRow, ...]


def coverage_page(scope: Scope) -> Page:
    """The coverage page: every promised record, with gaps marked."""
    promised = scope.ledger.info.promised
    rows = (
        _coverage(scope, "question", promised.questions),
        _coverage(scope, "figure", promised.figures),
        _coverage(scope, "table", promised.tables),
        _coverage(scope, "lab", promised.labs),
        _coverage(scope, "cite", promised.path_nodes),
    )
    title, lead = scope.labels["coverage"], scope.labels["lead_coverage"]
    return Page("coverage", "coverage", title, lead, CoverageView(title, lead, _looked(scope), rows))


def _coverage(scope: Scope, kind: str, promised: int) -> CoverageRow:
    records = scope.ledger.records[kind]
    counted = {
        id_: record for id_, record in records.items() if getattr(record, "in_path", getattr(record, "promised", False))
    }
    tiles = tuple(_tile(scope, kind, id_, record) for id_, record in counted.items())
    return CoverageRow(scope.labels[FOLDERS[kind]], promised, len(tiles), tiles)


def _looked(scope: Scope) -> str:
    seen, labels = scope.results.seen, scope.labels
    if seen is None:
        return labels["not_looked"]
    same = scope.which_build(seen["build"])
    return labels["looked"].format(browser=seen["browser"], build=seen["build"], same=same)


def _seen(scope: Scope, kind: str, id_: str) -> tuple[str, bool]:
    """What a browser found on a record's pages, and whether that is a gap."""
    if scope.results.seen is None:
        return "", False
    found = scope.results.seen["records"].get(kind, {}).get(id_)
    if found is None:
        return scope.labels["not_looked_at"], True
    faults = [f"{fault} ({language})" for language, lines in sorted(found.items()) for fault in lines]
    return "; ".join(faults) or scope.labels["seen_there"], bool(faults)


def _tile(scope: Scope, kind: str, id_: str, record: Model) -> Tile:
    acceptance = getattr(record, "acceptance", None)
    seen, gap = _seen(scope, kind, id_)
    missing = scope.labels["planned_long"] if acceptance and acceptance.state == "planned" else seen if gap else ""
    claims = getattr(record, "claims", ())
    sources = len(getattr(record, "locators", ())) + sum(len(claim.locators) for claim in claims)
    return Tile(shown_id(kind, id_), scope.title_of(kind, id_), scope.link(kind, id_), missing, sources, seen)


def prose_path(prose: Prose) -> str:
    """Where a page of `content/` stands: `course/kda`, `method`."""
    return f"{prose.section}/{prose.id}" if prose.section else prose.id
