"""What the generator says, in each language. This is the package's door."""

from dataclasses import dataclass

from site_build.messages.api_en import API_EN
from site_build.messages.api_zh import API_ZH
from site_build.messages.citing_en import CITING_EN
from site_build.messages.citing_zh import CITING_ZH
from site_build.messages.health_en import HEALTH_EN
from site_build.messages.health_zh import HEALTH_ZH
from site_build.messages.labels_en import LABELS_EN
from site_build.messages.labels_zh import LABELS_ZH
from site_build.messages.live_en import LIVE_EN
from site_build.messages.live_zh import LIVE_ZH
from site_build.messages.names_zh import NAMES_ZH
from site_build.messages.problems_en import PROBLEMS_EN
from site_build.messages.problems_zh import PROBLEMS_ZH
from site_build.messages.release_en import RELEASE_EN, RELEASE_PROBLEMS_EN
from site_build.messages.release_zh import RELEASE_PROBLEMS_ZH, RELEASE_ZH
from site_build.messages.wording import Wording, Words
from site_build.problems import Problem

WORDS = {
    "en": Words(
        line="{place}: {field}expected {expected}, got {got}. {remedy}",
        verdict="faults: {errors}, warnings: {warnings}; {counts}",
        problems=PROBLEMS_EN | RELEASE_PROBLEMS_EN,
        names={},
        labels=LABELS_EN | CITING_EN | API_EN | HEALTH_EN,
        live=LIVE_EN,
        release=RELEASE_EN,
    ),
    "zh": Words(
        line="{place}: {field}应为{expected}，实为{got}。{remedy}",
        verdict="错误 {errors} 处，警告 {warnings} 处；{counts}",
        problems=PROBLEMS_ZH | RELEASE_PROBLEMS_ZH,
        names=NAMES_ZH,
        labels=LABELS_ZH | CITING_ZH | API_ZH | HEALTH_ZH,
        live=LIVE_ZH,
        release=RELEASE_ZH,
    ),
}

_NAMING = frozenset({"expected", "kind", "known", "last", "list", "reason", "sources", "what"})
"""Facts that hold the generator's own words, as far as it has any."""
_OWN_GOT = ("field-", "file-not-list", "fmt-changes-value", "lab-fails", "yaml-syntax")
_OF_THE_SYSTEM = ("address-silent", "disk-full", "evidence-broken", "file-unreadable", "new-out-of-reach")
"""Codes that show in quotes what was typed, so that words without are of the generator, a parser or the system."""


@dataclass(frozen=True)
class Worded:
    """A problem in words."""

    expected: str
    got: str
    remedy: str
    line: str
    """The whole message in one line."""


def put_in_words(problem: Problem, language: str) -> Worded:
    """Say a problem in a language."""
    words = WORDS[language]
    wording = words.problems[problem.code]
    facts = {name: words.names.get(fact, fact) if name in _NAMING else fact for name, fact in problem.facts}
    own = problem.code.startswith((*_OWN_GOT, *_OF_THE_SYSTEM))
    if problem.code == "field-not-allowed":
        facts["expected"] = facts["expected"].replace(" or ", words.names.get(" or ", " or "))
    facts["got"] = words.names.get(problem.got, problem.got) if own else problem.got
    expected, remedy = wording.expected.format_map(facts), wording.remedy.format_map(facts)
    got = " ".join(wording.got.format_map(facts).split()) or words.labels["none"]
    # a sentence brings its own full stop; a number such as `5.` keeps it
    got = got.removesuffix(".") if " " in got else got
    field = f"{problem.place.field}: " if problem.place.field else ""
    line = words.line.format(
        place=problem.place, field=field, expected=_after(expected, language), got=_after(got, language), remedy=remedy
    )
    # a key, a name or a pattern may hold line breaks
    return Worded(expected, got, remedy, " ".join(line.splitlines()))


def _after(said: str, language: str) -> str:
    """Words as they follow Chinese ones: with a space before Latin letters and digits."""
    return f" {said}" if language == "zh" and said[:1].isascii() else said


__all__ = ["WORDS", "Worded", "Wording", "Words", "put_in_words"]
