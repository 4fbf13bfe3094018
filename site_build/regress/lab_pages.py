"""Ask labs in their pages, and compare what they answer with what Python answers here."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

from site_build.model import LabContract

PATIENCE_MS = 120_000
"""How long a page may take to load the runtime and answer."""
_ASK = """(questions) => {
  const article = document.querySelector(".rl-lab");
  const ask = (inputs) => new Promise((resolve) => {
    article.addEventListener("lab:settled", (event) => resolve(event.detail), { once: true });
    article.dispatchEvent(new CustomEvent("lab:ask", { detail: inputs }));
  });
  return questions.reduce(async (answers, inputs) => [...(await answers), await ask(inputs)], Promise.resolve([]));
}"""


@dataclass(frozen=True)
class Answer:
    """How one question ended in the page."""

    state: str
    """`fulfilled` or `rejected`."""
    why: str
    reply: str
    """The door's JSON as it came."""


@dataclass(frozen=True)
class Compared:
    """One output of one example in two engines."""

    lab: str
    example: int
    output: str
    limit: int
    """Units in the last place that the contract allows."""
    worst: float
    """Units in the last place that they differ by; infinite where they differ in anything but floats."""


def ask(page: Page, questions: Sequence[Mapping[str, Any]]) -> list[Answer]:
    """Ask the lab of an open page, one question after the other; inputs that are not given keep their defaults."""
    page.wait_for_selector(".rl-lab[data-ready]", timeout=PATIENCE_MS)
    return [Answer(**answer) for answer in page.evaluate(_ASK, list(questions))]


def example_inputs(lab: LabContract) -> list[dict[str, Any]]:
    """All inputs of the defaults, then of each example."""
    defaults = {given.id: given.default for given in lab.inputs}
    return [json.loads(json.dumps(defaults | given)) for given in ({}, *(example.inputs for example in lab.examples))]


def compare(lab: LabContract, example: int, here: str, there: str) -> Iterator[Compared]:
    """Compare two replies output by output."""
    first, second = json.loads(here), json.loads(there)
    for output in lab.outputs:
        values = [_part(reply.get("result"), output.id) for reply in (first, second)]
        worst = math.inf if values[0] is None else difference(*values)
        yield Compared(lab.id, example, output.id, output.ulp, worst)


def _part(result: Any, path: str) -> Any:
    for name in path.split("."):
        result = result.get(name) if isinstance(result, dict) else None
    return result


def difference(first: Any, second: Any) -> float:
    """The largest difference of two results in units in the last place."""
    if isinstance(first, dict) and isinstance(second, dict):
        if first.keys() != second.keys():
            return math.inf
        return max((difference(first[name], second[name]) for name in first), default=0.0)
    if isinstance(first, list) and isinstance(second, list):
        if len(first) != len(second):
            return math.inf
        return max(map(difference, first, second), default=0.0)
    if isinstance(first, float) and isinstance(second, float):
        return abs(first - second) / math.ulp(max(abs(first), abs(second)))
    return 0.0 if type(first) is type(second) and first == second else math.inf
