#!/usr/bin/env bash
# Sets up what the Makefile needs: `python` makes .venv with the pinned packages, `browser` finds or installs Chromium, a CJK font and skopeo,
# `engines` Firefox and what drives it and `fuzzing` the coverage-guided fuzzer, for the long runs, `mutation` what makes mutants, beside .venv.
set -euo pipefail
cd "$(dirname "$0")"

say() { printf 'setup: %s\n' "$*" >&2; }

# .python-version is a wish: an absent version can fall through to an older one, so look at the version that answers.
find_python() {
  local candidate
  for candidate in python3 python3.14 python3.13 python3.12 python; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 12))' >/dev/null 2>&1; then
      "$candidate" -c 'import sys; print(sys.executable)'
      return
    fi
  done
  say "no Python >= 3.12 with venv found (python3 is $(python3 --version 2>&1 || true)). Install one and run make again."
  return 1
}

setup_python() {
  local python
  python=$(find_python)
  say "Python $("$python" -c 'import platform; print(platform.python_version())')"
  rm -f .venv/.ready
  "$python" -m venv --clear .venv
  # the file names every package there is to install, so nothing is left to resolve
  .venv/bin/python -m pip install --quiet --no-deps --require-hashes -r requirements.txt
  .venv/bin/python -m pip install --quiet --no-deps --no-build-isolation -e ./k3core -e .
  touch .venv/.ready
}

find_browser() { command -v chromium || command -v chromium-browser || command -v google-chrome; }

has_cjk_font() { command -v fc-list >/dev/null && [ -n "$(fc-list :lang=zh 2>/dev/null | head -n 1)" ]; }

setup_browser() {
  if ! find_browser >/dev/null || ! has_cjk_font || ! command -v skopeo >/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
      say "installing Chromium, a Chinese font and skopeo with apt"
      apt-get update -qq
      DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fontconfig fonts-wqy-microhei skopeo >/dev/null
    else
      say "The tests need Chromium, a Chinese font and skopeo; install chromium, fonts-wqy-microhei and skopeo."
      return 1
    fi
  fi
  find_browser > .venv/.browser
}

setup_engines() {
  if ! command -v npm >/dev/null; then
    say "The runs in Firefox need Node 20 or newer with npm, whose package drives it. Install Node and run make soak again."
    return 1
  fi
  if ! command -v firefox-esr >/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
      say "installing Firefox with apt"
      apt-get update -qq
      DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends firefox-esr >/dev/null
    else
      say "The runs in Firefox need firefox-esr; install it."
      return 1
    fi
  fi
  mkdir -p .cache/engines
  cp tests/soak/engines/package.json tests/soak/engines/package-lock.json .cache/engines/
  npm ci --prefix .cache/engines --ignore-scripts --no-audit --no-fund --silent
  touch .cache/engines/.ready
}

setup_mutation() {
  rm -rf .cache/mutation
  mkdir -p .cache/mutation
  .venv/bin/python -m pip install --quiet --no-deps --require-hashes --target .cache/mutation -r tests/drawn_mutants/requirements.txt
  touch .cache/mutation/.ready
}

setup_fuzzing() {
  rm -rf .cache/fuzzing
  if ! .venv/bin/python -m pip install --quiet --no-deps --require-hashes --only-binary :all: \
    --target .cache/fuzzing -r tests/soak/fuzzing/requirements.txt; then
    say "The coverage-guided fuzzing needs Python 3.12 to 3.14 on Linux x86_64; elsewhere leave tests/soak/test_guided_fuzzing.py out."
    return 1
  fi
  touch .cache/fuzzing/.ready
}

case "${1:-}" in
  python) setup_python ;;
  browser) setup_browser ;;
  engines) setup_engines ;;
  mutation) setup_mutation ;;
  fuzzing) setup_fuzzing ;;
  *) say "usage: setup.sh python|browser|engines|mutation|fuzzing"; exit 2 ;;
esac
