"""Readers of strangers' texts and bytes, each with its inputs, what it may raise, and what must hold of its answer."""

import gzip
import io
import json
import re
import tarfile
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from builders import REPOSITORY, TINY
from fuzz_inputs import json_values, texts, walks
from hostile_texts import PAYLOADS
from hypothesis import strategies as st
from sealed_sites import seal, site_entries

from k3core.browser import run
from k3core.guards import InputError
from k3core.registry import LABS
from k3core.xtml import Control, Segment, XtmlParser, parse_elements, write_element
from k3core.xtml_messages import Argument, Call, Message, parse_conversation, serialize_conversation
from site_build.messages import put_in_words
from site_build.model import Question, find_markers, parse_locator, read_record
from site_build.problems import Faults, Problem
from site_build.source import parse_bibliography, parse_yaml
from site_build.verifying import verify
from site_build.verifying.archive import read_archive
from site_build.visuals import pieces, plain_words, render_line, render_text

SHORT = [payload.text for payload in PAYLOADS if len(payload.text) < 200]
TAGS = frozenset({"p", "br", "em", "strong", "code", "a", "ul", "ol", "li", "span", "i", "math"})
"""What a ledger's text may become, beside the inside of a formula."""
_TAG = re.compile(r"<([A-Za-z][\w:-]*)((?:\s+[\w:-]+=\"[^\"]*\")*)\s*/?>")
KINDS = frozenset({"input", "lab", "json", "result"})
"""Faults that the labs' door declares; `internal` would be our own."""


@dataclass(frozen=True)
class Target:
    """A reader and its inputs, drawn as lists of some that belong together."""

    inputs: Callable[[], st.SearchStrategy[list[Any]]]
    read: Callable[[Any], None]
    """Raises what the reader does not declare; a wrong answer is an AssertionError."""


def said(problems: tuple[Problem, ...]) -> None:
    """Every fault can be put in words, in both languages, on one line."""
    for problem in problems:
        for language in ("en", "zh"):
            assert len(put_in_words(problem, language).line.splitlines()) == 1, problem


def read_yaml_text(text: str) -> None:
    """Data with a place for each field, or problems; a record from it, or faults."""
    document = parse_yaml(text, "f.yaml")
    said(document.problems)
    assert document.data is not None or document.problems
    read_record(Question, document.data)


def read_bibtex(text: str) -> None:
    """Publications, or problems with lines that the text has."""
    found = parse_bibliography(text, "r.bib")
    said(found.problems)
    most = text.count("\n") + text.count("\r") + 2
    assert all(1 <= problem.place.line <= most for problem in found.problems), found.problems


def read_locator(text: str) -> None:
    """A locator that kept its text, or none."""
    found = parse_locator(text)
    assert found is None or (found.text == text and bool(found.source))


def read_markers(text: str) -> None:
    """Markers in order, each as it was written."""
    position = 0
    for marker in find_markers(text):
        assert position <= marker.start < marker.end <= len(text)
        assert text[marker.start : marker.end] == marker.source
        position = marker.end


def read_markdown(text: str) -> None:
    """Pieces that are the text, and HTML with nothing in it but what the subset has."""
    assert "".join(piece.source for piece in pieces(text)) == text
    plain_words(text, lambda marker: marker.target)
    for html in (render_text(text, lambda _: "<i>m</i>"), render_line(text, lambda _: "<i>m</i>")):
        outside = re.sub(r"<math.*?</math>", "<math>", html, flags=re.DOTALL)
        for found in re.finditer(r"<[A-Za-z!?][^<]*", outside):
            tag = _TAG.match(found[0])
            assert tag is not None, found[0]
            assert tag[1] in TAGS, found[0]
            assert not re.search(r"\bon\w+=|href=\"(?!https?:|[^:\"]*[\"/?#])", tag[2]), found[0]


def read_segments(segments: list[Segment]) -> None:
    """Both parsers read the same, and what they read is written back; or both refuse."""
    told: list[tuple[Any, ...] | None] = []
    for parse in (_by_events, parse_elements):
        try:
            told.append(parse(segments))
        except InputError:
            told.append(None)
    assert told[0] == told[1]
    for mode in ("thinking", "instruct"):
        try:
            messages, begun = parse_conversation(segments, mode)
        except InputError:
            continue
        again = serialize_conversation(messages, mode, generate=begun)
        assert parse_conversation(again, mode) == (messages, begun)


def _by_events(segments: list[Segment]) -> tuple[Any, ...]:
    parser = XtmlParser()
    for segment in segments:
        parser.feed(segment)
    if not parser.at_rest:
        raise InputError("segments", "an end", "none")
    assert all(list(write_element(message)) for message in parser.messages)
    return tuple(parser.messages)


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="fuzz-")


def read_tar(content: bytes) -> None:
    """What `k3 verify` does with an archive: a verdict, or faults."""
    path = Path(_folder().name) / "archive.tar"
    path.write_bytes(content)
    try:
        said(verify(read_archive(path, "archive.tar").contents).problems)
    except Faults as faults:
        said(faults.problems)


def run_lab(request: tuple[str, str]) -> None:
    """An answer in JSON: a result, or a fault that the door declares."""
    reply = json.loads(run(*request))
    assert reply["ok"] or reply["error"]["kind"] in KINDS, reply


def _yaml() -> st.SearchStrategy[list[str]]:
    files = [path.read_text(encoding="utf-8") for path in sorted(TINY.rglob("*.yaml"))]
    signs = ("- ", ": ", "{", "}", "[", "]", ",", "&a ", "*a", "!!python/name:os ", "'", '"', "|\n", ">-\n", "#", "\t")
    more = ("? ", "%YAML 9", "---\n", "...\n", "\n", "  ", "no", "0o7", "1e-5", "2026-01-02", "~", "<<: ", "\\x00", "@")
    short = ["a: &x [1, 2]\nb: *x\n", "- {a: 'x', b: [y, z], a: 1.50}\n", "a: |\n  b\n? c\n: !!set {d}\n"]
    return texts([*files, *short * 4], (*signs, *more))


def _bibtex() -> st.SearchStrategy[list[str]]:
    file = (REPOSITORY / "ledger/reading/references.bib").read_text(encoding="utf-8")
    entries = [f"@{entry}" for entry in file.split("@")[1:60]]
    signs = ("@article{k,", "{", "}", '"', ",", "=", " and ", "#", "@string{s = ", "@comment{", "@preamble{", "%", "\\")
    more = (
        "title",
        "author",
        "year",
        "\n",
        "\\'e",
        '\\"{u}',
        "\\href{x}{y}",
        "$x$",
        "\\input{x}",
        "\\verb|",
        "others",
        "~",
    )
    short = ['@misc{k, title = {T}, title = {U}, year = 2020, author = "A and B"}', "@misc{k,}@book{k, month = jan}"]
    return texts([*short * 8, *entries, "\n".join(entries[:3])], (*signs, *more, *SHORT))


def _locators() -> st.SearchStrategy[list[str]]:
    valid = [
        "report §2.1 eq.1",
        "report abstract",
        "report §3 table 4",
        "report app.F",
        "config a.b[0]",
        "node kimi-k2 §3",
    ]
    code = ["code moonshotai/FlashKDA@main:csrc/a.cu#f", "report front fig.2", "k2 §1.1.1 alg.3"]
    return texts(
        valid + code,
        ("§", " ", ".", "eq.", "fig.", "table ", "config ", "node ", "code ", "@", ":", "#", "1", "٣", "\n"),
    )


def _markers() -> st.SearchStrategy[list[str]]:
    valid = ["It is :value[area].", "::question[Q04]", "\\:value[x] and :claim[Q04.c2]", "`:value[x]` :spec[hidden.k3]"]
    return texts(valid, (":", "::", "[", "]", "value", "question", "\\", "`", " ", "\n", "Q1", ".", "\ue000", "$"))


def _markdown() -> st.SearchStrategy[list[str]]:
    valid = [*_prose(), *SHORT]
    signs = (
        "*",
        "**",
        "_",
        "`",
        "```\n",
        "[a](",
        ")",
        "](https://x.example)",
        "$",
        "$$",
        "\\",
        "\n\n",
        "- ",
        "1. ",
        "<",
        ">",
        "&",
    )
    more = (
        "\\frac{1}{",
        "}",
        "^",
        "~",
        ":value[x]",
        "::cite[y]",
        "![",
        "<a href=javascript:x>",
        "\ue0001\ue001",
        "javascript:",
    )
    return texts(valid, (*signs, *more))


def _prose() -> list[str]:
    question = yaml.safe_load((REPOSITORY / "ledger/questions/Q04.yaml").read_text(encoding="utf-8"))
    return [claim["text"][language] for claim in question["claims"] for language in ("en", "zh")]


def _segments() -> st.SearchStrategy[list[list[Segment]]]:
    call = Call("search", (Argument("q", "string", 'a "b" & c'), Argument("n", "number", "3")))
    talk = (
        Message("system", '[{"name":"search"}]', option="tool-declare"),
        Message("user", "Hello <|open|>"),
        Message("assistant", "Yes.", think="Well", calls=(call, Call("other", unparsed="{"))),
        Message("tool", "found", tool="search", index=1),
        Message("tool", "none", tool="other", index=2),
    )
    plain = (Message("user", "Hello"), Message("assistant", "Hi"))
    whole: list[list[Segment]] = [
        [*serialize_conversation(talk, "thinking", generate=True)],
        [*serialize_conversation(plain, "instruct")],
    ]
    words = (
        "message",
        "think",
        "response",
        "tools",
        "call",
        ' role="user"',
        ' role="tool" index="1"',
        "&amp;",
        "",
        "x",
    )
    own = [*Control, *words, *(part for part in whole[0] if isinstance(part, str))]
    one = st.one_of(st.sampled_from(own), st.text(max_size=6))
    loose = st.lists(st.lists(one, max_size=20), min_size=1, max_size=3)
    return st.one_of(walks(whole, st.lists(one, min_size=1, max_size=3)), loose)


def _archives() -> st.SearchStrategy[list[bytes]]:
    sealed = seal(Path(tempfile.mkdtemp(dir=_folder().name)))
    packed = sealed.archive.read_bytes()
    other = io.BytesIO()
    with tarfile.open(fileobj=other, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for info, content in site_entries(sealed.site):
            archive.addfile(info, io.BytesIO(content))
    odd = (
        b"\0" * 512,
        b"../x",
        b"/etc/passwd",
        b"ustar\x0000",
        b"\xff" * 8,
        b"0777777",
        b"27 path=../../x\n",
        b"L",
        b"2",
    )
    piece = st.one_of(st.sampled_from(odd), st.binary(max_size=6))
    shaken = walks([gzip.decompress(packed), other.getvalue()], piece)
    summed = shaken.map(lambda walk: [with_sums(content) for content in walk])
    squeezed = summed.map(lambda walk: [gzip.compress(content, 1) for content in walk])
    return st.one_of(shaken, summed, squeezed, walks([packed], piece), st.lists(st.binary(max_size=1200), max_size=2))


def with_sums(content: bytes) -> bytes:
    """The same with right sums of its headers, so that what they say is read."""
    blocks = [bytearray(content[at : at + 512]) for at in range(0, len(content), 512)]
    for block in blocks:
        if block[257:262] == b"ustar":
            block[148:156] = b" " * 8
            block[148:156] = b"%06o\0 " % sum(block)
    return b"".join(blocks)


def _requests() -> st.SearchStrategy[list[tuple[str, str]]]:
    files = sorted((REPOSITORY / "ledger/labs").glob("*.yaml"))
    labs = [yaml.safe_load(file.read_text(encoding="utf-8")) for file in files]
    valid = [
        (lab["id"], {given["id"]: given["default"] for given in lab["inputs"]} | example)
        for lab in labs
        for example in ({}, *(one["inputs"] for one in lab["examples"]))
    ]
    values = [value for _, inputs in valid for value in inputs.values()]
    numbers = st.one_of(st.integers(-2, 20), st.floats(-2, 2, allow_nan=False))
    rows = st.lists(numbers, max_size=8)
    near = st.one_of(st.sampled_from(values), numbers, rows, st.lists(rows, max_size=5), json_values())
    others = st.dictionaries(st.integers(0, 9), near, min_size=1, max_size=3)
    asked = st.builds(_with_others, st.sampled_from(valid), st.lists(others, min_size=1, max_size=8))
    signs = ('"', "{", "[", "]", "}", ",", ":", "1e999", "NaN", "\\u", "-", "null", "[" * 2_000)
    broken = texts([json.dumps(inputs) for _, inputs in valid], signs)
    named = st.one_of(st.sampled_from(sorted(LABS)), st.text(max_size=3))
    anything = st.tuples(named, broken).map(lambda drawn: [(drawn[0], text) for text in drawn[1]])
    return st.one_of(asked, asked, anything)


def _with_others(sample: tuple[str, dict[str, Any]], others: list[dict[int, Any]]) -> list[tuple[str, str]]:
    """Requests that each differ from a valid one in some inputs."""
    id_, inputs = sample
    names = list(inputs)
    return [
        (id_, json.dumps(inputs | {names[place % len(names)]: value for place, value in other.items()}))
        for other in others
    ]


TARGETS = {
    "yaml": Target(_yaml, read_yaml_text),
    "bibtex": Target(_bibtex, read_bibtex),
    "locators": Target(_locators, read_locator),
    "markers": Target(_markers, read_markers),
    "markdown": Target(_markdown, read_markdown),
    "xtml": Target(_segments, read_segments),
    "archives": Target(_archives, read_tar),
    "labs": Target(_requests, run_lab),
}
