"""Give a target the inputs that lead to new places in its code: `python run_target.py NAME CORPUS -runs=COUNT`.

libFuzzer ends the process, at the first fault or when enough has been read; its last lines say how it went.
"""

import sys

import atheris

READERS = ("bibtexparser", "pybtex", "pylatexenc", "markdown_it")
"""Libraries that read for the product: new places in them count as its own."""

# some come in only when there is something to read
with atheris.instrument_imports(include=["site_build", "k3core", *READERS]):
    from fuzz_bytes import FORMS
    from fuzz_targets import TARGETS

    name = sys.argv.pop(1)
    read, form = TARGETS[name].read, FORMS[name]
    atheris.Setup(sys.argv, lambda content: read(form.read(content)))
    atheris.Fuzz()
