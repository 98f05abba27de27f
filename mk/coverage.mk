# SPDX-License-Identifier: BSD-2-Clause
#
# What measures the tests themselves.

# With PMUMAP_EXTERN there is one object of all functions, so that each of them is counted once; and
# nothing else is counted, nor slow.
coverage-gcc.flags := -O0 -g -DPMUMAP_EXTERN
coverage-gcc.counted := --coverage -fprofile-abs-path
coverage-mcdc.cc := clang-19
coverage-mcdc.flags := -O0 -g -DPMUMAP_EXTERN
# What clang counts is the source, which is the same where it is optimised.
coverage-mcdc.counted := -O2 -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc
coverages := coverage-gcc $(if $(shell command -v clang-19),coverage-mcdc)
$(foreach v,$(coverages),$(eval $(v).extra := implementation.o)$(eval $(call variant,$(v))))
$(foreach v,$(coverages),$(eval $(v).libs += $($(v).counted)))
$(foreach v,$(coverages),$(eval $(B)/$(v)/implementation.o: test.flags += $($(v).counted)))
$(foreach v,$(coverages),$($(v).models)): test.flags += -O2

.PHONY: coverage
coverage: $(dtbs) $(foreach v,$(coverages),$($(v).tests)) ## trust: what the tests reach of the headers
	@tests/check/coverage.sh gcc mcdc
