"""How fast labs answer: the first result beside a bare page that boots the same runtime, and every input after that.

Run from the repository's root: `.venv/bin/python tests/bench/bench_labs.py`. It builds a site of its own.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page

from site_build.regress.chromium import open_site

PAIRS = 7
COLD_AT_MOST = 1.15
WARM_AIM = 0.6
LABS = "ABCDEFGH"
INPUTS = 60
REDRAW_AT_MOST_MS = 50.0
BARE = "bare/index.html"
_BARE_SCRIPT = """
const { door, runtime } = await (await fetch("FOLDER/labs.json")).json();
const folder = new URL("FOLDER/", location.href).href;
const indexURL = new URL(runtime.folder, folder).href;
globalThis.start = async () => {
  const began = performance.now();
  const lock = await (await fetch(`${folder}pyodide-lock.json`)).json();
  for (const entry of Object.values(lock.packages)) entry.file_name = new URL(entry.file_name, indexURL).href;
  const { loadPyodide } = await import(`${indexURL}pyodide.mjs`);
  const python = await loadPyodide({ indexURL, lockFileContents: JSON.stringify(lock), packageBaseUrl: indexURL });
  await python.loadPackage("numpy", { messageCallback: () => {} });
  python.pyimport("numpy");
  return performance.now() - began;
};
document.documentElement.dataset.ready = "";
"""
_FIRST = """() => new Promise((resolve, reject) => {
  const began = performance.now();
  document.querySelector(".rl-lab").addEventListener("lab:settled", ({ detail }) =>
    detail.state === "fulfilled" ? resolve(performance.now() - began) : reject(detail.why), { once: true });
  document.querySelector(".rl-live button[type=submit]").click();
})"""
_REDRAW = """async (count) => {
  const article = document.querySelector(".rl-lab");
  const result = article.querySelector(".rl-lab__result");
  const slider = article.querySelector(".rl-live input[type=range]");
  const [low, high] = [Number(slider.min), Number(slider.max)];
  const whole = slider.previousElementSibling.inputMode === "numeric";
  let last = 0;
  const observer = new MutationObserver(() => (last = performance.now()));
  observer.observe(result, { subtree: true, childList: true, attributes: true });
  const times = [];
  for (let at = 0; at < count; at += 1) {
    const value = low + ((high - low) * ((at * 7) % count)) / count;
    const settled = new Promise((resolve) => article.addEventListener("lab:settled", resolve, { once: true }));
    slider.value = whole ? Math.round(value) : value;
    const began = performance.now();
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await settled;
    // what is drawn after the numbers, and the frame that shows it
    await new Promise((resolve) => setTimeout(resolve, 80));
    times.push(last - began);
  }
  observer.disconnect();
  return times;
}"""
"""Move the first slider through its range; for each place, the time until the result changed for the last time."""


def add_bare_page(site: Path) -> None:
    """A page without anything but the runtime, beside the site's own."""
    folder = next((site / "assets" / "labs").iterdir())
    (site / BARE).parent.mkdir()
    (site / BARE).write_text('<!doctype html><title>bare</title><script type="module" src="bare.js"></script>')
    script = _BARE_SCRIPT.replace("FOLDER", f"../assets/labs/{folder.name}")
    (site / BARE).with_name("bare.js").write_text(script)


def bare(context: BrowserContext, address: str) -> float:
    """Milliseconds from the call until NumPy is there."""
    page = context.new_page()
    page.goto(f"{address}{BARE}")
    page.wait_for_selector("html[data-ready]")
    taken = float(page.evaluate("start()"))
    page.close()
    return taken


def lab(context: BrowserContext, address: str, id_: str = "A") -> tuple[float, Page]:
    """Milliseconds from the reader's first action to the first live result."""
    page = context.new_page()
    page.goto(f"{address}labs/{id_}/")
    page.wait_for_selector(".rl-lab[data-ready]")
    return float(page.evaluate(_FIRST)), page


def first_results(browser: Browser, address: str) -> dict[str, list[float]]:
    """Cold, each in a fresh profile, and warm, again in the same one; in turns, so that both see the same load."""
    taken: dict[str, list[float]] = {"bare": [], "lab": [], "bare again": [], "lab again": []}
    for _ in range(PAIRS):
        for name, measure in (("bare", bare), ("lab", lambda *where: lab(*where)[0])):
            context = browser.new_context()
            taken[name].append(measure(context, address))
            context.close()
        context = browser.new_context()
        page = lab(context, address)[1]
        page.wait_for_timeout(2000)
        taken["lab again"].append(lab(context, address)[0])
        context.close()
        context = browser.new_context()
        bare(context, address)
        taken["bare again"].append(bare(context, address))
        context.close()
    return taken


def redraws(browser: Browser, address: str) -> dict[str, float]:
    """By lab, the 95th percentile in milliseconds."""
    found = {}
    context = browser.new_context()
    for id_ in LABS:
        _, page = lab(context, address, id_)
        page.evaluate(_REDRAW, 5)
        found[id_] = statistics.quantiles(page.evaluate(_REDRAW, INPUTS), n=20)[-1]
        page.close()
    context.close()
    return found


def report(taken: dict[str, list[float]], drawn: dict[str, float]) -> list[str]:
    """Print what was measured, and name what was missed."""
    missed = []
    middle = {name: statistics.median(times) for name, times in taken.items()}
    for cold, limit in (("", COLD_AT_MOST), (" again", None)):
        ratio = middle[f"lab{cold}"] / middle[f"bare{cold}"]
        first, other = middle[f"lab{cold}"], middle[f"bare{cold}"]
        name, words = ("cold", f"at most {COLD_AT_MOST}") if limit else ("warm", f"aim {WARM_AIM}")
        sys.stdout.write(f"{name}: lab {first:.0f} ms, bare page {other:.0f} ms: {ratio:.2f}, {words}\n")
        if limit and ratio > limit:
            missed.append(f"{name} start")
    for id_, milliseconds in drawn.items():
        sys.stdout.write(f"{id_}: input to redraw {milliseconds:.0f} ms at p95, at most {REDRAW_AT_MOST_MS:.0f}\n")
        if milliseconds > REDRAW_AT_MOST_MS:
            missed.append(f"redraw of {id_}")
    return missed


def main() -> int:
    """Build, measure, report; 1 where a limit is missed."""
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        subprocess.run(
            [sys.executable, "-m", "site_build", "build", "--out", str(site)], check=True, stdout=subprocess.DEVNULL
        )
        add_bare_page(site)
        with open_site(site) as (browser, address):
            taken = first_results(browser, address)
            drawn = redraws(browser, address)
    missed = report(taken, drawn)
    sys.stdout.write(json.dumps({"missed": missed}) + "\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
