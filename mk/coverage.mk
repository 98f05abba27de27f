# SPDX-License-Identifier: BSD-2-Clause
#
# What measures the tests themselves.

# With PMUMAP_EXTERN there is one object of all functions, so that each of them is counted once.
coverage-gcc.flags := -O0 -g --coverage -fprofile-abs-path -DPMUMAP_EXTERN
coverage-gcc.extra := implementation.o
coverage-mcdc.cc := clang-19
coverage-mcdc.flags := -O0 -g -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc \
	-DPMUMAP_EXTERN
coverage-mcdc.extra := implementation.o
coverages := coverage-gcc $(if $(shell command -v clang-19),coverage-mcdc)
$(foreach v,$(coverages),$(eval $(call variant,$(v))))

.PHONY: coverage
coverage: $(dtbs) $(foreach v,$(coverages),$($(v).tests)) ## trust: what the tests reach of the headers
	@tests/check/coverage.sh gcc mcdc
