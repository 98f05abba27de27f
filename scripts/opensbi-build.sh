#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Builds OpenSBI, from the source of Debian trixie, for machines like QEMU's, as build/firmware has
# them: opensbi-stock.bin as it is, opensbi-files.bin with the files of examples/opensbi in place,
# opensbi-pmumap.bin with these and the platform's hook, opensbi-server.bin with the server besides,
# as examples/opensbi/README.md says; all but files also for RV32, as ...32.bin. They are built
# again only when something that goes into them has changed.
set -eu

to=$PWD/build/firmware
headers="pmumap.h pmumap_fdt.h"
mkdir -p "$to"
exec 9>"$to/opensbi.lock" # checks that run at once share what is built here
flock 9
scripts/fetch.sh source opensbi "$to/opensbi-src"

# make_in FOLDER XLEN RESULT
make_in() {
	env -u CC -u CXX -u MAKEFLAGS nice make -s -j"$(nproc)" -C "$1/src" O="$1/rv$2" \
		PLATFORM=generic PLATFORM_RISCV_XLEN="$2" CROSS_COMPILE=riscv64-linux-gnu- \
		>"$1/log" 2>&1 || { tail -n 20 "$1/log" >&2; exit 1; }
	cp "$1/rv$2/platform/generic/firmware/fw_dynamic.bin" "$to/$3"
}

# fresh FOLDER FILE...: whether it was last built from just these; if not, it has its source again
fresh() {
	out=$1
	stamp=$(cat scripts/opensbi-build.sh "$@" 2>/dev/null | cksum)
	[ "$(cat "$out/stamp" 2>/dev/null)" != "$stamp" ] || return 0
	rm -rf "$out"
	mkdir -p "$out"
	cp -a "$to/opensbi-src" "$out/src"
	return 1
}

# The one change to a file of OpenSBI: the operation's body becomes a call.
hook() {
	awk '/^static uint64_t generic_pmu_xlate_to_mhpmevent\(/ { inside = 1 }
		!body { print }
		inside && /^{/ {
			body = 1
			print "\treturn fdt_pmu_xlate_to_mhpmevent(event_idx, data);"
		}
		inside && /^}/ { print; inside = body = 0 }' "$1" >"$1.new"
	mv "$1.new" "$1"
}

if ! fresh "$to/opensbi-stock"; then
	make_in "$out" 64 opensbi-stock.bin
	make_in "$out" 32 opensbi-stock32.bin
	echo "$stamp" >"$out/stamp"
fi

server="examples/opensbi/sbi_pmu.c examples/hypervisor/sbi_pmu.h"
if ! fresh "$to/opensbi-pmumap" examples/opensbi/fdt_pmu.[ch] $headers $server; then
	include=$out/src/include/sbi_utils/fdt
	cp examples/opensbi/fdt_pmu.c "$out/src/lib/utils/fdt/"
	cp examples/opensbi/fdt_pmu.h $headers "$include/"
	make_in "$out" 64 opensbi-files.bin
	hook "$out/src/platform/generic/platform.c"
	make_in "$out" 64 opensbi-pmumap.bin
	make_in "$out" 32 opensbi-pmumap32.bin
	cp examples/opensbi/sbi_pmu.c "$out/src/lib/sbi/"
	: >"$out/src/lib/sbi/sbi_ecall_pmu.c"
	cp examples/hypervisor/sbi_pmu.h "$include/"
	make_in "$out" 64 opensbi-server.bin
	make_in "$out" 32 opensbi-server32.bin
	echo "$stamp" >"$out/stamp"
fi
