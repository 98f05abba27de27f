#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# AMU system registers: instructions have the architecture's encodings, and on a CPU model each
# access reaches the right register.
. tests/check/lib.sh

a64=aarch64-linux-gnu
a32=arm-linux-gnueabihf
a32_flags="-march=armv8-a+simd -mfloat-abi=hard"

for tool in clang qemu-aarch64 qemu-arm; do
	command -v $tool >/dev/null && continue
	echo "SKIP $tool not found"
	finish
done
for cc in $a64-gcc "$a32-gcc $a32_flags"; do
	echo "int main(void) { return 0; }" | $cc -static -x c -o "$dir/try" - 2>/dev/null && continue
	echo "SKIP ${cc%% *} and a libc for it not found"
	finish
done

# ---- registers: NAME CRm op2 of S3_3_C13_CRm_op2 (offsets: S3_4_...)

registers() {
	printf '%s\n' "amcr 2 0" "amcfgr 2 1" "amcgcr 2 2" "amuserenr 2 3" "amcntenclr0 2 4" "amcntenset0 2 5" "amcg1idr 2 6" \
		"amcntenclr1 3 0" "amcntenset1 3 1" "amevcntvoff00 8 0" "amevcntvoff02 8 2" \
		"amevcntvoff03 8 3"
	for n in {0..3}; do
		printf '%s\n' "amevcntr0$n 4 $n" "amevtyper0$n 6 $n"
	done
	for n in {0..15}; do
		printf '%s\n' "amevcntr1$n $((12 + n / 8)) $((n % 8))" \
			"amevtyper1$n $((14 + n / 8)) $((n % 8))" \
			"amevcntvoff1$n $((10 + n / 8)) $((n % 8))"
	done
}

# Registers that are read at any exception level, and at the highest one, where others are written.
# AMCR may be among the others: its read is never reached, and some compilers keep it.
is_read='^(amcfgr|amcgcr|amcg1idr|amcntenset|amevcntr|amevtyper)'
is_read_at_highest='^(amcr|amcfgr|amcgcr|amcg1idr|amcntenset|amevcntr|amevtyper|amevcntvoff)'
is_written='^(amcr|amcnten|amevcntr|amevcntvoff|amevtyper1)'

# read_with FLAGS: those that code compiled with these flags reads
read_with() {
	[[ $1 == *HIGHEST_EL* ]] && echo "$is_read_at_highest" || echo "$is_read"
}

# ---- machine code

# words OBJDUMP OBJECT: one instruction per line, Thumb halves joined
words() {
	$1 -d "$2" | sed -nE 's/^ *[0-9a-f]+:\t([0-9a-f]{8}|[0-9a-f]{4} [0-9a-f]{4}) *\t.*/\1/p' |
		tr -d ' '
}

# Assembles stdin into instruction words; prints nothing if one instruction is unknown.
gas() {
	$a64-as -march=armv8.6-a -o "$dir/as.o" - 2>/dev/null && words $a64-objdump "$dir/as.o"
}

llvm() {
	clang --target=aarch64 -march=armv8.6-a -x assembler -c -o "$dir/as.o" - 2>/dev/null &&
		words $a64-objdump "$dir/as.o"
}

gas_a32() {
	$a32-as -march=armv8-a -o "$dir/as.o" - && words $a32-objdump "$dir/as.o"
}

llvm_a32() {
	clang --target=armv8a-none-eabi -x assembler -c -o "$dir/as.o" - &&
		words $a32-objdump "$dir/as.o"
}

# Clears the general registers, so that all accesses to one system register are equal.
plain() {
	while read -r word; do
		case $word in
		d5*) word=$((0x$word & ~0x1f)) ;;
		ec*) word=$((0x$word & ~0xff000)) ;;
		*) word=$((0x$word & ~0xf000)) ;;
		esac
		printf '%08x\n' $word
	done | sort -u
}

# same WHAT GOT WANT: equal and not empty
same() {
	if [ -n "$3" ] && [ "$2" = "$3" ]; then
		pass
	else
		fail "$1: < is there, > should be"
		diff <(echo "$2") <(echo "$3") | grep '^[<>]' | head -n 20
	fi
}

# barriers FLAGS OBJDUMP OBJECT: save has one barrier, restore two, of which it takes one if nothing
# runs; reading a counter has one, in a function of its own or not. Checked at -O2, which inlines.
barriers() {
	[[ $1 == *-O2* && $1 == *HIGHEST_EL* ]] || return
	for function in use_save=1 use_restore=2 'use_count|pmumap_amu_get_of_counter_=1'; do
		n=$($2 -d "$3" | sed -nE "/<(${function%=*})[^>]*>:/,/^\$/p" | grep -c '\bisb\b')
		[ "$n" = "${function#*=}" ] && pass || fail "$1: $n barriers in ${function%=*}"
	done
}

# ---- AArch64: assemblers know the register names

# by_name ASSEMBLER ACCESS PATTERN: the name assembles to the same word as the numbers
by_name() {
	mapfile -t words < <(all_of "$@")
	unknown=
	i=0
	while read -r name _; do
		case $name in
		*voff*) name=${name}_el2 ;;
		*) name=${name}_el0 ;;
		esac
		word=$(printf "$2\n" "$name" | $1)
		if [ -n "$word" ]; then
			same "$1 $2 $name" "$word" "${words[i]}"
		else
			unknown="$unknown $name"
		fi
		i=$((i + 1))
	done < <(registers | grep -E "$3")
	[ -z "$unknown" ] || echo "$1 has no name for$unknown"
}

# all_of ASSEMBLER ACCESS PATTERN
all_of() {
	registers | grep -E "$3" | while read -r name crm op2; do
		[[ $name == *voff* ]] && op1=4 || op1=3
		printf "$2\n" "S3_${op1}_C13_C${crm}_$op2"
	done | $1
}

# code_a64 COMPILER FLAGS...: accesses exactly these system registers
code_a64() {
	works AArch64 "$@" -std=c11 $freestanding -I. -c "$dir/use.c" -o "$dir/a64.o" || return
	got=$(words $a64-objdump "$dir/a64.o" | grep -E '^d5[13]' | plain)
	want=$(
		echo "mrs x0, id_aa64pfr0_el1" | gas
		all_of gas "mrs x0, %s" "$(read_with "$*")"
		[[ "$*" != *_EL* ]] || all_of gas "msr %s, x0" "$is_written"
	)
	[[ $* == *HIGHEST_EL* ]] || got=$(echo "$got" | grep -v d53bd200)
	same "AArch64 $*" "$got" "$(echo "$want" | plain)"
	barriers "$*" $a64-objdump "$dir/a64.o"
}

# ---- AArch32: no assembler knows the register names

# all_of_a32 ACCESS OF64BITS PATTERN: mrc and mrrc, or mcr and mcrr. AArch32 has no AMCG1IDR, no
# offsets.
all_of_a32() {
	registers | grep -E "$3" | while read -r name crm op2; do
		case $name in
		amcg1idr | *voff*) ;;
		amevcntr0*) echo "$2 p15, $op2, r0, r0, c$((crm - 4))" ;;
		amevcntr1*) echo "$2 p15, $op2, r0, r0, c$((crm - 8))" ;;
		*) echo "$1 p15, 0, r0, c13, c$crm, $op2" ;;
		esac
	done
}

a32_reads() {
	echo "mrc p15, 0, r0, c0, c1, 0"
	all_of_a32 mrc mrrc "$(read_with "$*")" | sed 's/r0, r0/r0, r1/'
}

a32_writes() {
	all_of_a32 mcr mcrr "$is_written" | sed 's/r0, r0/r0, r1/'
}

code_a32() {
	works AArch32 "$@" -std=c11 $freestanding -I. -c "$dir/use.c" -o "$dir/a32.o" || return
	got=$(words $a32-objdump "$dir/a32.o" | grep -E '^e[ec]...f' | plain)
	want=$(
		a32_reads "$*"
		[[ "$*" != *HIGHEST_EL* ]] || a32_writes
	)
	[[ $* == *HIGHEST_EL* ]] || got=$(echo "$got" | grep -v ee1d0f12)
	same "AArch32 $*" "$got" "$(echo "$want" | gas_a32 | plain)"
	barriers "$*" $a32-objdump "$dir/a32.o"
}

# ---- on a CPU model

# run_a64 COMPILER FLAGS...: user-mode QEMU does not trap reads of the ID register. So read an
# unallocated register instead, which traps.
run_a64() {
	works AArch64 "$@" -std=c11 $warnings -I. -S tests/qemu/amu_native.c -o "$dir/native.s" || return
	sed -E 's/(mrs[ \t]+x[0-9]+, *)(ID_AA64PFR0_EL1|S3_0_C0_C4_0)/\1S3_3_C13_C0_0/I' \
		"$dir/native.s" >"$dir/trapped.s"
	! cmp -s "$dir/native.s" "$dir/trapped.s" || fail "AArch64 $*: the ID register was not found"
	works "AArch64 $*" $a64-gcc -static "$dir/trapped.s" -o "$dir/native"
	run "AArch64 $*" qemu-aarch64 "$dir/native"
}

run_a32() {
	works AArch32 "$@" -static -std=c11 $warnings -I. tests/qemu/amu_native.c -o "$dir/native"
	run "AArch32 $*" qemu-arm "$dir/native"
}

# run WHAT COMMAND...: adds the command's counts
run() {
	what=$1
	shift
	PMUMAP_QUICK=1 scripts/limit.sh 100 "$@" >"$dir/out" 2>&1
	status=$?
	set -- $(sed -nE 's/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p' "$dir/out") 0 1
	passed=$((passed + $1))
	failed=$((failed + $2))
	[ $status = 0 ] || { fail "$what: exit status $status" && tail -n 20 "$dir/out"; }
}

cat >"$dir/use.c" <<-EOF
	#include "pmumap_amu_hw.h"
	int use_save(struct pmumap_amu_hw *hw, struct pmumap_amu_state *state);
	int use_restore(struct pmumap_amu_hw *hw, const struct pmumap_amu_state *state);
	uint64_t use_count(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n);
	int use(struct pmumap_amu_hw *hw, uint32_t n);
	#ifdef PMUMAP_AMU_HIGHEST_EL
	int use_save(struct pmumap_amu_hw *hw, struct pmumap_amu_state *state)
	{
		pmumap_amu_native(hw);
		return pmumap_amu_save(hw, state);
	}
	int use_restore(struct pmumap_amu_hw *hw, const struct pmumap_amu_state *state)
	{
		pmumap_amu_native(hw);
		return pmumap_amu_restore(hw, state);
	}
	#endif
	uint64_t use_count(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n)
	{
		pmumap_amu_native(hw);
		return pmumap_amu_read(hw, group, n);
	}
	int use(struct pmumap_amu_hw *hw, uint32_t n)
	{
		pmumap_amu_native(hw);
		return pmumap_amu_probe(hw) && pmumap_amu_running(hw, 0) &&
		       pmumap_amu_running(hw, 1) && pmumap_amu_event(hw, n & 1, n) &&
		       pmumap_amu_run(hw, 1, 1);
	}
EOF

{
	scripts/snippets.sh doc/amu.md "## In firmware"
	scripts/snippets.sh doc/amu.md "## Who can read"
} >"$dir/page.c"
works "the code in doc/amu.md" $a64-gcc -std=c11 $warnings -Wno-unused-function -I. -c "$dir/page.c" \
	-o "$dir/page.o"

for assembler in gas llvm; do
	by_name $assembler "mrs x5, %s" .
	by_name $assembler "msr %s, x5" "$is_written"
done
same "AArch32 by LLVM" "$({ a32_reads HIGHEST_EL; a32_writes; } | llvm_a32)" \
	"$({ a32_reads HIGHEST_EL; a32_writes; } | gas_a32)"

for level in -O0 -Os -O2; do
	for highest in "" -DPMUMAP_AMU_HIGHEST_EL; do
		code_a64 $a64-gcc $level $highest
		code_a64 clang --target=aarch64 $level $highest
		for state in -marm -mthumb; do
			code_a32 $a32-gcc $a32_flags $state $level $highest
			code_a32 clang --target=armv8a-none-eabi $state $level $highest
		done
	done
done

for highest in "" -DPMUMAP_AMU_HIGHEST_EL; do
	for level in -O0 -O2; do
		run_a64 $a64-gcc $level $highest
		for state in -marm -mthumb; do
			run_a32 $a32-gcc $a32_flags $state $level $highest
		done
	done
done
finish
