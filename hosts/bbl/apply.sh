#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: hosts/bbl/apply.sh CHECKOUT
. "$(dirname "$0")/../edit.sh"

for file in pmu.c pmu.h pmu_skip.S; do
	add "$host/$file" "machine/$file"
done
for header in pmumap pmumap_fdt pmumap_check pmumap_hw pmumap_server; do
	add "$product/$header.h" "machine/$header.h"
done

after machine/machine.mk.in '^  mtrap\.h \\$' <<'END'
  pmu.h \
END
after machine/machine.mk.in '^  mtrap\.c \\$' <<'END'
  pmu.c \
END
after machine/machine.mk.in '^  mentry\.S \\$' <<'END'
  pmu_skip.S \
END

for file in machine/minit.c machine/mtrap.c bbl/bbl.c; do
	after $file '^#include "mtrap\.h"$' <<'END'
#include "pmu.h"
END
done
before machine/minit.c '^  wake_harts\(\);$' <<'END'
  pmu_read_tree(dtb);
END
for boot in boot_loader boot_other_hart; do
	before machine/minit.c "^  $boot\\(dtb\\);\$" <<'END'
  pmu_init_hart();
END
done
after machine/mtrap.c '^  write_csr\(mepc, mepc \+ 4\);$' <<'END'

  if (pmu_call(regs))
    return;
END
after bbl/bbl.c '^  filter_compat\(dest, "riscv,debug-013"\);$' <<'END'
  pmu_filter_tree(dest);
END
finish "Serve SBI's PMU extension"
