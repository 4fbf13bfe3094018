"""Conversations in XTML: the checked strings, the zones, the channels, and round trips."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numeric_vectors import expected

from k3core.guards import InputError
from k3core.xtml import Control, Segment, XtmlElement, render_segments, write_element, write_element_head
from k3core.xtml_messages import (
    Argument,
    Call,
    Message,
    answer_calls,
    build_conversation,
    call_argument,
    message_element,
    parse_conversation,
    read_message,
    serialize_conversation,
    validate_conversation,
)

USER = Message("user", "Hi")
F = Call("f", (call_argument("s", 'a"b'), call_argument("n", 3)))
ASSISTANT = Message("assistant", think="", calls=(F,))
RESULT = Message("tool", "ok", tool="f", index=1)


@pytest.mark.parametrize(
    ("messages", "generate", "key"),
    [
        pytest.param((USER,), True, "a", id="user-and-prefix"),
        pytest.param((ASSISTANT, RESULT), False, "b", id="call-and-result"),
    ],
)
def test_checked_strings(messages: tuple[Message, ...], generate: bool, key: str) -> None:
    """A user's turn with a generation prefix, and a call with its result, are written as checked."""
    segments = serialize_conversation(messages, "thinking", generate=generate)
    assert render_segments(segments) == expected("18.1")[key]
    assert parse_conversation(segments, "thinking") == (messages, generate)


def test_instruct_mode_has_no_think_channel() -> None:
    """Only the prefix chooses the mode, and history follows it."""
    history = (USER, Message("assistant", "Hello"))
    segments = serialize_conversation(history, "instruct", generate=True)
    assert render_segments(segments[-3:]) == "<|open|>response<|sep|>"
    assert "think" not in render_segments(segments)
    assert parse_conversation(segments, "instruct") == (history, True)


def test_zones_and_sorted_tools() -> None:
    """Tools, effort, history, tool choice and response format stand in this order; keys are sorted at every depth."""
    tools = [{"name": "f", "parameters": {"type": "object", "b": [{"z": 1, "a": 2}]}}]
    whole = build_conversation(
        [USER],
        tools=tools,
        effort="max",
        tool_choice="required",
        response_format={"type": "json"},
    )
    assert [m.option for m in whole] == ["tool-declare", "thinking-effort", None, "tool-choice", "response-format"]
    assert whole[0].content == '[{"name":"f","parameters":{"b":[{"a":2,"z":1}],"type":"object"}}]'
    assert parse_conversation(serialize_conversation(whole, "thinking"), "thinking")[0] == whole


def test_tools_may_be_declared_later() -> None:
    """A system message within the history may declare further tools."""
    late = Message("system", "[]", option="tool-declare")
    validate_conversation([late, USER, late, USER], "thinking")


def test_results_come_in_call_order() -> None:
    """Results that arrive in another order are put back by id, repeating tool and index."""
    calls = (Call("f"), Call("g"), Call("f"))
    got = answer_calls(calls, ["x", "y", "z"], {"z": "3", "x": "1", "y": "2"})
    assert [(m.tool, m.index, m.content) for m in got] == [("f", 1, "1"), ("g", 2, "2"), ("f", 3, "3")]
    validate_conversation([Message("assistant", think="", calls=calls), *got], "thinking")


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        pytest.param("3", "string", "3", id="string-stays-raw"),
        pytest.param(3, "number", "3", id="integer"),
        pytest.param(0.5, "number", "0.5", id="float"),
        pytest.param(True, "boolean", "true", id="boolean-is-no-number"),
        pytest.param(None, "null", "null", id="null"),
        pytest.param({"b": 1, "a": "中"}, "object", '{"a":"中","b":1}', id="object"),
        pytest.param([1, "x"], "array", '[1,"x"]', id="array"),
    ],
)
def test_arguments_by_type(value: Any, kind: str, text: str) -> None:
    """Strings are raw text, everything else a compact literal that names its type."""
    assert call_argument("k", value) == Argument("k", kind, text)


def test_a_literal_keeps_its_spelling() -> None:
    """A number given as its literal is written as it came."""
    message = replace(ASSISTANT, calls=(Call("f", (Argument("n", "number", "1e2"),)),))
    assert parse_conversation(serialize_conversation([message, RESULT], "thinking"), "thinking")[0][0] == message


def test_unparsed_arguments_are_kept() -> None:
    """Arguments that were no JSON object come back as they were, in a block of their own."""
    message = replace(ASSISTANT, calls=(Call("f", unparsed='{"a": '),))
    segments = serialize_conversation([message, RESULT], "thinking")
    assert '<|open|>json<|sep|>{"a": <|close|>json<|sep|>' in render_segments(segments)
    assert parse_conversation(segments, "thinking")[0][0] == message


TEXT = st.text('a&"<|>\n中', max_size=5)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.floats(-2, 2), TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(TEXT, inner, max_size=2)),
    max_leaves=3,
)
ARGUMENTS = st.dictionaries(TEXT, JSON, max_size=2).map(lambda d: tuple(call_argument(k, v) for k, v in d.items()))
CALLS = st.lists(st.one_of(st.builds(Call, TEXT, ARGUMENTS), st.builds(Call, TEXT, unparsed=TEXT)), max_size=2).map(
    tuple
)


@st.composite
def conversations(draw: st.DrawFn) -> tuple[tuple[Message, ...], str]:
    """Draw a valid conversation and its mode."""
    mode = draw(st.sampled_from(["thinking", "instruct"]))
    history: list[Message] = []
    for _ in range(draw(st.integers(0, 3))):
        history.append(Message(draw(st.sampled_from(["user", "system"])), draw(TEXT)))
        think = draw(TEXT) if mode == "thinking" else None
        calls = draw(CALLS)
        history.append(Message("assistant", draw(TEXT), think=think, calls=calls))
        results = {str(i): draw(TEXT) for i in range(len(calls))}
        history += answer_calls(calls, list(results), results)
    tools = draw(st.lists(st.fixed_dictionaries({"name": TEXT, "extra": JSON}), max_size=2))
    effort, choice = draw(st.sampled_from([None, "low", "high", "max"])), draw(st.none() | TEXT)
    return build_conversation(history, tools=tools, effort=effort, tool_choice=choice), mode


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(case=conversations(), generate=st.booleans(), cut=st.integers(1, 5))
def test_round_trip(case: tuple[tuple[Message, ...], str], generate: bool, cut: int) -> None:
    """Any valid conversation reads back the same, in whatever pieces its text arrives."""
    messages, mode = case
    segments = serialize_conversation(messages, mode, generate=generate)
    pieces: list[Segment] = []
    for part in segments:
        pieces += [part] if isinstance(part, Control) else [part[i : i + cut] for i in range(0, len(part), cut)]
    assert parse_conversation(segments, mode) == parse_conversation(pieces, mode) == (messages, generate)


TWO = Message("assistant", think="", calls=(Call("f"), Call("g")))
SECOND = Message("tool", "", tool="g", index=2)
EFFORT = Message("system", "low", option="thinking-effort")
CHOICE = Message("system", "auto", option="tool-choice")
FORMAT = Message("system", "{}", option="response-format")


@pytest.mark.parametrize(
    ("messages", "message"),
    [
        pytest.param([Message("bot")], r"messages\[0\]\.role: expected system or user", id="role"),
        pytest.param([Message("assistant")], r"messages\[0\]\.think: .*thinking mode", id="no-think"),
        pytest.param([Message("user", think="")], r"messages\[0\]\.think", id="user-thinks"),
        pytest.param([TWO, RESULT, USER], r"messages\[2\]: expected the result of \('g', 2\), got user", id="missing"),
        pytest.param([TWO, SECOND, RESULT], r"messages\[1\]: expected the result of \('f', 1\)", id="wrong-order"),
        pytest.param([RESULT], r"messages\[0\]: expected the result of a call", id="no-call"),
        pytest.param([USER, EFFORT], r"messages\[1\]: expected options before, .*thinking-effort", id="late-effort"),
        pytest.param([EFFORT, EFFORT], r"messages\[1\]: expected options before", id="effort-twice"),
        pytest.param([CHOICE, USER], r"messages\[1\]: expected options before, .*got user", id="early-choice"),
        pytest.param([FORMAT, CHOICE], r"messages\[1\]: .*got tool-choice", id="format-before-choice"),
        pytest.param([replace(EFFORT, content="medium")], r"\.content: expected low or high or max", id="medium"),
        pytest.param(
            [replace(USER, option="tool-choice")], r"messages\[0\]\.type: expected nothing for user", id="user"
        ),
        pytest.param([replace(USER, index=1)], r"messages\[0\]\.index: expected nothing for user", id="user-index"),
        pytest.param([replace(TWO, tool="f")], r"\[0\]\.tool: expected nothing for assistant", id="assistant-tool"),
        pytest.param([replace(TWO, option="tool-choice")], "expected nothing for assistant", id="assistant-option"),
        pytest.param([replace(USER, calls=TWO.calls)], r"\.calls: expected nothing for user", id="user-calls"),
        pytest.param([replace(EFFORT, option="mood")], r"messages\[0\]\.type: expected tool-declare or", id="option"),
        pytest.param(
            [replace(ASSISTANT, calls=(Call("f", (call_argument("a", 1),), "x"),))],
            "unparsed text, got both",
            id="both",
        ),
        pytest.param(
            [replace(ASSISTANT, calls=(Call("f", (call_argument("a", 1), call_argument("a", 2))),))],
            "each key once",
            id="key",
        ),
        pytest.param(
            [replace(ASSISTANT, calls=(Call("f", (Argument("a", "number", "true"),)),))],
            r"calls\[1\]\.a: expected a JSON literal of type number, got 'true'",
            id="literal",
        ),
        pytest.param(
            [replace(ASSISTANT, calls=(Call("f", (Argument("a", "number", "NaN"),)),))], "literal of type", id="nan"
        ),
        pytest.param(
            [replace(ASSISTANT, calls=(Call("f", (Argument("a", "date", "1"),)),))],
            r"calls\[1\]\.a\.type: expected string",
            id="type",
        ),
    ],
)
def test_conversations_against_the_rules(messages: Sequence[Message], message: str) -> None:
    """A message that cannot stand where it stands is refused with its place."""
    with pytest.raises(InputError, match=message):
        serialize_conversation(messages, "thinking")


def channels(*tags: str) -> XtmlElement:
    """Build an assistant message with these channels."""
    return XtmlElement("message", (("role", "assistant"),), tuple(XtmlElement(tag) for tag in tags))


def call(**attributes: str) -> XtmlElement:
    """Build an assistant message with one call."""
    tools = XtmlElement("tools", (), (XtmlElement("call", tuple(attributes.items())),))
    return XtmlElement("message", (("role", "assistant"),), (XtmlElement("response"), tools))


@pytest.mark.parametrize(
    ("element", "message"),
    [
        pytest.param(XtmlElement("message"), r"m\.role: expected system or", id="no-role"),
        pytest.param(channels("think"), "m: expected think, response, tools in this order", id="no-response"),
        pytest.param(channels("response", "think"), "m: expected think, response, tools", id="order"),
        pytest.param(channels("response", "response"), "m: expected think, response, tools", id="twice"),
        pytest.param(channels("response", "image"), "m: expected think, response, tools", id="unknown-channel"),
        pytest.param(call(tool="f", index="2"), r"m\.calls\[1\]: expected a call with tool and index 1", id="gap"),
        pytest.param(call(index="1"), r"m\.calls\[1\]: expected a call with tool", id="no-tool"),
        pytest.param(call(tool="f", index="1", mood="x"), "expected only tool, index, got mood", id="attribute"),
        pytest.param(
            XtmlElement("message", (("role", "user"), ("index", "0"))), r"m\.index: expected a number", id="zero"
        ),
        pytest.param(XtmlElement("message", (("role", "user"), ("name", "x"))), "m: expected only role", id="name"),
        pytest.param(
            XtmlElement("message", (("role", "user"),), (XtmlElement("think"),)),
            "m: expected only text in message",
            id="nested",
        ),
        pytest.param(
            XtmlElement("message", (("role", "assistant"),), ("x",)),
            "m: expected no text directly in message",
            id="loose",
        ),
    ],
)
def test_elements_that_are_no_messages(element: XtmlElement, message: str) -> None:
    """An element that reads as no message is refused."""
    with pytest.raises(InputError, match=message):
        read_message(element, "m")


@pytest.mark.parametrize(
    ("run", "message"),
    [
        pytest.param(lambda: call_argument("k", {1, 2}), "k: expected a JSON value", id="argument"),
        pytest.param(lambda: call_argument("k", float("nan")), "value: expected JSON, got nan", id="nan"),
        pytest.param(
            lambda: build_conversation([], effort="medium"), "effort: expected low or high or max", id="effort"
        ),
        pytest.param(lambda: answer_calls((F,), ["x"], {"y": ""}), "results: expected one for each", id="ids"),
        pytest.param(lambda: validate_conversation([], "chatty"), "mode: expected thinking or instruct", id="mode"),
        pytest.param(
            lambda: parse_conversation([*write_element_head("message", [("role", "user")])], "thinking"),
            "prefix",
            id="unfinished",
        ),
        pytest.param(
            lambda: parse_conversation(serialize_conversation([], "instruct", generate=True), "thinking"),
            "opens think",
            id="other-prefix",
        ),
        pytest.param(
            lambda: parse_conversation([*write_element(message_element(USER))][:-1], "thinking"), "prefix", id="no-end"
        ),
    ],
)
def test_bad_input_is_named(run: Callable[[], object], message: str) -> None:
    """What is no conversation is refused with its name."""
    with pytest.raises(InputError, match=message):
        run()
