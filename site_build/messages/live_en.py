"""Words of labs that run in the page, in English."""

LIVE_EN = {
    "lead": (
        "Change an input and your browser computes the result here, with the same code as the build. The first run "
        "loads {size} MB from this site and then takes a few seconds to start."
    ),
    "missing_runtime": (
        "This build was made without the runtime, so the lab shows the results that the build computed and cannot run."
    ),
    "title": "Your inputs",
    "run": "Run",
    "stop": "Stop",
    "reset": "Reset",
    "copy_link": "Copy link",
    "copy_text": "Copy as text",
    "save": "Download JSON",
    "save_csv": "Download CSV",
    "keep": "Keep to compare",
    "kept": "Kept to compare",
    "drop": "Remove",
    "was_kept": "Kept. Change an input, and the new result stands beside this one.",
    "back": "Back",
    "play": "Play",
    "pause": "Pause",
    "next": "Next step",
    "all_steps": "All steps",
    "done": "Result for your inputs, computed in this page",
    "loading": "Loading the runtime: {done} of {all} MB.",
    "starting": "Starting Python.",
    "packages": "Loading the numerics.",
    "running": "Computing.",
    "ready": "Done. The result shown is for your inputs.",
    "was_reset": "Back to the defaults and the result of the build.",
    "stopped": "Stopped. The result shown is the last one that was finished.",
    "limit": "Stopped after {seconds} seconds. The result shown is the last one that was finished.",
    "failed": "The lab could not run ({why}). The result shown is the last one that was finished.",
    "insecure": (
        "At this address the browser cannot verify the files (it needs HTTPS), so the lab stays as the build left it."
    ),
    "not_drawn": "The picture could not be drawn ({why}); the tables below hold the numbers.",
    "refused_file": "{file} is not the file of this build and was refused",
    "missing_file": "{file} could not be had",
    "refused_input": "{name}: expected {expected}, got {got}.",
    "clamped": "{name}: {got} lies outside {low} … {high}; {used} is used.",
    "unreadable": "{name}: {got} cannot be read; {used} is used.",
    "bad_address": "The address holds inputs that cannot be read; the defaults are used.",
    "from_address": "The inputs come from the address. Run computes them.",
    "static_default": "Result for the defaults, computed by the build",
    "older": "Result for earlier inputs, computed in this page",
    "copied": "Copied.",
    "not_copied": "The browser does not let this page copy; the text is in the box.",
    "cite_inputs": "Inputs",
    "cite_outputs": "Outputs",
    "cite_boundary": "Boundary",
    "cite_exact": "What is exact",
    "cite_computed": (
        "Computed by {name} {version} (wheel {hash}) on Pyodide {runtime} in the reader's browser; build {build}."
    ),
}
