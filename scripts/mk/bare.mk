# SPDX-License-Identifier: BSD-2-Clause
#
# Unit tests in M-mode on QEMU's "virt" machine, without firmware or operating system. picolibc
# gives the start code, a trap handler that ends the run, and semihosting for exit and fixture
# files. tests/support/bare.c adds what picolibc lacks.

# never: needs guarded pages, signals or a compiler that counts steps, or simulates the hart. long:
# takes a minute and covers IMC or AMU, which no RISC-V machine has; their shorter tests do run.
# BARE: the tests to run.
pico.never := test_exhaust test_native test_native32 test_registers_amu test_steps
pico.long := test_amu_trees test_emit_imc test_imc test_imc_trees test_imc_words
BARE ?= $(filter-out $(pico.never) $(pico.long),$(tests))

# Code and constants go where flash could be.
pico.flags := -mcmodel=medany -O2 -DPMUMAP_EXTERN \
	-Wl,--defsym=__flash=0x80000000 -Wl,--defsym=__flash_size=0x400000 \
	-Wl,--defsym=__ram=0x80400000 -Wl,--defsym=__ram_size=0xfc00000 \
	-Wl,--defsym=__stack_size=0x100000

# $(1): 32 or 64, $(2): the ABI
define bare_tests
pico$(1).cc := riscv64-unknown-elf-gcc --specs=picolibc.specs --picolibc-buildtype=release \
	--crt0=semihost --oslib=semihost
pico$(1).flags := -march=rv$(1)imac -mabi=$(2) $(pico.flags)
pico$(1).source := y
pico$(1).extra := implementation.o bare.o
pico$(1).run := qemu-system-riscv$(1) -M virt -m 256 -bios none -display none -semihosting -kernel
$$(eval $$(call variant,pico$(1)))

.PHONY: bare-rv$(1)
bare-rv$(1): $$(dtbs) $$(BARE:%=$(B)/pico$(1)/%)
	@echo 'not run on the bare machine: $$(filter-out $$(BARE),$$(tests))'
	@JOBS=$$(cores) scripts/run.sh $$(BARE:%="$$(pico$(1).run) $(B)/pico$(1)/%")
endef
$(eval $(call bare_tests,32,ilp32))
$(eval $(call bare_tests,64,lp64))
bare-rv32: ## trust: run the unit tests on a bare RV32 machine
bare-rv64: ##- trust: run them on a bare RV64 machine
