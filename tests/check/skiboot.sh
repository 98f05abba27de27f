#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: make hosts-skiboot
#
# Boots skiboot with and without hosts/skiboot in QEMU, with a catalog in flash. Their trees must
# differ exactly as tests/hosts/skiboot/differences.txt says, with and without running counter
# microcode. Then Debian's kernel must list the events of the map.
. tests/check/lib.sh

if ! command -v qemu-system-ppc64 >/dev/null; then
	echo "SKIP skiboot: qemu-system-ppc64 not found"
	finish
fi

tests=tests/hosts/skiboot
table=$tests/differences.txt
firmware=build/firmware/skiboot
tree=0x60000000 # 2 GiB machine; the payload copies the tree there
ready=52454459

works "skiboot" scripts/skiboot-build.sh
# QEMU's source is newer than the last release. Debian bookworm's QEMU has skiboot 7.0.
old=build/firmware/skiboot-7.0-src
works "skiboot 7.0, its source" env SUITE=bookworm scripts/fetch.sh source qemu $old roms/skiboot
cp -a $old "$dir/7.0"
works "skiboot 7.0: apply.sh" hosts/skiboot/apply.sh "$dir/7.0"
works "skiboot 7.0" env -u CC -u CXX -u MAKEFLAGS make -C "$dir/7.0" SKIBOOT_VERSION=test \
	CROSS=powerpc64-linux-gnu- hw/imc.o hw/imc-catalog.o
# Code size as the pages state it, within 64 bytes: it depends on the build folder, because names of
# source files are part of the text.
more=$(($(cat $firmware/pmumap.text) - $(cat $firmware/stock.text)))
for page in hosts/README.md hosts/skiboot/README.md; do
	told=$(tr -d , <$page | sed -nE 's/.*[ :]([0-9]{7}) -> ([0-9]{7})[ .].*/\2 - \1/p')
	[ -n "$told" ] && [ $((more - ($told))) -le 64 ] && [ $(($told - more)) -le 64 ] && pass ||
		fail "$page says of skiboot's bytes: ${told:-nothing}; it is $more"
done
# After an update a mirror may list a kernel that it lacks for hours. bookworm's does as well.
get_linux() {
	for suite in trixie bookworm; do
		SUITE=$suite scripts/fetch.sh deb ppc64el linux-image-powerpc64le \
			build/firmware/linux-ppc64el && return
	done
	return 1
}
works "Linux" get_linux
works "busybox" scripts/fetch.sh deb ppc64el busybox-static build/firmware/busybox-ppc64el
kernel=$(ls build/firmware/linux-ppc64el/boot/vmlinux-* | head -n 1)
works "flash" gcc -O1 $warnings $tests/pnor.c -o "$dir/pnor"
works "compare" gcc -O1 -Wall -Wextra -Werror $tests/compare.c -lfdt -o "$dir/compare"
works "payload" powerpc64-linux-gnu-gcc -nostdlib -static -no-pie -Wl,--build-id=none \
	-Wl,-Ttext=0x20010000 -DTREE=$tree -DREADY=0x$ready $tests/payload.S -o "$dir/payload"

# boot LID GENERATION RESULT: the tree that skiboot hands to the payload
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

mkdir -p "$dir/root/bin" "$dir/root/sys"
# The only program of the machine prints what the kernel lists of each IMC PMU, as "=" and a file's
# path and text.
cat >"$dir/root/init" <<'END'
#!/bin/busybox sh
/bin/busybox mount -t sysfs none /sys
cd /sys/bus/event_source/devices || exit
for file in *_imc/events/*; do
	read -r text <"$file"
	echo "=$file $text"
done
echo "=end"
/bin/busybox poweroff -f
END
chmod +x "$dir/root/init"
cp build/firmware/busybox-ppc64el/usr/bin/busybox "$dir/root/bin/"
(cd "$dir/root" && find . | cpio -o -H newc --quiet) >"$dir/root.cpio"

# linux LID GENERATION RESULT: Linux's event files with their text
linux() {
	scripts/limit.sh 240 qemu-system-ppc64 -M "powernv$2" -m 2G -nographic -net none -no-reboot \
		-bios "$firmware/$1.lid" -kernel "$kernel" -initrd "$dir/root.cpio" \
		-append "console=hvc0 quiet panic=-1" \
		-drive file="$dir/flash",format=raw,if=mtd </dev/null 2>&1 | tr -d '\r' >"$dir/log"
	sed -n 's/^=\(.*_imc\/.*\)/\1/p' "$dir/log" | LC_ALL=C sort >"$3"
	grep -qx =end "$dir/log"
}

# files_of_events: reads "pmumap show --events --json", and prints the files that Linux makes of each
# event in /sys/bus/event_source/devices, with their text
files_of_events() {
	awk '
	# The text of that name in this line
	function field(name, begin)
	{
		begin = index($0, "\"" name "\":\"")
		if (!begin)
			return ""
		begin += length(name) + 4
		return substr($0, begin, index(substr($0, begin), "\"") - 1)
	}

	# Its events follow.
	/"kind":"imc-unit"/ {
		pmu = field("pmu")
	}

	/"kind":"imc-event"/ {
		file = pmu "/events/" field("name")
		print file " event=" field("offset")
		if (field("scale") != "")
			print file ".scale " field("scale")
		if (field("measure") != "")
			print file ".unit " field("measure")
	}'
}

# lists CATALOG GENERATION VECTOR: Linux has the event names of the map for this catalog and vector;
# on unchanged skiboot, also those of units that it keeps
lists() {
	build/pmumap show --events --json --available "P$2:$3" "$1" | files_of_events |
		LC_ALL=C sort >"$dir/map"
	works "Linux, POWER$2" linux pmumap-running "$2" "$dir/linux"
	works "Linux on stock, POWER$2" linux stock-running "$2" "$dir/linux-stock"
	# QEMU's POWER9 is older than DD2.2 and has no trace unit. Its POWER10 refuses to start core
	# counters, so Linux goes without them, on unchanged skiboot too.
	absent=trace
	[ "$2" = 9 ] || grep -q '^core_imc' "$dir/linux-stock" || absent='\(core\|thread\)'
	sed -i "/^${absent}_imc/d" "$dir/map"
	[ -s "$dir/linux" ] && works "$1: the names of the map" diff "$dir/map" "$dir/linux"
	nothing "$1: lost" "$(LC_ALL=C comm -23 "$dir/linux" "$dir/linux-stock")"
	nothing "$1: only on stock" "$(LC_ALL=C comm -13 "$dir/linux" "$dir/linux-stock" |
		grep -v '^nest_mcs\(01\|23\|45\|67\)_imc/')"
	echo "$1: $(cut -d / -f 1 "$dir/linux" | sort -u | wc -l) PMUs and $(wc -l <"$dir/linux")" \
		"files, on stock $(wc -l <"$dir/linux-stock")"
}

# compare CATALOG GENERATION PVR VECTOR
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
	lists "$1" "$2" "$4"
}

: >"$dir/all"
grep -v -e '^#' -e '^$' $table >"$dir/table"
cut -d ' ' -f 2- "$dir/table" >"$dir/patterns"
# Must match the vectors in scripts/skiboot-build.sh.
power9="9 4e0200 0x9fffffbffffbffff"
power10="10 800200 0x9ffb2ed55bffffff"
compare build/boards/imc-power9.dtb $power9
compare build/boards/imc-power10.dtb $power10
for catalog in "power9-4e0200 $power9" "power10-800200 $power10"; do
	set -- $catalog
	[ ! -e "build/corpus-imc/$1.dtb" ] || compare "build/corpus-imc/$1.dtb" "$2" "$3" "$4"
done
while read -r name pattern; do
	case $name in
	*\?) ;;
	*) grep -qxE "$pattern" "$dir/all" && pass || fail "$table: $name does not occur any more" ;;
	esac
done <"$dir/table"
rm -f "$dir/flash"
finish
