#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Compiles what "pmumap rom --amu-enables" writes as TF-A would, and prints the array.
#
#	tfa.sh PLATFORM_CORE_COUNT FILE [OPTION]...
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cores=$1
shift

mkdir -p "$dir/lib/extensions"
echo "#define PLATFORM_CORE_COUNT $cores" >"$dir/platform_def.h"
cat >"$dir/lib/extensions/amu.h" <<-END
	#include <stdint.h>
	#include <platform_def.h>
	extern uint16_t plat_amu_aux_enables[PLATFORM_CORE_COUNT];
END
cat >"$dir/main.c" <<-END
	#include <stdio.h>
	#include <lib/extensions/amu.h>
	int main(void)
	{
		for (int i = 0; i < PLATFORM_CORE_COUNT; i++)
			printf("%s0x%x", i ? " " : "", (unsigned)plat_amu_aux_enables[i]);
		putchar('\n');
		return 0;
	}
END
pmumap rom --amu-enables "$@" >"$dir/amu.c"
${CC:-gcc} -std=gnu99 -Wall -Wextra -Wpedantic -Werror -I"$dir" "$dir/amu.c" "$dir/main.c" -o "$dir/main"
"$dir/main"
