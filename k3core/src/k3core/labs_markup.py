"""The numbers behind lab M: a conversation written in XTML, read again, and shown segment by segment."""

import json
from itertools import pairwise
from typing import Any

from k3core.guards import InputError, as_count, one_of
from k3core.labs import Reply
from k3core.xtml import Control, Segment, XtmlParser, render_segments
from k3core.xtml_messages import (
    EFFORTS,
    ROLES,
    Call,
    Message,
    build_conversation,
    call_argument,
    parse_conversation,
    serialize_conversation,
    validate_conversation,
)

FIELDS = ("role", "content", "think", "calls", "tool", "index")
"""What a message of the lab's input may hold."""


def lab_chat_template(
    *,
    messages: list[dict[str, Any]],
    tools: list[dict[str, Any]],
    effort: str,
    tool_choice: str,
    mode: str,
    ending: str,
) -> Reply:
    """Lab M: write a conversation in XTML, parse it back, and compare.

    Args:
        messages: 1 to 16 objects with `role`, `content` and, where the role has them, `think`, `calls` (each with
            `tool` and an object `arguments`), `tool` and `index`; texts of at most 2000 characters.
        tools: at most 8 objects that declare tools; none writes no declaration.
        effort: `none`, `low`, `high` or `max`.
        tool_choice: text of this turn's option, at most 200 characters; empty writes none.
        mode: `thinking` or `instruct`.
        ending: `complete`, or `prefix` for the open message that generation continues.

    Returns:
        The rendering for people, message by message, the segments with what the parser makes of each, and whether
        parsing gave the conversation back.

    Source: report §4.1.1 and app.F. Exact: the markup and its inverse. Not claimed: the tokeniser, or the words
    inside options.
    """
    history = _read_messages(messages)
    options: dict[str, Any] = {
        "tools": _read_tools(tools),
        "effort": None if one_of("effort", effort, ("none", *EFFORTS)) == "none" else effort,
        "tool_choice": _text("tool_choice", tool_choice, 200) or None,
    }
    # the history by itself first, so that a fault is placed where the reader wrote it
    validate_conversation(history, mode)
    generate = one_of("ending", ending, ("complete", "prefix")) == "prefix"
    conversation = build_conversation(history, **options)
    segments = serialize_conversation(conversation, mode, generate=generate)
    found, open_prefix = parse_conversation(segments, mode)
    texts = [part for part in segments if isinstance(part, str)]
    return {
        "rendered": _by_message(segments),
        "segments": _walk(segments),
        "control_tokens": len(segments) - len(texts),
        "text_segments": len(texts),
        "text_that_looks_like_control": sum(text.count(control.value) for text in texts for control in Control),
        "open_prefix": open_prefix,
        "round_trip": found == conversation and open_prefix is generate,
    }


def _by_message(segments: tuple[Segment, ...]) -> list[str]:
    """Render, and cut after each message's end."""
    cuts = [0, *(i + 1 for i, part in enumerate(segments) if part is Control.END), len(segments)]
    return [render_segments(segments[start:stop]) for start, stop in pairwise(cuts) if start < stop]


def _walk(segments: tuple[Segment, ...]) -> list[Reply]:
    """Feed the parser and write down what each segment made known."""
    parser, steps = XtmlParser(), []
    for part in segments:
        events = parser.feed(part)
        shown = part.value if isinstance(part, Control) else part
        kind = "control" if isinstance(part, Control) else "text"
        event = events[0].kind if events else "waiting"
        heard = "complete" if event == "message" else event
        steps.append({"segment": shown, "kind": kind, "event": heard, "path": " > ".join(parser.open_path)})
    return steps


def _read_messages(messages: Any) -> list[Message]:
    if not isinstance(messages, list) or not 1 <= len(messages) <= 16:
        raise InputError("messages", "1 to 16 objects", repr(messages)[:80])
    return [_read_message(item, f"messages[{i}]") for i, item in enumerate(messages)]


def _read_message(item: Any, where: str) -> Message:
    given = _object(item, where, FIELDS)
    calls = given.get("calls", [])
    if not isinstance(calls, list) or len(calls) > 8:
        raise InputError(f"{where}.calls", "at most 8 objects", repr(calls)[:80])
    return Message(
        one_of(f"{where}.role", given.get("role"), ROLES),
        _text(f"{where}.content", given.get("content", "")),
        think=_text(f"{where}.think", given["think"]) if "think" in given else None,
        calls=tuple(_read_call(call, f"{where}.calls[{n}]") for n, call in enumerate(calls, start=1)),
        tool=_text(f"{where}.tool", given["tool"], 200) if "tool" in given else None,
        index=as_count(f"{where}.index", given["index"], 1, 8) if "index" in given else None,
    )


def _read_call(call: Any, where: str) -> Call:
    given = _object(call, where, ("tool", "arguments"))
    arguments = _object(given.get("arguments", {}), f"{where}.arguments")
    _check_json(arguments, f"{where}.arguments")
    tool = _text(f"{where}.tool", given.get("tool"), 200)
    return Call(tool, tuple(call_argument(key, value) for key, value in arguments.items()))


def _read_tools(tools: Any) -> list[dict[str, Any]]:
    if not isinstance(tools, list) or len(tools) > 8:
        raise InputError("tools", "at most 8 objects", repr(tools)[:80])
    for n, tool in enumerate(tools):
        _check_json(_object(tool, f"tools[{n}]"), f"tools[{n}]")
    return tools


def _object(value: Any, where: str, allowed: tuple[str, ...] = ()) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(where, "an object", repr(value)[:80])
    unknown = sorted(set(value) - set(allowed)) if allowed else []
    if unknown:
        raise InputError(where, f"only {', '.join(allowed)}", ", ".join(unknown)[:80])
    return value


def _check_json(value: Any, where: str, depth: int = 0) -> None:
    """Refuse JSON that is nested more than eight deep or longer than a message."""
    if depth > 8:
        raise InputError(where, "at most 8 levels", "more")
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for item in inner:
        _check_json(item, where, depth + 1)
    if depth == 0 and len(json.dumps(value)) > 2000:
        raise InputError(where, "at most 2000 characters of JSON", "more")


def _text(name: str, value: Any, longest: int = 2000) -> str:
    if not isinstance(value, str) or len(value) > longest:
        raise InputError(name, f"text of at most {longest} characters", repr(value)[:80])
    return value
