#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: make qemu    (or tests/check/qemu.sh, once build/qemu/*.elf are there)
#
# Boots the bare-metal programs. Each ends QEMU itself; the check compares its exit status and lines
# of its log, build/qemu/NAME.log.
set -u
dir=build/qemu
passed=0
failed=0

# boot NAME STATUS XLEN CPU_OPTIONS QEMU_OPTIONS...
boot() {
	name=$1
	local want=$2 xlen=$3 cpu=rv$3$4 status=0
	shift 4
	log=$dir/$name.log
	scripts/limit.sh 60 qemu-system-riscv$xlen -M virt -cpu "$cpu" -nographic -icount shift=0,sleep=off \
		"$@" </dev/null >"$log" 2>&1 || status=$?
	if [ $status = "$want" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $name: status $status, not $want:"
		sed 's/^/  /' "$log"
	fi
}

# says PATTERN...: the last log matches each
says() {
	local pattern
	for pattern; do
		if grep -Eq -- "$pattern" "$log"; then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
			echo "FAIL $name: no line like: $pattern"
		fi
	done
}

# board NAME XLEN SED_COMMANDS: edits QEMU's own tree into build/qemu/NAME.dtb
board() {
	qemu-system-riscv$2 -M virt,dumpdtb=$dir/own.dtb -cpu rv$2 -bios none -nographic >/dev/null 2>&1
	dtc -q -I dtb -O dts $dir/own.dtb | sed -E "$3" | dtc -q -I dts -O dtb -o $dir/$1.dtb
}

# ---- programs of the README and doc/firmware.md

for xlen in 64 32; do
	for cpu in "" ,sscofpmf=true; do
		boot readme-rv$xlen${cpu:+-sscofpmf} 0 $xlen "$cpu" -bios none -kernel $dir/readme-rv$xlen.elf
		says 'CPU_CYCLES [0-9]* ok$' 'INSTRUCTIONS [0-9]* ok$' 'DTLB_READ_MISS [0-9]* ok$' \
			'^three at once ok$' \
			"^with$([ -n "$cpu" ] || echo out) Sscofpmf" '^passed$'
	done
done

for xlen in 64 32; do
	for cpu in "" ,sscofpmf=true; do
		boot harts-rv$xlen${cpu:+-sscofpmf} 0 $xlen "$cpu" -smp 2 -bios none -kernel $dir/harts-rv$xlen.elf
		says 'hart 0: more instructions than 1000' 'hart 1: more instructions than 1000'
	done
done

# Registers of a hart without mcountinhibit; tests/check/delegated.sh has the others.
for xlen in 64 32; do
	boot registers-rv$xlen 0 $xlen ,h=false,priv_spec=v1.10.0 -bios none -kernel $dir/registers-rv$xlen.elf
	says '^M .* features 0x0: [0-9]* operations as expected'
done

# The build and run commands of doc/firmware.md, unchanged, in a copy of the top folder.
copy=$dir/page
rm -rf "$copy"
mkdir -p "$copy/examples"
cp pmumap*.h "$copy"
cp -r examples/firmware "$copy/examples"
how="## Build it and try it in QEMU"
scripts/snippets.sh doc/firmware.md "$how" sh >"$copy/lines.sh"
clang="clang --target=riscv\\1-unknown-elf -march=rv\\1imac"
clang --target=riscv64-unknown-elf -march=rv64imac_zicsr -E -x c /dev/null >/dev/null 2>&1 &&
	clang=${clang}_zicsr

# page FILE HEADING RUNS RESULT CHANGE [FIRMWARE]: each run prints such a result, and nothing else;
# FIRMWARE deletes what firmware prints
page() {
	scripts/snippets.sh "$1" "## The program" >"$copy/count.c"
	scripts/snippets.sh "$1" "$2" >"$copy/main.c"
	sed "$5" "$copy/lines.sh" >"$copy/changed.sh"
	cp "$copy/main.c" "$copy/main.cc"
	log=$dir/page.log
	(cd "$copy" && ../../../scripts/limit.sh 60 sh -e changed.sh) </dev/null >"$log" 2>&1
	status=$?
	sed -i "s/\r//g; ${6:-}" "$log"
	runs=$(grep -cxE "instructions: $4" "$log")
	if [ $status = 0 ] && [ "$runs" = "$3" ] && [ "$(wc -l <"$log")" = "$3" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $1, $5: status $status"
		sed 's/^/  /' "$log"
	fi
}
for change in "" "s/riscv64-unknown-elf-gcc -march=rv\(..\)imac_zicsr/$clang -mno-relax -fuse-ld=lld/" \
	"s/main\.c /main.cc /"; do
	page doc/firmware.md "$how" 2 '[5-9][0-9]{3}' "$change"
done
supervisor='s/-bios none//; s/-nostdlib/& -DSUPERVISOR -Wl,--defsym=BASE=0x80200000/'
page doc/kernel.md "### Try it in QEMU" 1 '[3-9][0-9]{2}' "/rv32/,\$d; $supervisor" \
	'/^OpenSBI v/,/^Boot HART MEDELEG/d; /^$/d'

# README.md's claim on program size, in units of 1,000 bytes.
sizes=
for isa in rv64imac_zicsr/lp64 rv32imac_zicsr/ilp32; do
	printf '%s\n' 'static void print(const char *text) { (void)text; }' \
		'static void work(void) { }' '#include "build/readme.h"' |
		riscv64-unknown-elf-gcc -march=${isa%/*} -mabi=${isa#*/} -mcmodel=medany -Os \
			-ffreestanding -I. -x c -c - -o $dir/size.o
	sizes="$sizes $(riscv64-unknown-elf-size $dir/size.o |
		awk 'NR == 2 { printf "%.0f", $1 / 1000 }')"
done
# shellcheck disable=SC2086
set -- $sizes
name=README.md log=README.md
says "$1 KB on RV64, $2 KB on RV32"

# ---- firmware

swapped="riscv,event-to-mhpmevent = <1 0 1  2 0 2  0x10019 0 0x1001b  0x1001b 0 0x10019  \
	0x10021 0 0x10021>"
for xlen in 64 32; do
	firmware="-bios none -kernel $dir/firmware-rv$xlen.elf"
	for cpu in "" ,sscofpmf=true; do
		boot firmware-rv$xlen${cpu:+-sscofpmf} 0 $xlen "$cpu" $firmware
		says 'CPU_CYCLES .* ok$' 'INSTRUCTIONS .* ok$' 'DTLB_READ_MISS .* 0x10019 .* ok$' \
			'DTLB_WRITE_MISS .* 0x1001b .* ok$' 'ITLB_READ_MISS .* 0x10021 .* ok$' \
			'L1D_READ_ACCESS .* unsupported .* ok$' '^passed$'
		cp "$log" "$log.first"
		boot $name 0 $xlen "$cpu" $firmware
		cmp "$log" "$log.first" && passed=$((passed + 1)) || failed=$((failed + 1))
	done
	says 'overflow is reported.* ok$'
	[ $xlen = 64 ] || says 'read whole while it carries .* ok$'

	# The tree's selectors decide what is counted: here loads and stores are swapped.
	board swapped$xlen $xlen "s/riscv,event-to-mhpmcounters = /$swapped; &/"
	boot firmware-rv$xlen-swapped 0 $xlen "" $firmware -dtb $dir/swapped$xlen.dtb -append swapped
	says 'DTLB_READ_MISS .* 0x1001b .* ok$' 'DTLB_WRITE_MISS .* 0x10019 .* ok$'

	# Only counter 3 can count instruction TLB misses, so the others must leave it free.
	board narrow$xlen $xlen 's/0x10021 0x10021 0x7fff8/0x10021 0x10021 0x8/'
	boot firmware-rv$xlen-narrow 0 $xlen "" $firmware -dtb $dir/narrow$xlen.dtb
	says 'ITLB_READ_MISS  *3  *0x10021 .* ok$'

	# The program must notice wrong events, a missing event, too few counters, no counters, and
	# no PMU.
	boot firmware-rv$xlen-other-events 1 $xlen "" $firmware -dtb $dir/swapped$xlen.dtb
	says 'DTLB_READ_MISS .* FAILED$' 'DTLB_WRITE_MISS .* FAILED$' '^FAILED$'
	board fewer$xlen $xlen 's/0x10021 0x10021 0x7fff8//'
	boot firmware-rv$xlen-fewer-events 1 $xlen "" $firmware -dtb $dir/fewer$xlen.dtb
	says 'ITLB_READ_MISS  *unsupported .* FAILED$' 'DTLB_WRITE_MISS .* ok$'
	boot firmware-rv$xlen-two-counters 1 $xlen ,pmu-num=2 $firmware
	says 'DTLB_WRITE_MISS .* ok$' 'ITLB_READ_MISS  *busy .* FAILED$'
	boot firmware-rv$xlen-no-counters 1 $xlen ,pmu-num=0 $firmware
	says 'DTLB_READ_MISS  *unsupported .* FAILED$' 'INSTRUCTIONS .* ok$'
	board none$xlen $xlen 's/"riscv,pmu"/"other"/'
	boot firmware-rv$xlen-no-pmu 2 $xlen "" $firmware -dtb $dir/none$xlen.dtb
	says 'describes no PMU'
done

echo "$passed passed, $failed failed"
[ $failed = 0 ]
