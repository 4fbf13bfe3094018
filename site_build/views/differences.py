"""What two states of a claim say differently, in words and marks."""

import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from html import escape

from site_build.history import Change
from site_build.model import Language, ReleasedClaim
from site_build.views.scope import Html, Scope
from site_build.visuals import plain_words, render_line

_TOKEN = re.compile(r"[\u3400-\u9fff]|\s+|[^\s\u3400-\u9fff]+")


def printed_then(scope: Scope, claim: ReleasedClaim, text: Mapping[Language, str]) -> Html:
    """A text of a released claim, its markers as they were printed then."""
    return Html(render_line(_own(scope, text), lambda marker: escape(_shown(scope, claim, marker.source))))


def said_then(scope: Scope, claim: ReleasedClaim, text: Mapping[Language, str]) -> str:
    """The same as plain words."""
    return plain_words(_own(scope, text), lambda marker: _shown(scope, claim, marker.source))


def _shown(scope: Scope, claim: ReleasedClaim, source: str) -> str:
    return _own(scope, claim.shown.get(source, {})) or source


def _own(scope: Scope, text: Mapping[Language, str]) -> str:
    """The page's language; a release from before the ledger had it shows what it has."""
    return text.get(scope.language) or next(iter(text.values()), "")


def what_differs(scope: Scope, change: Change, old: ReleasedClaim, new: ReleasedClaim) -> Iterator[tuple[str, Html]]:
    """Each part that differs under its name: what went struck out, what came marked."""
    labels = scope.labels
    if "grade" in change.fields:
        yield labels["grade"], Html(f"<del>{old.grade}</del> <ins>{new.grade}</ins>")
    for name, was, now in (("claim", old.text, new.text), ("boundary", old.boundary, new.boundary)):
        words = said_then(scope, old, was), said_then(scope, new, now)
        if words[0] != words[1]:
            yield labels[name], difference(*words)
    if "locators" in change.fields:
        yield labels["locators"], difference(" · ".join(old.locators), " · ".join(new.locators))


def difference(old: str, new: str) -> Html:
    """Two texts as one, word by word: what went struck out, what came marked."""
    was, now = _TOKEN.findall(old), _TOKEN.findall(new)
    out = []
    for kind, first, last, begin, end in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        gone, came = escape("".join(was[first:last])), escape("".join(now[begin:end]))
        if kind == "equal":
            out.append(gone)
        else:
            out.append((f"<del>{gone}</del>" if gone else "") + (f"<ins>{came}</ins>" if came else ""))
    return Html("".join(out))
