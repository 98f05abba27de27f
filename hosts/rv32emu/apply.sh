#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: hosts/rv32emu/apply.sh CHECKOUT
. "$(dirname "$0")/../edit.sh"

add "$host/sbi_pmu.c" src/sbi_pmu.c
add "$host/sbi_pmu.h" src/sbi_pmu.h
header src/pmumap/pmumap.h rv32emu
# The header keeps its own style; tell rv32emu's format check.
add /dev/stdin src/pmumap/.clang-format <<'END'
DisableFormat: true
SortIncludes: false
END

after mk/system.mk '^OBJS_EXT \+= system\.o$' <<'END'
OBJS_EXT += sbi_pmu.o
END

# The machine owns the counters.
after src/riscv.h '^    uint64_t timer;$' <<'END'

    /* SBI counters */
    struct sbi_pmu *pmu;
END
for file in emulate riscv syscall; do
	after src/$file.c '^#include "riscv_private\.h"$' <<'END'
#include "sbi_pmu.h"
END
done
before src/riscv.c '^    /\* create block and IRs memory pool \*/$' <<'END'
#if RV32_HAS(SYSTEM)
    attr->pmu = sbi_pmu_new(rv);
    assert(attr->pmu);
#endif

END
inside src/riscv.c '^void rv_delete\(riscv_t \*rv\)$' <<'END'
#if RV32_HAS(SYSTEM)
    sbi_pmu_delete(PRIV(rv)->pmu);
#endif
END

# Reading counters. A block may run for long, so first bring csr_cycle up to date.
inside src/emulate.c '^static uint32_t \*csr_get_ptr\(' <<'END'
#if RV32_HAS(SYSTEM)
    uint32_t *counter = sbi_pmu_csr(PRIV(rv)->pmu, csr);
    if (counter)
        return counter;

#endif
END
inside src/emulate.c '^static inline void csr_sync_cycle\(' <<'END'
    if ((csr & 0xF60) == 0xC00) /* counters and their upper halves */
        rv->csr_cycle = cycle;
END

# SBI calls.
after src/syscall.c '^        _\(sbi_timer, ' <<'END'
        _(sbi_pmu,          0x504D55)      \
END
change src/syscall.c 'eid == SBI_EID_TIMER \|\| eid == SBI_EID_RST;$' \
	's/;$/ ||\n            eid == SYS_sbi_pmu;/'
after src/syscall.c '^    case SBI_TIMER_SET_TIMER:$' <<'END'
        sbi_pmu_set_timer(attr->pmu);
END
before src/syscall.c '^static void syscall_sbi_rst\(' <<'END'
static void syscall_sbi_pmu(riscv_t *rv)
{
    sbi_pmu_call(PRIV(rv)->pmu);
}

END
finish "Serve SBI's PMU extension"
