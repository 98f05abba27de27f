# SPDX-License-Identifier: BSD-2-Clause
#
# The conformance suite of SBI's PMU extension: an S-mode program that boots on any firmware.

conformance.parts := $(wildcard conformance/*.[chS]) conformance/rules.inc conformance/link.ld \
	scripts/mk/conformance.mk scripts/mk/qemu.mk

define conformance_program
$(B)/qemu/conformance-rv$(1).elf: $(conformance.parts)
	$(Q)mkdir -p $$(@D) && $(bare.cc) $(bare.flags) $(rv$(1).isa) -static -nostdlib \
		-T conformance/link.ld -Wl,--defsym=BASE=$(rv$(1)-s.base) -Wl,--build-id=none \
		-Wl,--no-warn-rwx-segments -Wl,--fatal-warnings conformance/start.S conformance/main.c \
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
