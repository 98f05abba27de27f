# SPDX-License-Identifier: BSD-2-Clause
#
# Compilers, sanitizers and machines that tests and harnesses are built for. Each variant has cc,
# flags, run (the program that runs it), source (y: build libfdt from source) and extra (an object
# to add).

cross := aarch64 armhf i386 powerpc ppc64 riscv64 s390x
variants := static extern clang clang-extern san clang-san msan fdt17 $(cross)

# One object with all functions (PMUMAP_EXTERN) compiles in a third of the time, with sanitizers in
# a fifth. Other variants inline every function, as most programs do.
apart := extern clang-extern san clang-san msan $(cross)

# Every program compiles the inline functions again, so use the lowest level that inlines.
static.flags = -O1 $(filter-out -O2,$(CFLAGS))
extern.flags = $(CFLAGS)
fdt17.flags = $(CFLAGS)
fdt17.source := y

clang.cc := clang
clang.flags := -O3
clang-extern.cc := clang
clang-extern.flags := -O0

# Reports need line numbers but not variables, which take a third of the compile time.
san.flags := -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all
clang-san.cc := clang
clang-san.flags := $(san.flags)
# MSan must see every write, so libfdt is built with it too.
msan.cc := clang
msan.flags := -O1 -g1 -fsanitize=memory -fno-sanitize-recover=all
msan.source := y

aarch64.cc := aarch64-linux-gnu-gcc
aarch64.run := qemu-aarch64
armhf.cc := arm-linux-gnueabihf-gcc
armhf.run := qemu-arm
i386.cc := i686-linux-gnu-gcc
i386.run := qemu-i386
powerpc.cc := powerpc-linux-gnu-gcc
powerpc.run := qemu-ppc
ppc64.cc := powerpc64-linux-gnu-gcc
ppc64.run := qemu-ppc64
riscv64.cc := riscv64-linux-gnu-gcc
riscv64.run := qemu-riscv64
s390x.cc := s390x-linux-gnu-gcc
s390x.run := qemu-s390x
$(foreach v,$(cross),$(eval $(v).flags := -O2 -static)$(eval $(v).source := y))

# Pointers wrap at 32 bits here, unlike on 64-bit targets. Static programs have no UBSan runtime, so
# trap.
i386.flags += -fsanitize=undefined -fsanitize-undefined-trap-on-error

$(foreach v,$(apart),$(eval $(v).flags += -DPMUMAP_EXTERN)$(eval $(v).extra := implementation.o))

# Fewer random cases of each kind. Cases do not depend on the target, and "extern", "static" and
# "san" run all of them.
fewer := $(cross) clang-san msan clang clang-extern fdt17 valgrind
$(fewer) $(fewer:%=tests-%): export PMUMAP_QUICK := 1
# PMUMAP_QUICK=0 make test T=NAME runs all cases.
quick test: export PMUMAP_QUICK := $(or $(PMUMAP_QUICK),1)

# Only memcheck sees accesses inside the installed libfdt.
memcheck := valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite

# CHECKED: tests to run under memcheck. "nightly" takes those that need only seconds.
CHECKED ?= $(filter-out test_steps,$(tests))
few := $(addprefix test_,blob exhaust findings fixup image restrict tables)

.PHONY: valgrind exhaust analysis
valgrind: $(dtbs) $(inputs) $(CHECKED:%=$(B)/extern/%) $(harnesses:%=$(B)/extern/fuzz_%)
valgrind: ## trust: run tests, and the harnesses on their corpora, under memcheck
	@LIMIT=900 scripts/run.sh $(foreach t,$(CHECKED),"$(memcheck) $(B)/extern/$(t)") \
		$(foreach h,$(harnesses),"$(memcheck) $(B)/extern/fuzz_$(h) $(B)/inputs/$(h)")

exhaust: $(dtbs) $(B)/extern/test_exhaust ##- trust: test every value of every byte of every fixture
	@PMUMAP_FULL=1 LIMIT=3600 scripts/run.sh $(B)/extern/test_exhaust

analysis: ## trust: analyse the headers with gcc, clang, clang-tidy and cppcheck
	@tests/check/analysis.sh
