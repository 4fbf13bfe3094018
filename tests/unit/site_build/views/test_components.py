"""Components on a page: where their legend stands, and captions that a sheet of paper bears out."""

import re

import pytest
from builders import REPOSITORY, ledger_of

from site_build.model import Component, Language, Ledger
from site_build.render import render_template
from site_build.views import Scope
from site_build.views.components import component_view

ELSEWHERE = {
    "en": re.compile(r"\bbuttons?\b|\b(?:table|lab|curves|chart) below\b|\bbelow[:,]|(?:^|\. )Below\b", re.IGNORECASE),
    "zh": re.compile("按钮|下面的(?:表|曲线|图|设定)|下图|(?:^|。)[上下]："),
}
"""What a caption, which stands beneath its drawings, and paper, which has no controls, cannot say."""


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    """The real ledger."""
    return ledger_of(REPOSITORY)


def parts_in_order(ledger: Ledger, component: Component) -> list[str]:
    """The legend and the drawings of a component, as they follow one another on a page."""
    html = render_template("block_component", "en", view=component_view(Scope(ledger, "en", ""), component))
    found = re.findall(r'class="(rl-legend)"|class="rl-body" data-kind="(\w+)"', html)
    return [legend or kind for legend, kind in found]


def test_a_legend_stands_where_it_is_used(ledger: Ledger) -> None:
    """Above all drawings, or above the one drawing that asks for it."""
    component = ledger.components["precision-and-draft"]
    table, *others = component.bodies
    kinds = [body.kind for body in component.bodies]
    assert parts_in_order(ledger, component) == ["rl-legend", *kinds]
    asked = component.model_copy(update={"bodies": (table, others[0].model_copy(update={"legend": True}), *others[1:])})
    assert parts_in_order(ledger, asked) == [kinds[0], kinds[1], "rl-legend", *kinds[2:]]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_captions_hold_on_paper(ledger: Ledger, language: Language) -> None:
    """No caption or text twin tells of a button, or of a drawing beneath it."""
    assert ELSEWHERE["en"].search("Set it in the lab below.")
    said = {
        f"{component.id}: {found[0]}"
        for component in ledger.components.values()
        for text in (component.caption, component.twin)
        if (found := ELSEWHERE[language].search(text.in_language(language)))
    }
    assert not said
