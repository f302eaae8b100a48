# Everything a person or CI needs, from a plain `python3` (3.11 or newer, with its venv module) and make.
# A target sets up what it needs: the versions in requirements/*.txt, checked by their hashes, in .venv.

PYTHON ?= python3
BIN := .venv/bin
NAME ?= engine
ARGS ?=

# Into .venv and nowhere else, whatever the user has set for other projects.
export PIP_USER := 0
unexport PIP_TARGET PIP_PREFIX

.DEFAULT_GOAL := help
.PHONY: help play test quick check soak bench shots lock clean

help:  ## show what there is
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | column -t -s'|' 2>/dev/null || \
	 sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1   \2/p' $(MAKEFILE_LIST)

play: .venv/play.stamp  ## set up and start Kupa; then open the address that it prints
	$(BIN)/kupa serve $(ARGS)

test: .venv/test.stamp  ## set up, then run lint, types and the whole daily suite, a real browser included
	$(BIN)/python tools/browser.py
	$(MAKE) --no-print-directory check
	$(BIN)/python -m pytest -n auto --dist worksteal $(ARGS)

quick: .venv/test.stamp  ## what to run all day: lint, types, and every test that needs no browser
	$(MAKE) --no-print-directory check
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not browser" $(ARGS)

check: .venv/test.stamp  ## lint, format and strict types only
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

soak: .venv/test.stamp  ## the long checks (KUPA_SOAK=ci runs a tenth of them)
	KUPA_SOAK=$${KUPA_SOAK:-full} $(BIN)/python -m pytest -n auto --dist worksteal -m soak $(ARGS)

bench: .venv/test.stamp  ## measure against a named peer: make bench NAME=engine
	$(BIN)/python benchmarks/$(NAME).py $(ARGS)

shots: .venv/test.stamp  ## pictures of every screen into shots/ (ARGS="pass moon --sizes 390")
	$(BIN)/python -m tests.screens.shots $(ARGS)

lock: .venv/lock.stamp  ## pin the newest versions again, with hashes and without addresses
	$(BIN)/python tools/lock.py

clean:  ## remove what was set up and built
	rm -rf .venv build dist shots .mypy_cache .pytest_cache .ruff_cache .hypothesis .schemathesis

.venv/made.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	 { echo "Kupa needs Python 3.11 or newer; this is $$($(PYTHON) --version). Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@rm -rf .venv; $(PYTHON) -m venv .venv && touch $@ || \
	 { rm -rf .venv; echo "Python's venv module is missing; on Debian and Ubuntu it is the package python3-venv."; exit 1; }

# Kupa itself is installed last, without looking anything up: every dependency is already there.
.venv/play.stamp: .venv/made.stamp requirements/play.txt pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/play.txt
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

.venv/test.stamp: .venv/made.stamp requirements/test.txt pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/test.txt
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@ .venv/play.stamp

.venv/lock.stamp: .venv/made.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@touch $@
