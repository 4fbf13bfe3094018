"""Parity: a lab prints what the build printed, and answers each example as Python here does, where that is at hand."""

import importlib
import json
from collections.abc import Iterator
from functools import partial

from site_build.model import Ledger
from site_build.regress.cases import Case, ElsewhereError, Fault, Visit
from site_build.regress.lab_pages import Answer, ask, compare, example_inputs
from site_build.regress.suites.labs import every_lab, open_live
from site_build.regress.survey import Survey

_PRINTED = """() => [...document.querySelectorAll(".rl-lab__result > :not(h2)")].map((part) => part.innerText)"""
# the digits beyond the format may differ in the last place, as the contract allows
_SHORT = ".rl-lab__full { display: none !important }"


def cases(survey: Survey, _: Ledger | None) -> Iterator[Case]:
    """Each lab that can run, in one language after the other: a run takes seconds, and the worker is the same."""
    if not survey.lab_folder():
        return
    for place, language, path in every_lab(survey):
        if survey.languages[(place + 1) % len(survey.languages)] == language:
            yield Case(path, partial(_lab, path), heavy=True)


def _lab(path: str, visit: Visit) -> Iterator[Fault]:
    page = visit.shared()
    open_live(visit, page, path)
    page.add_style_tag(content=_SHORT)
    before = page.evaluate(_PRINTED)
    (first,) = _answered(ask(page, [{}]), path)
    after = page.evaluate(_PRINTED)
    for build, browser in zip(before, after, strict=False):
        if build != browser:
            yield Fault(f"expected what the build prints, {_first(build, browser)}")
    yield from _examples(visit, path, first)


def _answered(answers: list[Answer], path: str) -> list[Answer]:
    for answer in answers:
        if answer.state != "fulfilled":
            raise ElsewhereError("labs", f"{path}: expected an answer, got {answer.why}")
    return answers


def _first(build: str, browser: str) -> str:
    """The first line in which two prints differ."""
    for one, other in zip(build.splitlines(), browser.splitlines(), strict=False):
        if one != other:
            return f"{one}, got {other}"
    return f"{len(build.splitlines())} lines, got {len(browser.splitlines())}"


def _examples(visit: Visit, path: str, first: Answer) -> Iterator[Fault]:
    """Every example as Python here computes it; the ledger must be at hand, and its numerics those of the site."""
    id_ = json.loads(first.reply)["lab"]
    labs = visit.survey.data(f"{visit.survey.lab_folder()}labs.json")
    contract = visit.ledger.labs.get(id_) if visit.ledger else None
    if contract is None or not visit.page:
        return
    try:
        door = getattr(importlib.import_module(labs["door"]["module"]), labs["door"]["run"])
    except (ImportError, AttributeError):
        return
    inputs = example_inputs(contract)
    for place, (given, answer) in enumerate(zip(inputs, _answered(ask(visit.page, inputs), path), strict=True)):
        for one in compare(contract, place, door(id_, json.dumps(given)), answer.reply):
            if one.worst > one.limit:
                yield Fault(f"example {place}: {one.output}: expected {one.limit} ulp at most, got {one.worst:g}")
