"""Pages of prose: markers, first uses of the glossary's terms, and what stands around a chapter."""

import re
from collections.abc import Callable
from html import escape

from site_build.model import Language, Marker, Prose
from site_build.render import render_template
from site_build.views import Html, Scope, chapter_view, claim_view, component_view, entry


def page_marker(scope: Scope) -> Callable[[Marker], str]:
    """What markers become on a page of prose."""

    def marker_html(marker: Marker) -> str:
        return embedded(scope, marker) if marker.block else scope.marker(marker)

    return marker_html


def embedded(scope: Scope, marker: Marker) -> Html:
    """A record as a block: a claim whole, another record as its summary."""
    if marker.kind == "claim" and (found := scope.ledger.claim(marker.target)):
        return render_template("block_claim", scope.language, view=claim_view(scope, *found))
    if marker.kind == "component" and (component := scope.ledger.components.get(marker.target)):
        return render_template("block_component", scope.language, view=component_view(scope, component))
    record = scope.ledger.records.get(marker.kind, {}).get(marker.target)
    text = next(
        (getattr(record, name) for name in ("answer", "shows", "right", "why", "definition") if hasattr(record, name)),
        None,
    )
    summary = scope.block(text) if text else Html("")
    return render_template(
        "block_entry", scope.language, view=entry(scope, marker.kind, marker.target), summary=summary
    )


def in_chapter(scope: Scope, prose: Prose, html: Html) -> Html:
    """The text of a page with its chapter's head and foot; as it is where the page is no chapter."""
    view = chapter_view(scope, prose)
    if view is None:
        return html
    head = render_template("chapter_head", scope.language, view=view)
    return Html(head + html + render_template("chapter_foot", scope.language, view=view))


_TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)[^>]*>")
_NO_TERMS_IN = frozenset({"a", "code", "pre", "summary", "h1", "h2", "h3", "h4", "h5", "h6", "th"})
_BRACKETED = re.compile(r"^(.*\S)\s*[(（](.+)[)）]$")


def link_terms(scope: Scope, html: str) -> str:
    """Link each term of the glossary where running text first uses it."""
    folded = html.casefold()
    # a long alternation is slow at every letter of a page, so it holds only the names that the page has
    names = {name: id_ for name, id_ in _term_names(scope).items() if name.casefold() in folded}
    if not names:
        return html
    words = (_pattern(name, scope.language) for name in sorted(names, key=len, reverse=True))
    found = re.compile("|".join(f"(?:{word})" for word in words))
    by_name = {name if _shouted(name) else name.casefold(): id_ for name, id_ in names.items()}
    used: set[str] = set()

    def linked(match: re.Match[str]) -> str:
        written = (match[0], match[0].casefold(), match[0].removesuffix("s"), match[0].removesuffix("s").casefold())
        id_ = next(by_name[name] for name in written if name in by_name)
        if id_ in used:
            return match[0]
        used.add(id_)
        title = escape(scope.words(scope.ledger.terms[id_].definition))
        return f'<a class="rl-term" href="{escape(scope.link("term", id_))}" title="{title}">{match[0]}</a>'

    out, inside, at = [], 0, 0
    for tag in _TAG.finditer(html):
        text = html[at : tag.start()]
        out += [text if inside else found.sub(linked, text), tag[0]]
        at = tag.end()
        if tag[2] in _NO_TERMS_IN:
            inside += -1 if tag[1] else 1
    return "".join(out) + (html[at:] if inside else found.sub(linked, html[at:]))


def _term_names(scope: Scope) -> dict[str, str]:
    """Every way to write a term, with its id: whole names, then parts before brackets, then parts in them.

    The page's own language comes first, then the others, whose words a text may keep. Where two terms could claim a
    name, the better claim wins, then the earlier term: `source (AttnRes)` does not take `AttnRes` from its entry.
    """
    languages = sorted(scope.ledger.info.languages, key=lambda language: language != scope.language)
    claims: tuple[dict[str, str], ...] = ({}, {}, {})
    for language in languages:
        for term in scope.ledger.terms.values():
            if term.everyday:
                continue
            name = term.name.in_language(language)
            bracketed = _BRACKETED.match(name)
            for claim, written in zip(claims, (name, *(bracketed.groups() if bracketed else ())), strict=False):
                claim.setdefault(written, term.id)
    return claims[2] | claims[1] | claims[0]


def _pattern(name: str, language: Language) -> str:
    """An expression for a name: whole words, a plural too, and any case unless the name is written in capitals."""
    before, after = (
        r"(?<![A-Za-z0-9-])" if name[0].isascii() else "",
        r"(?![A-Za-z0-9-])" if name[-1].isascii() else "",
    )
    plural = "s?" if language == "en" else ""
    return f"{before}{re.escape(name) if _shouted(name) else f'(?i:{re.escape(name)})'}{plural}{after}"


def _shouted(name: str) -> bool:
    """Whether a name is an abbreviation, such as `KDA`, whose letters in another case would be another word."""
    return not name.islower() and " " not in name
