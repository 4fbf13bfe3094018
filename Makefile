# Two commands matter: `make site` builds the site into site/, `make test` proves it. Both do their own set-up.
SHELL := /bin/bash
BIN := .venv/bin
READY := .venv/.ready
BROWSER := .venv/.browser
ENGINES := .cache/engines/.ready
MUTATION := .cache/mutation/.ready
FUZZING := .cache/fuzzing/.ready
export PYTHONDONTWRITEBYTECODE := 1

.PHONY: site serve quick test soak bench gpu evidence sheet lint clean

# without the runtime the site is complete all the same, with the labs as the build computed them
site: $(READY)
	-$(BIN)/k3 runtime fetch
	$(BIN)/k3 build

serve: $(READY)
	$(BIN)/k3 serve

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/codespell content ledger README.md site_build/messages

quick: lint $(MUTATION)
	$(BIN)/k3 check
	$(BIN)/k3 fmt --check
	$(BIN)/pytest tests/unit -q -n 2 -m "not slow"

# what git knows of the project's files, as one number
STATE = { git status --porcelain; git diff HEAD; } 2>/dev/null | sha256sum

# the last line proves that a test run changes no file that is kept
test: lint $(BROWSER) $(MUTATION)
	@mkdir -p .cache && $(STATE) > .cache/state-before-tests
	$(BIN)/k3 runtime fetch
	$(BIN)/k3 check
	$(BIN)/k3 fmt --check
	$(BIN)/pytest tests/unit tests/browser tests/gpu/compiled -n 2
	NUMBA_ENABLE_CUDASIM=1 $(BIN)/pytest tests/gpu/simulated -m "not large" -n 2
	@$(STATE) | cmp -s - .cache/state-before-tests || { echo "make test: expected no change of a kept file, got:"; git status --short; exit 1; }

bench: $(READY)
	@failed=0; for file in tests/bench/bench_*.py; do echo "== $$file"; $(BIN)/python "$$file" || failed=1; done; exit $$failed

evidence: $(BROWSER)
	$(BIN)/k3 runtime fetch
	$(BIN)/k3 build
	$(BIN)/k3 parity --run
	$(BIN)/k3 coverage --run
	$(BIN)/k3 regress --evidence
	$(BIN)/python tests/numerics_evidence.py
	PYTHONPATH=tests NUMBA_ENABLE_CUDASIM=1 $(BIN)/python -m gpu.record simulated
	PYTHONPATH=tests $(BIN)/python -m gpu.record compiled

# every case on a CUDA device; without one it says so and ends with an error
gpu: $(READY)
	PYTHONPATH=tests NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS=0 $(BIN)/python -m gpu.record hardware

# counted long runs: broken sites and sound ones under k3 regress, hostile texts, fuzzing, kills, large ledgers, mutants,
# Firefox beside Chromium; their figures are those of this run alone, and the one that reads a clock has the machine for itself
soak: $(BROWSER) $(ENGINES) $(MUTATION) $(FUZZING)
	$(BIN)/k3 runtime fetch
	rm -f evidence/soak.json
	@failed=0; $(BIN)/pytest tests/soak -n 2 --ignore tests/soak/test_size.py || failed=1; \
	$(BIN)/pytest tests/soak/test_size.py || failed=1; exit $$failed

# pictures of every kind of page on one sheet
sheet: $(BROWSER)
	$(BIN)/k3 build
	$(BIN)/python tests/sheet.py site docs/contact-sheet.jpg

clean:
	rm -rf .venv site .cache

$(READY): requirements.txt pyproject.toml k3core/pyproject.toml setup.sh
	bash setup.sh python

$(BROWSER): $(READY) setup.sh
	bash setup.sh browser

$(ENGINES): tests/soak/engines/package-lock.json setup.sh
	bash setup.sh engines

$(MUTATION): $(READY) tests/drawn_mutants/requirements.txt setup.sh
	bash setup.sh mutation

$(FUZZING): $(READY) tests/soak/fuzzing/requirements.txt setup.sh
	bash setup.sh fuzzing
