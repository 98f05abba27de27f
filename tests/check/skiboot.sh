#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: make hosts-skiboot
#
# skiboot with hosts/skiboot, and as it is, booted in QEMU with a catalog in flash: the trees that
# they hand on differ as tests/hosts/skiboot/differences.txt says, and no further. Once the counters'
# microcode seems to run, once it does not.
. tests/check/lib.sh

if ! command -v qemu-system-ppc64 >/dev/null; then
	echo "SKIP skiboot: qemu-system-ppc64 not found"
	finish
fi

tests=tests/hosts/skiboot
table=$tests/differences.txt
firmware=build/firmware/skiboot
tree=0x60000000 # of 2 GiB; the payload copies it there
ready=52454459

works "skiboot" scripts/skiboot-build.sh
works "flash" gcc -O1 $warnings $tests/pnor.c -o "$dir/pnor"
works "compare" gcc -O1 -Wall -Wextra -Werror $tests/compare.c -lfdt -o "$dir/compare"
works "payload" powerpc64-linux-gnu-gcc -nostdlib -static -no-pie -Wl,--build-id=none \
	-Wl,-Ttext=0x20010000 -DTREE=$tree -DREADY=0x$ready $tests/payload.S -o "$dir/payload"

# boot LID GENERATION RESULT: what skiboot hands on to the payload
boot() {
	rm -f "$dir/ram"
	truncate -s 2G "$dir/ram"
	scripts/limit.sh 120 qemu-system-ppc64 -M "powernv$2,memory-backend=ram" -m 2G -nographic \
		-object memory-backend-file,id=ram,size=2G,mem-path="$dir/ram",share=on -net none \
		-bios "$firmware/$1.lid" -kernel "$dir/payload" \
		-drive file="$dir/flash",format=raw,if=mtd </dev/null >"$dir/log" 2>&1 &
	qemu=$!
	for second in $(seq 120); do
		sleep 1
		[ "$(od -An -tx1 -j $((tree - 16)) -N 4 "$dir/ram" | tr -d ' ')" != $ready ] || break
	done
	kill $qemu
	wait $qemu
	dd if="$dir/ram" bs=1M skip=$((tree >> 20)) count=4 of="$3" 2>/dev/null
	rm -f "$dir/ram"
	dtc -q -I dtb -O dtb -o /dev/null "$3"
}

# compare CATALOG GENERATION PVR
compare() {
	xz -9 -C crc32 -c "$1" >"$dir/catalog.xz"
	"$dir/pnor" "$dir/flash" "$3" "$dir/catalog.xz"
	truncate -s 128M "$dir/flash"
	for running in "" -running; do
		works "stock$running, POWER$2" boot stock$running "$2" "$dir/stock"
		works "with pmumap$running, POWER$2" boot pmumap$running "$2" "$dir/ours"
		[ -z "$running" ] || works "its units" grep -q ibm,imc-counters "$dir/ours"
		"$dir/compare" "$dir/stock" "$dir/ours" >"$dir/lines" 2>"$dir/err" ||
			fail "$1$running: the trees cannot be compared"
		nothing "$1$running, not in $table" "$(grep -vxEf "$dir/patterns" "$dir/lines")"
		cat "$dir/lines" >>"$dir/all"
	done
}

: >"$dir/all"
grep -v -e '^#' -e '^$' $table >"$dir/table"
cut -d ' ' -f 2- "$dir/table" >"$dir/patterns"
compare build/boards/imc-power9.dtb 9 4e0200
compare build/boards/imc-power10.dtb 10 800200
for catalog in "power9-4e0200 9 4e0200" "power10-800200 10 800200"; do
	set -- $catalog
	if [ -e "build/corpus-imc/$1.dtb" ]; then
		compare "build/corpus-imc/$1.dtb" "$2" "$3"
	else
		echo "SKIP $1: there is no corpus beside the repository"
	fi
done
while read -r name pattern; do
	case $name in
	*\?) ;;
	*) grep -qxE "$pattern" "$dir/all" && pass || fail "$table: $name does not occur any more" ;;
	esac
done <"$dir/table"
rm -f "$dir/flash"
finish
