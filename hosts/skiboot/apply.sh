#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: hosts/skiboot/apply.sh CHECKOUT
. "$(dirname "$0")/../edit.sh"

add "$host/imc-catalog.c" hw/imc-catalog.c
add "$host/imc-catalog.h" include/imc-catalog.h
header include/pmumap.h skiboot
change hw/Makefile.inc '^HW_OBJS \+= homer\.o .* imc\.o$' 's/imc\.o/& imc-catalog.o/'

# Edit the catalog before it is expanded. It is in imc_xz since 6.3, before that in a buffer of
# imc_init(). Both are NULL on a simulator, whose tree skiboot still edits itself.
expand='dt_expand_node\(dev, (imc_xz->dst|decompress_buf), 0\)'
line hw/imc.c "$expand"
blob=$(sed -nE "$line s/.*$expand.*/\1/p" "$edited/hw/imc.c")
catalog=${blob%->dst}
after hw/imc.c '^#include <imc\.h>$' <<'END'
#include <imc-catalog.h>
END
before hw/imc.c 'Create a device tree entry for imc counters' <<END
	if (!imc_fix_catalog($blob, MAX_DECOMPRESSED_IMC_DTB_SIZE, get_imc_cb))
		goto err;

END
# What the edit replaces. A simulator's tree has only the units that the simulator has.
for table in '\*nest_pmus(_p9)?\[\]' '\*nest_pmus_p10\[\]' '\*debug_mode_units\[\]' ' cu_node\[\]'; do
	! grep -qE "$table = \{$" "$src/hw/imc.c" || cut_out hw/imc.c "$table = \{$" '^};$'
done
cut_out hw/imc.c '^static void disable_unavailable_units\(struct dt_node \*dev\)$' '^}$'
cut_out hw/imc.c '^	disable_unavailable_units\(dev\);$'
before hw/imc.c 'Fix the phandle in the incoming device tree' <<'END'
	/* Add a property to "exports" node in opal_node */
	imc_dt_exports_prop_add(dev);

END
change hw/imc.c '^	imc_dt_update_nest_node\(dev\);$' "s/.*/	if (!$catalog)\n\t&/"
finish "hw/imc: Prepare the catalog before it is expanded"
