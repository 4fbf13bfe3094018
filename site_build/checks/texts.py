"""Texts keep the rules: every language, no typed numbers, formulas that parse, safe links, the glossary's words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from site_build.model import Language, Ledger, Text
from site_build.problems import Place, Problem
from site_build.visuals import FormulaError, is_safe_link, pieces, plain_words, to_mathml

DIGITS_ALLOWED = (
    *("question.claims.text", "question.misreadings.wrong", "correction.says", "value.", "spec.", "column."),
    *("redline.", "benchmark.", "setting.", "contender.", "dimension.", "group."),
)
"""Fields, by the beginning of their role, where a number may be typed."""
REDLINES_EXEMPT = ("question.misreadings.wrong", "correction.says", "redline.")
"""Fields, by the beginning of their role, that may say the wrong thing in order to refuse it."""

_DIGIT = re.compile(r"\d")
_NUMBER_WORD = re.compile(r"[A-Za-z0-9\u0370-\u03ff_.,+/%-]*\d[A-Za-z0-9_.,+/%-]*")
_NOT_NUMBERS = re.compile(r"(?<!\d)\d{4}-\d{2}(?:-\d{2})?(?!\d)|§\d+(?:\.\d+)*|arXiv[ :]\d{4}\.\d{4,5}")
"""Dates, sections and names of papers: digits that count nothing."""
_OTHER_LINK = re.compile(r"(?:\]\(\s*<?|^ {0,3}\[[^\]\n]+\]:\s*<?)(?P<url>[^\s>)]+)", re.MULTILINE)
"""Links with a title or a space, and links whose address stands elsewhere on the page."""
_IMAGE = re.compile(r"!\[(?:[^\[\]]|\[[^\]]*\])*\]$")
"""What stands before the address of an image."""
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
        for field, words in (("title", page.head.title), ("question", page.head.question or "")):
            yield Passage("prose", page.language, words, Place(page.file, 2, field=field), paged=False)
        yield Passage("prose", page.language, page.body, Place(page.file, page.first_line), paged=True)


def languages_are_complete(ledger: Ledger) -> Iterator[Problem]:
    """Every text and every page stands in every language of the ledger."""
    for (kind, id_), parts in ledger.parts.items():
        for path, text in parts:
            for language in ledger.info.languages if isinstance(text, Text) else ():
                if not text.in_language(language):
                    yield Problem.at(ledger.place(kind, id_, *path), "language-missing", language=language)
    pages = {(page.section, page.id): page.file for page in ledger.prose}
    there = {(page.section, page.id, page.language) for page in ledger.prose}
    for (section, id_), file in pages.items():
        for language in ledger.info.languages:
            if (section, id_, language) not in there:
                yield Problem.at(Place(file), "language-missing", language=language)


def numbers_are_marked(ledger: Ledger) -> Iterator[Problem]:
    """A number in running text comes from the ledger by marker."""
    allowed = frozenset(ledger.info.allowed_digits)
    for passage in passages(ledger):
        if passage.role.startswith(DIGITS_ALLOWED):
            continue
        for piece in pieces(passage.text):
            if piece.kind != "words" or not _DIGIT.search(piece.text):
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
            elif piece.kind == "target" and ":" in piece.text and _IMAGE.search(passage.text, 0, piece.offset):
                yield Problem.at(passage.at(piece.offset), "image-elsewhere", piece.text[:60])
            for found in _OTHER_LINK.finditer(piece.text if piece.kind == "words" else ""):
                if not is_safe_link(found["url"]):
                    yield Problem.at(passage.at(piece.offset + found.start("url")), "link-unsafe", found["url"][:60])
            if piece.kind == "words" and (tag := _HTML.search(piece.text)):
                yield Problem.at(passage.at(piece.offset + tag.start()), "html-typed", tag[0][:60])


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
