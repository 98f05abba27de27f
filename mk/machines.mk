# SPDX-License-Identifier: BSD-2-Clause
#
# The compilers, sanitizers and machines that tests and harnesses are built for. Of each variant:
# cc, flags, run (what runs the program), source (libfdt comes from its source), extra (an object
# besides).

cross := aarch64 armhf i386 ppc64 riscv64 s390x
variants := static extern clang clang-extern san clang-san msan fdt17 $(cross)

# These have one object of all functions (PMUMAP_EXTERN): they compile in a third of the time, with
# sanitizers in a fifth. In the others every function is inline, as in most programs.
apart := extern clang-extern san clang-san msan $(cross)

# Inline functions are compiled again in each program: at the lowest level that inlines them.
static.flags = -O1 $(filter-out -O2,$(CFLAGS))
extern.flags = $(CFLAGS)
fdt17.flags = $(CFLAGS)
fdt17.source := y

clang.cc := clang
clang.flags := -O3
clang-extern.cc := clang
clang-extern.flags := -O0

# Lines in what they report, but no variables: these cost a third of the time to compile.
san.flags := -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all
clang-san.cc := clang
clang-san.flags := $(san.flags)
# It has to see all that is written, in libfdt too.
msan.cc := clang
msan.flags := -O1 -g1 -fsanitize=memory -fno-sanitize-recover=all
msan.source := y

aarch64.cc := aarch64-linux-gnu-gcc
aarch64.run := qemu-aarch64
armhf.cc := arm-linux-gnueabihf-gcc
armhf.run := qemu-arm
i386.cc := i686-linux-gnu-gcc
i386.run := $(if $(filter x86_64,$(shell uname -m)),,qemu-i386)
ppc64.cc := powerpc64-linux-gnu-gcc
ppc64.run := qemu-ppc64
riscv64.cc := riscv64-linux-gnu-gcc
riscv64.run := qemu-riscv64
s390x.cc := s390x-linux-gnu-gcc
s390x.run := qemu-s390x
$(foreach v,$(cross),$(eval $(v).flags := -O2 -static)$(eval $(v).source := y))

# Pointers that wrap in 32 bits do not in 64; without a runtime, which static programs have not.
i386.flags += -fsanitize=undefined -fsanitize-undefined-trap-on-error

$(foreach v,$(apart),$(eval $(v).flags += -DPMUMAP_EXTERN)$(eval $(v).extra := implementation.o))

# Fewer random cases, of every kind: the cases are the same everywhere, and "extern", "static" and
# "san" have all of them.
fewer := $(cross) clang-san msan clang clang-extern fdt17 valgrind
$(fewer) $(fewer:%=tests-%): export PMUMAP_QUICK := 1
# PMUMAP_QUICK=0 make test T=NAME: all of its cases
quick test: export PMUMAP_QUICK := $(or $(PMUMAP_QUICK),1)

# The only one that sees into a libfdt that is there as a library.
memcheck := valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite

# CHECKED: the tests to run so; in ci those that take seconds there.
CHECKED ?= $(filter-out test_steps,$(tests))
few := $(addprefix test_,blob emit_hostile exhaust findings fixup image restrict tables)

.PHONY: valgrind exhaust analysis
valgrind: $(dtbs) $(CHECKED:%=$(B)/extern/%) $(harnesses:%=$(B)/extern/fuzz_%)
valgrind: ## trust: tests, and the harnesses on what they have found so far, under memcheck
	@LIMIT=900 scripts/run.sh $(foreach t,$(CHECKED),"$(memcheck) $(B)/extern/$(t)") \
		$(foreach h,$(harnesses),"$(memcheck) $(B)/extern/fuzz_$(h) assurance/fuzz/corpus/$(h)")

exhaust: $(dtbs) $(B)/extern/test_exhaust ##- trust: every value of every byte of every fixture
	@PMUMAP_FULL=1 LIMIT=3600 scripts/run.sh $(B)/extern/test_exhaust

analysis: ## trust: gcc, clang, clang-tidy and cppcheck find nothing in the headers
	@tests/check/analysis.sh
