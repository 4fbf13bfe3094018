"""What each release changed in the claims, as an Atom feed."""

from collections import Counter
from collections.abc import Iterator, Mapping
from xml.etree import ElementTree

from site_build.exports.edition import LICENCE, Edition
from site_build.history import SHORT, Change, changes, claim_hash
from site_build.messages import WORDS
from site_build.model import Language, Release, ReleasedClaim
from site_build.views import FEED, RELEASES
from site_build.visuals import plain_words

NAMESPACE = "http://www.w3.org/2005/Atom"


def feed(edition: Edition, language: Language) -> bytes:
    """The feed of a language, the newest release first: one entry a release, and one for each claim that it changed."""
    info, labels = edition.ledger.info, WORDS[language].labels
    root = ElementTree.Element("feed", {"xmlns": NAMESPACE, "xml:lang": language})
    releases = edition.ledger.releases
    _say(root, "title", f"{info.title.in_language(language)}: {labels['api_feed']}")
    _say(root, "id", edition.root(language) + FEED)
    _say(root, "updated", _moment(releases[-1].date if releases else info.date))
    _link(root, "self", edition.root(language) + FEED, "application/atom+xml")
    _link(root, "alternate", edition.page(language, RELEASES if releases else ""), "text/html")
    _link(root, "license", LICENCE)
    _say(ElementTree.SubElement(root, "author"), "name", info.author)
    for before, release in reversed([*zip((None, *releases), releases, strict=False)]):
        root.extend(_entries(edition, language, before, release))
    ElementTree.indent(root, " ")
    text: bytes = ElementTree.tostring(root, encoding="UTF-8", xml_declaration=True)
    return text + b"\n"


def _entries(
    edition: Edition, language: Language, before: Release | None, release: Release
) -> Iterator[ElementTree.Element]:
    labels = WORDS[language].labels
    found = [change for change in changes(before, release) if change.kind != "value"] if before else []
    counts = Counter(change.kind for change in found)
    summary = "; ".join(f"{labels[f'change_{kind}']}: {count}" for kind, count in sorted(counts.items()))
    if before is None:
        summary = labels["change_first"].format(count=len(release.claims))
    title = f"{labels['release']} {release.version}"
    page = f"{edition.page(language, RELEASES)}#{release.version}"
    yield _entry(release, (page, title, summary or labels["change_none"]), "release")
    for change in found:
        # a claim that is gone has its last page in the release before
        where = before if change.kind == "removed" and before else release
        claim = where.claims[change.id]
        question, _, anchor = change.id.partition(".")
        address = edition.page(language, f"{RELEASES}/{where.version}/{question}", anchor)
        words = _words(language, change, claim)
        yield _entry(release, (address, f"{change.id} {labels[f'change_{change.kind}']}", words), change.kind)


def _words(language: Language, change: Change, claim: ReleasedClaim) -> str:
    labels = WORDS[language].labels
    grade = change.was + " → " + change.now if change.was != change.now and change.was and change.now else claim.grade
    parts = [
        _said(language, claim, claim.text),
        f"{labels['grade']}: {grade}",
        f"{labels['boundary']}: {_said(language, claim, claim.boundary)}",
        f"{labels['hash']}: {change.id}@{claim_hash(change.id, claim)[:SHORT]}",
    ]
    if change.kind == "withdrawn" and claim.withdrawn:
        parts.insert(1, f"{labels['withdrawn']}: {_said(language, claim, claim.withdrawn)}")
    return "\n".join(parts)


def _said(language: Language, claim: ReleasedClaim, text: Mapping[Language, str]) -> str:
    """A text of a released claim in plain words, its markers as they were printed then."""
    shown = {source: printed.get(language, source) for source, printed in claim.shown.items()}
    return plain_words(text.get(language, ""), lambda marker: shown.get(marker.source, marker.source))


def _entry(release: Release, said: tuple[str, str, str], kind: str) -> ElementTree.Element:
    address, title, summary = said
    entry = ElementTree.Element("entry")
    _say(entry, "title", title)
    # a claim that is gone is named by an older release, whose own entry may have the same address
    _say(entry, "id", f"{address}{'' if kind != 'removed' else f'-removed-{release.version}'}")
    _say(entry, "updated", _moment(release.date))
    _link(entry, "alternate", address, "text/html")
    ElementTree.SubElement(entry, "category", {"term": kind})
    _say(entry, "summary", summary)
    return entry


def _moment(day: str) -> str:
    return f"{day}T00:00:00Z"


def _say(element: ElementTree.Element, name: str, text: str) -> None:
    ElementTree.SubElement(element, name).text = text


def _link(element: ElementTree.Element, kind: str, address: str, media: str = "") -> None:
    ElementTree.SubElement(element, "link", {"rel": kind, "href": address, **({"type": media} if media else {})})
