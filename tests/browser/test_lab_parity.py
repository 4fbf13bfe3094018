"""The labs of the published site answer in the page what Python answers here, and print it as the build does."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from browser.published import home_of
from browser.pyodide import STARTED
from browser.servers import Site
from playwright.sync_api import Page

from k3core.browser import run
from k3core.registry import DERIVATIONS
from site_build.model import LabContract
from site_build.regress.lab_pages import ask, compare, difference, example_inputs
from site_build.regress.lab_visits import heavy
from site_build.regress.markup import listed
from site_build.regress.visits import OpenContext, watch

ROOT = Path(__file__).parents[2]
LABS = {path.stem: path for path in sorted((ROOT / "ledger" / "labs").glob("*.yaml"))}
_PRINTED = """() => [...document.querySelectorAll(".rl-lab__result > :not(h2)")].map((part) => part.innerText)"""
_DERIVE = f"""async (calls) => {{
  const python = await ({STARTED})();
  const known = python.pyimport("k3core.registry").DERIVATIONS;
  const {{ map, repr, list }} = python.pyimport("builtins");
  const {{ partial }} = python.pyimport("functools");
  // called and written inside Python: on the way to JavaScript a whole float would lose its point
  const bound = calls.map(([name, inputs]) => partial.callKwargs(known.get(name), inputs));
  return list(map(repr, map(python.pyimport("operator").call, python.toPy(bound)))).toJs();
}}"""
"""Call derivations in Pyodide; each answer as Python writes it."""


def contract(lab: str) -> LabContract:
    """A lab of the ledger."""
    return LabContract.model_validate_json(json.dumps(yaml.safe_load(LABS[lab].read_text(encoding="utf-8"))))


def open_lab(new_context: OpenContext, url: str) -> Page:
    """A lab's page in a fresh profile."""
    page = new_context().new_page()
    page.goto(url)
    return page


@pytest.mark.parametrize("lab", LABS)
def test_examples_answer_as_here(new_context: OpenContext, site: Site, lab: str) -> None:
    """Defaults and every example, through the page; every other lab on its Chinese page."""
    language = "zh" if list(LABS).index(lab) % 2 else "en"
    site.arrivals.clear()
    page = open_lab(new_context, f"{site.url}{home_of(language)}labs/{lab}/")
    seen = watch(page.context)
    page.wait_for_selector(".rl-lab[data-ready]")
    # the digits beyond the format may differ in the last place, as the contract allows; they are compared below
    page.add_style_tag(content=".rl-lab__full { display: none !important }")
    printed = page.evaluate(_PRINTED)
    assert heavy(site.arrivals) == []
    (first,) = ask(page, [{}])
    assert first.state == "fulfilled", first.why
    assert page.evaluate(_PRINTED) == printed, "the page prints the defaults otherwise than the build"
    inputs = example_inputs(contract(lab))
    faults = []
    for place, (given, answer) in enumerate(zip(inputs, ask(page, inputs), strict=True)):
        here = run(lab, json.dumps(given))
        found = list(compare(contract(lab), place, here, answer.reply))
        faults += [f"{one.output}: {one.worst} ulp in example {one.example}" for one in found if one.worst > one.limit]
        if not any(one.limit for one in found) and not faults:
            assert answer.reply == here
    assert not faults, listed(faults)
    assert seen.complaints == []


def derivations() -> list[tuple[str, dict[str, Any]]]:
    """Every call that the ledger's values make of the numerics."""
    values = {value["id"]: value for value in yaml.safe_load((ROOT / "ledger/values.yaml").read_text(encoding="utf-8"))}
    calls = []
    for value in values.values():
        if derivation := value.get("derivation"):
            inputs = {
                name: values[given["value"]]["number"] if isinstance(given, dict) else given
                for name, given in derivation["inputs"].items()
            }
            calls.append((derivation["function"], inputs))
    return calls


def test_derivations_answer_as_here(new_context: OpenContext, site: Site) -> None:
    """The numbers of the ledger come out of Pyodide as they come out of Python: the same type, the same digits."""
    calls = derivations()
    assert len(calls) > 40
    page = open_lab(new_context, f"{site.url}labs/A/")
    there = page.evaluate(_DERIVE, calls)
    here = [repr(DERIVATIONS[name](**inputs)) for name, inputs in calls]
    faults = [
        f"{call}: {one} here, {other} in Pyodide"
        for call, one, other in zip(calls, here, there, strict=True)
        if one != other
    ]
    assert not faults, listed(faults)


@pytest.mark.parametrize(
    ("first", "second", "want"),
    [
        pytest.param({"a": [1.0, 2]}, {"a": [1.0, 2]}, 0.0, id="same"),
        pytest.param(1.0, 1.0000000000000002, 1.0, id="one-ulp"),
        pytest.param([1.0], [1.0, 1.0], float("inf"), id="length"),
        pytest.param(1, 1.0, float("inf"), id="type"),
        pytest.param({"a": 1}, {"b": 1}, float("inf"), id="names"),
    ],
)
def test_difference_can_fail(first: Any, second: Any, want: float) -> None:
    """Floats differ by units in the last place, everything else not at all or for good."""
    assert difference(first, second) == want
