#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: hosts/bao/apply.sh CHECKOUT
. "$(dirname "$0")/../edit.sh"

riscv=src/arch/riscv
add "$host/vpmu.c" $riscv/vpmu.c
add "$host/vpmu.h" $riscv/inc/arch/vpmu.h
header $riscv/inc/pmumap.h bao

after $riscv/objects.mk '^cpu-objs-y\+=sbi\.o$' <<'END'
cpu-objs-y+=vpmu.o
END

# A guest asks for SBI 0.3 before it looks for counters.
after $riscv/sbi.c '^#include <arch/sbi\.h>$' <<'END'
#include <arch/vpmu.h>
END
change $riscv/sbi.c '^            ret\.value = 2;$' 's/2/3/'
after $riscv/sbi.c '^            ret\.value = 0;$' <<'END'
            if (extid == SBI_EXTID_PMU && vpmu_present()) {
                ret.value = 1;
            }
END
after $riscv/sbi.c '^    unsigned long fid = vcpu_readreg\(cpu\(\)->vcpu, REG_A6\);$' <<'END'
    vpmu_count(extid, fid);
END
before $riscv/sbi.c '^        case SBI_EXTID_BAO:$' <<'END'
        case SBI_EXTID_PMU:
            ret = vpmu_call(fid);
            break;
END

after $riscv/vm.c '^#include <arch/csrs\.h>$' <<'END'
#include <arch/vpmu.h>
END
change $riscv/vm.c 'csrs_hcounteren_write\(HCOUNTEREN_TM\);$' 's/HCOUNTEREN_TM/& | vpmu_reset()/'
finish "feat(riscv): serve SBI's PMU extension to guests"
