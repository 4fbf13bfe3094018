"""Pyodide as the labs of a site start it, for tests that call the numerics without a lab."""

import base64
import json
from typing import Any

from playwright.sync_api import Page

STARTED = """async () => {
  const folder = new URL(document.querySelector(".rl-lab").dataset.folder, location.href);
  const read = async (name) => (await fetch(new URL(name, folder))).json();
  const { runtime, door } = await read("labs.json");
  const lock = await read("pyodide-lock.json");
  for (const entry of Object.values(lock.packages)) {
    const near = entry.file_name.startsWith("numpy") ? runtime.folder : "";
    entry.file_name = new URL(near + entry.file_name, folder).href;
  }
  const indexURL = new URL(runtime.folder, folder).href;
  const { loadPyodide } = await import(`${indexURL}pyodide.mjs`);
  const python = await loadPyodide({ indexURL, lockFileContents: JSON.stringify(lock), packageBaseUrl: folder.href });
  await python.loadPackage(door.package);
  return python;
}"""
"""On a lab's page: the interpreter, with the numerics loaded."""
_VECTORS = f"""async ([packed, made]) => {{
  const python = await ({STARTED})();
  const bytes = Uint8Array.from(atob(packed), (one) => one.charCodeAt(0));
  python.unpackArchive(bytes, "zip", {{ extractDir: "/run" }});
  const path = python.pyimport("sys").path;
  path.append("/run/packages");
  path.append("/run/tests");
  return python.pyimport("vector_run").run_vectors(made);
}}"""


def run_there(page: Page, archive: bytes, made: list[list[float]]) -> dict[str, Any]:
    """Run the tests that ask for vectors in Pyodide, on an open page of a lab, from the inputs made here."""
    given = [base64.b64encode(archive).decode(), json.dumps(made)]
    found: dict[str, Any] = json.loads(page.evaluate(_VECTORS, given))
    return found
