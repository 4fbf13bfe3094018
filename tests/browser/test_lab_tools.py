"""What a reader does with a result: compare, play its steps, save it as a table, look at its picture and its source."""

import csv
from io import StringIO
from pathlib import Path

from browser.lab_sites import OpenLab, tiles
from browser.servers import Site
from playwright.sync_api import FloatRect, Locator, Page, expect

from site_build.regress.lab_pages import ask
from site_build.regress.lab_visits import heavy
from site_build.regress.visits import watch

_BARS = ".rl-lab__result .rl-lab__picture svg .mark-rect path"


def drawn(page: Page) -> tuple[list[str], list[str]]:
    """Words and bars of the picture."""
    words = page.locator(".rl-lab__result .rl-lab__picture svg text").all_text_contents()
    bars = page.locator(_BARS).evaluate_all("bars => bars.map((bar) => bar.getAttribute('d'))")
    return words, bars


def box_of(part: Locator) -> FloatRect:
    """Where a part stands in the window."""
    box = part.bounding_box()
    assert box is not None
    return box


def test_the_page_draws_what_the_build_drew(open_lab: OpenLab, live: Site) -> None:
    """The same words and bars for the defaults, others for other inputs; what draws comes when the lab runs."""
    live.arrivals.clear()
    page = open_lab()
    seen = watch(page.context)
    page.wait_for_selector(".rl-lab[data-ready]")
    before = drawn(page)
    assert len(before[1]) == 3
    assert not [path for path in live.arrivals if "charts" in path]
    ask(page, [{"rows": 3}])
    expect(page.locator(".rl-lab__result .rl-chart > div > svg")).to_be_visible()
    assert drawn(page) == before
    ask(page, [{"rows": 5}])
    expect(page.locator(_BARS)).to_have_count(5)
    svg = page.locator(".rl-lab__result .rl-lab__picture svg")
    assert svg.get_attribute("aria-label") == "Tiles laid after each row"
    assert page.locator(".rl-lab__picture svg [role]").count() == 0
    inks = svg.locator("[fill], [stroke]").evaluate_all(
        "parts => parts.flatMap((part) => [part.getAttribute('fill'), part.getAttribute('stroke')])"
    )
    assert {ink for ink in inks if ink and not ink.startswith("var(--rl-")} <= {"none", "transparent"}
    assert seen.complaints == []
    page.get_by_role("button", name="Reset").click()
    assert drawn(page) == before


def test_two_settings_stand_side_by_side(open_lab: OpenLab, live: Site) -> None:
    """What is kept says its inputs and stays while others are tried; it goes when the reader says so."""
    page = open_lab()
    page.wait_for_selector(".rl-lab[data-ready]")
    live.arrivals.clear()
    page.get_by_role("button", name="Keep to compare").click()
    assert heavy(live.arrivals) == []
    ask(page, [{"rows": 5, "shape": "long"}])
    kept = page.locator(".rl-lab__kept")
    assert kept.locator("li").all_text_contents() == ["Rows: 3\u00a0tiles", "Shape: Square"]
    assert kept.locator('[data-output="tiles"] .rl-lab__value').inner_text().split()[0] == "9"
    assert tiles(page) == "50"
    boxes = [page.locator(name).bounding_box() for name in (".rl-lab__result", ".rl-lab__kept")]
    assert len({box["y"] for box in boxes if box}) == 1, "not side by side"
    ids = page.evaluate("[...document.querySelectorAll('article [id]')].map((part) => part.id)")
    assert len(ids) == len(set(ids))
    kept.get_by_role("button", name="Remove").click()
    assert kept.count() == 0


def test_the_boundary_stands_beside_the_result(open_lab: OpenLab) -> None:
    """It stays in sight down to the end of the result, and comes below two results that are compared."""
    page = open_lab(viewport={"width": 1280, "height": 600})
    page.wait_for_selector(".rl-lab[data-ready]")
    ask(page, [{"rows": 8}])
    boundary, result = page.locator(".rl-boundary"), page.locator(".rl-lab__result")
    page.locator('.rl-lab__part[data-output="laid"]').evaluate("part => part.scrollIntoView({ block: 'end' })")
    expect(boundary).to_be_in_viewport(ratio=1)
    first, second = box_of(boundary), box_of(result)
    assert first["x"] + first["width"] <= second["x"]
    assert second["y"] < first["y"] < second["y"] + second["height"]
    page.get_by_role("button", name="Keep to compare").click()
    first, second = box_of(boundary), box_of(result)
    assert first["y"] >= second["y"] + second["height"]


def test_steps_can_be_played(open_lab: OpenLab) -> None:
    """Forward, back, all, and by themselves until the last; by keyboard, and nothing is loaded for it."""
    page = open_lab(reduced_motion="reduce")
    page.wait_for_selector(".rl-lab[data-ready]")
    steps = page.locator('.rl-lab__part[data-output="laid"]')
    rows = steps.locator("tbody tr")
    shown = "rows => rows.filter((row) => getComputedStyle(row).visibility === 'visible').length"
    assert rows.evaluate_all(shown) == 3
    steps.get_by_role("button", name="Next step").focus()
    page.keyboard.press("Enter")
    assert (rows.evaluate_all(shown), steps.locator(".rl-frames span").inner_text()) == (1, "1 / 3")
    page.keyboard.press("Enter")
    assert rows.nth(1).get_attribute("aria-current") == "step"
    steps.get_by_role("button", name="Back").click()
    assert rows.evaluate_all(shown) == 1
    steps.get_by_role("button", name="Play").click()
    steps.get_by_role("button", name="Pause").click()
    assert rows.evaluate_all(shown) == 1
    steps.get_by_role("button", name="Play").click()
    expect(steps.locator(".rl-frames span")).to_have_text("3 / 3")
    expect(steps.get_by_role("button", name="Play")).to_be_visible()
    expect(steps.get_by_role("button", name="Next step")).to_be_disabled()
    steps.get_by_role("button", name="All steps").click()
    assert rows.evaluate_all(shown) == 3
    ask(page, [{"rows": 5}])
    assert steps.get_by_role("button", name="Play").count() == 1


def test_paper_keeps_the_last_result(open_lab: OpenLab) -> None:
    """It says whose inputs it is for, names them, shows the steps that were not played yet, and has no controls."""
    page = open_lab()
    ask(page, [{"rows": 5, "shape": "long"}])
    page.get_by_role("button", name="Next step").click()
    page.emulate_media(media="print")
    assert page.locator(".rl-lab__result h2").inner_text() == "Result for your inputs, computed in this page"
    assert page.locator(".rl-lab__given").all_inner_texts() == ["5\u00a0tiles", "Long"]
    assert tiles(page) == "50"
    last = page.locator('.rl-lab__part[data-output="laid"] tbody tr').last
    assert last.evaluate("row => getComputedStyle(row).visibility") == "visible"
    expect(page.locator(".rl-boundary")).to_be_visible()
    assert not [part for part in page.locator(".rl-lab button, .rl-lab input").all() if part.is_visible()]


def test_a_result_is_saved_as_a_table(open_lab: OpenLab) -> None:
    """A line for each value with its unit and how sure it is, and the boundary goes with them."""
    page = open_lab()
    ask(page, [{"rows": 3, "shape": "long"}])
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download CSV").click()
    assert waiting.value.suggested_filename == "lab-A.csv"
    lines = list(csv.reader(StringIO(Path(waiting.value.path()).read_text(encoding="utf-8"))))
    assert lines[0] == ["part", "name", "place", "value", "unit", "certainty"]
    for line in (
        ["about", "boundary", "", "No real floor was laid.", "", ""],
        ["input", "rows", "", "3", "tiles", ""],
        ["input", "shape", "", "long", "", ""],
        ["output", "tiles", "", "18", "tiles", "exact"],
        ["output", "edge.ratio", "", "0.3333333333333333", "", "rounded"],
        ["output", "laid", "2.laid", "18", "", "exact"],
    ):
        assert line in lines


def test_the_function_can_be_read(open_lab: OpenLab) -> None:
    """Without scripts too, under its full name."""
    page = open_lab(java_script_enabled=False)
    source = page.locator(".rl-lab__source")
    source.locator("summary").click()
    expect(source.locator("pre")).to_be_visible()
    assert "tiny_live.registry.lab_floor" in source.locator("summary").inner_text()
    assert "while rows == 9:" in source.locator("pre").inner_text()


def test_a_rounded_number_is_given_in_full(open_lab: OpenLab) -> None:
    """Beside the short form, in the build's result and in the page's."""
    page = open_lab()
    number = page.locator('.rl-lab__result [data-output="edge.ratio"] .rl-lab__full')
    assert number.inner_text() == "0.3333333333333333"
    ask(page, [{"rows": 7}])
    assert number.inner_text() == "0.14285714285714285"
