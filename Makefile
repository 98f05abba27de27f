# SPDX-License-Identifier: BSD-2-Clause
#
# The makefiles are in scripts/mk/. `make` lists the targets with "## GROUP: text"; `make help` lists
# those with "##- GROUP: text" too.

ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(origin CXX),default)
CXX := g++
endif
export CC CXX
# For a debugger: CFLAGS="-O0 -g"
CFLAGS ?= -O2

B := build
Q := $(if $(V),,@)
MAKEFLAGS += --no-print-directory
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Werror

# Default number of parallel jobs.
cores := $(shell nproc)

.PHONY: targets help
targets:
	@scripts/targets.sh $(MAKEFILE_LIST)

help: ##- use: list all targets
	@scripts/targets.sh --all $(MAKEFILE_LIST)

# Order matters: a makefile uses variables of those above it.
include scripts/mk/headers.mk
include scripts/mk/packages.mk
include scripts/mk/fixtures.mk
include scripts/mk/tests.mk
include scripts/mk/checks.mk
include scripts/mk/tool.mk
include scripts/mk/page.mk
include scripts/mk/bare.mk
include scripts/mk/qemu.mk
include scripts/mk/fuzz.mk
include scripts/mk/mutants.mk
include scripts/mk/prove.mk
include scripts/mk/bench.mk
include scripts/mk/ci.mk

.PHONY: clean
clean: ## change: remove build/
	rm -rf $(B)
