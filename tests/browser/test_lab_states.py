"""What a lab's page does in every state, on a small site whose lab needs no NumPy and hangs on nine rows."""

import json
import random
import re
from pathlib import Path

import pytest
from browser.lab_sites import OpenLab, tampered, tiles
from browser.servers import Site, serving
from playwright.sync_api import Page, expect

from site_build.regress.axe import broken_rules
from site_build.regress.lab_pages import ask
from site_build.regress.lab_visits import heavy
from site_build.regress.markup import listed
from site_build.regress.visits import watch
from site_build.views.lab_results import Printer

_STORM = """(rows) => new Promise((resolve) => {
  const article = document.querySelector(".rl-lab");
  const settled = [];
  article.addEventListener("lab:settled", (event) => {
    settled.push(JSON.parse(event.detail.reply).result.tiles);
    if (settled.at(-1) === rows.at(-1) ** 2) resolve(settled);
  });
  for (const count of rows) article.dispatchEvent(new CustomEvent("lab:ask", { detail: { rows: count } }));
})"""
"""Ask many questions without waiting; the tiles of every answer that was shown."""
_HANG = "document.querySelector('.rl-lab').dispatchEvent(new CustomEvent('lab:ask', {detail: {rows: 9}}))"
"""Ask what has no end."""
_FOCUSED = """() => {
  const part = document.activeElement.closest(".rl-live") && document.activeElement;
  return part ? part.getAttribute("aria-label") || part.name || part.textContent : "";
}"""
"""The control that has the focus; nothing outside the form."""
_CONTROLS = """() => [...document.querySelectorAll(".rl-live :is(input, select, button):not(:disabled)")].map(
  (part) => part.getAttribute("aria-label") || part.name || part.textContent)"""
"""Every control that can be used, in the order of the page."""
_PRINT = """async ([numbers, displays]) => {
  const folder = new URL(document.querySelector(".rl-lab").dataset.folder, location.href);
  const { printNumber, readReply } = await import(new URL("lab_numbers.js", folder));
  const read = readReply(numbers);
  return displays.map((display) => read.map((number) => printNumber(number, display)));
}"""
"""Numbers from JSON, printed in several formats by the page's own script."""


def status(page: Page) -> str:
    """What the page says of itself."""
    return page.locator(".rl-live__status[role=status]").inner_text()


def heading(page: Page) -> str:
    """What stands over the result."""
    return page.locator(".rl-lab__result h2").inner_text()


def test_nothing_moves_before_the_reader_acts(open_lab: OpenLab, live: Site) -> None:
    """Opening a page and reading its address load no runtime; moving an input by keys starts the one worker."""
    live.arrivals.clear()
    page = open_lab(address="labs/A/#with?rows=4&shape=%22long%22")
    seen = watch(page.context)
    page.wait_for_load_state("networkidle")
    expect(page.locator(".rl-live__status")).to_contain_text("from the address")
    assert {path.rpartition("/")[2] for path in live.arrivals if "/labs." in path} == {"labs.json", "labs.en.json"}
    assert (heavy(live.arrivals), tiles(page), page.workers) == ([], "9", [])
    assert "defaults" in heading(page)
    stated = re.search(r"loads ([0-9.]+) MB from this site and then takes a few seconds", page.inner_text(".rl-live"))
    page.get_by_label("Rows (tiles)", exact=True).focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator(".rl-lab__result[data-state=done]")).to_be_visible(timeout=60_000)
    assert len(heavy(live.arrivals)) >= 5
    expect(page.locator(".rl-lab__result .rl-chart > div > svg")).to_be_visible()
    came = {path for path in live.arrivals if path in heavy(live.arrivals) or "charts" in path}
    assert stated
    assert sum((live.folder / path[1:]).stat().st_size for path in came) / 1e6 == pytest.approx(
        float(stated[1]), abs=0.1
    )
    assert ["lab_worker.js" in worker.url for worker in page.workers] == [True]
    assert (tiles(page), seen.complaints) == ("50", [])
    assert heading(page) == "Result for your inputs, computed in this page"
    assert page.locator('[data-input="rows"] .rl-lab__given').text_content() == "5\u00a0tiles"
    expect(page.locator(".rl-boundary").first).to_be_visible()
    page.get_by_role("button", name="Reset").click()
    assert (tiles(page), heading(page)) == ("9", "Result for these inputs, computed by the build")


def test_stop_limit_and_stale_answers(open_lab: OpenLab) -> None:
    """What does not end is ended, by the limit or by the reader, and the next run is clean; old answers never show."""
    page = open_lab()
    assert [answer.state for answer in ask(page, [{"rows": 2}])] == ["fulfilled"]
    page.evaluate("document.querySelector('.rl-lab').dataset.seconds = '1'")
    limited, after = ask(page, [{"rows": 9}, {"rows": 4}])
    assert (limited.state, limited.why) == ("rejected", "limit")
    assert (after.state, tiles(page)) == ("fulfilled", "16")
    page.evaluate("document.querySelector('.rl-lab').dataset.seconds = '60'")
    page.evaluate("document.querySelector('.rl-lab').dispatchEvent(new CustomEvent('lab:ask', {detail: {rows: 9}}))")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".rl-lab__result[data-state=stopped]")).to_be_visible()
    assert (tiles(page), status(page)) == ("16", "Stopped. The result shown is the last one that was finished.")
    assert heading(page) == "Result for earlier inputs, computed in this page"
    storm = [1 + step % 8 for step in range(1001)] + [7]
    shown = page.evaluate(_STORM, storm)
    assert shown[-1] == 49
    assert len(shown) < 5, "answers to old questions were shown"
    assert tiles(page) == "49"


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(("pyodide.asm.wasm", "changed", "is not the file of this build and was refused"), id="wasm"),
        pytest.param(("tiny_live-*.whl", "changed", "is not the file of this build and was refused"), id="wheel"),
        pytest.param(("python_stdlib.zip", "missing", "could not be had"), id="missing"),
    ],
)
def test_a_changed_file_is_refused(open_lab: OpenLab, live: Site, tmp_path: Path, case: tuple[str, str, str]) -> None:
    """The message names the file, and the result of the build stays."""
    name, change, want = case
    with serving(tampered(live.folder, tmp_path, name, change)) as site:
        page = open_lab(site.url)
        (answer,) = ask(page, [{"rows": 4}])
        assert answer.state == "rejected"
        assert want in status(page)
        assert name.split("-", maxsplit=1)[0] in status(page)
        assert (tiles(page), heading(page)) == ("9", "Result for the defaults, computed by the build")


@pytest.mark.parametrize("name", ["labs.json", "labs.en.json", "integrity.json", "lab_page.js", "lab_print.js"])
def test_a_changed_page_file_leaves_the_static_page(open_lab: OpenLab, live: Site, tmp_path: Path, name: str) -> None:
    """Contracts, manifest and scripts are checked as well; no control appears, the page is as without scripts."""
    with serving(tampered(live.folder, tmp_path, name, "changed")) as site:
        page = open_lab(site.url)
        page.wait_for_load_state("networkidle")
        assert page.locator(".rl-live").count() == 0
        expect(page.locator(".rl-lab__inputs dl")).to_be_visible()
        assert tiles(page) == "9"


def test_without_scripts_the_page_is_complete(open_lab: OpenLab, live: Site) -> None:
    """Inputs, limits, result, boundary and examples stand there; no script and no runtime is asked for."""
    live.arrivals.clear()
    page = open_lab(java_script_enabled=False)
    expect(page.locator(".rl-lab__inputs dl")).to_be_visible()
    assert page.locator(".rl-live").count() == 0
    assert tiles(page) == "9"
    assert "1 … 9" in page.locator('[data-input="rows"]').inner_text()
    assert heavy(live.arrivals) == []


@pytest.mark.parametrize(
    "hash_",
    [
        "#with?rows=99",
        "#with?rows=%22a%22",
        "#with?columns=3",
        "#with?rows=",
        "#with?rows=2&rows=3",
        "#with?shape=round",
    ],
)
def test_a_malformed_address_gives_the_defaults(open_lab: OpenLab, hash_: str) -> None:
    """Out of range, of another type, unknown, empty or repeated."""
    page = open_lab(address=f"labs/A/{hash_}")
    expect(page.locator(".rl-live__status")).to_have_text(
        "The address holds inputs that cannot be read; the defaults are used."
    )
    assert page.get_by_label("Rows (tiles)", exact=True).input_value() == "3"


def test_inputs_are_clamped_with_a_message(open_lab: OpenLab) -> None:
    """What lies outside is brought inside, what cannot be read is put back, and both are said."""
    page = open_lab(address="zh/labs/A/")
    rows = page.get_by_label("行数 (块)", exact=True)
    rows.fill("0")
    rows.press("Enter")
    expect(page.locator(".rl-lab__result[data-state=done]")).to_be_visible(timeout=60_000)
    assert (rows.input_value(), tiles(page)) == ("1", "1")
    assert "0 超出 1 … 9，改用 1。" in status(page)
    rows.fill("2.5")
    rows.press("Enter")
    expect(page.locator(".rl-live__status")).to_contain_text("无法读取 2.5，改用 1")


def test_results_can_be_shared(open_lab: OpenLab) -> None:
    """A link holds the inputs, a text the boundary and the build, a file the reply as it came."""
    page = open_lab()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    (answer,) = ask(page, [{"rows": 4, "shape": "long"}])
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".rl-live__status")).to_have_text("Copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.endswith("labs/A/#with?rows=4&shape=%22long%22")
    page.get_by_role("button", name="Copy as text").click()
    text = page.evaluate("navigator.clipboard.readText()")
    build = page.locator('meta[name="ledger-build"]').get_attribute("content")
    for part in (
        "Lay a floor",
        "- Rows: 4 tiles",
        "- Shape: Long",
        "- Tiles: 32 tiles (exact)",
        "- Row by row: row: 1; laid: 8, row: 2; laid: 16, row: 3; laid: 24, row: 4; laid: 32 (exact)",
        "No real floor was laid.",
        str(build),
        link,
    ):
        assert part in text
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download JSON").click()
    saved = json.loads(Path(waiting.value.path()).read_text(encoding="utf-8"))
    assert saved["reply"] == json.loads(answer.reply)
    assert (saved["inputs"], saved["build"]) == ({"rows": 4, "shape": "long"}, build)


def some_numbers() -> list[float]:
    """Whole and broken, halves, very large and very small, and many at random."""
    chance = random.Random(20260701)
    found: list[float] = [0, 7, -12345678, 2**53, 0.0, -0.0, 1.0, 0.5, 2.5, 0.125, -0.0001, 1e15, 1e16, 1e21, 1e22]
    found += [123456789.125, 999999.5, 9.9999999, 5e-324, 1.7976931348623157e308, 1 / 3, 1e-5, 0.00012345]
    return found + [chance.uniform(-10, 10) * 10.0 ** chance.randint(-12, 12) for _ in range(200)]


def test_numbers_print_as_in_the_build(open_lab: OpenLab) -> None:
    """Page and build write every number with the same digits, in every format that contracts use."""
    displays = [None, "{:.0f}", "{:.2f}", "{:,.1f}", "{:,.3f}", "{:.4e}", "{:.4g}", "{:,.7g}", "{:.6g}", "{:.12f}"]
    numbers = some_numbers()
    page = open_lab()
    there = page.evaluate(_PRINT, [json.dumps(numbers), displays])
    here = [[Printer(lambda _: None, display).number(number) for number in numbers] for display in displays]
    faults = [
        f"{number!r} as {display}: {one} in the build, {other} in the page"
        for display, row, other_row in zip(displays, here, there, strict=True)
        for number, one, other in zip(numbers, row, other_row, strict=True)
        if one != other
    ]
    assert not faults, listed(faults)


def test_without_a_secure_context_the_lab_stays_static(open_lab: OpenLab, live: Site) -> None:
    """The page says why, and no control pretends to work."""
    page = open_lab(address="404.html")
    page.context.add_init_script("Object.defineProperty(globalThis, 'isSecureContext', { value: false })")
    live.arrivals.clear()
    page.goto(f"{live.url}labs/A/")
    page.wait_for_load_state("networkidle")
    expect(page.locator(".rl-lab")).to_contain_text("cannot verify the files")
    assert page.locator(".rl-live :is(input, select, button):not(:disabled)").count() == 0
    assert (tiles(page), heavy(live.arrivals)) == ("9", [])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_any_state(open_lab: OpenLab, scheme: str) -> None:
    """On a phone: idle, done beside a kept result, running, stopped and failed; nothing reaches beyond the edge."""
    page = open_lab(viewport={"width": 390, "height": 800}, color_scheme=scheme, reduced_motion="reduce")
    page.wait_for_selector(".rl-lab[data-ready]")
    assert broken_rules(page) == []
    ask(page, [{"rows": 5}])
    page.get_by_role("button", name="Keep to compare").click()
    page.get_by_role("button", name="Next step").click()
    assert broken_rules(page) == []
    assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
    page.evaluate(_HANG)
    expect(page.locator(".rl-lab__result[data-state=pending]")).to_be_visible()
    assert broken_rules(page) == []
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".rl-lab__result[data-state=stopped]")).to_be_visible()
    assert broken_rules(page) == []
    page.evaluate("document.querySelector('.rl-lab').dataset.seconds = '1'")
    page.evaluate(_HANG)
    expect(page.locator(".rl-lab__result[data-state=failed]")).to_be_visible(timeout=60_000)
    assert broken_rules(page) == []


def test_a_keyboard_is_enough(open_lab: OpenLab) -> None:
    """Tab reaches every control in the order of the page and leaves again; Enter runs, Space presses a button."""
    page = open_lab()
    page.wait_for_selector(".rl-lab[data-ready]")
    page.get_by_label("Rows (tiles)", exact=True).focus()
    reached = [page.evaluate(_FOCUSED)]
    while len(reached) < 30 and reached[-1]:
        page.keyboard.press("Tab")
        reached.append(page.evaluate(_FOCUSED))
    assert reached[-1] == "", "the focus does not leave the form"
    controls = page.evaluate(_CONTROLS)
    assert len(controls) > 6
    assert reached[:-1] == controls
    page.get_by_label("Shape", exact=True).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    expect(page.locator(".rl-lab__result[data-state=done]")).to_be_visible(timeout=60_000)
    assert tiles(page) == "18"
    page.get_by_role("button", name="Reset").focus()
    page.keyboard.press("Space")
    assert tiles(page) == "9"
