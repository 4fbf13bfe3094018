"""The next id that nobody has."""

import pytest

from site_build.edit.free_ids import free_id

QUESTIONS = r"^Q(0[1-9]|[12]\d|3[0-2])$"


@pytest.mark.parametrize(
    ("pattern", "used", "fill", "want"),
    [
        pytest.param(QUESTIONS, ["Q01", "Q03"], True, "Q02", id="gap-of-a-fixed-set"),
        pytest.param(QUESTIONS, [], True, "Q01", id="first"),
        pytest.param(QUESTIONS, [f"Q{n:02}" for n in range(1, 33)], True, None, id="all-taken"),
        pytest.param(r"^RL\d{2}$", ["RL01", "RL04"], False, "RL05", id="after-the-largest"),
        pytest.param(r"^RL\d{2}$", ["RL99"], False, None, id="no-more"),
        pytest.param(r"^N[1-9]$", [], True, "N1", id="one-digit"),
        pytest.param(r"", ["C007"], False, "C008", id="width-of-others"),
        pytest.param(r"", [], False, "X01", id="no-pattern"),
        pytest.param(r"^[A-Z]\d{3}$", [], False, "X001", id="letters-open"),
    ],
)
def test_free_ids(pattern: str, used: list[str], fill: bool, want: str | None) -> None:
    """The pattern and the ids that are there decide letters, width and number."""
    assert free_id(pattern, "X", used, fill=fill) == want
