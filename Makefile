# SPDX-License-Identifier: BSD-2-Clause
#
# A line that ends in "## text" is listed by make alone.

ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(origin CXX),default)
CXX := g++
endif
export CC CXX
CFLAGS ?= -O2 -g

B := build
Q := $(if $(V),,@)
MAKEFLAGS += --no-print-directory
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Werror

DEPS := libc6-dev g++ libfdt-dev device-tree-compiler liblzma-dev xz-utils
DEPS_CI := clang clang-format clang-tidy cppcheck libclang-rt-dev gcovr \
	clang-19 llvm-19 libclang-rt-19-dev afl++ valgrind qemu-user qemu-system-misc \
	gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf gcc-arm-none-eabi cpio python3 dt-schema \
	mmdebstrap frama-c-base why3 cvc4 z3 \
	gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-arm-linux-gnueabihf libc6-dev-armhf-cross \
	gcc-i686-linux-gnu libc6-dev-i386-cross gcc-powerpc64-linux-gnu libc6-dev-ppc64-cross \
	gcc-riscv64-linux-gnu libc6-dev-riscv64-cross gcc-s390x-linux-gnu libc6-dev-s390x-cross

.PHONY: help
help:
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

.PHONY: deps deps-ci
deps: ## install the Debian packages that demo and check need
	@tests/install.sh $(DEPS)

deps-ci: ## install those that ci needs besides
	@tests/install.sh $(DEPS) $(DEPS_CI) $(DEPS_BENCH)

# "make -j deps check" installs first.
ifneq ($(filter deps,$(MAKECMDGOALS)),)
demo check: deps
endif

# ---- the tool

program = $(Q)$(CC) -std=c11 $(WARNINGS) $(CFLAGS) -I. -MMD -MP -MF $@.d $< $(libs) -lfdt -o $@

.PHONY: tool demo
tool: $(B)/pmumap ## build the command line tool, build/pmumap

demo: $(B)/pmumap ## build the tool and show the map of its sample board
	@$(B)/pmumap show

# It unpacks catalogs where liblzma is installed.
lzma = $(shell $(CC) -E -include lzma.h -x c /dev/null >/dev/null 2>&1 && \
	echo -DPMUMAP_TOOL_LZMA -llzma)
$(B)/pmumap: libs = $(lzma)
$(B)/pmumap: tool/main.c $(B)/flags $(B)/pmumap.libs
	$(program)

# ---- the tests: every tests/test_NAME.c is a program

tests := $(patsubst tests/%.c,%,$(sort $(wildcard tests/test_*.c)))
corpus := ../shared/corpus
dtbs := $(patsubst tests/%.dts,$(B)/%.dtb,$(wildcard tests/boards/*.dts tests/findings/*.dts)) \
	$(patsubst $(corpus)/riscv/%.dts,$(B)/corpus/%.dtb,$(wildcard $(corpus)/riscv/*.dts)) \
	$(patsubst $(corpus)/imc/%.dts,$(B)/corpus-imc/%.dtb,$(wildcard $(corpus)/imc/*.dts)) \
	$(addprefix $(B)/corpus-amu/,$(patsubst %.dts,%.dtb,$(notdir \
		$(wildcard $(corpus)/amu/*.dts $(corpus)/amu/edge/*.dts))))

# Each fuzz/fuzz_NAME.c is a harness; fuzz/corpus/NAME holds its inputs.
harnesses := $(patsubst fuzz/fuzz_%.c,%,$(sort $(wildcard fuzz/fuzz_*.c)))

# Folders of blobs, each of them an input of fuzz_blob and fuzz_emit.
blobs := $(patsubst %/,%,$(sort $(dir $(dtbs)))) $(wildcard $(corpus)/hostile)

dtc = $(Q)mkdir -p $(@D) && dtc -q -I dts -O dtb -o $@ $<
$(B)/%.dtb: tests/%.dts
	$(dtc)
$(B)/corpus/%.dtb: $(corpus)/riscv/%.dts
	$(dtc)
$(B)/corpus-imc/%.dtb: $(corpus)/imc/%.dts
	$(dtc)
$(B)/corpus-amu/%.dtb: $(corpus)/amu/%.dts
	$(dtc)
$(B)/corpus-amu/%.dtb: $(corpus)/amu/edge/%.dts
	$(dtc)

# The libfdt of Debian trixie, from source: for targets that have no package of it.
libfdt := fdt fdt_ro fdt_wip fdt_sw fdt_rw fdt_strerror fdt_empty_tree fdt_addresses fdt_overlay \
	fdt_check
$(B)/libfdt-src/libfdt.h:
	$(Q)tests/fetch.sh source device-tree-compiler $(B)/dtc-src
	$(Q)ln -sfn dtc-src/libfdt $(B)/libfdt-src
$(B)/libfdt-src/%.c: $(B)/libfdt-src/libfdt.h ;

include machines.mk

# Rebuild when the compiler or its flags change.
.PHONY: FORCE
flags = $(Q)mkdir -p $(@D) && echo '$(1)' | cmp -s - $@ || echo '$(1)' >$@
$(B)/flags: FORCE
	$(call flags,$(CC) $(CFLAGS))
$(B)/pmumap.libs: FORCE
	$(call flags,$(lzma))

define variant
$(1).cc ?= $$(CC)
$(1).tests := $(tests:%=$(B)/$(1)/%)
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
$(B)/$(1)/%.o: tests/%.c $(B)/$(1)/flags $(if $($(1).source),$(B)/libfdt-src/libfdt.h)
	$$($(1).compile) -std=c11 $$(WARNINGS) -I. -MMD -MP
$(B)/$(1)/%.o: fuzz/%.c $(B)/$(1)/flags $(if $($(1).source),$(B)/libfdt-src/libfdt.h)
	$$($(1).compile) -std=c11 $$(WARNINGS) -I. -MMD -MP
$$($(1).harnesses): $(B)/$(1)/main.o
$$($(1).tests) $$($(1).harnesses): %: %.o $$($(1).models) $$($(1).objs)
	$$(Q)$$($(1).cc) $$($(1).flags) $$^ $$($(1).libs) -o $$@

.PHONY: $(1) tests-$(1) fuzz-$(1)
$(1):
	@LIMIT=900 tests/run.sh "$$(MAKE) tests-$(1)" "$$(MAKE) fuzz-$(1)"
tests-$(1): $$(dtbs) $$($(1).tests)
	@tests/run.sh $$(foreach t,$$($(1).tests),"$$(strip $$($(1).run) $$(t))")
fuzz-$(1): $$(dtbs) $$($(1).harnesses)
	@tests/run.sh $$(foreach h,$(harnesses),"$$(strip $$($(1).run) $(B)/$(1)/fuzz_$$(h) \
		fuzz/corpus/$$(h) $$(if $$(filter blob emit,$$(h)),$$(blobs)))")
endef
$(foreach v,$(variants),$(eval $(call variant,$(v))))
.SECONDARY:
-include $(wildcard $(B)/*.d $(B)/*/*.d)

# ---- what is checked

checks := static tests-extern check-modes check-undef check-std check-embed check-tool \
	check-version check-quickstart

# Steps that run at once must not build the same file: what they share is built before.
cores := $(shell nproc)

.PHONY: check $(checks) check-format check-amu check-binding
check: $(B)/pmumap $(dtbs) ## everything that gcc alone can check; the last line is the total
	+@LIMIT=1500 JOBS=$(cores) tests/run.sh $(checks:%="$(MAKE) %")

# ON: the compilers to check with, as tests/lib.sh names them
check-modes: ## ways to include and link the headers, good and bad
	@tests/modes.sh

check-undef: ## no object needs a symbol from outside, at any level of optimisation
	@tests/undef.sh $(or $(ON),$(CC))

check-std: ## C99 to C2x, C++11 to C++20, without a warning
	@tests/std.sh $(or $(ON),$(CC) $(CXX))

check-embed: ## beside type headers as firmware has them
	@tests/embed.sh $(or $(ON),$(CC))

check-tool: $(B)/pmumap $(dtbs) ## the command line tool, from outside
	@tests/tool.sh

check-version: ## one version in macros, manual and CHANGELOG.md
	@tests/version.sh

check-format: ## every C file is as clang-format leaves it
	@tests/format.sh

check-amu: ## AMU's system registers: their encodings, and each access on a model of a CPU
	@tests/amu_registers.sh

check-binding: $(dtbs) ## dt-validate accepts the nodes that are written
	@tests/dt_validate.sh

check-quickstart: ## the quick start of the manual compiles and is right
	@tests/quickstart.sh

# The variants.
static: ## the tests, and the harnesses on all that they have found so far
tests-extern: ## the tests with PMUMAP_EXTERN
san: ## tests and harnesses under ASan and UBSan

include bare.mk
include qemu.mk
include tool.mk
include trust.mk
include fuzz.mk
include bench.mk
include mutants.mk
include prove.mk

# ---- what is checked besides, with more compilers and machines

bare := rv64 rv32 aarch64 armv7-m ppc64
clangs := x86_64-clang $(bare:%=%-clang)
# All cases are run by check; under sanitizers here fewer of them, as on the other machines.
# The proofs have the machine to themselves: their provers' limits are of wall time.
more := "$(MAKE) prove" -- \
	"PMUMAP_QUICK=1 $(MAKE) san" \
	$(foreach v,clang-san msan $(filter-out s390x,$(cross)) tests-clang-extern,"$(MAKE) $(v)") \
	"$(MAKE) valgrind CHECKED='$(few)'" \
	"$(MAKE) analysis" \
	"$(MAKE) check-modes CC=clang CXX=clang++" \
	"$(MAKE) check-undef ON='$(bare) $(clangs)'" \
	"$(MAKE) check-std ON='clang clang++ x86_32-clang $(bare)'" \
	"$(MAKE) check-embed ON='clang rv64 rv32 rv64-clang rv32-clang'" \
	"$(MAKE) check-format" \
	"$(MAKE) check-amu" \
	"$(MAKE) check-rom" \
	"$(MAKE) bare-rv32" \
	"$(MAKE) check-binding" \
	"$(MAKE) coverage" \
	"$(MAKE) check-mutants" \
	"$(MAKE) check-planted" \
	"$(MAKE) prove-planted" \
	"LIMIT=900 tests/run.sh $(foreach t,qemu linux hosts,'$(MAKE) $(t)')" \
	"$(MAKE) fuzz" \
	$(foreach t,bench bench-ir size,"$(MAKE) $(t)")

.PHONY: ci
ci: deps-ci ## everything that check leaves out
	+@$(MAKE) $(dtbs) $(B)/libfdt-src/libfdt.h $(B)/bare.files $(benches)
	+@REQUIRE=1 LIMIT=1500 JOBS=$(cores) tests/run.sh $(more)

.PHONY: newcomer clean
newcomer: ## the README's two commands in a fresh Debian (as root)
	@tests/install.sh mmdebstrap
	@tests/newcomer.sh

clean: ## remove all that was built
	rm -rf $(B)
