"""BibTeX's text as readers see it: accents decoded, braces and spaces taken out."""

import re

from pylatexenc.latex2text import LatexNodes2Text

_DECODER = LatexNodes2Text(math_mode="verbatim", keep_comments=True)
_ACCENT = re.compile(r"\{?(\\['\"`^~=.uvHtcdbrk]\s*\{?\\?[A-Za-z]\}?)\}?")
_NAMED = r"\\(?:L|l|O|o|ss|AE|ae|OE|oe|AA|aa|DH|dh|TH|th)(?![A-Za-z])"
_LETTER = re.compile(rf"\{{{_NAMED}\}}|{_NAMED}(?:\{{\}}|\s*)")
"""A letter with a name of its own, such as the first of `{\\L}ukasz`, `\\L{}ukasz` and `\\L ukasz`."""


class LatexError(ValueError):
    """A command in a text lacks what it needs."""


def plain(text: str) -> str:
    """The text with single spaces."""
    return " ".join(text.split())


def name_key(names: str) -> str:
    """Names without order, spaces and punctuation, so that `Family, Given` equals `Given Family`."""
    return " and ".join("".join(sorted(re.sub(r"[\s,{}~.]", "", name))) for name in names.split(" and "))


def decode(text: str, *, keep_braces: bool = False) -> str:
    """Turn LaTeX accents and quotes into characters; a tilde becomes a space, a percent or ampersand stays.

    Raises:
        LatexError: a command cannot be decoded.
    """
    if "\\" in text:
        text = re.sub(r"(?<!\\)%", r"\\%", text)
        text = _LETTER.sub(lambda found: _as_text(found[0].strip("{}") + "{}"), text)
        text = _ACCENT.sub(lambda found: _as_text(found[1]), text)
        if not keep_braces:
            text = _as_text(text)
    text = text.replace("~", " ")
    return plain(text if keep_braces else text.replace("{", "").replace("}", ""))


def _as_text(text: str) -> str:
    try:
        return str(_DECODER.latex_to_text(text))
    except Exception as error:  # the decoder raises whatever its table of commands raises
        raise LatexError(text) from error


def unwrap(value: str) -> str:
    """A field's value without the braces or quotes around it."""
    value = value.strip()
    return value[1:-1] if value[:1] in {"{", '"'} else value
