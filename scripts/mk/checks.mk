# SPDX-License-Identifier: BSD-2-Clause
#
# Checks that need only gcc.

checks := check-headers check-unit check-undef \
	check-tool check-version check-quickstart check-image-doc check-docs

# Parallel steps must not build the same file, so shared files are built first. HERE: what a change
# breaks most often, with one compiler. CI runs the same steps without it.
.PHONY: check $(checks) check-parts check-std check-modes check-embed check-links check-format check-amu check-binding check-rust
check: $(B)/pmumap $(dtbs) ## change: run what a change may break, in two minutes of CPU; needs only gcc
	+@HERE=1 TABLE=1 JOBS=$(cores) scripts/run.sh $(checks:%="$(MAKE) %")

# Fewer random cases: all of them take minutes. "san" runs all, and the harnesses; check-steps, in
# CI, runs test_steps.
check-unit: ##- change: run unit tests with fewer random cases
	@PMUMAP_QUICK=1 $(MAKE) tests-unit unit.tests="$(filter-out %/test_steps,$(unit.tests))"

# Builds the tests again with inline functions, because most programs use the headers that way.
check-inline: ##- trust: run the tests with inline functions and fewer random cases
	@PMUMAP_QUICK=1 $(MAKE) tests-static

# ON: compilers to check with, named as in tests/check/lib.sh
check-modes: ##- change: include and link the headers in valid and invalid ways
	@tests/check/modes.sh

check-undef: ##- change: check that no object needs an external symbol, at any optimisation level
	@tests/check/compile.sh undef $(or $(ON),$(CC))

check-std: ##- change: compile without warnings as C99 to C2x and C++11 to C++20
	@tests/check/compile.sh std $(or $(ON),$(CC) $(CXX))

check-embed: ##- change: compile next to firmware's own type headers
	@tests/check/compile.sh embed $(or $(ON),$(CC))

check-tool: $(B)/pmumap $(dtbs) ##- change: run the command line tool and compare its output
	@tests/check/tool.sh

.PHONY: check-runner
check-runner: ##- change: check the counts and failures of scripts/run.sh
	@tests/check/runner.sh

check-version: ##- change: check that macros, manual and CHANGELOG.md have the same version
	@tests/check/version.sh

check-image-doc: $(B)/pmumap ##- change: compare doc/image.md with the fields and offsets of the headers
	@tests/check/image_doc.sh

check-docs: $(B)/pmumap $(dtbs) ## change: check output, links and function names in README.md and doc/
	@tests/check/docs.sh

check-links: ##- trust: compare web pages with tests/links.txt; needs the web, so not in CI
	@tests/check/links.sh

# Write to a temporary file first: a failed run must not truncate a page.
.PHONY: docs
docs: $(B)/pmumap $(dtbs) ## change: regenerate output, figures and lists in README.md and doc/
	$(Q)scripts/pages/picture.sh >doc/sg2044.svg
	$(Q)for page in README.md doc/*.md hosts/README.md examples/server.md; do \
		scripts/page.sh $$page >$(B)/page.md && cat $(B)/page.md >$$page || exit; done

check-format: ##- change: check that clang-format would change no C file
	@tests/check/format.sh

check-amu: ##- trust: check encodings of AMU system registers, and accesses on a model of a CPU
	@tests/check/amu_registers.sh

check-binding: $(dtbs) ##- trust: validate written nodes with dt-validate
	@tests/check/dt_validate.sh

check-rust: $(B)/pmumap ##- trust: test the crate on this machine and in QEMU; needs cargo and the crate cc
	@tests/check/rust.sh

check-quickstart: ##- change: compile and run the manual's quick start
	@tests/check/quickstart.sh

# Variants from machines.mk.
extern: ##- change: run all unit tests, and the harnesses on their corpora
static: ##- change: the same with inline functions
san: ## trust: run tests and harnesses under ASan and UBSan
