#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# live.sh [VERSION]
#
# pmumap perf --live on Debian's RISC-V kernel under QEMU, on OpenSBI (1.6 or newer) unchanged, with
# the map, and with the server of hosts/opensbi. For each event the kernel must agree with the model
# of that firmware, except where tests/linux/live.txt names the event and the reason. Each line of
# that file must be needed.
. tests/check/lib.sh

opensbi=${1:-1.6}
expected=tests/linux/live.txt
scripts/opensbi-build.sh $opensbi || { fail "OpenSBI does not build"; finish; }
scripts/fetch.sh deb riscv64 linux-image-riscv64 build/firmware/linux ||
	{ fail "no kernel"; finish; }
kernel=$(ls build/firmware/linux/boot/vmlinux-* | head -n 1)
model=opensbi-$(version_of $opensbi)

guest_programs

# ---- trees

machine="qemu-system-riscv64 -m 256M -nographic -net none -cpu rv64,sscofpmf=true"
works "QEMU's tree" $machine -machine virt,dumpdtb="$dir/root/virt.dtb"
for tree in bad swapped; do
	works "the tree $tree" tests/opensbi/tree.sh "$dir/root/virt.dtb" $tree \
		"$dir/root/$tree.dtb"
done

# Events beside those that perf has on each machine.
others="raw:0x1 raw:0x2 raw:0x12 r10019 r100000000001b fw:0 fw:5 fw:21 platform:0x1"

# ---- runs

# boot TREE FIRMWARE MODEL: writes a line "TREE FIRMWARE EVENT counts|does-not KERNEL" per event
boot() {
	name=$1-$2 log=$dir/$1-$2.log
	{
		echo "all /pmumap perf --live --json --firmware $3 /$1.dtb"
		echo "others /pmumap perf --live --json --firmware $3 /$1.dtb $others"
		echo "without /pmumap perf --live cycles"
		echo "legacy /pmumap perf --live cycles"
	} >"$dir/root/commands"
	(cd "$dir/root" && find . | cpio -o -H newc --quiet) >"$dir/$name.cpio"
	scripts/limit.sh 120 $machine -machine virt -dtb "$dir/root/$1.dtb" \
		-bios "build/firmware/opensbi-$2-$opensbi.bin" -kernel "$kernel" -initrd "$dir/$name.cpio" \
		-append "console=ttyS0 quiet panic=-1 -- commands" </dev/null 2>&1 |
		head -c 1000000 | tr -d '\r' >"$log"
	grep -q '^=end' "$log" || { fail "$name: it does not end"; tail -n 10 "$log"; }
	sed -nE 's/^\{.*"name":"([^"]*)",.*"answer":"(yes|wrong|no)".*"kernel":"([^"]*)"}$/'"$1 $2"' \1 \2 \3/p' \
		"$log" | sed -E 's/^([^ ]+ [^ ]+ [^ ]+) (yes|wrong) /\1 counts /; s/^([^ ]+ [^ ]+ [^ ]+) no /\1 does-not /' \
		>>"$dir/answers"
	# The kernel's own tree has no tables any more.
	grep -q '^Linux[.] Firmware removed the tables' "$log" && pass ||
		fail "$name: the tree of the kernel has tables"
	grep -q 'The kernel counts [01] of 1 event' "$log" && pass || fail "$name: no answer without a FILE"
	[ "$(grep -c '^perf_user_access is 2' "$log")" = 1 ] && pass ||
		fail "$name: nothing about perf_user_access"
}

for tree in virt bad swapped; do
	boot $tree stock $model
	boot $tree map pmumap
	boot $tree server pmumap
done

# ---- comparison

# Differences: the model counts and the kernel does not, or the other way round. An event that stays
# 0 contradicts neither.
awk '$4 == "counts" && !/ (yes|stays 0)$/ || $4 == "does-not" && / yes$/' "$dir/answers" >"$dir/differ"
grep "^$model " $expected | cut -d ' ' -f 2- >"$dir/expected"
while read -r tree firmware event counts kernel; do
	if grep -q "^$tree $firmware $event " "$dir/expected"; then
		pass
	else
		fail "$tree on $firmware: the model $counts $event, the kernel says: $kernel"
	fi
done <"$dir/differ"
while read -r tree firmware event reason; do
	if [ "$tree" = counted ]; then
		continue
	fi
	grep -q "^$tree $firmware $event " "$dir/differ" && pass ||
		fail "$tree on $firmware: no difference about $event; $expected is wrong"
done <"$dir/expected"

# A test in which nothing counts, or everything does, would prove nothing.
for tree in virt bad swapped; do
	for firmware in stock map server; do
		now="$(grep -c "^$tree $firmware .* counts yes$" "$dir/answers") $(grep -c \
			"^$tree $firmware .* does-not" "$dir/answers")"
		grep -qx "counted $tree $firmware $now" "$dir/expected" && pass ||
			fail "$tree on $firmware: model and kernel count, and the model does not: $now"
	done
done
agreed=$(($(wc -l <"$dir/answers") - $(wc -l <"$dir/differ")))
echo "kernel and model agree in $agreed of $(wc -l <"$dir/answers") answers"
finish
