# Kvote. `make up` runs it, `make test` tests it; the README says more.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help pictures install up down check test test-full soak lock
# Without compiling ahead: Python compiles what it imports, which is a fraction, and the first start comes sooner.
# Where it may not keep what it compiled, every start would compile again: then all is compiled here.
AHEAD := $(PYTHONDONTWRITEBYTECODE)
PIP := .venv/bin/python -m pip install -qq $(if $(AHEAD),,--no-compile) --disable-pip-version-check --root-user-action ignore --require-hashes -r

help: ; @grep -E '^# make' Makefile | cut -c3-

# make install     everything that running needs, into .venv
install: .venv/installed
# make up          start Kvote; ARGS="--port 9000" or ARGS=--dev are passed on
up: .venv/installed ; @.venv/bin/python manage.py up $(ARGS)
# make down        stop it from another terminal
down: .venv/installed ; @.venv/bin/python manage.py down
# make check       format, lint, types, contracts, migrations, schema, lock files
check: .venv/installed-dev ; @.ci/check
# make test        check, then all tests; ARGS="tests/config -k token" picks some
test: check .venv/chromium .venv/clients/installed ; @.ci/test $(ARGS)
# make test-full   the same with the counts that take long
test-full: check .venv/chromium .venv/libreoffice .venv/clients/installed ; @KVOTE_TESTS=full .ci/test $(ARGS)
# make pictures    every page in both themes, languages, three widths into screenshots
pictures: check .venv/chromium ; @KVOTE_TESTS=full .ci/test tests/browser/test_pictures.py
# make soak        starts, kills and recovers for a long time
soak: .venv/installed-dev ; @KVOTE_TESTS=soak .ci/test $(ARGS)
# make lock        pin all packages again
lock: .venv/installed-dev ; @.ci/lock

.venv/installed: requirements.txt ; @.venv/bin/python -c '' 2>/dev/null || { p=$$(.ci/find-python) && "$$p" -m venv --clear .venv; } && $(PIP) requirements.txt && $(if $(AHEAD),.venv/bin/python -m compileall -q catalog config quotes sizing manage.py &&) touch $@
.venv/installed-dev: requirements-dev.txt .venv/installed ; @$(PIP) requirements-dev.txt && touch $@
.venv/chromium: .venv/installed-dev ; @.ci/find-chromium && touch $@
.venv/libreoffice: .venv/installed-dev ; @.ci/find-libreoffice && touch $@
.venv/clients/installed: docs/examples/package-lock.json .venv/installed-dev ; -@.ci/clients && touch $@
