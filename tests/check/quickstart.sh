#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The quick starts in all headers' manuals compile unchanged as C and C++; that of pmumap.h returns
# the number in its last comment. Ones not named below are found automatically: they may read fdt
# and fdt_size, set status, and call use() with numbers. HERE: only as C
. tests/check/lib.sh

# lines HEADER [TITLE]: the quick start without a title, or the one whose title begins like this
lines()
{
	awk -v title=" * QUICK START${2:-}" -v more="${2:-}" '
		index($0, title) == 1 && (more || $0 == title) { on = 1; next }
		/^ \* [A-Z]/ { on = 0 } on' "$1" | sed -E 's/^ \*\t?//' >"$dir/lines"
	echo "$1${2:-}" >>"$dir/named"
	grep -q '^struct\|^static\|^const' "$dir/lines" && pass || fail "there is no quick start${2:-} in $1"
}

# program PARAMETERS [RESULT]: wraps the lines in a function with these parameters that prints
# RESULT
program()
{
	grep '^#include' "$dir/lines"
	echo "#include <stdio.h>"
	echo "static void quick_start($1);"
	echo "static void quick_start($1)"
	echo "{"
	grep -v '^#include' "$dir/lines"
	printf 'printf("%%d\\n", (int)%s);\n}\n' "${2:-counter}"
}

# Stubs for functions of one architecture. Nothing is run.
natives='#ifndef __riscv
static void pmumap_hart_init_machine(struct pmumap_hart *h) { (void)h; }
static void pmumap_hart_init_supervisor(struct pmumap_hart *h) { (void)h; }
static void pmumap_sbi_init(struct pmumap_sbi *s) { (void)s; }
#endif
void unused(void);
void unused(void)
{
	pmumap_hart_init_machine(0);
	pmumap_hart_init_supervisor(0);
	pmumap_sbi_init(0);
}'

# registers TITLE PARAMETERS RESULT: a quick start of pmumap_hw.h
registers()
{
	lines pmumap_hw.h ": $1"
	{
		echo '#include "pmumap_hw.h"'
		echo "$natives"
		program "$2" "$3"
		echo "void (*start)($2) = quick_start;"
	} >"$file"
	works "quick start of pmumap_hw.h: $1" $compile -O2 $warnings -I. -c "$file" -o "$dir/quick.o"
}

for compile in "${CC:-gcc} -std=c11" "${CXX:-g++} -std=c++11"; do
	[ -z "${HERE:-}" ] || [ "${compile##*+}" != 11 ] || continue
	file=$dir/quick.c
	[ "${compile##*+}" = 11 ] && file=$dir/quick.cc
	rm -f "$dir/quick"
	: >"$dir/named"

	lines pmumap_fdt.h
	{
		echo '#include <stdlib.h>'
		program 'const void *fdt, uint32_t counters, uint32_t features'
		echo 'int main(void) { quick_start("no tree", 0, 0); return 0; }'
	} >"$file"
	works "quick start of pmumap_fdt.h" $compile $warnings -I. "$file" -o "$dir/quick"

	registers "a hart" 'const struct pmumap *map' count
	registers "delegated counters" 'const struct pmumap *map, uint32_t features' counter
	registers "the same through SBI" void count

	lines pmumap_check.h
	{
		echo '#include "pmumap_check.h"'
		echo '#include <stdio.h>'
		sed -n '/^static void print/,/^}/p' "$dir/lines"
		sed -i '/^static void print/,/^}/d' "$dir/lines"
		program 'const void *fdt, size_t fdt_size' status
		echo 'int main(void) { quick_start("no tree", 8); return 0; }'
	} >"$file"
	works "quick start of pmumap_check.h" $compile $warnings -I. "$file" -o "$dir/quick"

	lines pmumap_check.h ": the names of events"
	{
		echo '#include "pmumap_check.h"'
		echo 'static void use(uint32_t event, uint64_t data) { (void)event, (void)data; }'
		program void 'name[0]'
		echo 'int main(void) { quick_start(); return 0; }'
	} >"$file"
	works "quick start of pmumap_check.h: names" $compile $warnings -I. "$file" -o "$dir/quick"

	lines pmumap_imc.h
	{
		echo '#include <stdlib.h>'
		echo '#include <string.h>'
		echo '#include "pmumap_imc.h"'
		echo 'static void use(uint64_t address) { (void)address; }'
		program 'const void *fdt, size_t fdt_size, const char *name, uint32_t chip' status
		echo 'int main(void) { quick_start("no tree", 8, "", 0); return 0; }'
	} >"$file"
	works "quick start of pmumap_imc.h" $compile $warnings -I. "$file" -o "$dir/quick"

	parameters='const struct pmumap_imc *map, uint32_t unit, uint32_t chip, uint32_t core,
		uint64_t page, uint64_t (*my_load)(void *, uint64_t),
		void (*my_store)(void *, uint64_t, uint64_t),
		int (*my_scom)(void *, enum pmumap_imc_chiplet, uint32_t, uint32_t, uint64_t)'
	lines pmumap_imc_hw.h ": control blocks"
	{
		echo '#include "pmumap_imc_hw.h"'
		program "$parameters" state
		echo "void (*start)($parameters) = quick_start;"
	} >"$file"
	works "quick start of pmumap_imc_hw.h: control blocks" $compile -O2 $warnings -I. -c "$file" \
		-o "$dir/quick.o"

	lines pmumap_imc_hw.h ": this machine's PMUs"
	{
		echo '#include "pmumap_imc_hw.h"'
		program 'const void *fdt, size_t fdt_size, struct pmumap_imc_hw power, uint64_t base' status
		echo 'void (*start)(const void *, size_t, struct pmumap_imc_hw, uint64_t) = quick_start;'
	} >"$file"
	works "quick start of pmumap_imc_hw.h: PMUs" $compile -O2 $warnings -I. -c "$file" \
		-o "$dir/quick.o"

	lines pmumap_amu.h
	{
		echo '#include "pmumap_amu.h"'
		echo 'static void use(uint16_t described, uint16_t enable)'
		echo '{ (void)described, (void)enable; }'
		program 'const void *fdt, size_t fdt_size, uint64_t mpidr' status
		echo 'int main(void) { quick_start("no tree", 0, 0); return 0; }'
	} >"$file"
	works "quick start of pmumap_amu.h" $compile $warnings -I. "$file" -o "$dir/quick"

	for header in pmumap_imc_check.h pmumap_amu_check.h; do
		lines $header
		{
			echo "#include \"$header\""
			echo '#include <stdio.h>'
			sed -n '/^static void print/,/^}/p' "$dir/lines"
			sed -i '/^static void print/,/^}/d' "$dir/lines"
			program 'const void *fdt, size_t fdt_size, void *block, size_t bytes' status |
				sed 's/sizeof(block)/bytes/'
			echo 'int main(void) { quick_start("no tree", 0, 0, 0); return 0; }'
		} >"$file"
		works "quick start of $header" $compile $warnings -I. "$file" -o "$dir/quick"
	done

	lines pmumap_amu_hw.h
	{
		echo '#include "pmumap_amu_hw.h"'
		echo '#ifndef __aarch64__'
		echo 'static void pmumap_amu_native(struct pmumap_amu_hw *hw) { (void)hw; }'
		echo '#endif'
		program void cycles
		echo 'void (*start)(void) = quick_start;'
	} >"$file"
	works "quick start of pmumap_amu_hw.h" $compile -O2 $warnings -I. -c \
		"$file" -o "$dir/quick.o"

	lines pmumap_server.h
	{
		echo '#include "pmumap_hw.h"'
		echo 'static int my_access(void *arg, uint64_t low, uint64_t high, void *data,'
		echo '	uint64_t bytes, int write)'
		echo '{ (void)arg, (void)low, (void)high, (void)data, (void)bytes; return write; }'
		echo 'static int my_counts(void *arg, uint32_t code, uint64_t data)'
		echo '{ (void)arg, (void)data; return code == 5; }'
		program 'const struct pmumap *map, struct pmumap_pmu counters, struct pmumap_hart hart,
			unsigned long x[32]' 'x[10]'
		echo 'void (*start)(const struct pmumap *, struct pmumap_pmu, struct pmumap_hart,'
		echo '	unsigned long *) = quick_start;'
	} >"$file"
	works "quick start of pmumap_server.h" $compile -O2 $warnings -I. -c "$file" -o "$dir/quick.o"

	grep -H '^ [*] QUICK START' $headers | sed 's/: [*] QUICK START//' | awk '
		NR == FNR { named[$0]; next }
		{
			for (n in named)
				if ($0 == n || (n ~ /:/ && index($0, n) == 1)) next
			if ($0 != "pmumap.h") print
		}' "$dir/named" - >"$dir/found"
	while IFS= read -r start; do
		header=${start%%:*} title=${start#"${start%%:*}"}
		lines "$header" "$title"
		{
			echo "#include \"$header\""
			echo '#define use(...) used(0, __VA_ARGS__)'
			echo 'static inline void used(int n, ...) { (void)n; }'
			program 'const void *fdt, size_t fdt_size' status
			echo 'int main(void) { quick_start("no tree", 8); return 0; }'
		} >"$file"
		works "quick start of $header$title" $compile $warnings -I. "$file" -o "$dir/quick"
	done <"$dir/found"

	lines pmumap.h
	program void >"$file"
	echo 'int main(void) { quick_start(); return 0; }' >>"$file"
	works "quick start of pmumap.h" $compile $warnings -I. "$file" -o "$dir/quick"
	want=$(grep . "$dir/lines" | tail -n 1 | sed -nE 's|.*// ||p')
	got=$("$dir/quick" 2>&1)
	[ "$got" = "$want" ] && pass || fail "quick start: got '$got', its comment says '$want'"
done
finish
