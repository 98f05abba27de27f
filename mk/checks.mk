# SPDX-License-Identifier: BSD-2-Clause
#
# What gcc alone can check.

checks := check-headers check-parts check-unit check-modes check-undef check-std \
	check-embed check-tool check-version check-quickstart check-image-doc check-docs

# Steps that run at once must not build the same file: what they share is built before. The other
# levels of optimisation are CI's.
.PHONY: check $(checks) check-links check-format check-amu check-binding
check: $(B)/pmumap $(dtbs) ## change: everything that gcc alone can check; the last line is the total
	+@HERE=1 TABLE=1 LEVELS='-Os -O2' JOBS=$(cores) scripts/run.sh $(checks:%="$(MAKE) %")

# All cases take minutes: "san" has them, and ci.
check-unit: ##- change: unit tests with fewer random cases, and the harnesses on what they have found so far
	@PMUMAP_QUICK=1 $(MAKE) unit

# Built once more, as most programs have the headers.
check-inline: ##- trust: the tests with all functions inline, with fewer random cases
	@PMUMAP_QUICK=1 $(MAKE) tests-static

# ON: the compilers to check with, as tests/check/lib.sh names them
check-modes: ##- change: ways to include and link the headers, good and bad
	@tests/check/modes.sh

check-undef: ##- change: no object needs a symbol from outside, at any level of optimisation
	@tests/check/undef.sh $(or $(ON),$(CC))

check-std: ##- change: C99 to C2x, C++11 to C++20, without a warning
	@tests/check/std.sh $(or $(ON),$(CC) $(CXX))

check-embed: ##- change: beside type headers as firmware has them
	@tests/check/embed.sh $(or $(ON),$(CC))

check-tool: $(B)/pmumap $(dtbs) ##- change: the command line tool, from outside
	@tests/check/tool.sh

checks += check-runner
.PHONY: check-runner
check-runner: ##- change: what scripts/run.sh counts, and when it fails
	@tests/check/runner.sh

check-version: ##- change: one version in macros, manual and CHANGELOG.md
	@tests/check/version.sh

check-image-doc: $(B)/pmumap ##- change: doc/image.md has the fields, offsets and numbers that there are
	@tests/check/image_doc.sh

check-docs: $(B)/pmumap $(dtbs) ## change: README.md and doc/ say what is: output, links, functions
	@tests/check/docs.sh

check-links: ##- trust: the web has what tests/links.txt says; not in CI, for it needs the web
	@tests/check/links.sh

# A page is written only once all of it is there.
.PHONY: docs
docs: $(B)/pmumap $(dtbs) ## change: write output, figures and lists of README.md, doc/ and the manual anew
	$(Q)scripts/pages/picture.sh >doc/sg2044.svg
	$(Q)for page in README.md doc/*.md examples/server.md tool/pmumap.1; do \
		scripts/page.sh $$page >$(B)/page.md && cat $(B)/page.md >$$page || exit; done

check-format: ##- change: every C file is as clang-format leaves it
	@tests/check/format.sh

check-amu: ##- trust: AMU's system registers: their encodings, and each access on a model of a CPU
	@tests/check/amu_registers.sh

check-binding: $(dtbs) ##- trust: dt-validate accepts the nodes that are written
	@tests/check/dt_validate.sh

check-quickstart: ##- change: the quick start of the manual compiles and is right
	@tests/check/quickstart.sh

# The variants.
extern: ##- change: all unit tests, and the harnesses on all that they have found so far
static: ##- change: the same with all functions inline
san: ## trust: tests and harnesses under ASan and UBSan
