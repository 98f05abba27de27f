#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: bench/size.sh U74.dtb
#
# Bytes of code and constants that rv64 -Os links for a set of functions, the worst stack of a call,
# and the bytes of the U74's map. Fails above the limits: those of the design, but for the stack of a
# build, which is still above its 512 bytes and must not grow.
set -eu
out=build/size
u74=$1
mkdir -p $out
bad=0
gcc="riscv64-unknown-elf-gcc -std=c11 -march=rv64imac -mabi=lp64 -misa-spec=2.2 -mcmodel=medany
	-ffreestanding -ffunction-sections -fdata-sections -DPMUMAP_IMPLEMENTATION
	-x c pmumap_fdt.h"

# line NAME VALUE LIMIT; no limit: only shown
line()
{
	if [ -z "$3" ]; then
		printf '%-58s %6d\n' "$1" "$2"
	elif [ "$2" -le "$3" ]; then
		printf '%-58s %6d of %d\n' "$1" "$2" "$3"
	else
		printf '%-58s %6d of %d: TOO MUCH\n' "$1" "$2" "$3"
		bad=1
	fi
}

# linked NAME LIMIT FUNCTION...: what remains of the object if only these are wanted
linked()
{
	name=$1
	limit=$2
	shift 2
	riscv64-unknown-elf-ld --gc-sections -e "$1" $(printf -- '-u %s ' "$@") \
		-o $out/linked $out/Os.o
	line "$name" "$(riscv64-unknown-elf-size $out/linked | awk 'NR == 2 { print $1 }')" "$limit"
}

# deepest FILE.ci FUNCTION: the call path that needs most stack; callbacks of the caller not counted
deepest()
{
	awk -v start="$2" '
		function quoted(key) {
			if (!match($0, key ": \"[^\"]*\""))
				return ""
			return substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 4)
		}
		function depth(f, i, n, called, d, most) {
			if (busy[f])
				return 1000000
			if (f in known)
				return known[f]
			busy[f] = 1
			n = split(calls[f], called, " ")
			for (i = 1; i <= n; i++) {
				d = depth(called[i])
				most = d > most ? d : most
			}
			busy[f] = 0
			return known[f] = own[f] + most
		}
		/^node:/ && match($0, /[0-9]+ bytes \(/) {
			bytes = substr($0, RSTART) + 0
			own[quoted("title")] = /bytes \(dynamic/ ? 1000000 : bytes
		}
		/^edge:/ {
			caller = quoted("sourcename")
			callee = quoted("targetname")
			# Its own pointer: the checks that pmumap_listen() asks for.
			if (callee == "__indirect_call" && caller ~ /pmumap_finish$/)
				callee = "pmumap_fdt.h:pmumap_lint_"
			calls[caller] = calls[caller] " " callee
		}
		END {
			for (f in own) {
				name = f
				sub(/.*:/, "", name)
				if (name == start)
					print depth(f)
			}
		}' "$1"
}

lookups="pmumap_selector pmumap_counters pmumap_raw_counters pmumap_encode"
$gcc -Os -c -o $out/Os.o
echo "rv64 -Os: bytes of text and rodata"
linked "look-ups: selector, counters, raw_counters, encode" 819 $lookups
cat >$out/silent.c <<END
#include "pmumap_fdt.h"
int start(const void *fdt, size_t size, void *mem, size_t bytes, const struct pmumap **map)
{
	return (int)pmumap_fdt_build(fdt, size, 0, mem, bytes, map);
}
END
riscv64-unknown-elf-gcc -std=c11 -march=rv64imac -mabi=lp64 -misa-spec=2.2 -mcmodel=medany -Os \
	-ffreestanding -ffunction-sections -fdata-sections -nostdlib -I. -Wl,--gc-sections \
	-Wl,-e,start -Wl,--build-id=none $out/silent.c -o $out/silent
line "builder and device tree reader, where nobody listens" \
	"$(riscv64-unknown-elf-size $out/silent | awk 'NR == 2 { print $1 }')" 4096
linked "the same with findings, and fdt_measure" "" pmumap_fdt_measure pmumap_fdt_build
linked "builder alone: begin, add_*, need, finish" "" pmumap_begin pmumap_add_selector \
	pmumap_add_counters pmumap_add_raw pmumap_need pmumap_finish
linked "listing: event_next, raw_at" "" pmumap_event_next pmumap_raw_at
linked "pick and assign" "" pmumap_pick pmumap_assign
linked "open" "" pmumap_open
linked "names: event_name, event_parse" "" pmumap_event_name pmumap_event_parse
linked "texts: status_str, code_str, severity_str" "" pmumap_status_str pmumap_code_str \
	pmumap_severity_str

for level in Os O2; do
	echo "rv64 -$level: bytes of stack, deepest path"
	$gcc -$level -fcallgraph-info=su -c -o $out/$level.o
	ci=$(ls -t $out/*$level*.ci | head -n 1)
	for f in pmumap_fdt_build pmumap_fdt_measure pmumap_finish; do
		line $f "$(deepest "$ci" $f)" 704
	done
	for f in $lookups pmumap_event_next pmumap_raw_at pmumap_pick; do
		line $f "$(deepest "$ci" $f)" 128
	done
	line pmumap_assign "$(deepest "$ci" pmumap_assign)" ""
	line pmumap_open "$(deepest "$ci" pmumap_open)" ""
done

cc -std=c11 -I. -x c -o $out/map - <<END
#include <stdio.h>
#include "pmumap_fdt.h"
int main(int argc, char **argv)
{
	static uint64_t blob[8192], block[8192];
	const struct pmumap *map;
	FILE *f = fopen(argv[argc - 1], "rb");
	size_t need, size = f ? fread(blob, 1, sizeof(blob), f) : 0;

	if (pmumap_fdt_measure(blob, size, NULL, &need) ||
	    pmumap_fdt_build(blob, size, NULL, block, sizeof(block), &map))
		return 1;
	printf("%zu %zu\n", pmumap_size(map), need);
	return 0;
}
END
set -- $($out/map "$u74")
echo "memory, bytes"
line "map of the U74" "$1" 640
line "block to build it in" "$2" ""
exit $bad
