#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Builds TF-A from Debian trixie's source for its platform "qemu", with hosts/tfa applied as
# hosts/tfa/README.md says. build/firmware/tfa gets bl1.bin, bl2.bin, bl31.bin, bl31.elf and
# plat_amu.o; plat_amu-array.o for TF-A 2.13 and later; and plat_amu-few.o, the same for cores that
# have only counters 0 and 2. A build runs again only if its inputs have changed.
set -eu

to=$PWD/build/firmware/tfa
files="hosts/edit.sh hosts/header.sh hosts/tfa/apply.sh hosts/tfa/plat_amu.c hosts/tfa/plat_amu.h
	scripts/host-header.py pmumap_amu.h pmumap_amu_check.h"
mkdir -p build/firmware
exec 9>build/firmware/tfa.lock
flock 9
scripts/fetch.sh source arm-trusted-firmware build/firmware/tfa-src

stamp=$(cat scripts/tfa-build.sh $files | cksum)
[ "$(cat "$to/stamp" 2>/dev/null)" != "$stamp" ] || exit 0
rm -rf "$to"
mkdir -p "$to/array/lib/extensions"
cp -a build/firmware/tfa-src "$to/src"

hosts/tfa/apply.sh "$to/src" >"$to/log"
env -u CC -u CXX -u MAKEFLAGS nice make V=1 -j"$(nproc)" -C "$to/src" PLAT=qemu \
	CROSS_COMPILE=aarch64-linux-gnu- LOG_LEVEL=40 ENABLE_FEAT_AMU=2 ENABLE_FEAT_AMUv1p1=2 \
	ENABLE_AMU_AUXILIARY_COUNTERS=1 bl1 bl2 bl31 >>"$to/log" 2>&1 ||
	{ tail -n 20 "$to/log" | cut -c 1-200 >&2; exit 1; }
cp "$to"/src/build/qemu/release/*.bin "$to"/src/build/qemu/release/bl31/bl31.elf \
	"$to/src/build/qemu/release/bl31/plat_amu.o" "$to/"

# Debian has no TF-A 2.13: compile with the same command against a copy of its declarations.
cat >"$to/array/lib/extensions/amu.h" <<-E2
	#include <stdint.h>
	#include <platform_def.h>
	extern uint16_t plat_amu_aux_enables[PLATFORM_CORE_COUNT];
E2
command=$(grep -m 1 -e '-c plat/qemu/common/plat_amu.c' "$to/log" |
	sed -e "s/ -DENABLE_AMU_FCONF=0//; s/^'[^']*'/& -I..\/array/" \
		-e "s| -o [^ ]*| -o ../plat_amu-array.o|")
few=$(echo "$command" | sed 's/-array\.o/-few.o/; s/ -c / -DPLAT_AMU_IMPLEMENTED=0x5U&/')
(cd "$to/src" && sh -c "$command" && sh -c "$few") >"$to/log-array" 2>&1 ||
	{ tail -n 20 "$to/log-array" >&2; exit 1; }
echo "$stamp" >"$to/stamp"
