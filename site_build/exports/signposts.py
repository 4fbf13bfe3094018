"""What a page tells programs in its head: typed links (signposting.org) and its graph."""

import json
from html import escape

from site_build.exports.edition import LICENCE, Edition
from site_build.exports.linked import KIND_OF, LISTED, about, linked_data, page_type
from site_build.exports.linked_nodes import Thing
from site_build.model import Language
from site_build.views import (
    ATOM,
    CITING,
    CSV,
    FEED,
    JSON,
    OPENAPI,
    RELEASES,
    WHOLE,
    beside_home,
    csv_file,
    data_path,
    list_file,
    record_file,
    release_file,
    table_of,
)


def page_head(edition: Edition, language: Language, path: str, title: str) -> str:
    """The lines of a page's head that are for programs."""
    main, more = about(edition, path)
    lines = [_link(*link) for link in signposts(edition, language, path, main)]
    feed = edition.root(language) + FEED
    name = escape(edition.ledger.info.title.in_language(language))
    # with the space the theme's script, which asks for a sitemap beside each `rel="alternate"`, leaves it alone
    lines.append(f'<link rel="alternate " type="{ATOM}" title="{name}" href="{escape(feed)}">')
    graph = linked_data(edition, language, path, title, (main, more))
    return "\n".join((*lines, f'<script type="application/ld+json">{in_script(graph)}</script>'))


def signposts(edition: Edition, language: Language, path: str, main: list[Thing]) -> list[tuple[str, str, str]]:
    """Relation, address and media type of each typed link of a page about `main`; addresses are whole."""
    types = [page_type(edition, path), *sorted({thing["@type"] for thing in main if isinstance(thing["@type"], str)})]
    links = [
        ("cite-as", edition.citable(language, path), ""),
        ("license", LICENCE, ""),
        ("author", f"{edition.address}#author", ""),
        *(("type", f"https://schema.org/{kind}", "") for kind in types),
    ]
    return links + [(relation, edition.file(file), media) for relation, file, media in _files(edition, language, path)]


def _files(edition: Edition, language: Language, path: str) -> list[tuple[str, str, str]]:
    """Relation, path and media type of the files that belong to a page."""
    ledger = edition.ledger
    folder, _, id_ = path.partition("/")
    if path in {"", "api"}:
        whole = [("item", one.path, one.media) for one in WHOLE if one.media != OPENAPI]
        api = [("service-desc", one.path, one.media) for one in WHOLE if one.media == OPENAPI]
        return [("describedby", whole[0][1], JSON), *whole, *api]
    if path in LISTED:
        table = table_of(LISTED[path])
        return [("describedby", list_file(LISTED[path]), JSON), *([("item", csv_file(table), CSV)] if table else [])]
    if folder in KIND_OF and id_ in ledger.records[KIND_OF[folder]]:
        record = ledger.records[KIND_OF[folder]][id_]
        found = [("describedby", record_file(KIND_OF[folder], id_), JSON)]
        promised = getattr(getattr(record, "acceptance", record), "component", None)
        if (component := ledger.components.get(promised or "")) is not None:
            found.append(("item", beside_home(data_path(component), language, edition.first), JSON))
        return found
    if folder == CITING and id_ in ledger.questions:
        return [("describedby", record_file("question", id_), JSON)]
    if folder == RELEASES and "/" in id_:
        return [("describedby", release_file(id_.partition("/")[0]), JSON)]
    return []


def in_script(data: object) -> str:
    """JSON that may stand in a script element, whatever its texts hold."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _link(relation: str, address: str, media: str) -> str:
    kind = f' type="{media}"' if media else ""
    return f'<link rel="{relation}" href="{escape(address)}"{kind}>'
