import re
import warnings

import pytest

from site_build.source import read_pattern


def test_patterns_are_read_with_their_flags() -> None:
    """A regular expression finds what it says, in capitals too where that is asked for."""
    assert read_pattern("^q[0-9]+$").search("q12")
    assert not read_pattern("^q[0-9]+$").search("Q12")
    assert read_pattern("^q[0-9]+$", re.IGNORECASE).search("Q12")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("(", "missing \\)", id="open"),
        pytest.param("[[a]", "possible nested set at position", id="nested-set"),
        pytest.param("(" * 2_000 + ")" * 2_000, "too many parts within one another", id="deep"),
        pytest.param(f"a{{{10**12}}}", "repetition number is too large", id="many-times"),
        pytest.param("[a--b]", "possible set difference at position", id="difference"),
    ],
)
def test_patterns_that_are_none(text: str, why: str) -> None:
    """What is no expression, or will be another one in a later Python, is refused and warns nobody."""
    re.purge()
    with warnings.catch_warnings(record=True) as heard, pytest.raises(re.error, match=why):
        read_pattern(text)
    assert heard == []
