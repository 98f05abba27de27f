#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Of each line "EVENT NAME" of the standard input: what check says where the event selects what the core
# calls by this name. A line is one case, with a selector of its own.
#
#	words.sh FOLDER
awk -v folder="$1" '/^#/ { next } {
	n++
	json = json sprintf("%s{\"EventName\":\"%s\",\"EventCode\":\"0x%x\"}", n > 1 ? ",\n" : "", $2, n)
	nodes = nodes sprintf("\tpmu@%x { compatible = \"riscv,pmu\";" \
		" riscv,event-to-mhpmevent = <%s 0 0x%x>; riscv,event-to-mhpmcounters = <%s %s 8>; };\n",
		n, $1, n, $1, $1)
	paths = paths sprintf("/pmu@%x %s %s\n", n, $1, $2)
}
END {
	print "[" json "]" >folder "/words.json"
	print "/dts-v1/;\n/ {\n" nodes "};" >folder "/words.dts"
	printf "%s", paths >folder "/words.list"
}'
dtc -q -O dtb -o "$1/words.dtb" "$1/words.dts"
while read -r path event name; do
	said=$(pmumap check --json --events "$1/words.json" --node "$path" "$1/words.dtb" 2>/dev/null |
		sed -nE 's/.*"code":"selector-event","severity":"([a-z]*)".*"text":"[^:"]*: ([^"]*)".*/\1: \2/p')
	printf '%-8s %-32s %s\n' "$event" "$name" "${said:--}"
done <"$1/words.list"
