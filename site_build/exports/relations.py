"""The ledger as tables: records that are joined from several places, and what leads from one record to another."""

from collections.abc import Iterator

from site_build.exports.edition import LICENCE, Edition
from site_build.exports.tables import Row, Table, text_columns, texts
from site_build.history import claim_hash
from site_build.model import dotted, parse_locator
from site_build.views import NAMES, authors, public_kind

_GRADE = "grade TEXT NOT NULL REFERENCES grade (id)"
_NODE = "node TEXT NOT NULL REFERENCES node (id)"
_SOURCE = "source TEXT NOT NULL REFERENCES source (id)"
_RECORD = ("kind TEXT NOT NULL", "id TEXT NOT NULL")


def joined_tables(edition: Edition) -> Iterator[Table]:
    """Every table that is more than one kind of record."""
    yield _meta(edition)
    yield _records(edition)
    yield _mentions(edition)
    yield from _claims(edition)
    yield _locators(edition)
    yield _values(edition)
    yield from _nodes(edition)
    yield from _scores(edition)
    yield _spec_cells(edition)
    yield _sections(edition)
    yield from _releases(edition)


def _meta(edition: Edition) -> Table:
    facts = {
        "title": edition.ledger.info.title.in_language(edition.first),
        "author": edition.ledger.info.author,
        "licence": LICENCE,
        "address": edition.address,
        "build": edition.build,
        "version": edition.version,
        "date": edition.ledger.info.date,
        "languages": " ".join(edition.scopes),
    }
    return Table("meta", ("name TEXT PRIMARY KEY", "value TEXT NOT NULL"), tuple(facts.items()))


def _records(edition: Edition) -> Table:
    columns = [part for name in ("title*", "address*") for part in text_columns(edition, name)]
    rows = tuple(
        (
            public_kind(kind),
            id_,
            *edition.title(kind, id_).values(),
            *edition.addresses(kind, id_).values(),
            edition.record_address(kind, id_),
        )
        for kind in NAMES
        for id_ in edition.ledger.records[kind]
    )
    return Table("record", (*_RECORD, *columns, "file TEXT NOT NULL"), rows, ("PRIMARY KEY (kind, id)",))


def _mentions(edition: Edition) -> Table:
    ledger = edition.ledger
    rows = tuple(
        (public_kind(kind), id_, public_kind(user_kind), user)
        for (kind, id_), users in sorted(ledger.backlinks.items())
        if kind in NAMES and id_ in ledger.records[kind]
        for user_kind, user in users
        if user_kind in NAMES
    )
    rules = (
        "PRIMARY KEY (kind, id, by_kind, by_id)",
        "FOREIGN KEY (kind, id) REFERENCES record (kind, id)",
        "FOREIGN KEY (by_kind, by_id) REFERENCES record (kind, id)",
    )
    return Table("mention", (*_RECORD, "by_kind TEXT NOT NULL", "by_id TEXT NOT NULL"), rows, rules)


def _claims(edition: Edition) -> Iterator[Table]:
    said = [part for name in ("text*", "boundary*", "withdrawn*", "address*") for part in text_columns(edition, name)]
    claims, values = [], []
    for question, index, claim in edition.ledger.claims():
        reference = f"{question.id}.{claim.id}"
        boundary = edition.ledger.boundary(question, claim)
        words = [cell for text in (claim.text, boundary, claim.withdrawn) for cell in texts(edition, text)]
        addresses = edition.addresses("claim", reference).values()
        row = (reference, question.id, index + 1, claim.grade, edition.hashes[reference], *words, *addresses)
        claims.append(row)
        values += [(reference, value) for value in claim.derivation]
    columns = ("question TEXT NOT NULL REFERENCES question (id)", "position INTEGER NOT NULL", _GRADE)
    yield Table("claim", ("reference TEXT PRIMARY KEY", *columns, "hash TEXT NOT NULL", *said), tuple(claims))
    names = (
        "claim TEXT NOT NULL REFERENCES claim (reference)",
        "value TEXT NOT NULL REFERENCES value (id)",
    )
    yield Table("claim_value", names, tuple(values), ("PRIMARY KEY (claim, value)",))


def _locators(edition: Edition) -> Table:
    ledger, rows = edition.ledger, []
    for (kind, id_), parts in ledger.parts.items():
        for path, text in parts:
            if kind not in NAMES or not isinstance(text, str) or not {"locators", "locator"} & set(path):
                continue
            place = parse_locator(text)
            source = place.source if place and place.source in ledger.sources else None
            node = place.target if place and place.source == "node" and place.target in ledger.nodes else None
            claim = f"{id_}.{ledger.questions[id_].claims[path[1]].id}" if path[0] == "claims" else None  # type: ignore[index]
            section = place.section if place and place.section else None
            rows.append((public_kind(kind), id_, dotted(path)[1:], claim, text, source, node, section))
    columns = (
        *_RECORD,
        "field TEXT NOT NULL",
        "claim TEXT REFERENCES claim (reference)",
        "locator TEXT NOT NULL",
        "source TEXT REFERENCES source (id)",
        "node TEXT REFERENCES node (id)",
        "section TEXT",
    )
    rules = ("PRIMARY KEY (kind, id, field)", "FOREIGN KEY (kind, id) REFERENCES record (kind, id)")
    return Table("locator", columns, tuple(rows), rules)


def _values(edition: Edition) -> Table:
    rows = []
    for value in edition.ledger.values.values():
        printed = (scope.printed(value.number, value.display, value.unit) for scope in edition.scopes.values())
        called = value.derivation.function if value.derivation else None
        own = (value.id, *texts(edition, value.name), value.grade, value.number, value.unit)
        rows.append((*own, *printed, called, *texts(edition, value.note)))
    columns = (
        "id TEXT PRIMARY KEY",
        *text_columns(edition, "name*"),
        _GRADE,
        "number NUMERIC NOT NULL",
        "unit TEXT REFERENCES unit (id)",
        *text_columns(edition, "printed*"),
        "derived_by TEXT",
        *text_columns(edition, "note*"),
    )
    return Table("value", columns, tuple(rows))


def _nodes(edition: Edition) -> Iterator[Table]:
    ledger, rows, cited = edition.ledger, [], []
    for node in ledger.nodes.values():
        found = ledger.publications.get(node.id)
        work: Row = (None,) * 6
        if found:
            names = authors(edition.scopes[edition.first], found)
            work = (found.title, names, found.year, found.venue or None, found.url, found.arxiv or None)
        own = (node.id, node.stage, node.kind, int(node.in_path), int(node.cross_entry))
        rows.append((*own, *work, *texts(edition, node.why)))
        cited += [
            (node.id, one.source, edition_, number) for one in node.cited for edition_, number in one.numbers.items()
        ]
    columns = (
        "id TEXT PRIMARY KEY",
        "stage TEXT NOT NULL REFERENCES stage (id)",
        *("kind TEXT NOT NULL", "in_path INTEGER NOT NULL", "cross_entry INTEGER NOT NULL"),
        *("title TEXT", "authors TEXT", "year INTEGER", "venue TEXT", "url TEXT", "arxiv TEXT"),
        *text_columns(edition, "why*"),
    )
    yield Table("node", columns, tuple(rows))
    names_of = (_NODE, _SOURCE, "edition TEXT NOT NULL", "number INTEGER NOT NULL")
    yield Table("citation", names_of, tuple(cited), ("PRIMARY KEY (node, source, edition)",))


def _scores(edition: Edition) -> Iterator[Table]:
    rows = edition.ledger.benchmarks.rows
    scores = tuple(
        (row.id, contender, score.number, score.status, score.mark, *texts(edition, score.note))
        for row in rows
        for contender, score in row.scores.items()
    )
    benchmark = "benchmark TEXT NOT NULL REFERENCES benchmark (id)"
    contender = "contender TEXT NOT NULL REFERENCES contender (id)"
    columns = (benchmark, contender, "number NUMERIC", "status TEXT NOT NULL", "mark TEXT")
    key = ("PRIMARY KEY (benchmark, contender)",)
    yield Table("score", (*columns, *text_columns(edition, "note*")), scores, key)
    names = (benchmark, "setting TEXT NOT NULL REFERENCES setting (id)")
    protocol = tuple((row.id, setting) for row in rows for setting in row.protocol)
    yield Table("protocol", names, protocol, ("PRIMARY KEY (benchmark, setting)",))


def _spec_cells(edition: Edition) -> Table:
    rows = tuple(
        (row.id, column, cell.number, cell.unit, *(scope.cell_words(cell) for scope in edition.scopes.values()))
        for row in edition.ledger.specs.rows
        for column, cell in row.cells.items()
    )
    columns = (
        "spec_row TEXT NOT NULL REFERENCES spec_row (id)",
        "spec_column TEXT NOT NULL REFERENCES spec_column (id)",
        "number NUMERIC",
        "unit TEXT REFERENCES unit (id)",
        *text_columns(edition, "text*"),
    )
    return Table("spec_cell", columns, rows, ("PRIMARY KEY (spec_row, spec_column)",))


def _sections(edition: Edition) -> Table:
    rows = tuple(
        (source.id, part.number, part.title, part.url)
        for source in edition.ledger.sources.values()
        for part in source.outline
    )
    columns = (_SOURCE, "number TEXT NOT NULL", "title TEXT NOT NULL", "url TEXT")
    return Table("section", columns, rows, ("PRIMARY KEY (source, number)",))


def _releases(edition: Edition) -> Iterator[Table]:
    releases = edition.ledger.releases
    issues = tuple((one.version, one.date, one.build) for one in releases)
    yield Table("release", ("version TEXT PRIMARY KEY", "date TEXT NOT NULL", "build TEXT NOT NULL"), issues)
    rows = tuple(
        (
            one.version,
            reference,
            claim.grade,
            claim_hash(reference, claim),
            *(text.get(language) for text in (claim.text, claim.boundary) for language in edition.scopes),
            int(claim.withdrawn is not None),
        )
        for one in releases
        for reference, claim in one.claims.items()
    )
    columns = (
        "release TEXT NOT NULL REFERENCES release (version)",
        "claim TEXT NOT NULL",
        _GRADE,
        "hash TEXT NOT NULL",
        *(part for name in ("text*", "boundary*") for part in text_columns(edition, name)),
        "withdrawn INTEGER NOT NULL",
    )
    yield Table("released_claim", columns, rows, ("PRIMARY KEY (release, claim)",))
