"""Conversations in XTML: what a message may hold, in which order messages stand, and back again.

The rules of order: global options (tools, then thinking effort), the history, options for this turn alone (tool
choice, response format), and the prefix that generation continues.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from k3core.guards import InputError, one_of
from k3core.xtml import Segment, XtmlElement, XtmlParser, write_element, write_element_head

ROLES = ("system", "user", "assistant", "tool")
"""Who speaks."""
EFFORTS = ("low", "high", "max")
"""Levels this model supports; the template also reserves `medium`."""
GLOBAL, ONE_SHOT = ("tool-declare", "thinking-effort"), ("tool-choice", "response-format")
"""Types of option messages, before and after the history, each in its order."""
MODES = {"thinking": "think", "instruct": "response"}
"""The channel that generation begins with; nothing else chooses the mode."""
_TYPES = {str: "string", bool: "boolean", int: "number", float: "number", type(None): "null", dict: "object"}


@dataclass(frozen=True)
class Argument:
    """One argument of a tool call."""

    key: str
    """Its name."""
    kind: str
    """The JSON type: string, number, boolean, null, object or array."""
    text: str
    """A string as it is; anything else as its JSON literal."""


@dataclass(frozen=True)
class Call:
    """One call of a tool."""

    tool: str
    """Its name."""
    arguments: tuple[Argument, ...] = ()
    """In the order of writing, each key once."""
    unparsed: str | None = None
    """Arguments that were no JSON object, kept as they came; only in input, and instead of `arguments`."""


@dataclass(frozen=True)
class Message:
    """One message, of any role."""

    role: str
    """One of `ROLES`."""
    content: str = ""
    """What it says; for the assistant, its response channel."""
    option: str | None = None
    """For a system message that carries an option, which one."""
    think: str | None = None
    """The assistant's think channel; none in instruct mode, perhaps empty in thinking mode."""
    calls: tuple[Call, ...] = ()
    """The assistant's calls, numbered from 1 when written."""
    tool: str | None = None
    """For a tool's result, the tool."""
    index: int | None = None
    """For a tool's result, the number of the call it answers."""


def call_argument(key: str, value: Any) -> Argument:
    """Make an argument from a JSON value: strings stay raw, all else becomes compact JSON.

    Raises:
        InputError: the value is not JSON.
    Source: report app. F. Exact; a literal that must keep its spelling is given as `Argument` itself.
    """
    kind = "array" if isinstance(value, list) else _TYPES.get(type(value))
    if kind is None:
        raise InputError(key, "a JSON value", repr(value))
    return Argument(key, kind, value if isinstance(value, str) else _json(value))


def build_conversation(
    history: Sequence[Message],
    *,
    tools: Sequence[Mapping[str, Any]] = (),
    effort: str | None = None,
    tool_choice: str | None = None,
    response_format: Mapping[str, Any] | None = None,
) -> tuple[Message, ...]:
    """Put options around a history, in their zones.

    Raises:
        InputError: an effort that the model does not support, or an option that is not JSON.
    Source: report app. F. Exact: zones and their order; keys of tools are sorted at every depth. Not claimed: the
    wording inside option messages, which is this model's.
    """
    before, after = [], []
    if tools:
        before.append(Message("system", _json(list(tools)), option="tool-declare"))
    if effort is not None:
        before.append(Message("system", one_of("effort", effort, EFFORTS), option="thinking-effort"))
    if tool_choice is not None:
        after.append(Message("system", tool_choice, option="tool-choice"))
    if response_format is not None:
        after.append(Message("system", _json(dict(response_format)), option="response-format"))
    return (*before, *history, *after)


def answer_calls(calls: Sequence[Call], ids: Sequence[str], results: Mapping[str, str]) -> tuple[Message, ...]:
    """Make the results of parallel calls, in call order whatever order they came in.

    Args:
        calls: the assistant's calls.
        ids: an id for each call; ids are not written.
        results: each id's result.

    Raises:
        InputError: ids and results are not the same, or not one for each call.
    Source: report app. F. Exact: tool and index repeat the call's.
    """
    if len(ids) != len(calls) or sorted(ids) != sorted(results):
        raise InputError("results", f"one for each of {sorted(ids)}", repr(sorted(results)))
    pairs = enumerate(zip(calls, ids, strict=True), start=1)
    return tuple(Message("tool", results[key], tool=call.tool, index=i) for i, (call, key) in pairs)


def serialize_conversation(messages: Sequence[Message], mode: str, *, generate: bool = False) -> tuple[Segment, ...]:
    """Write a conversation, and where asked the prefix that makes the model answer.

    Raises:
        InputError: `validate_conversation` refuses the conversation.
    Source: report app. F. Exact.
    """
    validate_conversation(messages, mode)
    segments = [segment for message in messages for segment in write_element(message_element(message))]
    if generate:
        segments += [*write_element_head("message", [("role", "assistant")]), *write_element_head(MODES[mode])]
    return tuple(segments)


def parse_conversation(segments: Sequence[Segment], mode: str) -> tuple[tuple[Message, ...], bool]:
    """Read a conversation, and whether it ends in a generation prefix.

    Raises:
        InputError: it is malformed, unfinished in another way, or `validate_conversation` refuses it.
    Source: report app. F. Exact inverse of `serialize_conversation`.
    """
    parser = XtmlParser()
    events = [event for segment in segments for event in parser.feed(segment)]
    messages = tuple(read_message(element, f"messages[{i}]") for i, element in enumerate(parser.messages))
    validate_conversation(messages, mode)
    if parser.at_rest:
        return messages, False
    prefix = [("open", ("message",)), ("open", ("message", MODES[mode]))]
    if [(event.kind, event.path) for event in events[-2:]] != prefix:
        raise InputError("segments", f"a complete message or a prefix that opens {MODES[mode]}", str(parser.open_path))
    return messages, True


def message_element(message: Message) -> XtmlElement:
    """Turn a message into its element.

    Source: report app. F.
    """
    names = ("role", "type", "tool", "index")
    values = (message.role, message.option, message.tool, message.index)
    attributes = tuple((name, str(value)) for name, value in zip(names, values, strict=True) if value is not None)
    if message.role != "assistant":
        return XtmlElement("message", attributes, _texts(message.content))
    channels = [] if message.think is None else [XtmlElement("think", (), _texts(message.think))]
    channels.append(XtmlElement("response", (), _texts(message.content)))
    if message.calls:
        calls = (_call_element(call, i) for i, call in enumerate(message.calls, start=1))
        channels.append(XtmlElement("tools", (), tuple(calls)))
    return XtmlElement("message", attributes, tuple(channels))


def read_message(element: XtmlElement, where: str) -> Message:
    """Turn an element into its message.

    Raises:
        InputError: an attribute, a channel or a call is missing, unknown or out of order.
    Source: report app. F.
    """
    given = dict(element.attributes)
    _only(given, ("role", "type", "tool", "index"), where)
    role, index = one_of(f"{where}.role", given.get("role"), ROLES), given.get("index")
    if index is not None and not (index.isascii() and index.isdigit() and index[0] != "0"):
        raise InputError(f"{where}.index", "a number from 1", repr(index))
    message = Message(
        role, option=given.get("type"), tool=given.get("tool"), index=None if index is None else int(index)
    )
    if role != "assistant":
        return replace(message, content=_text_of(element, where))
    channels = {child.tag: child for child in _elements_of(element, where)}
    order = [tag for tag in ("think", "response", "tools") if tag in channels]
    if "response" not in channels or [child.tag for child in _elements_of(element, where)] != order:
        raise InputError(where, "think, response, tools in this order", repr(list(channels)))
    return replace(
        message,
        think=_text_of(channels["think"], where) if "think" in channels else None,
        content=_text_of(channels["response"], where),
        calls=tuple(_read_calls(channels["tools"], where)) if "tools" in channels else (),
    )


def validate_conversation(messages: Sequence[Message], mode: str) -> None:
    """Hold a conversation to the template's rules.

    Raises:
        InputError: a message that cannot stand where it stands, with its place.
    Source: report app. F. Exact: zones, channels by mode, numbering of calls and results.
    """
    one_of("mode", mode, tuple(MODES))
    zone, waiting = -1, list[tuple[str, int]]()
    for i, message in enumerate(messages):
        where = f"messages[{i}]"
        one_of(f"{where}.role", message.role, ROLES)
        zone = _check_zone(message, zone, where)
        if message.role == "tool":
            if not waiting or (message.tool, message.index) != waiting[0]:
                raise InputError(where, f"the result of {waiting[0] if waiting else 'a call'}", repr(message.tool))
            waiting.pop(0)
        elif waiting and message.option is None:
            raise InputError(where, f"the result of {waiting[0]}", message.role)
        _check_fields(message, mode, where)
        if message.role == "assistant":
            waiting = [(call.tool, n) for n, call in enumerate(message.calls, start=1)]


def _check_zone(message: Message, zone: int, where: str) -> int:
    """Return the zone a message stands in: 0 tools, 1 effort, 2 history, 3 tool choice, 4 response format.

    `zone` is that of the message before, or -1.
    """
    if message.option is None:
        own = 2
    else:
        one_of(f"{where}.type", message.option, (*GLOBAL, *ONE_SHOT))
        own = {"tool-declare": 0, "thinking-effort": 1, "tool-choice": 3, "response-format": 4}[message.option]
        # tools may also be declared later, by a system message of the history
        own = 2 if own == 0 and zone == 2 else own
    if own < zone or (own == zone and own != 2):
        raise InputError(where, "options before, history, options after, each once", message.option or message.role)
    return own


def _check_fields(message: Message, mode: str, where: str) -> None:
    """Refuse fields that the role or the mode does not have."""
    if (message.think is not None) != (message.role == "assistant" and mode == "thinking"):
        raise InputError(
            f"{where}.think", f"a channel for the assistant in thinking mode ({mode})", repr(message.think)
        )
    for name, value, role in (
        ("type", message.option, "system"),
        ("calls", message.calls or None, "assistant"),
        ("tool", message.tool, "tool"),
        ("index", message.index, "tool"),
    ):
        if value is not None and message.role != role:
            raise InputError(f"{where}.{name}", f"nothing for {message.role}", repr(value))
    if message.option == "thinking-effort":
        one_of(f"{where}.content", message.content, EFFORTS)
    for n, call in enumerate(message.calls, start=1):
        _check_call(call, f"{where}.calls[{n}]")


def _check_call(call: Call, where: str) -> None:
    """Refuse a call whose arguments contradict themselves."""
    if call.unparsed is not None and call.arguments:
        raise InputError(where, "arguments or an unparsed text", "both")
    if len({a.key for a in call.arguments}) < len(call.arguments):
        raise InputError(where, "each key once", repr([a.key for a in call.arguments]))
    for a in call.arguments:
        one_of(f"{where}.{a.key}.type", a.kind, (*_TYPES.values(), "array"))
        if a.kind != "string" and _kind_of(a.text) != a.kind:
            raise InputError(f"{where}.{a.key}", f"a JSON literal of type {a.kind}", repr(a.text))


def _kind_of(text: str) -> str | None:
    """Name the JSON type of a literal, or none."""
    try:
        # Python also reads NaN and Infinity, which are no JSON
        value = json.loads(text, parse_constant=_refuse)
    except ValueError:
        return None
    return "array" if isinstance(value, list) else _TYPES[type(value)]


def _refuse(word: str) -> None:
    """Treat a word as no literal."""
    raise ValueError(word)


def _call_element(call: Call, index: int) -> XtmlElement:
    """Turn a call into its element."""
    children: tuple[XtmlElement, ...] = tuple(
        XtmlElement("argument", (("key", a.key), ("type", a.kind)), _texts(a.text)) for a in call.arguments
    )
    if call.unparsed is not None:
        children = (XtmlElement("json", (), _texts(call.unparsed)),)
    return XtmlElement("call", (("tool", call.tool), ("index", str(index))), children)


def _read_calls(tools: XtmlElement, where: str) -> Iterator[Call]:
    """Read calls, numbered from 1 without a gap."""
    for n, element in enumerate(_elements_of(tools, where), start=1):
        place = f"{where}.calls[{n}]"
        if element.tag != "call" or element.get("index") != str(n) or element.get("tool") is None:
            raise InputError(place, f"a call with tool and index {n}", f"{element.tag} {element.attributes}")
        _only(dict(element.attributes), ("tool", "index"), place)
        parts = _elements_of(element, place)
        tool = str(element.get("tool"))
        if [part.tag for part in parts] == ["json"]:
            yield Call(tool, unparsed=_text_of(parts[0], place))
            continue
        for part in parts:
            if part.tag != "argument" or [name for name, _ in part.attributes] != ["key", "type"]:
                raise InputError(place, "arguments with key and type", f"{part.tag} {part.attributes}")
        yield Call(tool, tuple(Argument(p.attributes[0][1], p.attributes[1][1], _text_of(p, place)) for p in parts))


def _only(given: Mapping[str, str], allowed: Sequence[str], where: str) -> None:
    """Refuse attributes that no rule names."""
    unknown = sorted(set(given) - set(allowed))
    if unknown:
        raise InputError(where, f"only {', '.join(allowed)}", ", ".join(unknown))


def _texts(text: str) -> tuple[str, ...]:
    """Content as children: nothing where it is empty."""
    return (text,) if text else ()


def _text_of(element: XtmlElement, where: str) -> str:
    """The text of an element that may hold nothing else."""
    if any(isinstance(child, XtmlElement) for child in element.children):
        raise InputError(where, f"only text in {element.tag}", "an element")
    return "".join(child for child in element.children if isinstance(child, str))


def _elements_of(element: XtmlElement, where: str) -> list[XtmlElement]:
    """The elements in an element that may hold no text."""
    if any(isinstance(child, str) for child in element.children):
        raise InputError(where, f"no text directly in {element.tag}", "text")
    return [child for child in element.children if isinstance(child, XtmlElement)]


def _json(value: Any) -> str:
    """Compact JSON with sorted keys, any script kept as it is."""
    try:
        return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError):
        raise InputError("value", "JSON", repr(value)) from None
