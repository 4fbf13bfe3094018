"""Figures and tables: the picture of each contract, its data, and what must not be concluded."""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from playwright.sync_api import Page

from site_build.regress.cases import Case, Fault, Visit
from site_build.regress.coverage import part_faults
from site_build.regress.survey import Survey

PHONE = {"width": 390, "height": 800}
_POINTS = "tables => tables.map((table) => table.querySelectorAll('tbody tr').length)"


def figures(survey: Survey, _: object) -> Iterator[Case]:
    """Every figure."""
    yield from _cases(survey, "figures")


def tables(survey: Survey, _: object) -> Iterator[Case]:
    """Every table."""
    yield from _cases(survey, "tables")


def _cases(survey: Survey, kind: str) -> Iterator[Case]:
    for language in survey.languages:
        for path in survey.of_kind(language, kind):
            yield Case(path, partial(_contract, language, path))


def _contract(language: str, path: str, visit: Visit) -> Iterator[Fault]:
    page = visit.open(path, viewport=PHONE, reduced_motion="reduce")
    for selector in ("article.rl-record h1", "article.rl-record .rl-boundary li"):
        if not page.locator(selector).count() or not page.locator(selector).first.is_visible():
            yield Fault(f"expected {selector}, got none that can be seen")
    component = page.locator("article [data-component]")
    for id_ in [part.get_attribute("data-component") for part in component.all()]:
        for fault in part_faults(page, f'[data-component="{id_}"]'):
            yield Fault(f"{id_}: {fault}")
        yield from data_faults(visit, page, language, str(id_))
    if not component.count() and _has_component(visit, page):
        yield Fault("expected the contract's component, got none")


def _has_component(visit: Visit, page: Page) -> bool:
    """Whether the entry promises a component, as far as the ledger is at hand."""
    if visit.ledger is None:
        return False
    record = page.locator("article.rl-record")
    records = visit.ledger.records.get(record.get_attribute("data-kind") or "", {})
    return bool(getattr(records.get(record.get_attribute("data-id") or ""), "component", None))


def data_faults(visit: Visit, page: Page, language: str, id_: str) -> Iterator[Fault]:
    """How a component's data file differs from the page that offers it."""
    part = page.locator(f'[data-component="{id_}"]')
    link = part.locator(".rl-data a[download]")
    if not link.count():
        return
    path = visit.survey.path_of(page.url, link.get_attribute("href") or "") or ""
    data = visit.survey.data(path)
    if not isinstance(data, dict):
        yield Fault(f"{path}: expected data as JSON, got {visit.survey.file(path).status or 'none'}")
        return
    for name, want in (("id", id_), ("language", language), ("build", visit.survey.build)):
        if data.get(name) != want:
            yield Fault(f"{path}: {name}: expected {want}, got {data.get(name)}")
    title = part.locator(".rl-component__title").inner_text()
    if _letters(str(data.get("title"))) not in _letters(title):
        yield Fault(f"{path}: title: expected {title}, got {data.get('title')}")
    points, drawn = _points(data), part.locator(".rl-points").evaluate_all(_POINTS)
    if points != drawn:
        yield Fault(f"{path}: points of its pictures: expected {points}, got {drawn} on the page")


def _letters(text: str) -> str:
    """Words without formulas and spaces, which a page sets otherwise than data does."""
    return re.sub(r"[^\w]|\\\w+", "", text.partition("\\")[0].partition("$")[0])


def _points(data: dict[str, Any]) -> list[int]:
    """How many points each picture of the data has."""
    return [len(drawing["points"]) for drawing in data.get("drawings", ()) if drawing.get("kind") == "chart"]
