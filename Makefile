# SPDX-License-Identifier: BSD-2-Clause
#
# The makefiles are in mk/. `make` lists the targets with "## GROUP: text"; `make help` lists those
# with "##- GROUP: text" too.

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
include mk/headers.mk
include mk/packages.mk
include mk/fixtures.mk
include mk/tests.mk
include mk/checks.mk
include mk/tool.mk
include mk/page.mk
include mk/dist.mk
include mk/bare.mk
include mk/qemu.mk
include mk/conformance.mk
include mk/coverage.mk
include mk/fuzz.mk
include mk/mutants.mk
include mk/prove.mk
include mk/bench.mk
include mk/ci.mk

.PHONY: clean
clean: ## change: remove build/
	rm -rf $(B)
