"""The data of components: plain words of one language, numbers, and what a chart's points are."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from builders import REPOSITORY, ledger_of

from site_build.model import Ledger
from site_build.views import Results, Scope, component_data, data_path

POINTS = ({"bars": 2, "name": {"en": "one", "zh": "一"}},)


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    """The real ledger, which has components of every kind."""
    return ledger_of(REPOSITORY)


def texts(data: Any) -> Iterator[str]:
    """Every text in some data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        assert not data.keys() & {"en", "zh"}
        for part in data.values():
            yield from texts(part)
    elif isinstance(data, list):
        for part in data:
            yield from texts(part)


def test_every_component_has_plain_data(ledger: Ledger) -> None:
    """As JSON it comes back as it was; no text is in two languages, and no marker is left in one."""
    for component in ledger.components.values():
        data = component_data(Scope(ledger, "zh", "figures/F01"), component)
        assert json.loads(json.dumps(data, allow_nan=False)) == data
        assert (data["id"], data["language"], len(data["drawings"])) == (component.id, "zh", len(component.bodies))
        assert not [text for text in texts(data) if re.search(r":[a-z]+\[", text)]
        assert data_path(component) == f"components/{component.id}.json"


def test_a_chart_gives_its_points_and_not_its_drawing(ledger: Ledger) -> None:
    """The points are those of the build, in the page's language."""
    scope = Scope(ledger, "en", "", Results(points={"context-stages": (POINTS,)}))
    (chart,) = component_data(scope, ledger.components["context-stages"])["drawings"]
    assert chart["points"] == [{"bars": 2, "name": "one"}]
    assert not chart.keys() & {"spec", "series", "scores"}


def test_counts_become_pieces_and_ids_become_rows(ledger: Ledger) -> None:
    """A strip lists its pieces, and a table of specifications its rows."""
    scope = Scope(ledger, "en", "")
    (strip,) = component_data(scope, ledger.components["layer-strip"])["drawings"]
    assert len(strip["pieces"]) == ledger.values["stack_layers"].number
    (table,) = component_data(scope, ledger.components["spec-table"])["drawings"]
    assert table["rows"][0]["cells"]["k3"]["number"] == ledger.values["stack_layers"].number
