"""The dates of a certificate, as the standard library gives them."""

from datetime import UTC, datetime

import pytest

from site_build.regress.suites.address import date_faults

NOW = datetime(2026, 6, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("begins", "ends", "want"),
    [
        pytest.param("Jan  1 00:00:00 2026 GMT", "Sep  1 00:00:00 2026 GMT", [], id="holds"),
        pytest.param(
            "Jan  1 00:00:00 2026 GMT",
            "Jun 20 00:00:00 2026 GMT",
            ["expected a certificate that holds for 14 more days, got 5, until 2026-06-20"],
            id="soon-over",
        ),
        pytest.param(
            "Jan  1 00:00:00 2026 GMT",
            "Jun  1 00:00:00 2026 GMT",
            ["expected a certificate that holds for 14 more days, got -14, until 2026-06-01"],
            id="over",
        ),
        pytest.param(
            "Jul  1 00:00:00 2026 GMT",
            "Sep  1 00:00:00 2026 GMT",
            ["expected a certificate that holds today, got one from 2026-07-01 on"],
            id="not-yet",
        ),
        pytest.param("", "", ["expected a certificate with dates, got none"], id="none"),
    ],
)
def test_dates(begins: str, ends: str, want: list[str]) -> None:
    """One that holds for long enough is quiet."""
    assert list(date_faults({"notBefore": begins, "notAfter": ends}, NOW)) == want
