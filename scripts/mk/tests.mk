# SPDX-License-Identifier: BSD-2-Clause
#
# Builds and runs test programs and harnesses for each variant in machines.mk.

# Each tests/unit/test_NAME.c is a program. test_native32 is test_native for RV32. Those whose cases
# name a rule run first, so that the first failure of a changed rule names it.
tests.rules := $(addprefix test_,tables pick restrict harts features names imc_words amu_words sbi_pmu \
	findings)
tests := $(tests.rules) $(filter-out $(tests.rules),\
	$(patsubst tests/unit/%.c,%,$(sort $(wildcard tests/unit/test_*.c)))) test_native32

# Each fuzz/fuzz_NAME.c is a harness; fuzz/corpus/NAME.tar.xz has its inputs.
harnesses := $(patsubst fuzz/fuzz_%.c,%,$(sort $(wildcard fuzz/fuzz_*.c)))
inputs := $(harnesses:%=$(B)/inputs/%)
$(inputs): $(B)/inputs/%: fuzz/corpus/%.tar.xz
	$(Q)rm -rf $@ && mkdir -p $@ && tar -xf $< -C $@ && touch $@

include scripts/mk/machines.mk

# test_steps counts basic blocks through a call that gcc inserts. -O1, so that a step is close to
# what a real program does.
count.flags := -O1 -fsanitize-coverage=trace-pc
count.variants := static unit
$(B)/static/test_steps.o $(B)/unit/test_steps.o: test.flags += $(count.flags)

# test_native includes parts of src/, and replaces the CSR instructions between them.
$(B)/%/test_native.o $(B)/%/test_native32.o: test.flags += -iquote src
$(B)/%/test_native32.o: test.flags += -DXLEN=32

# Rebuild when the compiler or its flags change.
.PHONY: FORCE
flags = $(Q)mkdir -p $(@D) && echo '$(1)' | cmp -s - $@ || echo '$(1)' >$@
$(B)/flags: FORCE
	$(call flags,$(CC) $(CFLAGS))

test.flags = -std=c11 $(WARNINGS) -I. -Itests/support -MMD -MP

# Cross and sanitizer builds spend as long compiling as running. So optimise only the headers and
# models, which are compiled once, and tests that loop.
plain := $(cross) san clang-san msan
loops := test_readme test_vpmu
$(plain:%=$(B)/%/test_%.o) $(plain:%=$(B)/%/fuzz_%.o): test.flags += -O0
$(foreach v,$(plain),$(loops:%=$(B)/$(v)/%.o)): test.flags += -O1

# Programs of the README, doc/firmware.md and doc/kernel.md, extracted unchanged.
$(B)/readme.h: README.md
$(B)/firmware.h: doc/firmware.md
$(B)/kernel.h $(B)/kernel-sbi.h: doc/kernel.md
$(B)/firmware.h: and_from := You already have libfdt
$(B)/kernel.h: heading := Without firmware
$(B)/readme.h $(B)/firmware.h $(B)/kernel.h $(B)/kernel-sbi.h: scripts/snippets.sh
	$(Q)mkdir -p $(@D) && scripts/snippets.sh $(filter %.md,$^) '## $(or $(heading),The program)' >$@ \
		$(if $(and_from),&& scripts/snippets.sh $(filter %.md,$^) '## $(and_from)' >>$@) || { rm -f $@; false; }

# The one copy of the functions in a program that is built with PMUMAP_EXTERN.
$(B)/implementation.c: | $(B)/ready
	$(Q){ echo '#define PMUMAP_IMPLEMENTATION' && \
		printf '#include "%s.h"\n' $(sort $(products)); } >$@

define variant
$(1).cc ?= $$(CC)
$(1).tests := $(filter-out $(if $(filter $(1),$(count.variants)),,%/test_steps),$(tests:%=$(B)/$(1)/%))
$(1).models := $(addprefix $(B)/$(1)/,model.o imc_model.o amu_model.o sbi_model.o)
$(1).harnesses := $(harnesses:%=$(B)/$(1)/fuzz_%)
$(1).objs := $(addprefix $(B)/$(1)/,$($(1).extra) $(if $($(1).source),$(libfdt:%=fdt/%.o)))
$(1).libs := $(if $($(1).source),,-lfdt)
$(1).include := $(if $($(1).source),-isystem $(B)/libfdt-src)
$(1).compile = $$(Q)$$($(1).cc) $$($(1).flags) $$($(1).include) -c $$< -o $$@

$(B)/$(1)/flags: FORCE
	$$(call flags,$$($(1).cc) $$($(1).flags))
$(B)/$(1)/fdt/%.o: $(B)/libfdt-src/%.c $(B)/$(1)/flags
	@mkdir -p $$(@D)
	$$($(1).compile)
$(B)/$(1)/%.o: tests/unit/%.c $(B)/$(1)/flags $(if $($(1).source),$(B)/libfdt-src/libfdt.h) | $(B)/ready
	$$($(1).compile) $$(test.flags)
$(B)/$(1)/test_native32.o: tests/unit/test_native.c $(B)/$(1)/flags $(if $($(1).source),$(B)/libfdt-src/libfdt.h) | $(B)/ready
	$$($(1).compile) $$(test.flags)
$(B)/$(1)/test_readme.o: $(B)/readme.h $(B)/firmware.h
$(B)/$(1)/%.o: tests/support/%.c $(B)/$(1)/flags $(if $($(1).source),$(B)/libfdt-src/libfdt.h) | $(B)/ready
	$$($(1).compile) $$(test.flags)
$(B)/$(1)/implementation.o: $(B)/implementation.c $(B)/$(1)/flags
	$$($(1).compile) $$(test.flags)
$(B)/$(1)/%.o: fuzz/%.c $(B)/$(1)/flags $(if $($(1).source),$(B)/libfdt-src/libfdt.h) | $(B)/ready
	$$($(1).compile) $$(test.flags)
$$($(1).harnesses): $(B)/$(1)/main.o
$$($(1).tests) $$($(1).harnesses): %: %.o $$($(1).models) $$($(1).objs)
	$$(Q)$$($(1).cc) $$($(1).flags) $$^ $$($(1).libs) -o $$@

.PHONY: $(1) tests-$(1) fuzz-$(1)
$(1):
	@LIMIT=900 scripts/run.sh "$$(MAKE) tests-$(1)" "$$(MAKE) fuzz-$(1)"
tests-$(1): $$(dtbs) $$($(1).tests)
	@scripts/run.sh $$(foreach t,$$($(1).tests),"$$(strip $$($(1).run) $$(t))")
fuzz-$(1): $$(dtbs) $$(inputs) $$($(1).harnesses)
	@scripts/run.sh $$(foreach h,$(harnesses),"$$(strip $$($(1).run) $(B)/$(1)/fuzz_$$(h) \
		$(B)/inputs/$$(h) $$(if $$(filter blob emit,$$(h)),$$(blobs)))")
endef
$(foreach v,$(variants),$(eval $(call variant,$(v))))
.SECONDARY:

# ---- the quick loop for developers

# The user's CFLAGS come last and win.
asked := $(if $(filter command% environment%,$(origin CFLAGS)),$(CFLAGS))

# Compile fast: functions once at -Og, tests at -O0. The models get -O2 because a change of the
# headers does not rebuild them.
unit.flags = -O0 -DPMUMAP_EXTERN $(asked)
unit.extra := implementation.o
$(eval $(call variant,unit))
$(B)/unit/implementation.o: unit.flags = -Og -DPMUMAP_EXTERN $(asked)
$(unit.models): unit.flags = -O2 -DPMUMAP_EXTERN $(asked)

# One job per core, unless the user has set -j.
at_once = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(cores))

# A separate make after "headers", so that it sees which headers have changed.
.PHONY: quick test tests built-unit
built-unit: $(dtbs) $(BUILT)
	@:

quick: headers ## change: run all unit tests with fewer random cases; compiles fast
	+@$(MAKE) $(at_once) built-unit BUILT='$(unit.tests)'
	@JOBS=$(cores) scripts/run.sh $(unit.tests)

test: ## change: run one of them, e.g. tests/unit/test_pick.c: make test T=pick; without T, all
ifeq ($(T),)
test: quick
else ifneq ($(filter test_$(T),$(tests)),)
test: headers
	+@$(MAKE) $(at_once) built-unit BUILT=$(B)/unit/test_$(T)
	@scripts/run.sh $(B)/unit/test_$(T)
else
test:
	@echo "there is no test T=$(T), but: $(tests:test_%=%)" && false
endif

tests: tests-extern ## change: run all unit tests with all of their cases
-include $(wildcard $(B)/*/*.d)

# ---- coverage of the headers by the tests

# PMUMAP_EXTERN puts all functions in one object, so each function counts once and only that object
# pays for instrumentation. __OPTIMIZE_SIZE__: PMUMAP_INLINE_ makes no copies, whose constant
# arguments leave branches that cannot be taken.
coverage-gcc.flags := -O0 -g -DPMUMAP_EXTERN
coverage-gcc.counted := --coverage -fprofile-abs-path -D__OPTIMIZE_SIZE__
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
coverage: $(dtbs) $(B)/implementation.c $(foreach v,$(coverages),$($(v).tests)) ## trust: measure how much of the headers the tests cover
	@tests/check/coverage.sh gcc mcdc
