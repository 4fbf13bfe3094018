"""What a message is made of, in any language."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Wording:
    """Templates of one code in one language; names in braces are filled from the problem's facts."""

    expected: str
    """What would have been right."""
    remedy: str
    """What to do, as a sentence."""
    got: str = "{got}"
    """What came: as the editor typed it, or in words where nothing typed could show it."""


@dataclass(frozen=True)
class Words:
    """Everything the generator says in one language."""

    line: str
    """The whole message: `{place}`, `{field}`, `{expected}`, `{got}`, `{remedy}`."""
    verdict: str
    """The last line of a run: `{errors}`, `{warnings}`, `{counts}`."""
    problems: dict[str, Wording]
    """By code."""
    names: dict[str, str]
    """What facts name, such as kinds of records and lists, where the language has another word for it."""
    labels: dict[str, str]
    """Words on pages, by name."""
    live: dict[str, str]
    """Words of labs that run in the page, by name."""
    release: dict[str, str]
    """What `k3 release` and `k3 verify` say besides problems, by name."""
