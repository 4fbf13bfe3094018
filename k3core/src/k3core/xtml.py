"""XTML, the markup of the chat template: control tokens around ordinary text, written and read as segments.

Structure is carried by four control tokens that no text can spell: a segment is either a control token or a piece of
text, and text is tokenised with control tokens switched off. A rendered string shows a conversation to a person; it
is not the wire form, because text that looks like a control token would read back as one.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from k3core.guards import InputError


class Control(Enum):
    """A control token; its value is how it is shown."""

    OPEN = "<|open|>"
    """Begins the head of an element."""
    CLOSE = "<|close|>"
    """Begins the tail of an element."""
    SEP = "<|sep|>"
    """Ends a head or a tail."""
    END = "<|end_of_msg|>"
    """Ends a message, and generation."""


TOKEN_IDS: Mapping[str, int] = MappingProxyType(
    {
        "[BOS]": 163584,
        "[EOS]": 163585,
        "<|end_of_msg|>": 163586,
        "<|open|>": 163587,
        "<|close|>": 163588,
        "<|sep|>": 163589,
        "[UNK]": 163838,
        "[PAD]": 163839,
    }
)
"""Ids of the special tokens in the released vocabulary; the end of a message is its end-of-sequence token."""

Segment = Control | str
"""A control token, or a piece of ordinary text."""

_HEAD = re.compile(r'([a-z][a-z-]*)((?: [a-z]+="[^"]*")*)', re.DOTALL)
_ATTRIBUTE = re.compile(r' ([a-z]+)="([^"]*)"', re.DOTALL)
_LONE_AMPERSAND = re.compile(r"&(?!amp;|quot;)")


@dataclass(frozen=True)
class XtmlElement:
    """A tag with attributes, around text and further elements."""

    tag: str
    """Lower-case letters and hyphens."""
    attributes: tuple[tuple[str, str], ...] = ()
    """Names and values in the order of writing."""
    children: tuple["XtmlElement | str", ...] = ()
    """Text is never empty and never beside text."""

    def get(self, name: str) -> str | None:
        """Return an attribute's value, or none."""
        return dict(self.attributes).get(name)


def escape_attribute(value: str) -> str:
    """Write an attribute's value: the ampersand first, then the quotation mark; content is never escaped.

    Source: report app. F. Exact.
    """
    return value.replace("&", "&amp;").replace('"', "&quot;")


def unescape_attribute(value: str) -> str:
    """Read an attribute's value back, in the opposite order.

    Source: report app. F. Exact: it undoes `escape_attribute`.
    """
    return value.replace("&quot;", '"').replace("&amp;", "&")


def write_element_head(tag: str, attributes: Iterable[tuple[str, str]] = ()) -> Iterator[Segment]:
    """Open an element: a control token, its tag and attributes as text, a separator.

    Raises:
        InputError: a tag or an attribute's name has other characters than lower-case letters (hyphens in a tag).
    Source: report app. F. Exact.
    """
    text = tag + "".join(f' {name}="{escape_attribute(value)}"' for name, value in attributes)
    read_element_head(text, "head")
    yield from (Control.OPEN, text, Control.SEP)


def write_element(element: XtmlElement) -> Iterator[Segment]:
    """Write an element and everything in it; after a `message` also the token that ends it.

    Raises:
        InputError: as `write_element_head`.
    Source: report app. F. Exact.
    """
    yield from write_element_head(element.tag, element.attributes)
    for child in element.children:
        if isinstance(child, XtmlElement):
            yield from write_element(child)
        elif child:
            yield child
    yield from (Control.CLOSE, element.tag, Control.SEP)
    if element.tag == "message":
        yield Control.END


def render_segments(segments: Iterable[Segment]) -> str:
    """Show segments as one string, for people and for comparison; see the module's warning.

    Source: report app. F.
    """
    return "".join(part.value if isinstance(part, Control) else part for part in segments)


def segment_token_ids(segments: Iterable[Segment], encode: Callable[[str], Sequence[int]]) -> list[int]:
    """Turn segments into token ids, each piece of text on its own.

    Args:
        segments: as written here.
        encode: a tokeniser with special tokens switched off.

    Source: report app. F. Exact given the tokeniser, which is not part of this package.
    """
    ids: list[int] = []
    for part in segments:
        ids.extend([TOKEN_IDS[part.value]] if isinstance(part, Control) else encode(part))
    return ids


def read_element_head(text: str, where: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Read a tag and its attributes.

    Raises:
        InputError: the text has another form, an attribute twice, or a lone ampersand in a value.
    Source: report app. F.
    """
    found = _HEAD.fullmatch(text)
    if not found or _LONE_AMPERSAND.search(found[2]):
        raise InputError(where, 'tag name="value" with & and " escaped', repr(text))
    attributes = tuple((name, unescape_attribute(value)) for name, value in _ATTRIBUTE.findall(found[2]))
    if len(dict(attributes)) < len(attributes):
        raise InputError(where, "each attribute once", repr(text))
    return found[1], attributes


@dataclass(frozen=True)
class XtmlEvent:
    """What a segment made known."""

    kind: str
    """`open`, `text`, `close` or `message`."""
    path: tuple[str, ...]
    """The tags from the message down to the element concerned."""
    text: str = ""
    """The piece of text, for `text`."""


@dataclass
class _Open:
    """An element whose end has not come."""

    tag: str
    attributes: tuple[tuple[str, str], ...]
    children: list[XtmlElement | str]


class XtmlParser:
    """Reads segments one at a time, as a model produces them, and strictly.

    Text may come in any number of pieces. A message counts once its end token has come; until then its parts are
    known from the events.

    Source: report app. F. Exact for the forms written here. Not claimed: repairs of malformed output that some
    engines attempt.
    """

    def __init__(self) -> None:
        self.messages: list[XtmlElement] = []
        self._stack: list[_Open] = []
        self._state = "content"
        self._pending = ""
        self._count = 0

    @property
    def open_path(self) -> tuple[str, ...]:
        """The tags that are open, the outermost first; empty between messages."""
        return tuple(element.tag for element in self._stack)

    @property
    def at_rest(self) -> bool:
        """Whether every message that began has ended."""
        return not self._stack and self._state == "content"

    def feed(self, segment: Segment) -> list[XtmlEvent]:
        """Take one segment and return what it made known.

        Raises:
            InputError: the segment cannot stand here; the name counts segments from 0.
        """
        where = f"segments[{self._count}]"
        self._count += 1
        if isinstance(segment, str):
            return self._text(segment, where)
        step = {Control.OPEN: self._open, Control.CLOSE: self._close, Control.SEP: self._sep, Control.END: self._end}
        return step[segment](where)

    def _text(self, piece: str, where: str) -> list[XtmlEvent]:
        """Take text: part of a head or tail, or content."""
        if self._state in {"head", "tail"}:
            self._pending += piece
            return []
        if not piece:
            return []
        if self._state == "end" or not self._stack:
            raise InputError(where, self._expected(), repr(piece))
        children = self._stack[-1].children
        if children and isinstance(children[-1], str):
            children[-1] += piece
        else:
            children.append(piece)
        return [XtmlEvent("text", self.open_path, piece)]

    def _open(self, where: str) -> list[XtmlEvent]:
        """Begin a head."""
        if self._state != "content":
            raise InputError(where, self._expected(), Control.OPEN.value)
        self._state = "head"
        return []

    def _close(self, where: str) -> list[XtmlEvent]:
        """Begin a tail."""
        if self._state != "content" or not self._stack:
            raise InputError(where, self._expected(), Control.CLOSE.value)
        self._state = "tail"
        return []

    def _sep(self, where: str) -> list[XtmlEvent]:
        """End a head or a tail."""
        if self._state not in {"head", "tail"}:
            raise InputError(where, self._expected(), Control.SEP.value)
        text, self._pending = self._pending, ""
        if self._state == "head":
            tag, attributes = read_element_head(text, where)
            if (tag == "message") != (not self._stack):
                raise InputError(where, "message outside, other tags inside", repr(tag))
            self._stack.append(_Open(tag, attributes, []))
            self._state = "content"
            return [XtmlEvent("open", self.open_path)]
        if text != self._stack[-1].tag:
            raise InputError(where, f"the end of {self._stack[-1].tag}", repr(text))
        event = XtmlEvent("close", self.open_path)
        done = self._stack.pop()
        element = XtmlElement(done.tag, done.attributes, tuple(done.children))
        if self._stack:
            self._stack[-1].children.append(element)
        else:
            self.messages.append(element)
        self._state = "content" if self._stack else "end"
        return [event]

    def _end(self, where: str) -> list[XtmlEvent]:
        """End a message."""
        if self._state != "end":
            raise InputError(where, self._expected(), Control.END.value)
        self._state = "content"
        return [XtmlEvent("message", ())]

    def _expected(self) -> str:
        """Say what may come now."""
        if self._state == "content":
            return "text, an open or a close" if self._stack else "a message to open"
        return {"head": "a tag, then <|sep|>", "tail": "a tag, then <|sep|>", "end": "<|end_of_msg|>"}[self._state]


def parse_elements(segments: Sequence[Segment]) -> tuple[XtmlElement, ...]:
    """Read complete messages by descending into them: the slow truth of `XtmlParser`.

    Raises:
        InputError: the segments are anything but complete messages.
    Source: report app. F.
    """
    merged: list[Segment] = []
    for part in segments:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        elif part != "":
            merged.append(part)
    messages: list[XtmlElement] = []
    at = 0
    while at < len(merged):
        element, at = _descend(merged, at)
        if element.tag != "message" or merged[at : at + 1] != [Control.END]:
            raise InputError("segments", "a message and its end", element.tag)
        messages.append(element)
        at += 1
    return tuple(messages)


def _descend(merged: Sequence[Segment], at: int) -> tuple[XtmlElement, int]:
    """Read one element that begins at `at`, and return it with the place after it."""
    head = merged[at + 1] if at + 2 < len(merged) else None
    if merged[at] is not Control.OPEN or not isinstance(head, str) or merged[at + 2] is not Control.SEP:
        raise InputError("segments", "the head of an element", repr(merged[at : at + 3]))
    tag, attributes = read_element_head(head, "segments")
    children: list[XtmlElement | str] = []
    at += 3
    while list(merged[at : at + 3]) != [Control.CLOSE, tag, Control.SEP]:
        part = merged[at] if at < len(merged) else None
        if isinstance(part, str):
            children.append(part)
            at += 1
        elif part is Control.OPEN and merged[at + 1 : at + 2] != ["message"]:
            child, at = _descend(merged, at)
            if child.tag == "message":
                raise InputError("segments", "no message inside another", child.tag)
            children.append(child)
        else:
            raise InputError("segments", f"the end of {tag}", repr(part))
    return XtmlElement(tag, attributes, tuple(children)), at + 3
