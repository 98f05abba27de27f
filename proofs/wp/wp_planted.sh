#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# What wp.sh has to notice: without a check, goals of the function are open. FIT=1: only whether each
# bug has something to change, and each annotation its place.
cd "$(dirname "$0")/../.." || exit 1
. tests/check/lib.sh
. proofs/wp/lib.sh

# bug PART FUNCTION SED
bug() {
	local part=$1 name=$2 proved total
	weave "$part" "$3" || return
	if [ -n "$fit" ]; then
		pass
		return
	fi
	wp "$part" "$name" -wp-timeout 3 -wp-prop=-@assigns
	read -r proved total < <(counts "$part" | sed -n "s/^$name //p")
	if [ "${total:-0}" -gt "${proved:-0}" ]; then
		pass
	else
		fail "$part: $name is still proved ($proved/$total) after $3"
	fi
}

bug fdt pmumap_fdt_walk_property_ 's/w->end - w->at < 8)/w->end - w->at < 4)/'
bug fdt pmumap_fdt_begin_node_ 's/w->offset = offset;/w->offset = offset + 4;/'
bug riscv pmumap_riscv_open_raw_ \
	's/raw_count + 1, sizeof(struct pmumap_raw_row)/raw_count, sizeof(struct pmumap_raw_row)/'
bug riscv pmumap_riscv_search_record_ 's/if (event >= PMUMAP_EVENT_LIMIT)/if (event > PMUMAP_EVENT_LIMIT)/'
bug amu pmumap_amu_cpu_at 's/index >= pmumap_amu_part_(m)->cpu_count/index > pmumap_amu_part_(m)->cpu_count/'
bug imc pmumap_imc_is_string_ 's/offset - c->strings < c->string_bytes/offset - c->strings <= c->string_bytes/'
bug imc pmumap_imc_event_at \
	's/index >= pmumap_imc_unit_rows_(m)\[unit\].events/index > pmumap_imc_unit_rows_(m)[unit].events/'
bug names pmumap_imc_hash_name_ 's/le64_(p + left - 8)/le64_(p + left - 7)/'
bug names pmumap_imc_is_name_of_ 's/text_has_(text, n, m, at, rest)/text_has_(text, 0, m, at, rest)/'
finish
