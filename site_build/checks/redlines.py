"""Red lines: no sentence says what one refuses, and each is proved by sentences that it must find or let pass."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from site_build.checks.texts import REDLINES_EXEMPT, passages
from site_build.memory import keep, name_of, recall
from site_build.model import Language, Ledger, Marker, RedLine, Rule, print_number
from site_build.problems import Problem
from site_build.source import read_pattern
from site_build.visuals import plain_words

EXAMPLES_NEEDED = 3
NEGATIONS: Mapping[Language, str] = {
    "en": (
        r"^That\b|\b(?:not(?! only)|no(?! (?:doubt|matter|longer))|never|cannot|nobody|none|nothing|neither|nor|hardly|"
        r"unlike|wrong(?:ly)?|false(?:ly)?|misread\w*|mistaken?|myth|whether|rather than|far from)\b|n['’]t\b"
    ),
    "zh": r"不(?![仅但断])|没有|没人|没能|无法|无关|未|并非|而非|误|错|是否|谁也|别把",
}
"""Words that make a sentence a denial, or talk about a claim instead of the claim."""
_SENTENCE_ENDS: Mapping[Language, str] = {"en": r"(?<=[.!?;])\s+", "zh": r"(?<=[。！？；])"}
_QUESTION_ENDS = ("?", "？")
_MISREADING = re.compile(r"^!!! misreading\b.*\n(?:(?: {4}.*)?\n)*", re.MULTILINE)
"""A block of prose that is marked as a misreading: it says the wrong thing in order to refuse it."""


@dataclass(frozen=True)
class _Finder:
    """A rule of a red line, compiled."""

    redline: str
    wanted: tuple[re.Pattern[str], ...]
    unless: tuple[re.Pattern[str], ...]

    def finds(self, sentence: str) -> bool:
        """Whether the sentence, its white space made single spaces, says what the rule refuses."""
        return all(part.search(sentence) for part in self.wanted) and not any(
            part.search(sentence) for part in self.unless
        )


def redlines_are_kept(ledger: Ledger) -> Iterator[Problem]:
    """No text says what a red line refuses; a text that was clean under the very same rules needs no second look."""
    for language in ledger.info.languages:
        name = name_of(language, NEGATIONS[language], _SENTENCE_ENDS[language], *_written(ledger, language))
        finders = tuple(finder for redline in ledger.redlines.values() for finder in _finders(redline, language))
        known = frozenset((recall("redlines", name) or "").split())
        clean = set()
        for passage in passages(ledger):
            if passage.language != language or passage.role.startswith(REDLINES_EXEMPT):
                continue
            words = plain_words(_MISREADING.sub("", passage.text), lambda marker: _said(ledger, marker))
            text_name = name_of(words)
            crossed = [] if text_name in known else list(_crossed(words, language, finders))
            for redline, sentence in crossed:
                place = passage.at(max(passage.text.find(sentence[:12]), 0))
                yield Problem.at(place, "redline-crossed", sentence[:80], redline=redline)
            if not crossed:
                clean.add(text_name)
        if not clean <= known:
            keep("redlines", name, "\n".join(sorted(clean)))


def _written(ledger: Ledger, language: Language) -> Iterator[str]:
    """Every rule of a language as the ledger has it."""
    for redline in ledger.redlines.values():
        yield from (f"{redline.id} {rule.model_dump_json()}" for rule in redline.rules.get(language, ()))


def _said(ledger: Ledger, marker: Marker) -> str:
    """What a marker prints, as far as a red line can mind: the number of a value, else the id."""
    value = ledger.values.get(marker.target) if marker.kind == "value" else None
    printed = print_number(value.number, value.display) if value else None
    return f"{printed} {value.unit or ''}".strip() if value and printed else marker.target


def _crossed(words: str, language: Language, finders: tuple[_Finder, ...]) -> Iterator[tuple[str, str]]:
    """The red lines that a text crosses, each once, with the first sentence that does."""
    crossed = set()
    for sentence in _statements(words, language):
        line = " ".join(sentence.split())
        for finder in finders:
            if finder.redline not in crossed and finder.finds(line):
                crossed.add(finder.redline)
                yield finder.redline, sentence


def _statements(text: str, language: Language) -> Iterator[str]:
    """The sentences of a text, without its questions."""
    for sentence in re.split(_SENTENCE_ENDS[language], text):
        stripped = sentence.strip()
        if stripped and not stripped.endswith(_QUESTION_ENDS):
            yield stripped


def _finders(redline: RedLine, language: Language) -> Iterator[_Finder]:
    """The rules of a red line that can be compiled; `redlines_are_proved` reports the others."""
    for rule in redline.rules.get(language, ()):
        negations = (NEGATIONS[language],) if rule.negations else ()
        try:
            yield _Finder(redline.id, _compiled(rule.all), _compiled((*rule.unless, *negations)))
        except re.error:
            continue


@cache
def _compiled(texts: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(read_pattern(text, re.IGNORECASE) for text in texts)


def redlines_are_proved(ledger: Ledger) -> Iterator[Problem]:
    """Each red line finds its wrong sentences and leaves its right ones alone, in every language."""
    for redline in ledger.redlines.values():
        for language, rules in redline.rules.items():
            for index, rule in enumerate(rules):
                for path, text, reason in _broken(rule):
                    place = ledger.place("redline", redline.id, "rules", language, index, *path)
                    yield Problem.at(place, "pattern-broken", text, reason=reason)
        for language in ledger.info.languages:
            yield from _examples(ledger, redline, language)


def _broken(rule: Rule) -> Iterator[tuple[tuple[str, int], str, re.error]]:
    """The expressions of a rule that cannot be compiled: where they stand in it, and why."""
    for name, texts in (("all", rule.all), ("unless", rule.unless)):
        for index, text in enumerate(texts):
            try:
                read_pattern(text)
            except re.error as error:
                yield (name, index), text, error


def _examples(ledger: Ledger, redline: RedLine, language: Language) -> Iterator[Problem]:
    finders = tuple(_finders(redline, language))
    wanted: Mapping[str, tuple[str, ...]] = {
        "must_match": redline.must_match.get(language, ()),
        "must_pass": redline.must_pass.get(language, ()),
    }
    for name, sentences in wanted.items():
        if len(sentences) < EXAMPLES_NEEDED:
            place = ledger.place("redline", redline.id, name, language)
            yield Problem.at(place, "redline-examples", len(sentences), needed=EXAMPLES_NEEDED)
        if len(finders) < len(redline.rules.get(language, ())):
            continue  # a broken expression is reported by itself
        for index, sentence in enumerate(sentences):
            if any(_crossed(sentence, language, finders)) != (name == "must_match"):
                place = ledger.place("redline", redline.id, name, language, index)
                yield Problem.at(place, f"redline-{name.replace('_', '-')}", sentence[:80])
