"""Texts keep the rules: every language, no typed numbers, formulas that parse, safe links, no misreading."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from site_build.memory import keep, name_of, recall
from site_build.model import Language, Ledger, Marker, RedLine, print_number, walk_texts
from site_build.problems import Place, Problem
from site_build.visuals import FormulaError, is_safe_link, pieces, plain_words, to_mathml

DIGITS_ALLOWED = (
    *("question.claims.text", "question.misreadings.wrong", "correction.says", "value.", "spec.", "column."),
    *("redline.", "benchmark.", "setting.", "contender.", "dimension.", "group."),
)
"""Fields, by the beginning of their role, where a number may be typed."""
REDLINES_EXEMPT = ("question.misreadings.wrong", "correction.says", "redline.")
"""Fields, by the beginning of their role, that may say the wrong thing in order to refuse it."""
EXAMPLES_NEEDED = 3

_NUMBER_WORD = re.compile(r"[A-Za-z0-9\u0370-\u03ff_.,+/%-]*\d[A-Za-z0-9_.,+/%-]*")
_NOT_NUMBERS = re.compile(r"(?<!\d)\d{4}-\d{2}(?:-\d{2})?(?!\d)|§\d+(?:\.\d+)*|arXiv[ :]\d{4}\.\d{4,5}")
"""Dates, sections and names of papers: digits that count nothing."""
_OTHER_LINK = re.compile(r"(?:\]\(\s*<?|^ {0,3}\[[^\]\n]+\]:\s*<?)(?P<url>[^\s>)]+)", re.MULTILINE)
"""Links with a title or a space, and links whose address stands elsewhere on the page."""
_HTML = re.compile(r"<[A-Za-z/!][^>\n]*>?")


@dataclass(frozen=True)
class Passage:
    """A text of a record or a page in one language, with a way to place an offset in it."""

    role: str
    language: Language
    text: str
    place: Place
    """Where the text begins."""
    paged: bool
    """A page's body: an offset has a line of its own."""

    def at(self, offset: int) -> Place:
        """The place of a character of the text."""
        if not self.paged:
            return self.place
        line = self.place.line + self.text.count("\n", 0, offset)
        return Place(self.place.file, line, offset - self.text.rfind("\n", 0, offset))


def passages(ledger: Ledger) -> Iterator[Passage]:
    """Every text of every record and page."""
    for text in ledger.texts:
        yield Passage(text.role, text.language, text.text, text.place, paged=False)
    for page in ledger.prose:
        yield Passage("prose", page.language, page.body, Place(page.file, page.first_line), paged=True)


def languages_are_complete(ledger: Ledger) -> Iterator[Problem]:
    """Every text and every page stands in every language of the ledger."""
    for kind, records in ledger.records.items():
        for id_, record in records.items():
            for path, text in walk_texts(record):
                for language in ledger.info.languages:
                    if not text.in_language(language):
                        place = ledger.place(kind, id_, *path)
                        yield Problem.at(place, "language-missing", "none", language=language)
    pages = {(page.section, page.id): page.file for page in ledger.prose}
    there = {(page.section, page.id, page.language) for page in ledger.prose}
    for (section, id_), file in pages.items():
        for language in ledger.info.languages:
            if (section, id_, language) not in there:
                yield Problem.at(Place(file), "language-missing", "none", language=language)


def numbers_are_marked(ledger: Ledger) -> Iterator[Problem]:
    """A number in running text comes from the ledger by marker."""
    allowed = frozenset(ledger.info.allowed_digits)
    for passage in passages(ledger):
        if passage.role.startswith(DIGITS_ALLOWED):
            continue
        for piece in pieces(passage.text):
            if piece.kind != "words":
                continue
            words = _NOT_NUMBERS.sub(lambda found: " " * len(found[0]), piece.text)
            for found in _NUMBER_WORD.finditer(words):
                word = found[0].strip(".,+/%-")
                if not word[:1].isalpha() and word not in allowed:
                    yield Problem.at(passage.at(piece.offset + found.start()), "number-typed", word)


def formulas_parse(ledger: Ledger) -> Iterator[Problem]:
    """Every formula is LaTeX that the site can print."""
    for passage in passages(ledger):
        for piece in pieces(passage.text):
            if piece.kind in {"math", "display-math"}:
                try:
                    to_mathml(piece.text, display=piece.kind == "display-math")
                except FormulaError as error:
                    reason = str(error).rstrip(".")
                    yield Problem.at(passage.at(piece.offset), "formula-broken", piece.text[:60], reason=reason)
            elif piece.kind == "words" and "$" in piece.text and not piece.source.startswith("\\"):
                offset = piece.text.index("$")
                yield Problem.at(passage.at(piece.offset + offset), "formula-open", piece.text[offset : offset + 20])


def links_are_safe(ledger: Ledger) -> Iterator[Problem]:
    """Links go to http(s) or to a relative address, and no text holds HTML."""
    for passage in passages(ledger):
        for piece in pieces(passage.text):
            if piece.kind == "target" and not is_safe_link(piece.text):
                yield Problem.at(passage.at(piece.offset), "link-unsafe", piece.text[:60])
            for found in _OTHER_LINK.finditer(piece.text if piece.kind == "words" else ""):
                if not is_safe_link(found["url"]):
                    yield Problem.at(passage.at(piece.offset + found.start("url")), "link-unsafe", found["url"][:60])
            if piece.kind == "words" and (tag := _HTML.search(piece.text)):
                yield Problem.at(passage.at(piece.offset + tag.start()), "html-typed", tag[0][:60])


def redlines_are_kept(ledger: Ledger) -> Iterator[Problem]:
    """No text says what a red line refuses; a text that was clean under the very same patterns needs no second look."""
    for language in ledger.info.languages:
        rules = [
            (redline, rule)
            for redline in ledger.redlines.values()
            for where, rule in _rules(redline)
            if where == language
        ]
        name = name_of(language, *(f"{redline.id} {rule.pattern}" for redline, rule in rules))
        known = frozenset((recall("redlines", name) or "").split())
        clean = set()
        for passage in passages(ledger):
            if passage.language != language or passage.role.startswith(REDLINES_EXEMPT):
                continue
            words = plain_words(passage.text, lambda marker: _said(ledger, marker))
            text_name = name_of(words)
            crossed = [] if text_name in known else list(_crossed(passage, words, rules))
            yield from crossed
            if not crossed:
                clean.add(text_name)
        if not clean <= known:
            keep("redlines", name, "\n".join(sorted(clean)))


def _crossed(passage: Passage, words: str, rules: Iterable[tuple[RedLine, re.Pattern[str]]]) -> Iterator[Problem]:
    for redline, rule in rules:
        if found := rule.search(words):
            offset = max(passage.text.find(found[0][:12]), 0)
            yield Problem.at(passage.at(offset), "redline-crossed", found[0][:80], redline=redline.id)


def _said(ledger: Ledger, marker: Marker) -> str:
    """What a marker prints, as far as a red line can mind: the number of a value, else the id."""
    value = ledger.values.get(marker.target) if marker.kind == "value" else None
    printed = print_number(value.number, value.display) if value else None
    return f"{printed} {value.unit or ''}".strip() if value and printed else marker.target


def _rules(redline: RedLine) -> Iterator[tuple[Language, re.Pattern[str]]]:
    for language, patterns in redline.patterns.items():
        for text in patterns:
            try:
                yield language, re.compile(text, re.IGNORECASE)
            except re.error:
                continue  # redlines_are_proved reports it


def redlines_are_proved(ledger: Ledger) -> Iterator[Problem]:
    """Each red line finds its wrong sentences and leaves its right ones alone, in every language."""
    for redline in ledger.redlines.values():
        for language, patterns in redline.patterns.items():
            for index, text in enumerate(patterns):
                try:
                    re.compile(text)
                except re.error as error:
                    place = ledger.place("redline", redline.id, "patterns", language, index)
                    yield Problem.at(place, "pattern-broken", text, reason=error)
        rules = tuple(_rules(redline))
        for language in ledger.info.languages:
            own = [pattern for where, pattern in rules if where == language]
            yield from _examples(ledger, redline, language, own)


def _examples(ledger: Ledger, redline: RedLine, language: Language, rules: list[re.Pattern[str]]) -> Iterator[Problem]:
    wanted: Mapping[str, tuple[str, ...]] = {
        "must_match": redline.must_match.get(language, ()),
        "must_pass": redline.must_pass.get(language, ()),
    }
    for name, sentences in wanted.items():
        if len(sentences) < EXAMPLES_NEEDED:
            place = ledger.place("redline", redline.id, name, language)
            yield Problem.at(place, "redline-examples", len(sentences), needed=EXAMPLES_NEEDED)
        if len(rules) < len(redline.patterns.get(language, ())):
            continue  # a broken pattern is reported by itself
        for index, sentence in enumerate(sentences):
            if any(rule.search(sentence) for rule in rules) != (name == "must_match"):
                place = ledger.place("redline", redline.id, name, language, index)
                yield Problem.at(place, f"redline-{name.replace('_', '-')}", sentence[:80])


def terms_are_kept(ledger: Ledger) -> Iterator[Problem]:
    """No text uses a word that the glossary advises against."""
    avoided = [
        (word.casefold(), language, term)
        for term in ledger.terms.values()
        for language, words in term.avoid.items()
        for word in words
    ]
    for passage in passages(ledger):
        if passage.role.startswith((*REDLINES_EXEMPT, "term.")):
            continue
        words = plain_words(passage.text, lambda _: "").casefold()
        for word, language, term in avoided:
            if language == passage.language and word in words:
                name = term.name.in_language(language)
                yield Problem.at(
                    passage.at(max(passage.text.casefold().find(word), 0)), "term-avoided", word, term=name
                )
