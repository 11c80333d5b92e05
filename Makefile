# Everything a fresh machine needs comes from here: Python 3.11 or newer, make, and the package registry.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test lint benchmark clean

demo: $(VENV)/installed
	@sh samples/demo.sh "$(BIN)/remi-ref"

test: lint
	$(BIN)/python -m pytest -n auto

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

benchmark: $(VENV)/installed-dev
	$(BIN)/python benchmarks/solver.py

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/installed-dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	@touch $@ $(VENV)/installed

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache
