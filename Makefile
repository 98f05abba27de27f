# SPDX-License-Identifier: BSD-2-Clause
#
# The makefiles lie in mk/. A line that ends in "## GROUP: text" is listed by make alone, one that
# ends in "##- GROUP: text" by make help.

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

# How many steps run at once.
cores := $(shell nproc)

.PHONY: targets help
targets:
	@scripts/targets.sh $(MAKEFILE_LIST)

help: ##- use: this list, with all targets
	@scripts/targets.sh --all $(MAKEFILE_LIST)

# What others are made of comes first.
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
clean: ## change: remove all that was built
	rm -rf $(B)
