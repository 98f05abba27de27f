#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: hosts/tfa/enables.sh CHECKOUT FILE TREE [OPTION...]
#
# TF-A 2.13 and later: replaces plat_amu_aux_enables[] in FILE, a path in CHECKOUT, with TREE's values
# and commits that. The options are those of "pmumap rom --amu-enables"; --counters names the counters
# that the cores implement, and no other counter is enabled.
. "$(dirname "$0")/../edit.sh"

[ $# -ge 3 ] || { echo "usage: $0 CHECKOUT FILE TREE [OPTION...]" >&2; exit 2; }
file=$2
tree=$3
shift 3
"${PMUMAP:-$product/build/pmumap}" rom --amu-enables "$@" "$tree" >"$edited/.array" ||
	give_up "pmumap found errors, or wrote no array"

line "$file" '^uint16_t plat_amu_aux_enables\[PLATFORM_CORE_COUNT\]( = \{|;)$'
end=$(sed -n "$line,\$ { /;\$/ { =; q; } }" "$edited/$file")
[ -n "$end" ] || give_up "$file: plat_amu_aux_enables has no end"
sed -n '/^uint16_t/,$p' "$edited/.array" | insert "$file" "$end"
sed -e "$line,${end}d" -e "$((line > 1 ? line - 1 : line)){ /FIXME.*counter enablement/d; }" \
	"$edited/$file" >"$edited/.new"
cat "$edited/.new" >"$edited/$file"
rm "$edited/.array"
finish "fix(amu): enable the counters that the device tree names"
