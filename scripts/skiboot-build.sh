#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Builds skiboot from the QEMU source in Debian trixie. build/firmware/skiboot gets stock.lid
# (unchanged) and pmumap.lid (with hosts/skiboot). Each also has a -running.lid, which believes that
# the counters' microcode is running; QEMU has none. A build runs again only if its inputs have
# changed.
set -eu

to=$PWD/build/firmware/skiboot
mkdir -p build/firmware
exec 9>build/firmware/skiboot.lock
flock 9
scripts/fetch.sh source qemu build/firmware/skiboot-src roms/skiboot

stamp=$(cat scripts/skiboot-build.sh scripts/host-header.py hosts/*.sh hosts/skiboot/* pmumap_imc.h pmumap_imc_hw.h |
	cksum)
[ "$(cat "$to/stamp" 2>/dev/null)" != "$stamp" ] || exit 0
rm -rf "$to"
mkdir -p "$to"
cp -a build/firmware/skiboot-src "$to/src"

# result NAME: compiles and saves one variant
result() {
	env -u CC -u CXX -u MAKEFLAGS nice make -j"$(nproc)" -C "$to/src" SKIBOOT_VERSION=test \
		CROSS=powerpc64-linux-gnu- skiboot.lid >"$to/log" 2>&1 ||
		{ grep -A 5 'error' "$to/log" | head -n 20 >&2; exit 1; }
	cp "$to/src/skiboot.lid" "$to/$1.lid"
	powerpc64-linux-gnu-size "$to/src/skiboot.elf" | awk 'END { print $1 }' >"$to/$1.text"
}

# The availability vectors leave out both halves of mcs01 and a few links and buses. imc.c is edited
# for this build and then restored.
running() {
	cp -p "$to/src/hw/imc.c" "$to/imc.c"
	awk '{ print }
		/^static struct imc_chip_cb \*get_imc_cb\(/ { inside = 1 }
		inside && /^{/ {
			inside = 0
			print "\tstatic struct imc_chip_cb running = { 0 };"
			print "\trunning.imc_chip_avl_vector = cpu_to_be64(proc_gen == proc_gen_p9 ?"
			print "\t\t0x9fffffbffffbffffULL : 0x9ffb2ed55bffffffULL);"
			print "\tif (nr_chips())"
			print "\t\treturn &running;"
		}' "$to/imc.c" >"$to/src/hw/imc.c"
	grep -q '&running;' "$to/src/hw/imc.c"
	result "$1"
	cp -p "$to/imc.c" "$to/src/hw/imc.c"
	touch "$to/src/hw/imc.c"
}

result stock
cp "$to/src/hw/imc.o" "$to/stock-imc.o"
running stock-running
hosts/skiboot/apply.sh "$to/src"
result pmumap
cp "$to/src/hw/imc.o" "$to/src/hw/imc-catalog.o" "$to/"
running pmumap-running
echo "$stamp" >"$to/stamp"
