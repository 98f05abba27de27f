#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: hosts/tfa/apply.sh CHECKOUT
#
# For TF-A's platform "qemu": adds the files and edits the two places that any platform needs.
. "$(dirname "$0")/../edit.sh"

common=plat/qemu/common
add "$host/plat_amu.c" $common/plat_amu.c
add "$host/plat_amu.h" $common/plat_amu.h
header $common/pmumap.h tfa

after plat/qemu/qemu/platform.mk '^include plat/qemu/common/common\.mk$' <<'END'

ifneq (${ENABLE_AMU_AUXILIARY_COUNTERS},0)
BL31_SOURCES		+=	plat/qemu/common/plat_amu.c
endif
END

after $common/qemu_bl31_setup.c '^#include "qemu_private\.h"$' <<'END'
#include "plat_amu.h"
END
# BL31 does not map the tree's memory.
after $common/qemu_bl31_setup.c '^		MAP_BL31_RO,$' <<'END'
#if ENABLE_AMU_AUXILIARY_COUNTERS
		MAP_REGION_FLAT(PLAT_QEMU_DT_BASE, PLAT_QEMU_DT_MAX_SIZE, MT_RO_DATA | MT_NS),
#endif
END
after $common/qemu_bl31_setup.c '^	enable_mmu_el3\(0\);$' <<'END'

#if ENABLE_AMU_AUXILIARY_COUNTERS
	(void)plat_amu_setup((const void *)PLAT_QEMU_DT_BASE, PLAT_QEMU_DT_MAX_SIZE);
#endif
END
finish "feat(qemu): enable activity monitors that the device tree names"
