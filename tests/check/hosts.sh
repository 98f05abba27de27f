#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The examples for TF-A and U-Boot, compiled with their projects' flags and run.
. tests/check/lib.sh

# expect WHAT PATTERN FILE: FILE has a line that matches as a whole
expect() {
	grep -qxe "$2" "$3" && pass || {
		fail "$1: no line $2"
		head -n 10 "$3" | cut -c 1-200
	}
}

# only OBJECT SYMBOL...: it needs no other external symbol
only() {
	object=$1
	shift
	nothing "$object needs" "$(nm -u "$object" | awk '{ print $2 }' |
		grep -vxF "$(printf '%s\n' "$@")")"
}

# ---- TF-A: its platform "qemu" with hosts/tfa

works "TF-A" scripts/tfa-build.sh
tfa=build/firmware/tfa
works "the topology" aarch64-linux-gnu-gcc -O2 $warnings -static tests/hosts/tfa.c \
	$tfa/plat_amu.o -o "$dir/topology"
works "the array" aarch64-linux-gnu-gcc -O2 $warnings -static -DARRAY tests/hosts/tfa.c \
	$tfa/plat_amu-array.o -o "$dir/array"
works "few counters" aarch64-linux-gnu-gcc -O2 $warnings -static -DARRAY tests/hosts/tfa.c \
	$tfa/plat_amu-few.o -o "$dir/few"
only $tfa/plat_amu.o tf_log plat_core_pos_by_mpidr
only $tfa/plat_amu-array.o tf_log plat_core_pos_by_mpidr

# same N MASK: MASK N times
same() {
	for i in $(seq "$1"); do
		printf '%s ' "$2"
	done
}

# masks WHAT BOARD RESULT ENABLE DESCRIBED [LINE]: masks of 32 cores; cores past the board's have 0
masks() {
	for way in topology array; do
		qemu-aarch64 "$dir/$way" "build/boards/$2.dtb" $bytes >"$dir/out"
		expect "$way, $1" "$3" "$dir/out"
		expect "$way, $1, enabled" "$4" "$dir/out"
		expect "$way, $1, described" "$5" "$dir/out"
		[ -z "${6:-}" ] || expect "$way, $1, said" "$6" "$dir/out"
	done
}

bytes=
nothing="$(same 31 0x0)0x0"
all="$(same 14 0x7)$(same 17 0x0)0x0"
masks "14 CPUs with one view" amu-tc2 0 "$all" "$all"
masks "a view elsewhere" amu-three 0 "0x1 0x2 $(same 29 0x0)0x0" "0x5 $(same 30 0x0)0x0" \
	"AMU: warning view-foreign, .*"
masks "CPUs that are not here" amu-doc 0 "0x3 0x3 $(same 29 0x0)0x0" \
	"0x3 0x3 $(same 29 0x0)0x0" "AMU: no CPU 0x10100 here"
masks "a tree without AMU" qemu-virt -1 "$nothing" "$nothing"
bytes=100
masks "half a tree" amu-tc2 -1 "$nothing" "$nothing" "AMU: no map (error 12 of pmumap.h)"

bytes=
qemu-aarch64 "$dir/few" build/boards/amu-tc2.dtb >"$dir/out"
expect "few counters" "$(same 14 0x5)$(same 17 0x0)0x0" "$dir/out"
expect "few counters, said" "AMU: core 13 does not implement 0x2" "$dir/out"

# TF-A 2.13's array, in a platform that enables everything.
mkdir "$dir/platform"
{
	echo "int before;"
	echo "/* FIXME: counter enablement */"
	echo "uint16_t plat_amu_aux_enables[PLATFORM_CORE_COUNT] = {"
	printf '\t0xffff, 0xffff,\n};\nint after;\n'
} >"$dir/platform/topology.c"
works "enables.sh" hosts/tfa/enables.sh "$dir/platform" topology.c build/boards/amu-tc2.dtb \
	--counters 0-1 --order 0x0,0x100
{
	echo "int before;"
	echo "uint16_t plat_amu_aux_enables[PLATFORM_CORE_COUNT] = {"
	printf '\t0x0003, /* %s: counter@0 counter@1 */\n' 0x0 0x100
	printf '};\nint after;\n'
} >"$dir/want"
cmp -s "$dir/want" "$dir/platform/topology.c" && pass || {
	fail "enables.sh: another array"
	diff "$dir/want" "$dir/platform/topology.c"
}

works "TF-A in QEMU" tests/hosts/tfa_boot.sh $tfa "$dir/boot"

# The row for TF-A in hosts/README.md: lines added to TF-A's files, and BL31's text size.
lines=$(diff -r build/firmware/tfa-src/plat $tfa/src/plat | grep -c '^>')
text=$(size $tfa/bl31.elf | awk 'END { print $1 }')
tr -d , <hosts/README.md | tr '\n' ' ' |
	grep -q "| .tfa.(tfa/README.md) | [0-9]* | [0-9]* | $lines |.*| .TF-A.(tfa/README.md) | [0-9]* -> $text |" &&
	pass || fail "hosts/README.md: another row for TF-A: + $lines, -> $text"

# ---- U-Boot: its commands, with stubs for the headers that they need

uboot="-std=gnu11 -ffreestanding -fno-stack-protector -Wall -Wextra -Wno-unused-parameter -Werror"
mkdir -p "$dir/uboot/asm" "$dir/uboot/linux"
for header in command.h stdio.h string.h libfdt_env.h asm/global_data.h linux/types.h; do
	echo '#include <uboot.h>' >"$dir/uboot/$header"
done
echo '#include <libfdt.h>' >"$dir/uboot/linux/libfdt.h"
cp build/libfdt-src/fdt.c build/libfdt-src/fdt_ro.c "$dir/uboot" # beside that libfdt_env.h
scripts/host-header.py hosts/uboot/pmu.c hosts/uboot/amu.c >"$dir/uboot/pmumap.h"
uboot="$uboot -I$dir/uboot -Itests/hosts -Ibuild/libfdt-src"

# compiles COMMAND COMPILER...
compiles() {
	command=$1
	shift
	for level in -O2 -Os; do
		works "U-Boot's $command" "$@" $level -nostdinc $uboot -c "hosts/uboot/$command.c" \
			-o "$dir/$command.o"
		only "$dir/$command.o" gd printf run_command fdt_node_offset_by_compatible fdt_getprop \
			strlen strcmp
	done
}
# header COMMAND: README.md says how many lines of header it needs
header() {
	lines=$(scripts/host-header.py "hosts/uboot/$1.c" | wc -l | sed 's/...$/,&/')
	tr '\n' ' ' <hosts/uboot/README.md | grep -q "\b$lines \(lines \)*for .$1." && pass ||
		fail "hosts/uboot/README.md: $1 needs $lines lines"
}
header pmu
header amu
for option in -DCONFIG_RISCV_SMODE -DCONFIG_RISCV_MMODE; do
	compiles pmu riscv64-linux-gnu-gcc $option
	compiles pmu riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32 $option
done
compiles amu aarch64-linux-gnu-gcc -mgeneral-regs-only -mstrict-align

works "U-Boot's amu on this machine" gcc -O1 -g -fsanitize=address,undefined $uboot -c \
	hosts/uboot/amu.c -o "$dir/amu.o"
works "its caller" gcc -O1 -g -fsanitize=address,undefined $warnings tests/hosts/uboot.c \
	"$dir/amu.o" -o "$dir/uboot-here"
"$dir/uboot-here" build/boards/amu-three.dtb >"$dir/out" 2>&1 || fail "U-Boot, amu: exit status $?"
expect "U-Boot, amu" "CPU 0x0: counter@0 counter@2 (off)" "$dir/out"
head -c 200 build/boards/amu-three.dtb >"$dir/half.dtb"
"$dir/uboot-here" "$dir/half.dtb" >"$dir/out" 2>&1
[ $? = 1 ] && pass || fail "U-Boot, half a tree: no failure"
expect "U-Boot, half a tree" "amu: the device tree.*" "$dir/out"

# S-mode, where pmu can count.
machine="qemu-system-riscv64 -cpu rv64,sscofpmf=true -m 256M -nographic -net none"
works "QEMU's tree" $machine -machine virt,dumpdtb="$dir/virt.dtb"
works "OpenSBI" scripts/opensbi-build.sh 1.6

# boots TREE: runs the command with this tree
boots() {
	works "U-Boot in S-mode" riscv64-linux-gnu-gcc -O2 -nostdinc \
		-isystem "$(riscv64-linux-gnu-gcc -print-file-name=include)" $uboot \
		-DCONFIG_RISCV_SMODE -DBLOB="\"$1\"" -fno-toplevel-reorder -fno-reorder-functions \
		-nostdlib -static -no-pie -mcmodel=medany -ffunction-sections \
		-Wl,--gc-sections,-N,-Ttext=0x80200000,--build-id=none,--no-warn-rwx-segments tests/hosts/smode.c \
		hosts/uboot/pmu.c "$dir"/uboot/fdt*.c examples/firmware/runtime/string.c \
		-lgcc -o "$dir/smode.elf"
	scripts/limit.sh 120 $machine -machine virt -bios build/firmware/opensbi-map-1.6.bin \
		-kernel "$dir/smode.elf" </dev/null 2>&1 | head -c 100000 | tr -d '\r' >"$dir/smode.log"
}

boots build/boards/sifive-u74.dtb
for line in "raw 0x1 mask 0xfffffffffff800ff counters 0x00000018" \
	"0x00003-0x00003 counters 0x00000018 selector 0x1801 SBI_PMU_HW_CACHE_REFERENCES"; do
	expect "U-Boot lists" "$line" "$dir/smode.log"
done
boots build/boards/amu-tc2.dtb
expect "U-Boot without a PMU" "pmu: the tree describes no PMU" "$dir/smode.log"
boots "$dir/virt.dtb"

# counted EVENT LEAST MOST
counted() {
	count=$(sed -nE "s/^$1 on counter [0-9]+: ([0-9]+)$/\1/p" "$dir/smode.log")
	[ "${count:-0}" -ge "$2" ] && [ "${count:-0}" -le "$3" ] && pass ||
		fail "U-Boot in S-mode, $1: ${count:-nothing}, not $2 to $3"
}

counted dTLB-load-misses 256 300
counted dTLB-store-misses 256 300
counted cycles 256 10000000000
expect "U-Boot in S-mode" "pmu: branch-misses cannot be counted here" "$dir/smode.log"
finish
