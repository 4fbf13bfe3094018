"""Where a marker's link leads, what a locator says on paper, and which numbers may break."""

from pathlib import Path

import pytest
from builders import REPOSITORY, edit, ledger_of, project

from site_build.views.scope import Scope


@pytest.mark.parametrize(
    ("component", "want"),
    [
        pytest.param("floor-plan", "../../questions/Q1/#floor-plan", id="question"),
        pytest.param("drawn", "../../figures/F1/#drawn", id="figure"),
        pytest.param("tabled", "../../tables/T1/#tabled", id="table"),
    ],
)
def test_a_component_is_found_where_it_is_shown(tmp_path: Path, component: str, want: str) -> None:
    """On the page of the question, figure or table that owns it."""
    root = project(
        tmp_path,
        edit("ledger/figures/F1.yaml", "do_not_conclude:", "component: drawn\ndo_not_conclude:"),
        edit("ledger/tables/T1.yaml", "do_not_conclude:", "component: tabled\ndo_not_conclude:"),
    )
    assert Scope(ledger_of(root), "en", "labs/A").link("component", component) == want


def test_an_address_is_told_once() -> None:
    """Of locators side by side that lead to one address, only the last tells it on paper."""
    scope = Scope(ledger_of(REPOSITORY), "en", "figures/F01")
    places = ("report §2.1", "report §2.2", "config num_experts", "report §2.3", "no locator")
    silent = ["data-same" in html for html in scope.locators(places)]
    assert silent == [True, False, False, False, False]
    assert scope.locators(()) == ()
    assert "data-same" not in scope.locator(places[0])


@pytest.mark.parametrize(
    ("unit", "want"),
    [
        pytest.param("tiles", '<a class="rl-value" ', id="short"),
        pytest.param("tiles of the floor that we speak of", '<a class="rl-value rl-value--long" ', id="long"),
    ],
)
def test_a_number_with_a_long_unit_may_break(tmp_path: Path, unit: str, want: str) -> None:
    """One that a phone has no room for does not push the page over its edge; any other stays on one line."""
    ledger = ledger_of(project(tmp_path, edit("ledger/ledger.yaml", "en: 'tiles'", f"en: '{unit}'")))
    assert Scope(ledger, "en", "labs/A").value(ledger.values["area"]).startswith(want)
