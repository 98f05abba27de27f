# SPDX-License-Identifier: BSD-2-Clause
#
# Coverage of the headers by the tests.

# PMUMAP_EXTERN puts all functions in one object, so each function counts once and only that object
# pays for instrumentation.
coverage-gcc.flags := -O0 -g -DPMUMAP_EXTERN
coverage-gcc.counted := --coverage -fprofile-abs-path
coverage-mcdc.cc := clang-19
coverage-mcdc.flags := -O0 -g -DPMUMAP_EXTERN
# clang counts in the source, so optimisation does not change the counts.
coverage-mcdc.counted := -O2 -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc
coverages := coverage-gcc $(if $(shell command -v clang-19),coverage-mcdc)
$(foreach v,$(coverages),$(eval $(v).extra := implementation.o)$(eval $(call variant,$(v))))
$(foreach v,$(coverages),$(eval $(v).libs += $($(v).counted)))
$(foreach v,$(coverages),$(eval $(B)/$(v)/implementation.o: test.flags += $($(v).counted)))
$(foreach v,$(coverages),$($(v).models)): test.flags += -O2

.PHONY: coverage
coverage: $(dtbs) $(foreach v,$(coverages),$($(v).tests)) ## trust: measure how much of the headers the tests cover
	@tests/check/coverage.sh gcc mcdc
