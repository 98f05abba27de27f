# SPDX-License-Identifier: BSD-2-Clause
#
# Shared by the checks: counts, compilers, and a file that uses every function. Source it from the
# repository root. $dir is then an empty folder; part, FIT and LAYERS are parts of its name, because
# runs that differ in them may be parallel.

set -u
passed=0
failed=0
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Werror"
freestanding="-ffreestanding -fno-stack-protector"

dir=build/$(echo $(basename "$0" .sh) ${part:-} ${FIT:+fit} ${LAYERS:-} | tr ' ' .)
rm -rf "$dir"
mkdir -p "$dir"

pass() {
	passed=$((passed + 1))
}

fail() {
	echo "FAIL $*"
	failed=$((failed + 1))
}

# room N: waits until fewer than N background jobs run. Needs bash.
room() {
	while [ "$(jobs -rp | wc -l)" -ge "$1" ]; do
		wait -n
	done
}

# works WHAT COMMAND...
works() {
	what=$1
	shift
	if "$@" >"$dir/out" 2>&1; then
		pass
	else
		fail "$what: $*"
		head -n 20 "$dir/out"
	fi
}

# refused WHAT PATTERN COMMAND...: the command fails with a message like PATTERN
refused() {
	what=$1
	pattern=$2
	shift 2
	if "$@" >"$dir/out" 2>&1; then
		fail "$what: accepted: $*"
	elif grep -q "$pattern" "$dir/out"; then
		pass
	else
		fail "$what: refused for another reason: $*"
		head -n 20 "$dir/out"
	fi
}

# version_of NAME: e.g. 1.9, of a source from scripts/opensbi-build.sh
version_of() {
	sed -nE 's/^#define OPENSBI_VERSION_M(AJOR|INOR)[[:space:]]+//p' \
		"build/firmware/opensbi-$1/include/sbi/sbi_version.h" | paste -sd.
}

# since VERSION NAME: that source is at least VERSION
since() {
	[ "$(printf '%s\n' "$1" "$(version_of "$2")" | sort -V | head -n 1)" = "$1" ]
}

# For a guest with Linux on RISC-V: builds the tool and tests/linux/init.c in $dir/root.
guest_programs() {
	compile="riscv64-linux-gnu-gcc -std=c11 -O1 -static"
	mkdir -p "$dir/fdt" "$dir/root/sys"
	works "libfdt builds" sh -c "cd '$dir/fdt' && $compile -w -c ../../libfdt-src/fdt*.c"
	works "the tool builds" $compile $warnings -I. -Itool -isystem build/libfdt-src tool/*.c \
		tool/*/*.c "$dir"/fdt/*.o -o "$dir/root/pmumap"
	works "the program builds" $compile -std=gnu11 $warnings tests/linux/init.c -o "$dir/root/init"
}

# nothing WHAT LINES: LINES is empty
nothing() {
	if [ -z "$2" ]; then
		pass
	else
		fail "$1:" $2
	fi
}

# replace FROM TO FILE: prints FILE with TO instead of FROM, which must occur once. FILE may break
# the line at a space or punctuation in FROM.
replace() {
	from=$1 to=$2 awk '
		{ text = text $0 "\n" }
		END {
			for (i = 1; i <= length(ENVIRON["from"]); i++) {
				c = substr(ENVIRON["from"], i, 1)
				sign = c !~ /[A-Za-z0-9_]/
				if (i > 1 && (sign || signs))
					pattern = pattern "[ \t\n]*"
				if (c != " ")
					pattern = pattern (c ~ /[\\^]/ ? "\\" c : "[" c "]")
				signs = sign
			}
			if (!match(text, pattern))
				exit 1
			before = substr(text, 1, RSTART - 1)
			text = substr(text, RSTART + RLENGTH)
			printf "%s%s%s", before, ENVIRON["to"], text
			exit match(text, pattern) != 0
		}' "$3"
}

# run_commands FILE NOW [shown]: runs the commands of FILE, which begin with "$ ", and writes them with
# their current output to NOW; "shown" omits the exit status
run_commands() {
	while IFS= read -r line; do
		case $line in
		'$ '*)
			printf '%s\n' "$line"
			(eval "${line#??}") 2>&1 </dev/null
			status=$?
			[ $status = 0 ] || [ -n "${3:-}" ] || echo "[$status]"
			;;
		'# '*) printf '%s\n' "$line" ;;
		esac
	done <"$1" | sed -E 's/(map of|the map:|\.(h|map):) [0-9]+ bytes/\1 N bytes/; s/"bytes":[0-9]+/"bytes":N/' >"$2"
}

finish() {
	echo "$passed passed, $failed failed"
	[ "$failed" = 0 ]
	exit
}

# get_new_qemu: sets $new_qemu to QEMU 10 or newer for RV64, with firmware: from this machine, or
# from Debian trixie.
get_new_qemu() {
	if qemu-system-riscv64 --version | grep -Eq 'version [1-9][0-9]'; then
		new_qemu=qemu-system-riscv64
		return
	fi
	root=build/trixie-qemu
	works "QEMU of Debian trixie" scripts/fetch.sh root qemu-system-riscv $root
	library=$root/usr/lib/$(gcc -print-multiarch)
	new_qemu="$(echo "$library"/ld-linux-*.so.*) --library-path $library
		$root/usr/bin/qemu-system-riscv64 -L $root/usr/share/qemu
		-bios $root/usr/share/qemu/opensbi-riscv64-generic-fw_dynamic.bin"
}

# compiler NAME: sets $cc, or prints SKIP and fails
compiler() {
	case $1 in
	x86_64-clang) cc="clang --target=x86_64-linux-gnu" ;;
	x86_32-clang) cc="clang --target=i386-linux-gnu" ;;
	rv64) cc="riscv64-unknown-elf-gcc -march=rv64gc -mabi=lp64d" ;;
	rv32) cc="riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32" ;;
	rv64-clang) cc="clang --target=riscv64 -march=rv64gc -mabi=lp64d" ;;
	rv32-clang) cc="clang --target=riscv32 -march=rv32imac -mabi=ilp32" ;;
	aarch64) cc="aarch64-linux-gnu-gcc" ;;
	aarch64-clang) cc="clang --target=aarch64" ;;
	armv7-m) cc="arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb" ;;
	armv7-m-clang) cc="clang --target=armv7m-none-eabi" ;;
	ppc64) cc="powerpc64-linux-gnu-gcc" ;;
	ppc64-clang) cc="clang --target=powerpc64" ;;
	*) cc=$1 ;;
	esac
	command -v "${cc%% *}" >/dev/null && return
	echo "SKIP $1 (${cc%% *} not found)"
	return 1
}

# The product headers.
headers=$(scripts/products.sh | sed 's/$/.h/')

# includes HEADER...: prints #include lines
includes() {
	printf '#include "%s"\n' "$@"
}

# All functions that the headers declare, after preprocessing.
functions() {
	includes $headers | ${CC:-gcc} -E -P -DPMUMAP_EXTERN -I. -x c - | tr '\n;}' ' \n\n' |
		sed -nE 's/^ *extern [^(]*[ *](pmumap_[a-z0-9_]+) *\(.*/\1/p'
}

# Writes the kinds of source files in a program with pmumap.
sources() {
	names=$(functions)
	[ "$(echo "$names" | wc -l)" -ge 20 ] || fail "the headers' functions were not found"

	# Functions that exist on one architecture only are listed by hand.
	{
		echo '#define PMUMAP_AMU_HIGHEST_EL'
		includes $headers
		echo 'typedef void (*pmumap_any)(void);'
		echo 'extern pmumap_any const pmumap_all[];'
		echo 'pmumap_any const pmumap_all[] = {'
		for name in $names; do
			echo "	(pmumap_any)$name,"
		done
		echo '#ifdef __riscv'
		echo '	(pmumap_any)pmumap_hart_init_machine, (pmumap_any)pmumap_hart_init_supervisor,'
		echo '	(pmumap_any)pmumap_sbi_init,'
		echo '#elif defined(__aarch64__)'
		echo '	(pmumap_any)pmumap_amu_native,'
		echo '#endif'
		echo '};'
	} >"$dir/all.c"
	{
		echo '#define PMUMAP_IMPLEMENTATION'
		includes $headers
	} >"$dir/implementation.c"
	cat >"$dir/main.c" <<-EOF
		#include "pmumap_fdt.h"
		#include "pmumap_hw.h"
		#include "pmumap_server.h"
		int main(void)
		{
			return pmumap_fdt_build(0, 0, 0, 0, 0, 0) == PMUMAP_OK;
		}
	EOF
	cp "$dir/all.c" "$dir/all.cc"
	cp "$dir/main.c" "$dir/main.cc"
	cp "$dir/implementation.c" "$dir/implementation.cc"
}
