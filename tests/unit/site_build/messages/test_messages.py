"""The same things are said in every language, and everything that can be said is said somewhere."""

import ast
import errno
import os
import re
from collections.abc import Iterator
from string import Formatter
from typing import get_args

import pytest
from architecture import read_sources
from builders import REPOSITORY

from site_build.history import ChangeKind
from site_build.messages import WORDS, Wording, put_in_words
from site_build.messages.api_en import API_EN
from site_build.messages.api_zh import API_ZH
from site_build.messages.citing_en import CITING_EN
from site_build.messages.citing_zh import CITING_ZH
from site_build.messages.health_en import HEALTH_EN
from site_build.messages.health_zh import HEALTH_ZH
from site_build.messages.labels_en import LABELS_EN
from site_build.messages.labels_zh import LABELS_ZH
from site_build.problems import Place, Problem

CODE = read_sources(REPOSITORY, "site_build/**/*.py")
TEMPLATES = read_sources(REPOSITORY, "site_build/templates/**/*.j2", "site_build/templates/**/*.html")
PROBLEMS = WORDS["en"].problems
_ANY = "[a-z-]+"
LONGEST = 25
"""Words of a message, each fact counted as one."""


def gaps(template: str) -> set[str]:
    """Names in braces."""
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def gaps_of(wording: Wording) -> set[str]:
    """Names that a wording needs."""
    return gaps(wording.expected) | gaps(wording.remedy)


def reports(text: str) -> Iterator[tuple[str, set[str] | None, int]]:
    """Pattern of the code, names of the facts (none where they are passed on), and line of every reported problem."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or len(node.args) < 2:
            continue
        if node.func.attr not in {"at", "warning", "report"}:
            continue
        facts = {keyword.arg for keyword in node.keywords}
        for pattern in patterns(node.args[1]):
            yield pattern, None if None in facts else {fact for fact in facts if fact}, node.lineno


def patterns(code: ast.expr) -> Iterator[str]:
    """Regular expressions for the codes that an expression can give; none for a variable."""
    if isinstance(code, ast.Constant) and isinstance(code.value, str):
        yield re.escape(code.value)
    elif isinstance(code, ast.JoinedStr):
        yield "".join(re.escape(str(part.value)) if isinstance(part, ast.Constant) else _ANY for part in code.values)
    elif isinstance(code, ast.IfExp):
        yield from patterns(code.body)
        yield from patterns(code.orelse)


def faults(sources: dict[str, str], problems: dict[str, Wording]) -> list[str]:
    """Reports whose code is unknown, or that do not bring the facts that its wording needs."""
    found = []
    for path, text in sources.items():
        for pattern, facts, line in reports(text):
            codes = [code for code in problems if re.fullmatch(pattern, code)]
            if not codes:
                found.append(f"{path}:{line}: {pattern} is no code")
            for code in codes if facts is not None and _ANY not in pattern else ():
                missing = gaps_of(problems[code]) - (facts or set()) - {"got"}
                found += [f"{path}:{line}: {code} needs {name}" for name in sorted(missing)]
    return found


def test_languages_have_the_same_codes_and_gaps() -> None:
    """A problem can be said in each language, with the same facts."""
    for language, words in WORDS.items():
        assert {code: gaps_of(wording) for code, wording in words.problems.items()} == {
            code: gaps_of(wording) for code, wording in PROBLEMS.items()
        }, language
        assert gaps(words.line) == gaps(WORDS["en"].line)
        assert gaps(words.verdict) == gaps(WORDS["en"].verdict)


def test_languages_have_the_same_labels() -> None:
    """Every word on a page exists in each language, and none is empty."""
    for words in WORDS.values():
        assert words.labels.keys() == WORDS["en"].labels.keys()
        assert [name for name, label in words.labels.items() if not label.strip()] == []


def test_no_label_replaces_another() -> None:
    """The files of labels share no name: joined, a later one would take the earlier one's place."""
    for language, parts in (
        ("en", (LABELS_EN, CITING_EN, API_EN, HEALTH_EN)),
        ("zh", (LABELS_ZH, CITING_ZH, API_ZH, HEALTH_ZH)),
    ):
        assert sum(len(part) for part in parts) == len(WORDS[language].labels)


def test_languages_have_the_same_words_of_a_release() -> None:
    """What releasing and verifying say has the same gaps in each language, and the code asks for nothing else."""
    wanted = {name: gaps(text) for name, text in WORDS["en"].release.items()}
    for words in WORDS.values():
        assert {name: gaps(text) for name, text in words.release.items()} == wanted
    texts = [text for path, text in CODE.items() if not path.startswith("site_build/messages/")]
    named = {name for name in wanted if any(re.search(f"[\"']{name}[\"']", text) for text in texts)}
    assert wanted.keys() - named == {f"change_{kind}" for kind in get_args(ChangeKind)}


def test_every_reported_code_can_be_said() -> None:
    """Each report names a code of the catalogue and brings the facts of its wording."""
    assert faults(CODE, PROBLEMS) == []


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("Problem.at(place, 'yaml-typo', 1)", ["a.py:1: yaml\\-typo is no code"], id="unknown"),
        pytest.param("Problem.at(place, 'bib-field', 1)", ["a.py:1: bib-field needs field"], id="fact-missing"),
        pytest.param(
            "Problem.at(place, f'yaml-trip-{x}', 1)", ["a.py:1: yaml\\-trip\\-[a-z-]+ is no code"], id="pattern"
        ),
        pytest.param("Problem.at(place, 'bib-field', 1, field=2)", [], id="right"),
        pytest.param("Problem.at(place, code, 1)", [], id="passed-on"),
    ],
)
def test_wrong_reports_turn_red(text: str, want: list[str]) -> None:
    """A misspelt code or a forgotten fact is found without running the check."""
    assert faults({"a.py": text}, PROBLEMS) == want


def test_every_code_of_the_catalogue_is_used() -> None:
    """A wording that nothing reports is a check that was lost."""
    rest = {path: text for path, text in CODE.items() if not path.startswith("site_build/messages/")}
    constants = {
        node.value
        for text in rest.values()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    made = [pattern for text in rest.values() for pattern, _, _ in reports(text) if _ANY in pattern]
    unused = {
        code for code in PROBLEMS if code not in constants and not any(re.fullmatch(pattern, code) for pattern in made)
    }
    assert unused == set()


def test_every_label_on_a_page_exists() -> None:
    """Templates and views name no label that is not there."""
    texts = (*TEMPLATES.values(), *CODE.values())
    found = (match for text in texts for match in re.findall(r"\blabels(?:\.(\w+)\b(?!\()|\[\"(\w+)\"\])", text))
    used = {dotted or indexed for dotted, indexed in found}
    assert "boundary" in used, "the pattern finds nothing"
    assert used - WORDS["en"].labels.keys() == set()


@pytest.mark.parametrize("code", sorted(PROBLEMS))
def test_messages_have_place_field_expected_got_and_remedy(code: str) -> None:
    """Each message has all five parts in one line of at most 25 words."""
    facts = dict.fromkeys(gaps_of(PROBLEMS[code]) - {"got"}, "fact")
    problem = Problem.at(Place("ledger/a.yaml", 7, 12, "Q31.claims[1].grade"), code, "'A'", **facts)
    english, chinese = put_in_words(problem, "en").line, put_in_words(problem, "zh").line
    got = {language: re.escape(words.problems[code].got.format(got="'A'")) for language, words in WORDS.items()}
    place = r"ledger/a\.yaml:7:12: Q31\.claims\[1\]\.grade"
    assert re.fullmatch(rf"{place}: expected \S.*, got {got['en']}\. [A-Z].*[.?]", english)
    assert re.fullmatch(rf"{place}: 应为 ?\S.*，实为 ?{got['zh']}。.*[。？]", chinese)
    assert len(english.split()) - 2 <= LONGEST, english


@pytest.mark.parametrize(
    ("got", "want"),
    [
        pytest.param("a\n  b", "got a b. ", id="lines-are-joined"),
        pytest.param("", "got none. ", id="nothing"),
        pytest.param("A sentence.", "got A sentence. ", id="full-stop-once"),
        pytest.param("5.", "got 5.. ", id="a-number-keeps-its-point"),
        pytest.param("{x} {0} %s", "got {x} {0} %s. ", id="braces-are-text"),
    ],
)
def test_what_was_typed_stays_in_one_line(got: str, want: str) -> None:
    """Whatever an editor typed is shown as typed and cannot break the message."""
    line = put_in_words(Problem.at(Place("a.yaml"), "yaml-alias", got), "en").line
    assert want in line
    assert "\n" not in line


@pytest.mark.parametrize(
    ("problem", "want"),
    [
        pytest.param(
            Problem.at(Place("a.yaml"), "fmt-form", file="a.yaml"),
            "应为 k3 fmt 写出的格式，实为另一种写法。运行 `k3 fmt a.yaml`。",
            id="what-came",
        ),
        pytest.param(
            Problem.at(Place("a.yaml"), "reference-unknown", "C9", kind="correction"),
            "应为存在的勘误，实为 C9。改正 id，或添加记录。",
            id="kind",
        ),
        pytest.param(
            Problem.at(Place("a.yaml"), "field-not-text", "a list"), "应为文本，实为列表。加上引号。", id="own-word"
        ),
        pytest.param(
            Problem.at(Place("a.yaml"), "list-unknown", "a list", list="units", known="s"),
            "应为 units 之一：s，实为 a list。改正，或加入该列表。",
            id="typed-word",
        ),
        pytest.param(
            Problem.at(Place("a.yaml"), "field-missing", field="value"),
            "应为字段 value，实为无。补上。",
            id="field-name",
        ),
        pytest.param(
            Problem.at(Place("a.yaml"), "field-not-allowed", "'A'", expected="'R' or 'P'"),
            "应为 'R' 或 'P'，实为 'A'。从中选一个。",
            id="alternatives",
        ),
    ],
)
def test_chinese_messages_hold_no_english_of_the_generator(problem: Problem, want: str) -> None:
    """What the generator says itself is Chinese; what was typed, and names that stand in files, stay."""
    assert put_in_words(problem, "zh").line == f"a.yaml:1:1: {want}"


def test_facts_are_text() -> None:
    """Braces in a fact are not filled again."""
    problem = Problem.at(Place("a.yaml"), "field-pattern", "x", expected="^a{1,3}{got}$")
    assert put_in_words(problem, "en").expected == "the form ^a{1,3}{got}$"


def test_a_message_is_one_line_whatever_it_names() -> None:
    """Keys of a file may hold line breaks, and so may what a list knows."""
    problem = Problem.at(Place("a.yaml", 1, 1, "a\nb"), "list-unknown", "x", list="units", known="c\u2028d, e\r\nf")
    for language in WORDS:
        assert len(put_in_words(problem, language).line.splitlines()) == 1
    assert put_in_words(problem, "en").line.startswith("a.yaml:1:1: a b: expected one of units: c d, e f, got x.")


@pytest.mark.parametrize(
    "code", ["address-silent", "disk-full", "evidence-broken", "file-unreadable", "new-out-of-reach"]
)
@pytest.mark.parametrize("number", [errno.EACCES, errno.ENOENT, errno.ENOSPC, errno.EROFS, errno.EISDIR, errno.EIO])
def test_what_the_system_says_is_chinese_too(code: str, number: int) -> None:
    """A reader of Chinese messages is told in Chinese why a file could not be read or written."""
    problem = Problem.at(Place("x.yaml", 1), code, os.strerror(number))
    assert put_in_words(problem, "en").got == os.strerror(number)
    assert not re.search("[a-z]", put_in_words(problem, "zh").got)
