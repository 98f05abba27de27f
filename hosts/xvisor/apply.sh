#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: hosts/xvisor/apply.sh CHECKOUT
. "$(dirname "$0")/../edit.sh"

cpu=arch/riscv/cpu/generic
add "$host/cpu_vcpu_pmu.c" $cpu/cpu_vcpu_pmu.c
add "$host/cpu_vcpu_pmu.h" $cpu/include/cpu_vcpu_pmu.h
header $cpu/include/pmumap.h xvisor
after $cpu/objects.mk '^cpu-objs-y\+= cpu_vcpu_nested\.o$' <<'END'
cpu-objs-y+= cpu_vcpu_pmu.o
END

# With Sscofpmf the host's counters filter modes.
after $cpu/include/cpu_hwcap.h '^	RISCV_ISA_EXT_SMSTATEEN,$' <<'END'
	RISCV_ISA_EXT_SSCOFPMF,
END
after $cpu/cpu_init.c '^		SET_ISA_EXT_MAP\("ssaia", RISCV_ISA_EXT_SSAIA\);$' <<'END'
		SET_ISA_EXT_MAP("sscofpmf", RISCV_ISA_EXT_SSCOFPMF);
END

# The vcpu's state, and where it arrives, leaves and restarts.
before $cpu/include/arch_regs.h '^	/\* Opaque pointer to SBI data \*/$' <<'END'
	/* Opaque pointer to PMU data */
	void *pmu_priv;
END
# A guest lets its nested guests read time alone: its counters are not theirs.
change $cpu/include/riscv_encoding.h '^#define HCOUNTEREN_WRITEABLE	' 's/0xffffffff/0x2/'
after $cpu/cpu_vcpu_helper.c '^#include <cpu_vcpu_nested\.h>$' <<'END'
#include <cpu_vcpu_pmu.h>
END
after $cpu/cpu_vcpu_helper.c '^			cpu_vcpu_timer_save\(tvcpu\);$' <<'END'
			cpu_vcpu_pmu_save(tvcpu);
END
after $cpu/cpu_vcpu_helper.c '^		cpu_vcpu_timer_restore\(vcpu\);$' <<'END'
		cpu_vcpu_pmu_restore(vcpu);
END
after $cpu/cpu_vcpu_helper.c '^	cpu_vcpu_timer_reset\(vcpu\);$' <<'END'

	/* Reset PMU */
	cpu_vcpu_pmu_reset(vcpu);
END
after $cpu/cpu_vcpu_helper.c '^	cpu_vcpu_sbi_deinit\(vcpu\);$' <<'END'

	/* Cleanup PMU */
	cpu_vcpu_pmu_deinit(vcpu);
END

# The extension.
after $cpu/cpu_vcpu_sbi.c '^#include <cpu_vcpu_sbi\.h>$' <<'END'
#include <cpu_vcpu_pmu.h>
END
after $cpu/cpu_vcpu_sbi.c '^extern const struct cpu_vcpu_sbi_extension vcpu_sbi_hsm;$' <<'END'
extern const struct cpu_vcpu_sbi_extension vcpu_sbi_pmu;
END
after $cpu/cpu_vcpu_sbi.c '^	&vcpu_sbi_hsm,$' <<'END'
	&vcpu_sbi_pmu,
END
after $cpu/cpu_vcpu_sbi.c '^	args\[5\] = regs->a5;$' <<'END'

	cpu_vcpu_pmu_count(vcpu, extension_id, func_id);
END
finish "RISC-V: Serve SBI's PMU extension to guests"
