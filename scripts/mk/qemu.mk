# SPDX-License-Identifier: BSD-2-Clause
#
# Bare-metal programs and their runs in QEMU. $(call elf,NAME,XLEN,MODE,SOURCES,BASE) links C files
# below examples/ with the runtime into build/qemu/NAME-rvXLEN.elf. MODE is m or s; BASE, the load
# address, is optional. main() gets the device tree. libfdt and the libc functions it needs are
# there.

bare.cc := riscv64-unknown-elf-gcc
bare.flags := -std=c11 $(WARNINGS) -O2 -g -ffreestanding -fno-pic -mcmodel=medany \
	-fno-tree-loop-distribute-patterns -I. -Iexamples/firmware/runtime -isystem $(B)/libfdt-src
bare.link := -static -nostdlib -T examples/firmware/runtime/link.ld -Wl,--build-id=none \
	-Wl,--no-warn-rwx-segments -Wl,--fatal-warnings

# No libgcc: the one in Debian's gcc 12 does not match these ISA strings.
rv64.isa := -march=rv64imac_zicsr_zifencei -mabi=lp64
rv32.isa := -march=rv32imac_zicsr_zifencei -mabi=ilp32

# Where QEMU starts M-mode; where its OpenSBI and examples/hypervisor start S-mode.
rv64-m.base := 0x80000000
rv32-m.base := 0x80000000
rv64-s.base := 0x80200000
rv32-s.base := 0x80400000

bare.runtime := $(patsubst %,firmware/runtime/%.o,console trap string workload)
bare.libfdt := $(addprefix libfdt/,$(addsuffix .o,$(filter-out fdt_overlay,$(libfdt))))

# $(1): rv64 or rv32
define bare_objects
$(1).compile = $$(Q)mkdir -p $$(@D) && $(bare.cc) $(bare.flags) $($(1).isa) -c $$< -o $$@
$(B)/qemu/$(1)/%.o: examples/%.c scripts/mk/qemu.mk $(B)/libfdt-src/libfdt.h
	$$($(1).compile) -MMD -MP
$(B)/qemu/$(1)/%.o: examples/%.S scripts/mk/qemu.mk
	$$($(1).compile)
$(B)/qemu/$(1)/libfdt/%.o: $(B)/libfdt-src/%.c scripts/mk/qemu.mk
	$$($(1).compile) -w
$(B)/qemu/$(1)/start-m.o: examples/firmware/runtime/start.S scripts/mk/qemu.mk
	$$($(1).compile)
$(B)/qemu/$(1)/start-s.o: examples/firmware/runtime/start.S scripts/mk/qemu.mk
	$$($(1).compile) -DSUPERVISOR
$(B)/qemu/$(1)/runtime.a: $(addprefix $(B)/qemu/$(1)/,$(bare.runtime) $(bare.libfdt))
	$(Q)rm -f $$@ && riscv64-unknown-elf-ar cr $$@ $$^
endef
$(foreach x,rv64 rv32,$(eval $(call bare_objects,$(x))))

define bare_program
$(B)/qemu/$(1)-rv$(2).elf: $(B)/qemu/rv$(2)/start-$(3).o \
	$(patsubst examples/%.c,$(B)/qemu/rv$(2)/%.o,$(4)) $(B)/qemu/rv$(2)/runtime.a \
	examples/firmware/runtime/link.ld
	$(Q)$(bare.cc) $(rv$(2).isa) $(bare.link) \
		-Wl,--defsym=BASE=$(or $(5),$(rv$(2)-$(3).base)) $$(filter %.o %.a,$$^) -o $$@
qemu_elfs += $(B)/qemu/$(1)-rv$(2).elf
endef
elf = $(eval $(call bare_program,$(1),$(2),$(3),$(4),$(5)))

$(call elf,firmware,64,m,$(wildcard examples/firmware/*.c))
$(call elf,firmware,32,m,$(wildcard examples/firmware/*.c))

# A server on each of two harts.
$(foreach x,64 32,$(call elf,harts,$(x),m,examples/harts/main.c \
	$(addprefix $(B)/qemu/rv$(x)/,harts/entry.o firmware/runtime/park.o)))

# Counters delegated to S-mode.
$(call elf,delegated,64,m,examples/delegated/main.c)
$(call elf,delegated,32,m,examples/delegated/main.c)
$(call elf,delegated-sbi,64,s,examples/delegated/main.c)
$(call elf,delegated-sbi,32,s,examples/delegated/main.c)

# Compares registers with a model, over ROUNDS operations in each mode.
ROUNDS ?= 100000
define registers_program
$(B)/qemu/rv$(1)/registers.o: tests/qemu/registers.c scripts/mk/qemu.mk
	$$(rv$(1).compile) -DROUNDS=$(ROUNDS)u -MMD -MP
$(call elf,registers,$(1),m,$(B)/qemu/rv$(1)/registers.o)
endef
$(foreach x,64 32,$(eval $(call registers_program,$(x))))

# Programs from the README and doc/firmware.md, inside a test.
define readme_program
$(B)/qemu/rv$(1)/readme.o: tests/qemu/readme.c $(B)/readme.h $(B)/firmware.h scripts/mk/qemu.mk
	$$(rv$(1).compile) -MMD -MP
$(call elf,readme,$(1),m,$(B)/qemu/rv$(1)/readme.o)
endef
$(foreach x,64 32,$(eval $(call readme_program,$(x))))

# The kernel of doc/kernel.md. M-mode delegates counters to it, or with KEEP none.
define kernel_program
$(B)/qemu/rv$(1)/$(2).o: tests/qemu/kernel.c $(B)/kernel.h scripts/mk/qemu.mk
	$$(rv$(1).compile) $(3) -MMD -MP
$(call elf,$(2),$(1),m,$(B)/qemu/rv$(1)/$(2).o)
endef
$(foreach x,64 32,$(eval $(call kernel_program,$(x),kernel))\
	$(eval $(call kernel_program,$(x),kernel-kept,-DKEEP)))

# The kernel of doc/kernel.md that counts through SBI, and two virtual CPUs.
define kernel_sbi_program
$(B)/qemu/rv$(1)/kernel-sbi.o: tests/qemu/kernel_sbi.c $(B)/kernel-sbi.h $(B)/libfdt-src/libfdt.h \
	scripts/mk/qemu.mk
	$$(rv$(1).compile) -MMD -MP
$(call elf,kernel-sbi,$(1),s,$(B)/qemu/rv$(1)/kernel-sbi.o)
endef
$(foreach x,64 32,$(eval $(call kernel_sbi_program,$(x))))

# The monitor embeds its guest's device tree.
hypervisor := $(addprefix examples/hypervisor/,guest.c guest_sbi.c guest_probe.c guest_count.c)
turns.guest := $(addprefix examples/hypervisor/,guest_turns.c guest_sbi.c)
define hypervisor_programs
$(call elf,guest,$(1),s,$(hypervisor))
$(call elf,monitor,$(1),m,$(addprefix examples/hypervisor/,monitor.c machine.c) \
	$(addprefix $(B)/qemu/rv$(1)/hypervisor/,switch.o tree.o) $(B)/qemu/rv$(1)/firmware/runtime/park.o)
$(call elf,turns,$(1),m,$(addprefix examples/hypervisor/,turns.c machine.c) \
	$(B)/qemu/rv$(1)/hypervisor/switch.o)
$(call elf,turns-guest0,$(1),s,$(turns.guest),0x81000000)
$(call elf,turns-guest1,$(1),s,$(turns.guest),0x82000000)
$(B)/qemu/rv$(1)/hypervisor/tree.o: $(B)/qemu/rv$(1)/guest.dtb
$(B)/qemu/rv$(1)/guest.dtb: examples/hypervisor/guest.dts
	$(Q)mkdir -p $$(@D) && $(CC) -E -P -undef -x assembler-with-cpp -DXLEN=$(1) $$< | \
		dtc -q -I dts -O dtb -o $$@ -
endef
$(foreach x,64 32,$(eval $(call hypervisor_programs,$(x))))

# Monitors of two guests with a planted bug that the guests must notice. Each bug is a sed script.
turns.restore := s/missing = pmumap_vpmu_restore.*/missing = 0;/
turns.save := s/pmumap_vpmu_save(&c->vpmu);/0;/
turns.own := s/pmumap_vpmu_as_pmu(&c->vpmu,/pmumap_vpmu_as_pmu(\&cpus[0].vpmu,/
define turns_without
$(B)/qemu/rv64/turns/$(1).c: examples/hypervisor/turns.c scripts/mk/qemu.mk
	$(Q)mkdir -p $$(@D) && sed '$(turns.$(1))' $$< >$$@ && ! cmp -s $$< $$@
$(B)/qemu/rv64/turns/$(1).o: $(B)/qemu/rv64/turns/$(1).c
	$$(rv64.compile) -Iexamples/hypervisor -MMD -MP
$(call elf,turns-without-$(1),64,m,examples/hypervisor/machine.c \
	$(addprefix $(B)/qemu/rv64/,turns/$(1).o hypervisor/switch.o))
endef
$(foreach x,restore save own,$(eval $(call turns_without,$(x))))

# Cost of calls, for bench/rv/calls.sh.
$(B)/qemu/rv64/calls.o: bench/rv/calls.c scripts/mk/qemu.mk
	$(rv64.compile) -MMD -MP
$(call elf,calls,64,s,$(B)/qemu/rv64/calls.o)

# Cost of a count, for bench/rv/price.sh.
define price_program
$(B)/qemu/rv$(2)/price-$(1).o: bench/rv/price.c scripts/mk/qemu.mk
	$$(rv$(2).compile) $(if $(filter s,$(1)),-DSBI) -MMD -MP
$(call elf,price-$(1),$(2),$(1),$(B)/qemu/rv$(2)/price-$(1).o)
endef
$(eval $(call price_program,m,64))$(eval $(call price_program,s,64))$(eval $(call price_program,m,32))
$(B)/qemu/rv64/empty.o: bench/rv/empty.c $(B)/readme.h scripts/mk/qemu.mk
	$(rv64.compile) -MMD -MP
$(call elf,empty,64,m,$(B)/qemu/rv64/empty.o)

# Other projects are fetched and built in build/firmware, and rebuilt only if an example or a header
# changes.
.PHONY: qemu opensbi linux linux-1.6 linux-newer linux-matrix hosts hosts-glue hosts-skiboot hosts-trial
qemu: $(qemu_elfs) ## trust: run firmware, and a guest on the monitor, on OpenSBI, and on OpenSBI with pmumap
	@LIMIT=900 scripts/run.sh tests/check/qemu.sh tests/check/opensbi.sh tests/check/hypervisor.sh \
		tests/check/delegated.sh

opensbi: $(qemu_elfs) ##- trust: run OpenSBI 1.6 and newer in QEMU, unchanged and with hosts/opensbi
	@tests/check/opensbi.sh

linux: ##- trust: run Debian's kernel, perf, KVM and perf --live on both OpenSBI versions
	@LIMIT=900 scripts/run.sh "$(MAKE) linux-1.6" "$(MAKE) linux-newer" "$(MAKE) linux-matrix"
linux-1.6 linux-newer: linux-%: $(B)/qemu/guest-rv64.elf $(B)/qemu/rv64/guest.dtb \
	$(B)/qemu/conformance-rv64.elf $(B)/libfdt-src/libfdt.h
	@LIMIT=900 scripts/run.sh "tests/check/linux.sh $*" "tests/check/live.sh $*"

# BOARDS=all: every board
linux-matrix: $(B)/pmumap $(dtbs) $(B)/libfdt-src/libfdt.h ##- trust: compare pmumap perf with Linux 6.12 and 7.2 in QEMU, with boards' tables
	@tests/check/matrix.sh $(BOARDS)

hosts: $(B)/pmumap $(dtbs) $(B)/libfdt-src/libfdt.h ## trust: compare with OpenSBI's own code; run TF-A 2.12.1 with hosts/tfa, and hosts/uboot's command
	@LIMIT=900 scripts/run.sh tests/check/hosts.sh tests/check/oracle.sh

hosts-glue: ##- trust: compile and drive the files for semu, rv32emu, Xvisor and Bao
	@tests/check/hosts_glue.sh

hosts-skiboot: $(dtbs) $(B)/pmumap ##- trust: boot skiboot with and without hosts/skiboot in QEMU; Linux on both
	@tests/check/skiboot.sh

# HOSTS: folder with checkouts of semu, rv32emu, xvisor, bao-hypervisor, arm-trusted-firmware
hosts-trial: $(B)/pmumap $(dtbs) ##- trust: edit, build and run checkouts of real hosts in HOSTS=..
	@tests/check/hosts_trial.sh $(or $(HOSTS),..)

-include $(wildcard $(B)/qemu/*/*.d $(B)/qemu/*/*/*.d $(B)/qemu/*/*/*/*.d)

# ---- the conformance suite of SBI's PMU extension: an S-mode program that boots on any firmware

conformance.parts := $(wildcard conformance/*.[chS]) conformance/rules.inc conformance/link.ld \
	scripts/mk/qemu.mk

define conformance_program
$(B)/qemu/conformance-rv$(1).elf: $(conformance.parts)
	$(Q)mkdir -p $$(@D) && $(bare.cc) $(bare.flags) $(rv$(1).isa) -static -nostdlib \
		-T conformance/link.ld -Wl,--defsym=BASE=$(rv$(1)-s.base) -Wl,--build-id=none \
		-Wl,--fatal-warnings conformance/start.S conformance/main.c \
		conformance/rules.c -o $$@
endef
$(foreach x,64 32,$(eval $(call conformance_program,$(x))))
payloads := $(foreach x,64 32,$(B)/qemu/conformance-rv$(x).elf)

XLEN ?= 64
FIRMWARE ?= default

.PHONY: conformance check-conformance conformance-matrix
conformance: $(payloads) ## trust: test FIRMWARE=file against every rule of SBI's PMU chapter, in QEMU; XLEN=32, CPU=...
	@conformance/run.sh $(B)/qemu/conformance-rv$(XLEN).elf "$(FIRMWARE)" $(B)/qemu/conformance.tap

check-conformance: $(payloads) $(foreach x,64 32,$(B)/qemu/monitor-rv$(x).elf) ##- trust: run the suite on the monitor of examples/hypervisor, and on firmware that it crashes
	@tests/check/conformance.sh

# Uses firmware that scripts/opensbi-build.sh has built.
conformance-matrix: $(payloads) $(foreach x,64 32,$(B)/qemu/monitor-rv$(x).elf) ##- change: write the tables of doc/conformance.md
	@conformance/page.sh
