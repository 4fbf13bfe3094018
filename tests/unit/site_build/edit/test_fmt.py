"""One form for the ledger's YAML: what moves, what stays, and what is left alone."""

import os
from pathlib import Path
from typing import Any

import pytest
from builders import edit, project, write
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from site_build.edit import format_files
from site_build.edit.aside import write_all
from site_build.edit.fmt import ChangesValueError, format_text, same
from site_build.edit.kinds import KINDS
from site_build.edit.shapes import Shape
from site_build.problems import Place, Problem
from site_build.source import parse_yaml

ANY = Shape(Any)
QUESTION = KINDS["question"].shape
VALUES = KINDS["values"].shape
LONG = "The state of a head is kept in one matrix, and every token that comes writes to it and reads from it. "


def form(text: str, shape: Shape = ANY, modeline: str = "") -> str:
    """The form of a text, which is a form of itself."""
    formatted = format_text(text, shape, modeline)
    assert format_text(formatted, shape, modeline) == formatted
    return formatted


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param('a: "yes"\n', "a: 'yes'\n", id="word"),
        pytest.param("a: '2026.10'\n", "a: '2026.10'\n", id="lost-zero"),
        pytest.param("a: '1e-5'\n", "a: '1e-5'\n", id="exponent"),
        pytest.param('a: "2026-01-02"\n', "a: '2026-01-02'\n", id="date"),
        pytest.param("a: '512:6144'\n", "a: '512:6144'\n", id="clock"),
        pytest.param("a: 207.0\n", "a: 207.0\n", id="decimal-as-written"),
        pytest.param("a: 5.5e+34\n", "a: 5.5e+34\n", id="exponent-as-written"),
        pytest.param("a: true\n", "a: true\n", id="truth"),
        pytest.param("a: two words\n", "a: 'two words'\n", id="plain-text-gets-quotes"),
        pytest.param("a: word\n", "a: word\n", id="plain-word-stays"),
        pytest.param('a: "it\'s"\n', "a: 'it''s'\n", id="apostrophe"),
        pytest.param(r'a: "$\\beta$"' + "\n", "a: '$\\beta$'\n", id="backslash"),
        pytest.param('a: "x\\u2028y"\n', 'a: "x\\u2028y"\n', id="hidden-line-break"),
        pytest.param('a: "x\\ry"\n', 'a: "x\\ry"\n', id="carriage-return"),
        pytest.param('a: "x\\u0085y"\n', 'a: "x\\u0085y"\n', id="next-line"),
        pytest.param('"no": 1\n', "'no': 1\n", id="key-keeps-quotes"),
        pytest.param("a: ''\n", "a: ''\n", id="empty-text"),
    ],
)
def test_a_value_keeps_what_it_is(text: str, want: str) -> None:
    """Quotes become single ones, and nothing that YAML would read another way loses them."""
    assert form(text) == want


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("id: 'Q1'\n", "id: Q1\n", id="id"),
        pytest.param("topic: 'on'\n", "topic: 'on'\n", id="id-that-is-a-trap"),
        pytest.param("reviewed: '2026-01-02'\n", "reviewed: '2026-01-02'\n", id="date"),
        pytest.param("acceptance:\n  state: 'planned'\n", "acceptance:\n  state: planned\n", id="one-of-a-few"),
        pytest.param("title: {en: Short}\n", "title:\n  en: 'Short'\n", id="text"),
        pytest.param("figures: [F1, F2]\n", "figures: [F1, F2]\n", id="names-in-brackets"),
        pytest.param("figures: []\n", "figures: []\n", id="empty"),
        pytest.param("claims:\n- id: c1\n", "claims:\n  - id: c1\n", id="list-is-indented"),
        pytest.param("id: Q1\nclaims:\n-   locators: ['report']\n    id: c1\n",
                     "id: Q1\nclaims:\n  - id: c1\n    locators:\n      - 'report'\n", id="nested-order"),
        pytest.param("reviewed: '2026-01-02'\nunheard: 1\nid: Q1\n",
                     "id: Q1\nreviewed: '2026-01-02'\nunheard: 1\n", id="unknown-field-last"),
    ],
)  # fmt: skip
def test_a_record_has_the_form_of_its_model(text: str, want: str) -> None:
    """Names need no quotes, texts have them, and keys stand in the order of the record's fields."""
    assert form(text, QUESTION) == want


def test_english_folds_and_chinese_does_not() -> None:
    """A long English text becomes a folded block of at most 120 columns; Chinese stays in one line."""
    chinese = "头的状态保存在一个矩阵中，KDA 的每个 token 写入后再读出。" * 6
    formatted = form(f"title:\n  en: '{(LONG * 3).strip()}'\n  zh: >-\n    {chinese}\n", QUESTION)
    lines = formatted.splitlines()
    assert lines[1] == "  en: >-"
    assert all(line.startswith("    ") and 90 < len(line) <= 120 for line in lines[2:4])
    assert lines[-1] == f"  zh: '{chinese}'"


def test_a_formula_stays_in_one_line() -> None:
    """Folding breaks between words and beside formulas."""
    formula = r"$S_t = (I - \beta_t k_t k_t^{\top})\,S_{t-1} + \beta_t k_t v_t^{\top}$"
    formatted = form(f"title:\n  en: '{LONG}{formula} is what it says.'\n", QUESTION)
    assert sum(formula in line for line in formatted.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("a: |\n  one\n   two\n\n  three\n", "a: |\n  one\n   two\n\n  three\n", id="literal"),
        pytest.param("a: |-\n  one\n  two\n", "a: |-\n  one\n  two\n", id="literal-stripped"),
        pytest.param("a: >-\n  one\n\n  two\n", "a: >-\n  one\n\n  two\n", id="folded-paragraphs"),
        pytest.param('a: "one\\ntwo"\n', "a: |-\n  one\n  two\n", id="quoted-becomes-literal"),
        pytest.param("a: |+\n  one\n\nb: 1\n", 'a: "one\\n\\n"\n\nb: 1\n', id="kept-line-ends"),
        pytest.param('a: " x\\ny"\n', 'a: " x\\ny"\n', id="leading-space"),
    ],
)
def test_lines_of_a_text_stay_lines(text: str, want: str) -> None:
    """A text of several lines is a block where a block can hold it."""
    assert form(text) == want


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("# top\n\nb: 1  # beside\n# above\nid: Q1\n",
                     "# top\n\n# above\nid: Q1\nb: 1  # beside\n", id="comments-move-with-their-key"),
        pytest.param("claims:\n  - id: c1\n    # after\n# before\nid: Q1\n",
                     "# before\nid: Q1\nclaims:\n  - id: c1\n    # after\n", id="trailing-comment"),
        pytest.param("claims:\n    - id: c1\n  # between\nfigures: []\n",
                     "claims:\n  - id: c1\n# between\nfigures: []\n", id="between-two-columns"),
        pytest.param("figures:\n- F1\n# before\nid: Q1\n",
                     "# before\nid: Q1\nfigures:\n  - F1\n", id="after-a-list-in-the-same-column"),
        pytest.param("claims:  # list\n  # first\n  - id: c1\n\n\n  - id: c2\n",
                     "claims:  # list\n  # first\n  - id: c1\n\n  - id: c2\n", id="blank-lines"),
        pytest.param("title:\n  en: >-  # why\n    Text\nid: Q1\n",
                     "id: Q1\ntitle:\n  en: 'Text'  # why\n", id="beside-a-block"),
        pytest.param("figures: [  # all\n  F1,  # one\n  F2\n]\n",
                     "figures:  # all\n  - F1  # one\n  - F2\n", id="in-brackets"),
        pytest.param("figures: [ # none\n]\nid: Q1\n", "id: Q1\nfigures: []  # none\n", id="in-empty-brackets"),
        pytest.param("claims:\n  - # odd\n    grade: R\n    # mine\n    id: c1\n",
                     "claims:\n  # odd\n  # mine\n  - id: c1\n    grade: R\n", id="first-key-takes-the-dash"),
        pytest.param("title:\n  en: 'A # no comment'\n", "title:\n  en: 'A # no comment'\n", id="inside-a-text"),
        pytest.param("id: Q1\n\n\n# end\n\n\n", "id: Q1\n\n# end\n", id="end-of-file"),
    ],
)  # fmt: skip
def test_comments_stay_with_what_they_explain(text: str, want: str) -> None:
    """A comment moves with its key, and the comments that open a file stay on top."""
    assert form(text, QUESTION) == want


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("id: Q1\n", id="none"),
        pytest.param("# yaml-language-server: $schema=old.json\nid: Q1\n", id="old"),
        pytest.param("\ufeff# yaml-language-server: $schema=old.json\r\n\r\nid: Q1\r\n", id="other-line-ends"),
    ],
)
def test_the_modeline_is_the_first_line(text: str) -> None:
    """Each ledger file names its schema, once."""
    assert form(text, QUESTION, "# yaml-language-server: $schema=q.json") == (
        "# yaml-language-server: $schema=q.json\nid: Q1\n"
    )


def test_a_lost_value_or_comment_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes out is read again and compared before anything is written."""
    monkeypatch.setattr("site_build.edit.fmt.emit", lambda *_: ["a: 2  # c"])
    with pytest.raises(ChangesValueError, match="a value"):
        format_text("a: '2'  # c\n", ANY)
    with pytest.raises(ChangesValueError, match="a comment"):
        format_text("a:   2\n", ANY)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(1, 1.0, id="whole-and-decimal"),
        pytest.param(1, True, id="number-and-truth"),
        pytest.param({"a": 1}, {"a": 1, "b": 1}, id="more-keys"),
        pytest.param((1, 2), (2, 1), id="order-of-a-list"),
        pytest.param((1,), (1, 1), id="length"),
        pytest.param("a", "a ", id="text"),
    ],
)
def test_same_sees_every_difference(old: object, new: object) -> None:
    """Equal means equal values of equal types."""
    assert same(old, old)
    assert not same(old, new)


def test_files_are_formatted_once(tmp_path: Path) -> None:
    """The first run changes files, keeps the data of each, and the second run has nothing to do."""
    root = project(tmp_path)
    paths = sorted((root / "ledger").rglob("*.yaml"))
    before = {path: parse_yaml(path.read_text(encoding="utf-8"), "").data for path in paths}
    first = format_files(root)
    assert {root / file for file in first.changed} == set(paths)
    assert format_files(root) == format_files(root, check=True) == type(first)((), ())
    assert all(same(data, parse_yaml(path.read_text(encoding="utf-8"), "").data) for path, data in before.items())


def test_check_writes_nothing(tmp_path: Path) -> None:
    """`--check` reports the files in another form and leaves them."""
    root = project(tmp_path)
    before = (root / "ledger/values.yaml").read_bytes()
    done = format_files(root, ["ledger/values.yaml"], check=True)
    place = Place("ledger/values.yaml")
    assert done.problems == (Problem.at(place, "fmt-form", file="ledger/values.yaml"),)
    assert (root / "ledger/values.yaml").read_bytes() == before


def test_files_with_faults_are_left_alone(tmp_path: Path) -> None:
    """A file that cannot be read safely is reported with its fault; the others are formatted."""
    root = project(
        tmp_path, edit("ledger/values.yaml", "number: 6", "number: 1e-5"), write("ledger/odd.yaml", "a: 1\n")
    )
    before = (root / "ledger/values.yaml").read_bytes()
    done = format_files(root, ["ledger/values.yaml", "ledger/odd.yaml", "ledger/none.yaml", "ledger/glossary.yaml"])
    assert {(problem.place.file, problem.code) for problem in done.problems} == {
        ("ledger/values.yaml", "yaml-trap-number"),
        ("ledger/odd.yaml", "fmt-no-ledger-file"),
        ("ledger/none.yaml", "fmt-no-ledger-file"),
    }
    assert done.changed == ("ledger/glossary.yaml",)
    assert (root / "ledger/values.yaml").read_bytes() == before


def test_a_change_of_a_value_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file stays, and the message says that formatting would have changed it."""
    root = project(tmp_path)
    before = (root / "ledger/values.yaml").read_bytes()
    monkeypatch.setattr("site_build.edit.fmt.emit", lambda *_: ["- 1"])
    done = format_files(root, ["ledger/values.yaml"])
    assert [problem.code for problem in done.problems] == ["fmt-changes-value"]
    assert (done.changed, (root / "ledger/values.yaml").read_bytes()) == ((), before)


def test_all_files_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault while the second file takes its place puts the first one back, and nothing is left aside."""
    (tmp_path / "a").write_text("old")
    (tmp_path / ".a.99.new").write_text("of a killed run")
    real = Path.replace

    def replace(path: Path, target: Path) -> Path:
        if target.name == "c":
            raise OSError(28, "No space left", str(target))
        return real(path, target)

    monkeypatch.setattr(Path, "replace", replace)
    with pytest.raises(OSError, match="No space"):
        write_all({tmp_path / "a": "new", tmp_path / "b" / "b": "new", tmp_path / "c": "new"})
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "old"}


def test_a_kill_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the rename, the file itself is not touched; its permissions stay."""
    target = tmp_path / "a.yaml"
    target.write_text("old")
    target.chmod(0o640)
    seen = []

    def replace(path: Path, target: Path) -> None:
        seen.append((target.read_text(), path.read_text(), os.fspath(path.parent)))
        path.rename(target)

    monkeypatch.setattr(Path, "replace", replace)
    write_all({target: "new"})
    assert seen == [("old", "new", str(tmp_path))]
    assert (target.read_text(), target.stat().st_mode & 0o777) == ("new", 0o640)


TRAPS = (
    "yes",
    "2026.10",
    "1e-5",
    "2026-01-02",
    "no",
    "~",
    "010",
    "512:6144",
    "- a",
    "# no",
    "a: b",
    " a",
    "a ",
    "a\nb",
)
TEXTS = st.one_of(
    st.sampled_from(TRAPS),
    st.text(st.sampled_from("ab 01.:-#'\"\\{}[],&*!|>%@`~\n\té头，\u2028"), max_size=12),
    st.text(st.sampled_from("word  s"), min_size=100, max_size=300),
)


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, int]:
    """A YAML text in any style, with numbered comments, and how many there are."""
    count = 0

    def comment(pad: str) -> list[str]:
        nonlocal count
        if not draw(st.booleans()):
            return [""] * draw(st.integers(0, 1))
        count += 1
        return [f"{pad}# c{count}."]

    def scalar() -> str:
        value = draw(st.one_of(TEXTS, st.integers(-99, 99), st.booleans(), st.sampled_from([1.5, 207.0])))
        if not isinstance(value, str):
            return str(value).lower()
        if draw(st.booleans()) and "\n" not in value and "\u2028" not in value:
            return "'" + value.replace("'", "''") + "'"
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'

    def block(depth: int, pad: str) -> list[str]:
        is_map = draw(st.booleans())
        lines: list[str] = []
        for index in range(draw(st.integers(1, 3))):
            lines += comment(pad)
            head = f"{pad}k{index}:" if is_map else f"{pad}-"
            if depth < 3 and draw(st.integers(0, 2)) == 0:
                lines += [head, *block(depth + 1, pad + " " * draw(st.integers(1, 4)))]
            elif draw(st.integers(0, 5)) == 0:
                lines.append(f"{head} [{scalar()}, {scalar()}]")
            else:
                lines.append(f"{head} {scalar()}")
                beside = comment(" ")
                lines[-1] += beside[0] if beside and beside[0] else ""
        return [*lines, *comment(pad)]

    return "\n".join(block(0, "")) + "\n", count


@settings(max_examples=60, deadline=None)
@given(documents())
def test_formatting_changes_no_value(document: tuple[str, int]) -> None:
    """Whatever the style, data and comments are the same afterwards, and a second run changes nothing."""
    text, count = document
    old = parse_yaml(text, "old")
    assume(not old.problems)
    formatted = form(text)
    new = parse_yaml(formatted, "new")
    assert not new.problems
    assert same(old.data, new.data)
    assert all(formatted.count(f"# c{number}.") == 1 for number in range(1, count + 1))


@settings(max_examples=10, deadline=None)
@given(st.permutations(QUESTION.keys))
def test_comments_move_with_their_keys(keys: list[str]) -> None:
    """In whatever order the fields come, each keeps the comment above it and the one beside it."""
    lines = "".join(f"# above {key}\n{key}: 1  # beside {key}\n" for key in keys)
    wanted = "".join(f"# above {key}\n{key}: 1  # beside {key}\n" for key in QUESTION.keys)
    assert form(lines, QUESTION) == wanted
