"""Pages of figures, tables, red lines, corrections and nodes."""

from dataclasses import dataclass

from site_build.model import Contract, Correction, Node, Publication, RedLine, TableContract
from site_build.views.components import ComponentView, component_view
from site_build.views.lists import SpecTable, spec_table
from site_build.views.pages import Entry, Page, named_by
from site_build.views.question import list_name
from site_build.views.scope import Html, Scope, shown_id


@dataclass(frozen=True)
class ContractView:
    """A figure or table: what the source shows, what this site shows, what must not be concluded."""

    id: str
    kind: str
    title: Html
    shows: Html
    picture: Html
    do_not_conclude: tuple[Html, ...]
    locators: tuple[Html, ...]
    rows: SpecTable | None
    component: ComponentView | None
    named_by: tuple[Entry, ...]


def contract_page(scope: Scope, kind: str, contract: Contract) -> Page:
    """The page of a figure or table contract."""
    component = scope.ledger.components.get(contract.component or "")
    specs = contract.specs if isinstance(contract, TableContract) else ()
    view = ContractView(
        id=shown_id(kind, contract.id),
        kind=kind,
        title=scope.line(contract.title),
        shows=scope.block(contract.shows),
        picture=scope.block(contract.picture),
        do_not_conclude=tuple(scope.line(text) for text in contract.do_not_conclude),
        locators=scope.locators(contract.locators),
        rows=spec_table(scope, specs) if specs and not component else None,
        component=component_view(scope, component) if component else None,
        named_by=named_by(scope, kind, contract.id),
    )
    title = f"{shown_id(kind, contract.id)} {scope.words(contract.title)}"
    return Page(scope.here, "contract", title, scope.words(contract.shows), view, kind=kind)


@dataclass(frozen=True)
class RedLineView:
    """A red line: what is refused, how to say it, and the sentences that prove the rule."""

    id: str
    statement: Html
    right: Html
    locators: tuple[Html, ...]
    refused: tuple[str, ...]
    allowed: tuple[str, ...]
    named_by: tuple[Entry, ...]


def redline_page(scope: Scope, redline: RedLine) -> Page:
    """The page of a red line."""
    view = RedLineView(
        id=redline.id,
        statement=scope.line(redline.statement),
        right=scope.block(redline.right),
        locators=scope.locators(redline.locators),
        refused=redline.must_match.get(scope.language, ()),
        allowed=redline.must_pass.get(scope.language, ()),
        named_by=named_by(scope, "redline", redline.id),
    )
    title = f"{redline.id} {scope.words(redline.statement)}"
    return Page(scope.here, "redline", title, scope.words(redline.right), view, kind="redline")


@dataclass(frozen=True)
class CorrectionView:
    """A correction: who says what, and what is right."""

    id: str
    title: Html
    who: Html
    says: Html
    right: Html
    locators: tuple[Html, ...]
    named_by: tuple[Entry, ...]


def correction_page(scope: Scope, correction: Correction) -> Page:
    """The page of a correction."""
    view = CorrectionView(
        id=correction.id,
        title=scope.line(correction.title),
        who=scope.line(correction.who),
        says=scope.block(correction.says),
        right=scope.block(correction.right),
        locators=scope.locators(correction.locators),
        named_by=named_by(scope, "correction", correction.id),
    )
    title = f"{correction.id} {scope.words(correction.title)}"
    return Page(scope.here, "correction", title, scope.words(correction.right), view, kind="correction")


@dataclass(frozen=True)
class NodeView:
    """A reading node with its bibliographic facts."""

    id: str
    title: str
    authors: str
    venue: str
    year: int
    url: str
    stage: str
    kind: str
    in_path: bool
    cross_entry: bool
    cited: tuple[str, ...]
    """Where it is cited, edition by edition; empty for a course supplement."""
    why: Html
    bibtex: str
    named_by: tuple[Entry, ...]


def node_page(scope: Scope, node: Node, publication: Publication) -> Page:
    """The page of a reading node."""
    view = NodeView(
        id=node.id,
        title=publication.title,
        authors=authors(scope, publication),
        venue=publication.venue,
        year=publication.year,
        url=publication.url,
        stage=list_name(scope, "stages", node.stage),
        kind=node.kind,
        in_path=node.in_path,
        cross_entry=node.cross_entry,
        cited=tuple(_cited(scope, node)),
        why=scope.block(node.why),
        bibtex=bibtex(publication),
        named_by=named_by(scope, "cite", node.id),
    )
    return Page(scope.here, "node", publication.title, scope.words(node.why), view, kind="cite")


def authors(scope: Scope, publication: Publication) -> str:
    """All names in order; `et al.` where the list is not complete."""
    names = [f"{person.given} {person.family}".strip() for person in publication.authors]
    return ", ".join(names) + ("" if publication.complete else f" {scope.labels['et_al']}")


def _cited(scope: Scope, node: Node) -> list[str]:
    found = []
    for citation in node.cited:
        source = scope.ledger.sources.get(citation.source)
        name = source.title if source else citation.source
        numbers = ", ".join(f"[{number}] ({edition})" for edition, number in citation.numbers.items())
        how = scope.labels["cited_how"].format(scope.say(citation.how)) if citation.how else ""
        found.append(f"{name} {numbers}".strip() + how)
    return found


def bibtex(publication: Publication) -> str:
    """The entry again, one field a line."""
    fields = "".join(f"  {name} = {{{value}}},\n" for name, value in publication.fields.items())
    return f"@{publication.entry_type}{{{publication.key},\n{fields}}}"
