#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: hosts/semu/apply.sh CHECKOUT
. "$(dirname "$0")/../edit.sh"

add "$host/semu_pmu.c" semu_pmu.c
add "$host/semu_pmu.h" semu_pmu.h
header pmumap/pmumap.h semu
# The header keeps its own style; tell semu's format check.
add /dev/stdin pmumap/.clang-format <<'END'
DisableFormat: true
SortIncludes: false
END

after Makefile '^	riscv\.o \\$' <<'END'
	semu_pmu.o \
END
change scripts/gen-hart-dts.py 'riscv,isa = "rv32ima";$' 's/rv32ima/&_sscofpmf/'

# The hart: reading counters, changing modes and taking interrupts.
before riscv.h '^    void \*priv;$' <<'END'
    struct semu_pmu *pmu;

END
after riscv.c '^#include "riscv_private\.h"$' <<'END'
#include "semu_pmu.h"
END
change riscv.c '^#define SIE_MASK ' 's/\(/&SEMU_PMU_LCOFI_BIT | /'
change riscv.c '^#define SIP_MASK ' 's/\(/&SEMU_PMU_LCOFI_BIT | /'
inside riscv.c '^static void csr_read\(' <<'END'
    if (semu_pmu_csr(vm, addr, value))
        return;

END
for function in 'void hart_trap' 'static void op_sret'; do
	inside riscv.c "$function\\(hart_t \\*vm\\)\$" <<'END'
    semu_pmu_sync(vm);

END
done

# SBI calls and the main loop.
after main.c '^#include "riscv_private\.h"$' <<'END'
#include "semu_pmu.h"
END
change main.c 'eid == SBI_EID_IPI \|\| eid == SBI_EID_RFENCE;$' 's/;$/ ||\n                         eid == SEMU_PMU_EID;/'
inside main.c '^static void handle_sbi_ecall\(hart_t \*hart\)$' <<'END'
    if (semu_pmu_ecall(hart))
        return;

END
change main.c 'int executed = vm_step_many\(hart, steps\);$' 's/, steps\)/, semu_pmu_steps(hart, steps))/'
after main.c 'int executed = vm_step_many\(' <<'END'
        semu_pmu_sync(hart);
END
after main.c '^        INIT_HART\(newhart, emu, i\);$' <<'END'
        if (!semu_pmu_init(newhart))
            return 1;
END
finish "Serve SBI's PMU extension, with Sscofpmf"
