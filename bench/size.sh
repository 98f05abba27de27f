#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: bench/size.sh DIR [--update] TREE.dtb...
#
# Measures on five architectures: code and constants that a program links for a set of functions,
# the deepest stack of a call, and map sizes. Also measures what some hosts link, compiled with
# their flags. Fails above a limit: the design's limits for rv64 and OpenSBI, except for the stack
# of a build, which exceeds its 512 bytes and must not grow. Also fails if bench/sizes.md or the
# most wanted rows in doc/performance.md differ; --update writes them. The numbers depend on Debian
# 12's compilers.
set -eu
out=$1
shift
update=
[ "${1:-}" != --update ] || { update=1 && shift; }
mkdir -p "$out"
rm -f "$out"/*.txt
passed=0
failed=0
targets="rv64 rv32 aarch64 armv7-m ppc64"

# toolchain TARGET: sets $tools (the prefix) and $flags
toolchain()
{
	case $1 in
	rv64) tools=riscv64-unknown-elf- flags="-march=rv64imac -mabi=lp64 -misa-spec=2.2 -mcmodel=medany" ;;
	rv32) tools=riscv64-unknown-elf- flags="-march=rv32imac -mabi=ilp32 -misa-spec=2.2" ;;
	aarch64) tools=aarch64-linux-gnu- flags="-fno-pic" ;;
	armv7-m) tools=arm-none-eabi- flags="-mcpu=cortex-m3 -mthumb" ;;
	ppc64) tools=powerpc64-linux-gnu- flags="-fno-pic" ;;
	esac
	flags="$flags -std=c11 -ffreestanding -ffunction-sections -fdata-sections
		-fno-asynchronous-unwind-tables -fno-unwind-tables -fno-stack-protector"
}

# bytes FILE: code and constants
bytes()
{
	"${tools}size" "$1" | awk 'NR == 2 { print $1 }'
}

# object NAME HEADER...: all functions of the headers
object()
{
	name=$1
	shift
	printf '#include "%s"\n' "$@" >"$here/$name.c"
	${tools}gcc $flags -$level -DPMUMAP_IMPLEMENTATION -I. -fcallgraph-info=su -c \
		-o "$here/$name.o" "$here/$name.c"
}

# linked NAME FUNCTION...: what the linker keeps of that object for these functions
linked()
{
	name=$1
	shift
	emulation=
	[ "$target" != rv32 ] || emulation=-melf32lriscv
	"${tools}ld" $emulation --gc-sections -e "$1" $(printf -- '-u %s ' "$@") \
		-o "$here/linked" "$here/all.o"
	echo "$name $(bytes "$here/linked")"
}

# program NAME: what the program on stdin links
program()
{
	cat >"$here/program.c"
	${tools}gcc $flags -$level -nostdlib -static -no-pie -I. \
		-Wl,--gc-sections -Wl,-e,start -Wl,--build-id=none "$here/program.c" \
		-o "$here/program"
	echo "$1 $(bytes "$here/program")"
}

# builder NAME KIND: a program that builds a map with options. KIND is "", imc_ or amu_.
builder()
{
	header=pmumap_fdt.h
	[ -z "$2" ] || header=pmumap_${2%_}.h
	options=${2:-fdt_}options map=pmumap${2:+_${2%_}}
	program "$1" <<-END
	#include "$header"
	int start(const void *fdt, size_t size, struct pmumap_$options *opt, void *mem, size_t bytes,
		  const struct $map **map)
	{
		return (int)pmumap_${2}fdt_build(fdt, size, opt, mem, bytes, map);
	}
	END
}

# checker NAME HEADER KIND MAP [LABELS]: a program that reports findings, with labels, and builds a map
checker()
{
	program "$1" <<-END
	#include "$2"
	int start(const void *fdt, size_t size, struct pmumap_${3}_options *opt, void *mem,
		  size_t bytes, const struct $4 **map, pmumap_report_fn *report, void *arg)
	{
		${5:+opt->labels = $5;}
		if (pmumap_${3}_check(fdt, size, opt, mem, bytes, report, arg))
			return 1;
		return (int)$4_fdt_build(fdt, size, opt, mem, bytes, map);
	}
	END
}

# map NAME [FINDINGS]: a program that builds a RISC-V map and looks up events; with findings if given
map()
{
	program "$1" <<-END
	#include "pmumap_check.h"
	int start(const void *fdt, size_t size, void *mem, size_t bytes, const struct pmumap **map,
		  uint32_t event, uint64_t *data, pmumap_report_fn *report)
	{
		if (event == 0)
			return pmumap_selector(*map, event, data);
		if (event == 1)
			return (int)pmumap_counters(*map, event);
		if (event == 2)
			return (int)pmumap_raw_counters(*map, *data);
		if (event == 3)
			return pmumap_encode(*map, event, *data, PMUMAP_RULE_ABSENT, data);
		${2:+if (pmumap_fdt_check(fdt, size, 0, mem, bytes, report, 0))
			return 1;}
		return (int)pmumap_fdt_build(fdt, size, 0, mem, bytes, map);
	}
	END
}

# catalog NAME: a program that selects the catalog in flash and hands it on
catalog()
{
	program "$@" <<-END
	#include "pmumap_imc_hw.h"
	int start(const void *image, size_t size, uint32_t pvr, void *fdt, size_t bytes,
		  const struct pmumap_imc_chips *chips, size_t *need)
	{
		if (!fdt)
			return pmumap_imc_catalog(image, size, pvr, need, need) != 0;
		return (int)pmumap_imc_fdt_fixup(fdt, bytes, chips, need);
	}
	END
}

# server NAME: the SBI PMU extension with everything it needs from the headers
server()
{
	program "$@" <<-END
	#include "pmumap_server.h"
	struct pmumap_sbi_ret start(struct pmumap_server *s, uint32_t function, const uint64_t *args)
	{
		if (function == 100)
			pmumap_server_init(s);
		if (function == 101)
			pmumap_server_firmware_event(s, (uint32_t)args[0], args[1]);
		if (function == 102)
			pmumap_server_reset(s);
		return pmumap_server_call(s, function, args);
	}
	END
}

# deepest OBJECT FUNCTION...: the deepest stack of all call paths from these functions, without the
# caller's callbacks
deepest()
{
	file=$here/$1.ci
	shift
	awk -v wanted="$*" -v finds="${finds:-}" '
		function quoted(key) {
			if (!match($0, key ": \"[^\"]*\""))
				return ""
			return substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 4)
		}
		# Pointers of its own: what options may be, what the walk over the blob (if inlined, its caller) does with nodes and
		# properties, and orders to sort by.
		function behind(caller) {
			if (caller ~ /amu_(build_tree_|lay_out_|fdt_build|fill_(counter|item)_)$/)
				return finds ? "amu_labels$" : "^$"
			if (caller ~ /amu_read_(tree|view|counter|cpu|node)_/)
				return "amu_fill_item_$|fdt_recall_$" \
					(finds ? "|amu_check_item_$" : "")
			if (caller ~ /riscv_(read_nodes|choose_node)_/)
				return "riscv_read_(node|hart)_$|fdt_number_$" (finds ? "|riscv_check_choice_$" : "")
			if (caller ~ /fdt_(take_property|next|edit_begin)_$|imc_next_$|fdt_features$|_list_harts_$/)
				return "fdt_(number|recall)_$"
			return caller ~ /(sort_pairs|heap_sort)_$/ ? "imc_(order|compare)_[a-z_]*_$" : "^$"
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
			n = split(wanted, start, " ")
			for (f in own) {
				name = f
				sub(/.*:/, "", name)
				for (i = 1; i <= n; i++) {
					if (name == start[i]) {
						found++
						d = depth(f)
						most = d > most ? d : most
					}
				}
			}
			print found == n ? most + 0 : 1000000
		}' "$file"
}

lookups="pmumap_selector pmumap_counters pmumap_raw_counters pmumap_encode"
names="pmumap_imc_find_name pmumap_imc_find_offset pmumap_imc_event pmumap_imc_address"
cpus="pmumap_amu_cpu_find pmumap_amu_view_at pmumap_amu_counter_name"
registers="pmumap_hart_probe pmumap_hart_set pmumap_hart_start pmumap_hart_stop pmumap_hart_read"
calls="pmumap_sbi_probe pmumap_sbi_set pmumap_sbi_start pmumap_sbi_stop pmumap_sbi_read"
monitors="pmumap_amu_probe pmumap_amu_run pmumap_amu_save pmumap_amu_restore pmumap_amu_read pmumap_amu_mapped"

# code: sizes of the object with all functions, and of programs
code()
{
	linked lookups $lookups
	linked names $names
	linked cpus $cpus
	builder build-riscv ""
	builder build-imc imc_
	builder build-amu amu_
	checker check-riscv pmumap_check.h fdt pmumap
	checker check-imc pmumap_imc_check.h imc pmumap_imc
	checker check-amu pmumap_amu_check.h amu pmumap_amu pmumap_amu_labels
	[ "$level" = Os ] || return 0
	linked builder pmumap_begin pmumap_add_selector pmumap_add_counters pmumap_add_raw \
		pmumap_need pmumap_finish
	linked lists pmumap_event_next pmumap_raw_at pmumap_imc_unit_at pmumap_imc_event_at \
		pmumap_imc_chip_at
	linked plan pmumap_plan pmumap_plan_all
	linked open pmumap_open pmumap_imc_open pmumap_amu_open
	linked words pmumap_imc_control_address pmumap_imc_scale pmumap_imc_load_counter \
		pmumap_imc_trace_scom_encode pmumap_imc_trace_config_decode \
		pmumap_imc_available pmumap_imc_catalog
	case $target in rv*) native="pmumap_hart_init_machine pmumap_sbi_init" ;; *) native= ;; esac
	linked registers $registers ${native% *}
	linked calls $calls ${native#* }
	linked monitors $monitors
	server server
	linked emit pmumap_fdt_emit pmumap_fdt_fixup
	linked imc-fixup pmumap_imc_fdt_fixup
	linked restrict pmumap_restrict
	linked event-names pmumap_event_name pmumap_event_parse
	linked texts pmumap_status_str pmumap_severity_str
}

# What hosts link, each with its own compiler and flags; written to one file.
hosts()
{
	here=$out/hosts
	mkdir -p "$here"
	usual="-std=gnu11 -ffreestanding -fno-stack-protector -ffunction-sections -fdata-sections
		-fno-asynchronous-unwind-tables" # their linker scripts drop these
	frames="-fno-omit-frame-pointer -fno-optimize-sibling-calls"
	riscv="-march=rv64imafdc_zicsr_zifencei -mabi=lp64 -mcmodel=medany -mno-save-restore"
	{
		tools=riscv64-linux-gnu- level=O2
		flags="$usual $riscv -mstrict-align $frames -fpie"
		map opensbi
		map opensbi-findings with-findings
		server opensbi-server
		flags="$usual $riscv $frames -fno-pie"
		map xvisor
		server xvisor-server
		flags="$usual $riscv -fno-pic"
		server bao-server
		tools=powerpc64-linux-gnu- level=Os
		flags="$usual -mbig-endian -m64 -mcpu=power8 -fno-pic"
		catalog skiboot
	} >"$here.txt"
}

stacks()
{
	builds="pmumap_imc_fdt_build pmumap_imc_fdt_measure"
	echo "stack-riscv $(deepest riscv pmumap_fdt_build pmumap_fdt_measure pmumap_finish)"
	echo "stack-riscv-check $(finds=1 && deepest riscv pmumap_fdt_check)"
	echo "stack-imc $(deepest imc $builds)"
	echo "stack-imc-check $(finds=1 && deepest imc pmumap_imc_check)"
	echo "stack-amu $(deepest amu pmumap_amu_fdt_build pmumap_amu_fdt_measure)"
	echo "stack-amu-check $(finds=1 && deepest amu pmumap_amu_check)"
	echo "stack-lookups $(deepest riscv $lookups pmumap_event_next pmumap_raw_at pmumap_plan)"
	echo "stack-names $(deepest all $names)"
	echo "stack-cpus $(deepest amu $cpus)"
	echo "stack-plan $(deepest riscv pmumap_plan_all)"
	echo "stack-open $(deepest all pmumap_open pmumap_imc_open pmumap_amu_open)"
	echo "stack-emit $(deepest all pmumap_fdt_emit pmumap_fdt_fixup pmumap_restrict pmumap_imc_fdt_fixup)"
}

# measure TARGET LEVEL: writes the sizes to a file
measure()
{
	target=$1
	level=$2
	toolchain "$target"
	here=$out/$target-$level
	mkdir -p "$here"
	{
		object riscv pmumap_check.h
		object imc pmumap_imc_check.h
		object amu pmumap_amu_check.h
		object all pmumap_check.h pmumap_hw.h pmumap_imc_check.h pmumap_imc_hw.h pmumap_amu_check.h \
			pmumap_amu_hw.h
		code
		stacks
	} >"$here.txt"
}

# limit KEY BYTES [MEASURE]: for rv64 at -Os and, for stack, at -O2; or for another measure
limit()
{
	for measure in ${3:-rv64-Os rv64-O2}; do
		case $measure,$1 in rv64-O2,stack-* | rv64-Os,* | hosts,*) ;; *) continue ;; esac
		is=$(awk -v key="$1" '$1 == key { print $2 }' "$out/$measure.txt")
		if [ "$is" -le "$2" ]; then
			passed=$((passed + 1))
		else
			echo "$measure $1: $is of $2 bytes: TOO MUCH"
			failed=$((failed + 1))
		fi
	done
}

for target in $targets host; do
	tools=riscv64-linux-gnu-
	[ "$target" = host ] || toolchain "$target"
	command -v "${tools}gcc" >/dev/null && continue
	echo "SKIP size ($target: ${tools}gcc is not installed)"
	echo "0 passed, 0 failed"
	exit
done
pids=
for target in $targets; do
	for level in Os O2; do
		measure "$target" $level &
		pids="$pids $!"
	done
done
hosts &
pids="$pids $!"
for pid in $pids; do
	wait "$pid" || { echo "it does not compile" && exit 1; }
done

# ---- maps

cc -std=c11 -O1 -I. -x c -o "$out/map" - <<END
#include <stdio.h>
#include "pmumap_amu.h"
#include "pmumap_fdt.h"
#include "pmumap_imc.h"
int main(int argc, char **argv)
{
	static uint64_t blob[1 << 14], block[1 << 16];
	const struct pmumap_amu *amu;
	const struct pmumap_imc *imc;
	const struct pmumap *map;
	size_t need, size, bytes;
	FILE *f;
	int i;

	for (i = 1; i < argc; i++) {
		f = fopen(argv[i], "rb");
		size = f ? fread(blob, 1, sizeof(blob), f) : 0;
		if (!pmumap_fdt_measure(blob, size, 0, &need) &&
		    !pmumap_fdt_build(blob, size, 0, block, need, &map))
			bytes = pmumap_size(map);
		else if (!pmumap_imc_fdt_measure(blob, size, 0, &need) &&
			 !pmumap_imc_fdt_build(blob, size, 0, block, need, &imc))
			bytes = pmumap_imc_size(imc);
		else if (!pmumap_amu_fdt_measure(blob, size, 0, &need) &&
			 !pmumap_amu_fdt_build(blob, size, 0, block, need, &amu))
			bytes = pmumap_amu_size(amu);
		else
			return 1;
		printf("%s %zu %zu\n", argv[i], bytes, need);
		fclose(f);
	}
	return 0;
}
END
"$out/map" "$@" | sed 's,^[^ ]*/,,; s,\.dtb,,' >"$out/maps.txt"

# ---- limits

limit lookups 819
limit build-riscv 4800
limit build-imc 12400
limit server 3100
limit opensbi 5200 hosts
limit stack-riscv 740
limit stack-imc 6000
limit stack-lookups 128
while read -r tree most; do
	is=$(awk -v tree="$tree" '$1 == tree { print $2 }' "$out/maps.txt")
	if [ -z "$is" ]; then
		echo "not measured: map of $tree"
	elif [ "$is" -le "$most" ]; then
		passed=$((passed + 1))
	else
		echo "map of $tree: $is of $most bytes: TOO MUCH"
		failed=$((failed + 1))
	fi
done <<END
sifive-u74 512
power9-4e0200 36864
power10-800200 26624
END

# ---- tables of bench/sizes.md, and the rows in doc/performance.md

# rows KEY TEXT: reads sizes from stdin; one column per target
rows()
{
	level=$1
	while read -r key text; do
		row="| $text |"
		for target in $targets; do
			row="$row $(awk -v key="$key" '$1 == key { print $2 }' "$out/$target-$level.txt") |"
		done
		echo "$row"
	done
}

head()
{
	echo "| $1 | rv64 | rv32 | aarch64 | armv7-m | ppc64 |"
	echo "|---|--:|--:|--:|--:|--:|"
}

tables()
{
	echo "Code and constants in bytes, of what a program links (\`make size\`; gcc 12, -Os):"
	echo
	head ""
	rows Os <<-END
	lookups look-ups of RISC-V: selector, counters, raw, encode
	names look-ups of IMC: find, at, address
	cpus look-ups of AMU: CPU, view, names of counters
	build-riscv device tree reader and builder of RISC-V
	build-imc device tree reader and builder of IMC
	build-amu device tree reader and builder of AMU
	check-riscv device tree reader and builder of RISC-V, with all findings
	check-imc device tree reader and builder of IMC, with all findings
	check-amu device tree reader and builder of AMU, with all findings
	builder RISC-V without a device tree: begin, add, finish
	lists listing of maps of RISC-V and IMC
	plan plan of one event, and of many
	open open, all three kinds
	words IMC: control block, scale, trace words, availability, catalog
	registers a hart's counters: probe, set, start, stop, read; on RISC-V its CSRs too
	calls a hart's counters through SBI
	monitors activity monitors, memory-mapped
	server SBI PMU server, with what it needs of the map
	emit writing trees: emit, fixup
	imc-fixup writing trees: IMC's chips
	restrict restrict
	event-names names of events, and back
	texts texts of status, finding, severity
	END
	echo
	echo "The same at -O2, where it matters:"
	echo
	head ""
	rows O2 <<-END
	lookups look-ups of RISC-V
	names look-ups of IMC
	cpus look-ups of AMU
	build-riscv device tree reader and builder of RISC-V
	build-imc device tree reader and builder of IMC
	build-amu device tree reader and builder of AMU
	check-riscv device tree reader and builder of RISC-V, with all findings
	check-imc device tree reader and builder of IMC, with all findings
	check-amu device tree reader and builder of AMU, with all findings
	END
	echo
	echo "What hosts link, with their own compilers and flags:"
	echo
	echo "| host | flags | what | bytes |"
	echo "|---|---|---|--:|"
	while IFS='|' read -r key text; do
		echo "| $text | $(awk -v key="$key" '$1 == key { print $2 }' "$out/hosts.txt") |"
	done <<-END
	opensbi|OpenSBI | -O2 -fno-omit-frame-pointer -fpie | reader, builder and look-ups of RISC-V
	opensbi-findings|OpenSBI | the same | the same with all findings
	opensbi-server|OpenSBI | the same | SBI PMU server, with what it needs of the map
	xvisor|Xvisor | -O2 -fno-omit-frame-pointer | reader, builder and look-ups of RISC-V
	xvisor-server|Xvisor | the same | SBI PMU server, with what it needs of the map
	bao-server|Bao | -O2 | SBI PMU server, with what it needs of the map
	skiboot|skiboot | -Os -m64 -mbig-endian | the right catalog out of the flash, and its chips
	END
	echo
	echo "Worst stack of a call in bytes, by the compiler's call graph, -Os / -O2:"
	echo
	head ""
	while read -r key text; do
		row="| $text |"
		for target in $targets; do
			row="$row $(awk -v key="$key" '$1 == key { print $2 }' "$out/$target-Os.txt") /"
			row="$row $(awk -v key="$key" '$1 == key { print $2 }' "$out/$target-O2.txt") |"
		done
		echo "$row"
	done <<-END
	stack-riscv build or measure, RISC-V
	stack-imc build or measure, IMC
	stack-amu build or measure, AMU
	stack-riscv-check build with findings, RISC-V
	stack-imc-check build with findings, IMC
	stack-amu-check build with findings, AMU
	stack-lookups any look-up of RISC-V, plan
	stack-names any look-up of IMC
	stack-cpus any look-up of AMU
	stack-plan plan of many events
	stack-open open
	stack-emit emit, fixup, restrict
	END
	echo
	echo "Maps in bytes, and the block that one is built in:"
	echo
	echo "| | map | block |"
	echo "|---|--:|--:|"
	while read -r tree text; do
		if grep -q "^$tree " "$out/maps.txt"; then
			awk -v tree="$tree" -v text="$text" '$1 == tree {
				printf "| %s | %d | %d |\n", text, $2, $3
			}' "$out/maps.txt"
		else # a catalog outside of the repository
			grep -F "| $text |" bench/sizes.md || true
		fi
	done <<-END
	sifive-u74 U74
	andes-ax45mp AX45MP
	sophgo-sg2044 SG2044
	eswin-eic7700 EIC7700
	thead-th1520 TH1520
	allwinner-d1 D1
	spacemit-k1 K1
	tenstorrent-x280 X280
	power9-4e0200 POWER9, 621 names (Linux about 390 000, skiboot 233 000)
	power10-800200 POWER10, 422 names
	amu-tc2 AMU of TC2, 14 CPUs
	END
}

# short: the rows named below, and the hosts' sizes; no -O2
short()
{
	awk '
		FILENAME != "-" { keep[$0] = 1; next }
		/:$/ { skip = /-O2, where/; hosts = /^What hosts/ }
		skip { next }
		!/^\| [^ |]/ || /^\| host / || hosts { print; next }
		{ split($0, cell, / *[|] */) }
		cell[2] in keep' "$out/short-rows.txt" -
}

cat >"$out/short-rows.txt" <<END
look-ups of RISC-V: selector, counters, raw, encode
look-ups of IMC: find, at, address
look-ups of AMU: CPU, view, names of counters
device tree reader and builder of RISC-V
device tree reader and builder of IMC
device tree reader and builder of AMU
device tree reader and builder of RISC-V, with all findings
a hart's counters: probe, set, start, stop, read; on RISC-V its CSRs too
SBI PMU server, with what it needs of the map
build or measure, RISC-V
build or measure, IMC
build or measure, AMU
build with findings, RISC-V
any look-up of RISC-V, plan
any look-up of IMC
U74
AX45MP
POWER9, 621 names (Linux about 390 000, skiboot 233 000)
AMU of TC2, 14 CPUs
END
tables >"$out/tables.txt"
short <"$out/tables.txt" >"$out/short.txt"
cat "$out/tables.txt"
for page in bench/sizes.md:tables doc/performance.md:short; do
	if PAGE=${page%:*} bench/figures.sh size "$out/${page#*:}.txt" ${update:+--update}; then
		passed=$((passed + 1))
	else
		echo "${page%:*} is stale: make size-update"
		failed=$((failed + 1))
	fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
