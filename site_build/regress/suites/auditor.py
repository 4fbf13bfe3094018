"""The auditor of benchmarks: pairs of rows, each verdict as it follows from the data of the page."""

import json
from collections.abc import Iterator
from functools import partial
from itertools import combinations
from typing import Any

from site_build.model import Ledger
from site_build.regress.cases import Case, Fault, Visit
from site_build.regress.survey import Survey

PAGE = "benchmarks/"
PAIRS = 24
_AUDIT = """(picks) => {
  const selects = [...document.querySelectorAll(".rl-auditor__tool select")];
  const pick = (values) => {
    values.forEach((value, place) => (selects[place].value = value));
    selects[0].dispatchEvent(new Event("change", { bubbles: true }));
    const [head, ...lines] = document.querySelectorAll(".rl-auditor__result tr");
    return {
      comparable: document.querySelector(".rl-verdict").dataset.comparable,
      reasons: [...document.querySelectorAll(".rl-verdict ~ p")].map((reason) => reason.innerText),
      head: head.innerText,
      lines: lines.map((line) => [line.dataset.state ?? "", line.querySelector("th").innerText.trim()]),
    };
  };
  return picks.map(pick);
}"""
"""What the auditor says of rows and contenders, picked one after the other."""
_RAW = "document.querySelector('#audit-data')?.textContent ?? ''"


def cases(survey: Survey, _: Ledger | None) -> Iterator[Case]:
    """The auditor of each language."""
    for language in survey.languages:
        path = survey.homes[language] + PAGE
        if path in survey.pages[language]:
            yield Case(f"pairs ({language})", partial(_pairs, path))


def _pairs(path: str, visit: Visit) -> Iterator[Fault]:
    page = visit.open(path)
    raw = page.evaluate(_RAW)
    if not raw:
        yield Fault("expected the data of the auditor, got none")
        return
    data = json.loads(raw)
    tool = page.locator(".rl-auditor__tool")
    if not tool.is_visible() or tool.locator("select").count() != 4:
        yield Fault("expected two rows and two contenders to pick, got none")
        return
    for id_ in data["rows"]:
        if not page.locator(f"tr[id='{id_}']").count():
            yield Fault(f"{id_}: expected a row of the tables, got none")
    pairs = _some(list(data["rows"]))
    contenders = list(data["contenders"])
    sides = [(contenders[0], contenders[number % len(contenders)]) for number in range(len(pairs))]
    picks = [[first, side, second, other] for (first, second), (side, other) in zip(pairs, sides, strict=True)]
    tool.locator("select").first.select_option(pairs[-1][0])
    for pair, side, shown in zip(pairs, sides, page.evaluate(_AUDIT, picks), strict=True):
        yield from _verdict(data, pair, side, shown)


def _some(rows: list[str]) -> list[tuple[str, str]]:
    """A row with itself, and pairs from all over the list."""
    every = [(rows[0], rows[0]), *combinations(rows, 2)] if rows else []
    step = max(1, len(every) // PAIRS)
    return every[::step]


def _verdict(
    data: dict[str, Any], pair: tuple[str, str], sides: tuple[str, str], shown: dict[str, Any]
) -> Iterator[Fault]:
    want = [_state(*(data["rows"][row]["protocol"].get(name) for row in pair)) for name in data["dimensions"]]
    settings = {data["contenders"][side]["setting"] for side in sides}
    want.append("agree" if len(settings) == 1 else "differ")
    got = [state for state, _ in shown["lines"]]
    if got != want:
        names = [name for (state, name), right in zip(shown["lines"], want, strict=False) if state != right]
        yield Fault(f"{pair[0]} and {pair[1]}: expected {want}, got {got}: {', '.join(names)}")
    reasons = _reasons(data["words"], [name for _, name in shown["lines"]], want)
    if shown["reasons"] != reasons:
        yield Fault(f"{pair[0]} and {pair[1]}: expected the reasons {reasons}, got {shown['reasons']}")
    comparable = str(set(want) == {"agree"}).lower()
    if shown["comparable"] != comparable:
        yield Fault(f"{pair[0]} and {pair[1]}: expected comparable={comparable}, got {shown['comparable']}")
    for row, side in zip(pair, sides, strict=True):
        score = data["rows"][row]["scores"].get(side) or "–"
        if f"{data['rows'][row]['name']}: {score}" not in shown["head"]:
            yield Fault(f"{row}: expected the score {score}, got {shown['head']}")


def _reasons(words: dict[str, str], names: list[str], states: list[str]) -> list[str]:
    """What stands against a comparison: the dimensions that differ, then those without a statement."""
    said = {"differ": words["differ_in"], "silent": words["silent_on"]}
    against = {wanted: [name for name, state in zip(names, states, strict=False) if state == wanted] for wanted in said}
    return [said[wanted].format(names=words["comma"].join(found)) for wanted, found in against.items() if found]


def _state(first: dict[str, Any] | None, second: dict[str, Any] | None) -> str:
    """Equal settings have equal ids, and what is not stated can agree with nothing."""
    if not first or not second or not first["stated"] or not second["stated"]:
        return "silent"
    return "agree" if first["id"] == second["id"] else "differ"
