#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: bench/size.sh U74.dtb CATALOG.dtb...
#
# Bytes of code and constants that rv64 -Os links for a set of functions, the worst stack of a call,
# and the bytes of maps. Fails above the limits: those of the design, but for the stack of a build,
# which is still above its 512 bytes and must not grow.
set -eu
out=build/size
mkdir -p $out
bad=0
gcc="riscv64-unknown-elf-gcc -std=c11 -march=rv64imac -mabi=lp64 -misa-spec=2.2 -mcmodel=medany
	-ffreestanding -ffunction-sections -fdata-sections"

# compile NAME LEVEL [BINDINGS]: all functions
compile()
{
	$gcc -$2 ${3:+-DPMUMAP_BINDINGS=$3} -DPMUMAP_IMPLEMENTATION -fcallgraph-info=su -c \
		-o "$out/$1$2.o" -x c pmumap_fdt.h
}

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
		-o $out/linked $out/allOs.o
	line "$name" "$(riscv64-unknown-elf-size $out/linked | awk 'NR == 2 { print $1 }')" "$limit"
}

# program NAME LIMIT [BINDINGS]: what a program links that is read from the standard input
program()
{
	cat >$out/program.c
	$gcc -Os ${3:+-DPMUMAP_BINDINGS=$3} -nostdlib -I. -Wl,--gc-sections -Wl,-e,start \
		-Wl,--build-id=none $out/program.c -o $out/program
	line "$1" "$(riscv64-unknown-elf-size $out/program | awk 'NR == 2 { print $1 }')" "$2"
}

# silent NAME LIMIT [BINDINGS]: a program that builds a map and listens to nothing
silent()
{
	program "$@" <<-END
	#include "pmumap_fdt.h"
	int start(const void *fdt, size_t size, void *mem, size_t bytes, const struct pmumap **map)
	{
		return (int)pmumap_fdt_build(fdt, size, 0, mem, bytes, map);
	}
	END
}

# server NAME LIMIT: the SBI PMU extension, with all that it needs of the headers
server()
{
	program "$@" <<-END
	#include "examples/hypervisor/sbi_pmu.h"
	struct pmumap_sbi_ret start(struct sbi_pmu *s, uint32_t function, const uint64_t *args)
	{
		if (function == 100)
			sbi_pmu_init(s);
		if (function == 101)
			sbi_pmu_count(s, (uint32_t)args[0], args[1]);
		if (function == 102)
			sbi_pmu_reset(s);
		return sbi_pmu_call(s, function, args);
	}
	END
}

# deepest NAME FUNCTION: the call path that needs most stack; callbacks of the caller not counted
deepest()
{
	case $1 in
	riscv*) parts=lint ;;
	*) parts="(lint|imc_finish|amu_finish)" ;;
	esac
	awk -v start="$2" -v parts="pmumap_${parts}_$" '
		function quoted(key) {
			if (!match($0, key ": \"[^\"]*\""))
				return ""
			return substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 4)
		}
		# Pointers of its own: the parts of other bindings, the checks of pmumap_listen(), and
		# what the walk over the blob (if inlined, its caller) does with what it finds.
		function behind(caller) {
			if (caller ~ /pmumap_finish$/)
				return parts
			if (caller ~ /imc_finish_$/)
				return "imc_lint_$"
			if (caller ~ /fdt_(tags|find)_$/)
				return "fdt_(judge|keep)_$"
			return caller ~ /order_$/ ? "_before_$" : "^$"
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
			if (callee == "__indirect_call")
				pointers[caller] = 1
			else
				calls[caller] = calls[caller] " " callee
		}
		END {
			for (caller in pointers) {
				for (f in own) {
					if (f ~ behind(caller))
						calls[caller] = calls[caller] " " f
				}
			}
			for (f in own) {
				name = f
				sub(/.*:/, "", name)
				if (name == start)
					print depth(f)
			}
		}' "$out/$1.ci"
}

lookups="pmumap_selector pmumap_counters pmumap_raw_counters pmumap_encode"
imc="pmumap_imc_find pmumap_imc_at pmumap_imc_address"
compile all Os
echo "rv64 -Os: bytes of text and rodata"
linked "look-ups: selector, counters, raw_counters, encode" 819 $lookups
linked "look-ups of IMC: imc_find, imc_at, imc_address" "" $imc
silent "builder and device tree reader, where nobody listens" 4096 PMUMAP_RISCV
silent "the same of IMC alone" "" PMUMAP_IMC
silent "the same of all bindings" ""
linked "the same with findings, and fdt_measure" "" pmumap_fdt_measure pmumap_fdt_build
linked "builder alone: begin, add_*, need, finish" "" pmumap_begin pmumap_add_selector \
	pmumap_add_counters pmumap_add_raw pmumap_need pmumap_finish
linked "listing: event_next, raw_at" "" pmumap_event_next pmumap_raw_at
linked "pick and assign" "" pmumap_pick pmumap_assign
linked "listing of IMC" "" pmumap_imc_unit pmumap_imc_event_at pmumap_imc_chip
linked "IMC: control, scale, read, trace words, available, catalog" "" pmumap_imc_control \
	pmumap_imc_scale pmumap_imc_read pmumap_imc_trace_scom_encode \
	pmumap_imc_trace_scom_decode pmumap_imc_trace_config_encode \
	pmumap_imc_trace_config_decode pmumap_imc_available pmumap_imc_catalog
linked "open" "" pmumap_open
linked "registers of a hart: probe, set, start, stop, read" "" pmumap_hart_native \
	pmumap_hart_probe pmumap_hart_set pmumap_hart_start pmumap_hart_stop pmumap_hart_read
linked "the same through SBI" "" pmumap_sbi_native pmumap_sbi_probe pmumap_sbi_set \
	pmumap_sbi_start pmumap_sbi_stop pmumap_sbi_read
server "SBI PMU extension, as a server" 6131
linked "device trees out: emit, fixup" "" pmumap_fdt_emit pmumap_fdt_fixup
linked "device trees out: imc_fixup" "" pmumap_fdt_imc_fixup
linked "restrict" "" pmumap_restrict
linked "names: event_name, event_parse" "" pmumap_event_name pmumap_event_parse
linked "texts: status_str, code_str, severity_str" "" pmumap_status_str pmumap_code_str \
	pmumap_severity_str

for level in Os O2; do
	echo "rv64 -$level: bytes of stack, deepest path"
	compile riscv $level PMUMAP_RISCV
	compile all $level
	for f in pmumap_fdt_build pmumap_fdt_measure pmumap_finish; do
		line $f "$(deepest riscv$level $f)" 768
	done
	for f in $lookups pmumap_event_next pmumap_raw_at pmumap_pick; do
		line $f "$(deepest riscv$level $f)" 128
	done
	for f in pmumap_assign pmumap_open $imc; do
		line $f "$(deepest all$level $f)" ""
	done
	for f in pmumap_fdt_build pmumap_fdt_measure pmumap_finish; do
		line "$f, all bindings" "$(deepest all$level $f)" ""
	done
done

cc -std=c11 -I. -x c -o $out/map - <<END
#include <stdio.h>
#include <stdlib.h>
#include "pmumap_fdt.h"
int main(int argc, char **argv)
{
	static uint64_t blob[1 << 14], block[1 << 16];
	struct pmumap_fdt_options opt = { .flags = (uint32_t)atoi(argv[argc - 1]) };
	const struct pmumap *map;
	FILE *f = fopen(argv[argc - 2], "rb");
	size_t need, size = f ? fread(blob, 1, sizeof(blob), f) : 0;

	if (pmumap_fdt_measure(blob, size, &opt, &need) || need > sizeof(block) ||
	    pmumap_fdt_build(blob, size, &opt, block, need, &map))
		return 1;
	printf("%zu %zu\n", pmumap_size(map), need);
	return 0;
}
END

# map NAME LIMIT FILE FLAGS
map()
{
	sizes=$($out/map "$3" "$4")
	line "map of $1" "${sizes% *}" "$2"
	line "block to build it in" "${sizes#* }" ""
}

echo "memory, bytes"
map "the U74" 640 "$1" 0
shift
for catalog; do
	name=$(basename "$catalog" .dtb)
	case $name in
	power9-*) limit=16384 ;;
	power10-*) limit=12288 ;;
	*) limit= ;;
	esac
	map "$name" "$limit" "$catalog" 0
	map "$name without an index" "" "$catalog" 4
done
exit $bad
