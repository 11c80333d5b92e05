# Everything a fresh machine needs comes from here: Python 3.11 or newer, make, and the package registry.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
OLDEST := $(VENV)-oldest

.PHONY: demo test test-oldest lint benchmark clean

demo: $(VENV)/installed
	@sh samples/demo.sh "$(BIN)/remi-ref"

test: lint
	$(BIN)/python -m pytest -n auto

# The photos once more, with the oldest OpenCV that is allowed: $(VENV) has the newest.
test-oldest: $(OLDEST)/installed
	$(OLDEST)/bin/python -m pytest -n auto $(addprefix tests/test_,nets.py photo_files.py profile.py scan.py views.py)

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

$(OLDEST)/installed: pyproject.toml
	$(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python -m pip install --quiet --editable . "opencv-python==4.10.*" hypothesis pillow pytest pytest-xdist
	@touch $@

clean:
	rm -rf $(VENV) $(OLDEST) build dist .mypy_cache .ruff_cache .pytest_cache
