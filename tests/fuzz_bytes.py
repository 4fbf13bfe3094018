"""The inputs of each target as bytes and back, for an engine that knows nothing else."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import batched
from typing import Any

from fuzz_targets import with_sums

from k3core.xtml import Control, Segment

_SIGNS = dict(zip(Control, "\x1c\x1d\x1e\x1f", strict=True))
"""Control tokens as characters that no text needs."""
_CONTROLS = {sign: control for control, sign in _SIGNS.items()}
_TEXT_BEGINS = "\x1b"
_SIGN = re.compile(f"([{''.join(_CONTROLS)}{_TEXT_BEGINS}])")


@dataclass(frozen=True)
class Form:
    """How an input becomes bytes, and any bytes become an input."""

    write: Callable[[Any], bytes]
    read: Callable[[bytes], Any]


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _write_segments(segments: list[Segment]) -> bytes:
    return _bytes("".join(_SIGNS[one] if isinstance(one, Control) else _TEXT_BEGINS + one for one in segments))


def _read_segments(content: bytes) -> list[Segment]:
    first, *rest = _SIGN.split(_text(content))
    segments: list[Segment] = [first] if first else []
    for sign, text in batched(rest, 2):
        segments += [_CONTROLS[sign]] if sign in _CONTROLS else []
        segments += [text] if text or sign == _TEXT_BEGINS else []
    return segments


def _write_request(request: tuple[str, str]) -> bytes:
    return _bytes("\n".join(request))


def _read_request(content: bytes) -> tuple[str, str]:
    lab, _, inputs = _text(content).partition("\n")
    return lab, inputs


_TEXT = Form(_bytes, _text)
FORMS = {
    **dict.fromkeys(("yaml", "bibtex", "locators", "markers", "markdown"), _TEXT),
    "xtml": Form(_write_segments, _read_segments),
    "archives": Form(bytes, with_sums),
    "labs": Form(_write_request, _read_request),
}
