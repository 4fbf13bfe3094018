"""What `k3 parity` says of the last comparison."""

import json
from pathlib import Path
from typing import Any

from builders import ledger_of, project
from typer.testing import CliRunner

from site_build.cli import app
from site_build.render import render_page
from site_build.views import Results, pages

FOUND: dict[str, Any] = {
    "build": "0123456789ab",
    "numerics": {"name": "tiny", "version": "1.2", "sha256": "0"},
    "engines": {"CPython": {"python": "3.13.1", "numpy": "2.4.1"}, "CUDA": None},
    "labs": {
        "A": {"runs": 2, "outputs": 4, "worst_ulp": 0.0, "worst_output": None, "within_limits": True},
        "B": {"runs": 1, "outputs": 1, "worst_ulp": 2.0, "worst_output": "edge.ratio", "within_limits": False},
        "C": {"runs": 1, "outputs": 1, "worst_ulp": None, "worst_output": "tiles", "within_limits": False},
    },
}
LINES = """\
build 0123456789ab, tiny 1.2
CPython: python 3.13.1, numpy 2.4.1
CUDA: not run on hardware
A: 2 runs, 4 outputs, worst 0 ulp: within limits
B: 1 runs, 1 outputs, worst 2 ulp in edge.ratio: BEYOND ITS LIMIT
C: 1 runs, 1 outputs, worst another result in tiles: BEYOND ITS LIMIT
"""


def test_parity_shows_the_last_comparison(tmp_path: Path) -> None:
    """A line for each engine and lab; without a comparison, how to make one."""
    root = project(tmp_path)
    without = CliRunner().invoke(app, ["parity", "--root", str(root)])
    assert without.exit_code == 1
    assert without.stderr.endswith("expected the last result in evidence/, got none. Run: k3 parity --run\n")
    (root / "evidence").mkdir()
    (root / "evidence" / "parity.json").write_text(json.dumps(FOUND), encoding="utf-8")
    shown = CliRunner().invoke(app, ["parity", "--root", str(root)])
    assert (shown.exit_code, shown.stdout) == (0, LINES)


def test_the_page_shows_the_last_comparison(tmp_path: Path) -> None:
    """Each engine and each lab of the ledger has a row; without a comparison there is no page."""
    ledger = ledger_of(project(tmp_path))
    without = {page.path for page in pages(ledger, "en", Results())}
    shown = {page.path: page for page in pages(ledger, "en", Results(parity=FOUND))}
    assert set(shown) - without == {"parity"}
    html = render_page(shown["parity"], "en")
    for part in (
        "0123456789ab",
        "(an earlier build)",
        "tiny 1.2",
        "numpy 2.4.1",
        "not run on hardware",
        "A Lay a floor",
        "within the contract",
    ):
        assert part in html
    assert "edge.ratio" not in html


SIMULATED: dict[str, Any] = {
    "level": "simulated",
    "build": "ba9876543210",
    "versions": {"simulator": "1.0"},
    "mechanisms": {
        "tile": {"cases": 3, "worst_error": 1.25e-7, "worst_case": "t17", "faults": []},
        "edge": {"cases": 1, "worst_error": None, "worst_case": None, "faults": ["t1: bits differ"]},
    },
}
COMPILED: dict[str, Any] = {
    "level": "compiled",
    "build": "ba9876543210",
    "versions": {"assembler": "13.0"},
    "mechanisms": {"tile": {"kernels": {}, "most": {"registers": 40, "shared": 512, "spills": 0}, "faults": []}},
}
KERNEL_LINES = """\
kernels compiled: build ba9876543210, assembler 13.0
tile: 40 registers, 512 bytes shared, 0 bytes spilled: within limits
kernels simulated: build ba9876543210, simulator 1.0
tile: 3 cases, worst error 1.2e-07 in t17: within limits
edge: 1 cases, worst error none: BEYOND ITS LIMIT
kernels hardware: not run on hardware
"""


def test_parity_shows_what_kernels_did(tmp_path: Path) -> None:
    """Each level and mechanism has a line, and a level that no device has run says so."""
    root = project(tmp_path)
    (root / "evidence").mkdir()
    for name, found in (("parity", FOUND), ("gpu-simulated", SIMULATED), ("gpu-compiled", COMPILED)):
        (root / "evidence" / f"{name}.json").write_text(json.dumps(found), encoding="utf-8")
    assert CliRunner().invoke(app, ["parity", "--root", str(root)]).stdout == LINES + KERNEL_LINES


def test_the_page_has_a_cell_for_each_level(tmp_path: Path) -> None:
    """What a level did not run is said; what passed a limit is marked; a device's run replaces the empty column."""
    ledger = ledger_of(project(tmp_path))
    on_device = {**SIMULATED, "level": "hardware", "device": "Card 9"}
    for runs, columns in (([COMPILED, SIMULATED], 3), ([COMPILED, on_device, SIMULATED], 3)):
        (page,) = [
            page for page in pages(ledger, "en", Results(parity={**FOUND, "kernels": runs})) if page.path == "parity"
        ]
        html = render_page(page, "en").partition('id="kernels"')[2]
        assert html.count("<code>tile</code>") == html.count("<code>edge</code>") == 1
        edge = html.partition("<code>edge</code>")[2].partition("</tr>")[0]
        assert edge.count("<td>") == columns
        assert "3 cases, worst error 1.2e-07" in html
        assert "40 registers, 512 bytes of shared memory, 0 bytes spilled" in html
        assert edge.count("beyond a limit") == len(runs) - 1
        assert ("Hardware Card 9" in html) == (len(runs) == 3)
    assert 'id="kernels"' not in render_page(
        next(page for page in pages(ledger, "en", Results(parity=FOUND)) if page.path == "parity"), "en"
    )


def test_parity_needs_a_site_with_labs(tmp_path: Path) -> None:
    """A folder that holds no site cannot be asked."""
    root = project(tmp_path)
    assert CliRunner().invoke(app, ["parity", "--run", "--root", str(root)]).exit_code == 1
    assert not (root / "evidence").exists()
