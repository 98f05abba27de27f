#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: hosts/skiboot/apply.sh CHECKOUT
. "$(dirname "$0")/../edit.sh"

add "$host/imc-catalog.c" hw/imc-catalog.c
for file in "$host/imc-catalog.h" "$product/pmumap_imc.h"; do
	add "$file" "include/${file##*/}"
done
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
change hw/imc.c '^	disable_unavailable_units\(dev\);$' \
	"s/.*/	if (!$catalog)\n\t&\n	else\n		imc_dt_exports_prop_add(dev);/"
change hw/imc.c '^	imc_dt_update_nest_node\(dev\);$' "s/.*/	if (!$catalog)\n\t&/"
finish "hw/imc: Prepare the catalog before it is expanded"
