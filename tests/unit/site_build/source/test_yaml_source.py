"""What an editor types is what the ledger reads, or a problem at the very place."""

from pathlib import Path

import pytest

from site_build.messages import put_in_words
from site_build.source import parse_yaml, read_yaml
from site_build.source.yaml_source import MAX_BYTES


def lines(text: str, file: str = "f.yaml") -> list[str]:
    """The messages for a YAML text."""
    return [put_in_words(problem, "en").line for problem in parse_yaml(text, file).problems]


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("a: 'no'\nb: \"1e-5\"\nc: '512:6144'", {"a": "no", "b": "1e-5", "c": "512:6144"}, id="quoted"),
        pytest.param("a: 12\nb: -3\nc: 0", {"a": 12, "b": -3, "c": 0}, id="whole"),
        pytest.param("a: 2.5\nb: 1.0\nc: 1.5e-3", {"a": 2.5, "b": 1.0, "c": 0.0015}, id="decimal"),
        pytest.param("a: true\nb: false", {"a": True, "b": False}, id="truth"),
        pytest.param("a: |\n  x: no\n  y", {"a": "x: no\ny"}, id="block"),
        pytest.param("a: [x, [1, 2]]", {"a": ("x", (1, 2))}, id="lists-are-tuples"),
        pytest.param("a: no more\nb: 2026-01 to 02", {"a": "no more", "b": "2026-01 to 02"}, id="sentences"),
        pytest.param("1: x\nno: z", {"1": "x", "no": "z"}, id="keys-are-words"),
        pytest.param("a: '$\\beta$'", {"a": "$\\beta$"}, id="latex-in-single-quotes"),
        pytest.param("\ufeffa: x", {"a": "x"}, id="byte-order-mark"),
        pytest.param("a: x\r\nb: z\r\n", {"a": "x", "b": "z"}, id="windows-lines"),
    ],
)
def test_plain_data_is_read(text: str, want: object) -> None:
    """Values come out as typed, without a problem."""
    document = parse_yaml(text, "f.yaml")
    assert document.problems == ()
    assert document.data == want
    assert [type(value) for value in document.data.values()] == [type(value) for value in want.values()]  # type: ignore[attr-defined]


_QUOTE_YES_NO = "Write '{0}' in quotes: YAML would read it as yes or no."
_QUOTE_NUMBER = "Write '{0}' in quotes, or the number in full."
_QUOTE_DATE = "Write '{0}' in quotes: YAML would read it as a date."
_QUOTE_TIME = "Write '{0}' in quotes: YAML would read it as a time."


@pytest.mark.parametrize(
    ("typed", "expected", "remedy"),
    [
        *(pytest.param(word, "true, false or a text", _QUOTE_YES_NO, id=word) for word in ("no", "Yes", "OFF", "y")),
        *(pytest.param(word, "true, false or a text", _QUOTE_YES_NO, id=word) for word in ("True", "NULL")),
        *(
            pytest.param(number, "a decimal number or a text", _QUOTE_NUMBER, id=number)
            for number in ("1e-5", "1e5", "1.5E3", ".5", "5.", "+5", "1_000", ".inf", "-.NaN")
        ),
        *(
            pytest.param(number, "a number without leading zeros, or a text", _QUOTE_NUMBER, id=number)
            for number in ("010", "0o17", "0x1F", "00")
        ),
        *(
            pytest.param(day, "a text", _QUOTE_DATE, id=day)
            for day in ("2026-01-02", "2026-1-2", "2026-01-02T10:00:00Z")
        ),
        *(pytest.param(time, "a text", _QUOTE_TIME, id=time) for time in ("512:6144", "12:30:45", "190:20:30.15")),
        pytest.param("2.10", "a number or a text", "Write '{0}' as text, or 2.1 as a number.", id="2.10"),
        pytest.param("2026.10", "a number or a text", "Write '{0}' as text, or 2026.1 as a number.", id="2026.10"),
    ],
)
def test_traps_are_refused_where_they_stand(typed: str, expected: str, remedy: str) -> None:
    """A word that YAML readers take for something else is named with how to write it, in fields and in lists."""
    message = f"expected {expected}, got {typed}. {remedy.format(typed)}"
    assert lines(f"x: ok\nfield:  {typed}\n") == [f"f.yaml:2:9: field: {message}"]
    assert lines(f"list:\n  - ok\n  - {typed}\n") == [f"f.yaml:3:5: list[1]: {message}"]
    assert lines(f"field: '{typed}'") == []


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param(
            "a: 1\nb: 2\na: 3\n",
            "f.yaml:3:1: a: expected each key once (first at f.yaml:1:4), got a. Keep one of them.",
            id="duplicate-key",
        ),
        pytest.param(
            "- a: 1\n- b:\n    c: 1\n    c: 2\n",
            "f.yaml:4:5: [1].b.c: expected each key once (first at f.yaml:3:8), got c. Keep one of them.",
            id="duplicate-key-inside",
        ),
        pytest.param(
            "a: &x 1\nb: *x\n",
            "f.yaml:2:4: b: expected the text itself, got *x. Write it out; aliases are refused.",
            id="alias",
        ),
        pytest.param(
            "a: !!python/object:os.system x\n",
            "f.yaml:1:4: a: expected a value without a tag, got tag:yaml.org,2002:python/object:os.system. "
            "Remove the exclamation mark and what follows it.",
            id="tag",
        ),
        pytest.param(
            "a:\n- x\n-\n- z\n",
            "f.yaml:3:2: a[1]: expected something after the hyphen, got nothing. Write the entry, or remove the line.",
            id="empty-item",
        ),
        pytest.param(
            "a: x\nb:\n",
            "f.yaml:2:3: b: expected a value, got nothing. Write it, or remove the field.",
            id="empty-value",
        ),
        pytest.param(
            "a: null\n", "f.yaml:1:4: a: expected a value, got nothing. Write it, or remove the field.", id="null"
        ),
        pytest.param(
            'x: 1\na: "the $\\beta$"\n',
            "f.yaml:2:4: a: expected printable text, got U+0008. "
            "Remove it; where double quotes in YAML made it of \\b, use single quotes or a block.",
            id="latex-in-double-quotes",
        ),
        pytest.param(
            'a: "x\\u202ey"\n',
            "f.yaml:1:4: a: expected printable text, got U+202E. "
            "Remove it; where double quotes in YAML made it of \\b, use single quotes or a block.",
            id="turned-text",
        ),
        pytest.param(
            'a: {"b\\u202ec": x}\n',
            "f.yaml:1:5: a.bc: expected printable text, got U+202E. "
            "Remove it; where double quotes in YAML made it of \\b, use single quotes or a block.",
            id="turned-key",
        ),
        pytest.param(
            "[a]: 1\n",
            "f.yaml:1:1: None: expected a word as the key, got a list or mapping. Put the key in quotes.",
            id="key",
        ),
        pytest.param(
            "x: 1\na: b: c\n",
            "f.yaml:2:5: expected YAML, got mapping values are not allowed in this context. "
            "Mend the line; check indentation and quotes.",
            id="syntax",
        ),
        pytest.param(
            "a: 'x\x07'\n",
            "f.yaml:1:6: expected YAML, got unacceptable character #x0007: control characters are not allowed. "
            "Mend the line; check indentation and quotes.",
            id="raw-control-character",
        ),
        pytest.param(
            "a: 1\n---\nb: 2\n",
            "f.yaml:2:1: expected YAML, got but found another document. Mend the line; check indentation and quotes.",
            id="two-documents",
        ),
        pytest.param(
            "# only a remark\n", "f.yaml:1:1: expected a record, got none. Write one, or remove the file.", id="empty"
        ),
        pytest.param(
            "---\n", "f.yaml:1:1: expected a record, got none. Write one, or remove the file.", id="only-a-mark"
        ),
    ],
)
def test_structure_faults_are_placed(text: str, want: str) -> None:
    """Each fault is one message with line and column."""
    assert lines(text) == [want]


def test_all_faults_of_a_file_are_found_in_one_run() -> None:
    """One fault does not hide the next."""
    assert [line.partition(":")[2][:4] for line in lines("a: no\nb: 010\nc:\n  - 1e5\n")] == ["1:4:", "2:4:", "4:5:"]


def test_alias_bomb_is_refused_quickly_and_each_alias_is_placed() -> None:
    """A bomb is never expanded: as many problems as aliases are written, each where it stands."""
    bomb = ["a0: &a0 [x]", *(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 30))]
    problems = parse_yaml("\n".join(bomb), "f.yaml").problems
    assert len(problems) == len({problem.place for problem in problems}) == 29 * 9
    assert str(problems[0].place) == "f.yaml:2:10"
    assert str(problems[-1].place) == f"f.yaml:30:{len(bomb[-1]) - 4}"


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("[" * 30000, "exceeded maximum nesting depth", id="brackets"),
        pytest.param("{a: " * 30000, "exceeded maximum nesting depth", id="braces"),
        pytest.param("[" * 25 + "x" + "]" * 25, "got 25 levels", id="just-too-deep"),
    ],
)
def test_deep_nesting_is_refused(text: str, want: str) -> None:
    """Depth ends in a message, not in a crash."""
    (line,) = lines(text)
    assert want in line


def test_the_deepest_allowed_nesting_is_read() -> None:
    """The limit itself is still allowed."""
    assert lines("[" * 24 + "x" + "]" * 24) == []


@pytest.mark.parametrize(
    ("content", "want"),
    [
        pytest.param(
            b"a: x\nb: caf\xe9\n",
            "f.yaml:2:7: expected UTF-8, got byte 0xe9. Save the file as UTF-8.",
            id="latin-1",
        ),
        pytest.param(
            "a: x\n".encode("utf-16"), "f.yaml:1:1: expected UTF-8, got byte 0xff. Save the file as UTF-8.", id="utf-16"
        ),
        pytest.param(
            b"#" * (MAX_BYTES + 1),
            f"f.yaml:1:1: expected at most {MAX_BYTES} bytes, got {MAX_BYTES + 1} bytes. Split the file.",
            id="large",
        ),
    ],
)
def test_files_that_are_no_text_are_refused(tmp_path: Path, content: bytes, want: str) -> None:
    """Encoding and size are checked before anything is parsed."""
    (tmp_path / "f.yaml").write_bytes(content)
    document = read_yaml(tmp_path, "f.yaml")
    assert [put_in_words(problem, "en").line for problem in document.problems] == [want]
    assert document.data is None


@pytest.mark.parametrize(
    ("make_folder", "reason"),
    [pytest.param(False, "No such file or directory", id="missing"), pytest.param(True, "Is a directory", id="folder")],
)
def test_files_that_cannot_be_opened_are_problems(tmp_path: Path, make_folder: bool, reason: str) -> None:
    """Nothing is raised for a file that is not there."""
    if make_folder:
        (tmp_path / "f.yaml").mkdir()
    (problem,) = read_yaml(tmp_path, "f.yaml").problems
    assert (problem.code, problem.got) == ("file-unreadable", reason)


def test_every_field_has_its_place() -> None:
    """Positions are those of the values, for fields of fields and items of lists."""
    document = parse_yaml("a:\n  b: [x, 'y']\n  c:\n    - d: 1\n", "f.yaml")
    assert str(document.place("a", "b", 1)) == "f.yaml:2:10"
    assert str(document.place("a", "c", 0, "d")) == "f.yaml:4:10"
    assert str(document.place("a", "c", 5, "gone")) == "f.yaml:4:5"


def test_an_alias_behind_a_tab_is_a_fault() -> None:
    """The reader that finds aliases accepts the same texts as the one that makes data of them."""
    assert [problem.code for problem in parse_yaml("a: &x [\t1, 2]\nb: *x\n", "f.yaml").problems] == ["yaml-alias"]


@pytest.mark.parametrize("value", ["['id']", "{a: 'id'}"])
def test_a_tag_on_a_list_or_mapping_is_refused(value: str) -> None:
    """It asks for something to be made or called, and is not passed over."""
    document = parse_yaml(f"a: !!python/object/apply:os.system {value}\n", "f.yaml")
    assert [problem.code for problem in document.problems] == ["yaml-tag"]
