#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# opensbi-build.sh [VERSION...]
#
# Builds OpenSBI's generic platform, which runs on QEMU, as build/firmware/opensbi-NAME-V.bin.
# VERSION: 1.6 (Debian trixie), "newer" (Debian sid; 1.9 so far), or a commit of the checkout
# OPENSBI. NAME: those in NAMES (stock map server) of these:
#
# 	stock	unchanged
#	fixed	with the edits of hosts/opensbi/fix.sh
#	map	hosts/opensbi/apply.sh --depth map
#	server	hosts/opensbi/apply.sh --depth server
#	series	hosts/opensbi/series.sh, which needs 1.9 or later
# 	mapunit	map, with OpenSBI's own unit tests
# 	unit	server, with OpenSBI's own unit tests
# 	seriesunit	series, with OpenSBI's own unit tests
#
# For 1.6, stock, map and server are also built for RV32, as ...-1.6-32.bin. Sources are in
# build/firmware/opensbi-VERSION, with edits in build/firmware/opensbi-NAME-VERSION/src. SOURCES=1: only
# these, no build. A build runs again only if its inputs have changed.
set -eu

to=$PWD/build/firmware
ccache=$(command -v ccache) || :
mkdir -p "$to"
exec 9>"$to/opensbi.lock" # parallel checks share these builds
flock 9

# A mirror may list a source that it does not have yet. Then take this older one, which it keeps.
older() {
	name=opensbi_1.8.1.orig.tar.gz
	sum=fb1ae61a85e966322101acb1c982f84d9eaafc4de7dd474a7d7546d9bb321c6f
	rm -rf "$to/opensbi-newer.new"
	mkdir "$to/opensbi-newer.new"
	mirror=$(scripts/mirror.sh)
	/usr/lib/apt/apt-helper download-file "${mirror%/}/pool/main/o/opensbi/$name" \
		"$to/$name" "SHA256:$sum" >/dev/null
	tar -xf "$to/$name" -C "$to/opensbi-newer.new" --strip-components=1
	mv "$to/opensbi-newer.new" "$to/opensbi-newer"
}

# get VERSION
get() {
	case $1 in
	1.6) scripts/fetch.sh source opensbi "$to/opensbi-1.6" ;;
	newer)
		SUITE=sid scripts/fetch.sh source opensbi "$to/opensbi-newer" 2>/dev/null || older
		;;
	*)
		rm -rf "$to/opensbi-$1"
		mkdir "$to/opensbi-$1"
		git -C "$OPENSBI" archive "$1" | tar -x -C "$to/opensbi-$1"
		;;
	esac
}

# make_in FOLDER XLEN RESULT: ccache shares the files that builds have in common. build_dir is set
# because OpenSBI's makefile otherwise runs a shell at each use, a third of the build time.
make_in() {
	env -u CC -u CXX -u MAKEFLAGS CCACHE_DIR="$to/ccache" CCACHE_BASEDIR="$1" CCACHE_NOHASHDIR=1 \
		nice make -s -j"$(nproc)" -C "$1/src" O="$1/rv$2" build_dir="$1/rv$2" FW_JUMP=n FW_PAYLOAD=n \
		PLATFORM=generic PLATFORM_RISCV_XLEN="$2" CROSS_COMPILE=riscv64-linux-gnu- \
		${ccache:+CC="ccache riscv64-linux-gnu-gcc"} >"$1/log" 2>&1 ||
		{ tail -n 20 "$1/log" >&2; exit 1; }
	cp "$1/rv$2/platform/generic/firmware/fw_dynamic.bin" "$to/opensbi-$3.bin"
}

# configure SYMBOL...: enables them for the source in $out
configure() {
	printf '%s=y\n' "$@" >>"$out/src/platform/generic/configs/defconfig"
}

# edit NAME: edits the source in $out for this build
edit() {
	case $1 in
	stock) ;;
	fixed) hosts/opensbi/fix.sh "$out/src" ;;
	series) hosts/opensbi/series.sh "$out/src" ;;
	seriesunit)
		hosts/opensbi/series.sh "$out/src"
		configure CONFIG_SBIUNIT
		;;
	mapunit)
		hosts/opensbi/apply.sh "$out/src"
		configure CONFIG_SBIUNIT
		;;
	unit)
		hosts/opensbi/apply.sh "$out/src" --depth server
		configure CONFIG_SBIUNIT
		;;
	*) hosts/opensbi/apply.sh "$out/src" --depth "$1" ;;
	esac >"$out/edits" 2>&1 || { cat "$out/edits" >&2; exit 1; }
}

build() {
	name=$1-$2
	out=$to/opensbi-$name
	stamp=$(cksum <"$to/opensbi-$2/include/sbi/sbi_version.h")
	[ $1 = stock ] || stamp="$stamp $(cat scripts/opensbi-build.sh hosts/*.sh hosts/*.h hosts/opensbi/*.* \
		pmumap.h pmumap_fdt.h pmumap_hw.h pmumap_server.h \
		scripts/host-header.py | cksum)"
	if [ "$(cat "$out/stamp" 2>/dev/null)" != "$stamp" ]; then
		rm -rf "$out"
		mkdir -p "$out"
		cp -a "$to/opensbi-$2" "$out/src"
		edit $1
		echo "$stamp" >"$out/stamp"
	fi
	[ -z "${SOURCES:-}" ] && [ ! -e "$out/built" ] || return 0
	make_in "$out" 64 $name
	case $name in
	stock-1.6 | map-1.6 | server-1.6) make_in "$out" 32 $name-32 ;;
	esac
	touch "$out/built"
}

for version in ${*:-1.6 newer}; do
	get $version
	for name in ${NAMES:-stock map server}; do
		build $name $version
	done
done
