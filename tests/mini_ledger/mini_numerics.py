"""The mini ledger's numerics: the Gregorian calendar in whole numbers, without any package."""


def is_leap(year: int) -> bool:
    """Every fourth year, without the centuries that four hundred does not divide."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def leap_years(years: int) -> int:
    """How many of the first `years` years are leap years."""
    return sum(is_leap(year) for year in range(1, years + 1))


def days(years: int, leaps: int) -> int:
    """Days of `years` years, `leaps` of them leap years."""
    return 365 * years + leaps


def weeks(total: int) -> int:
    """Whole weeks in `total` days; a rest is an error."""
    if total % 7:
        raise ValueError(f"total: expected a multiple of 7, got {total}")
    return total // 7


def mean_year(total: int, years: int) -> float:
    """Days of a year on average."""
    return total / years


def friday_thirteenths(years: int) -> int:
    """How often the 13th is a Friday in `years` years from the year 1, whose first day is a Monday."""
    count, weekday = 0, 0
    for year in range(1, years + 1):
        for length in (31, 28 + is_leap(year), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31):
            count += (weekday + 12) % 7 == 4
            weekday = (weekday + length) % 7
    return count


def years_per_day(calendar: float, season: float) -> float:
    """Years after which two lengths of the year have drifted apart by one day."""
    return 1 / (calendar - season)


def lab_rule(year: int) -> dict[str, object]:
    """Whether a year is a leap year, and the step of the rule that decides."""
    step = "four" if year % 4 else "hundred" if year % 100 else "four-hundred"
    return {"leap": is_leap(year), "step": step}


DERIVATIONS = {
    "calendar.days": days,
    "calendar.friday_thirteenths": friday_thirteenths,
    "calendar.leap_years": leap_years,
    "calendar.mean_year": mean_year,
    "calendar.weeks": weeks,
    "calendar.years_per_day": years_per_day,
}
LABS = {"calendar.rule": lab_rule}
