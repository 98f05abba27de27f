#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: conformance/run.sh PAYLOAD FIRMWARE LOG [QEMU_OPTION...]
#
# Boots the payload on a firmware in QEMU and writes its TAP output to LOG. Fails if a rule fails.
# After QUIET silent seconds the current rule has crashed the hart or the firmware; its result is
# "no answer", and the payload boots again and continues with the next rule.
#
# If PAYLOAD ends in .cpio (from conformance/kvm.sh), KERNEL, a Linux with KVM, runs on the firmware
# and the payload is its guest.
#
# QEMU's clock counts instructions, so load on the machine makes no rule time out.
set -u
payload=$1 firmware=$2 log=$3
shift 3
quiet=${QUIET:-8}
xlen=64 base=0x80200000
case $payload in
*.cpio) quiet=${QUIET:-60} ;;
*32.elf) xlen=32 base=0x80400000 ;;
esac
cpu=${CPU:-rv$xlen,sscofpmf=true}
out=$log.out
trap 'rm -f "$out"' EXIT

# boot QEMU_OPTION...: the payload's output goes to $out
boot() {
	case $payload in
	*.cpio)
		set -- -kernel "$KERNEL" -initrd "$payload" -no-reboot \
			-append "console=ttyS0 panic=-1 -- $word" "$@"
		;;
	*)
		set -- -kernel "$payload" -smp 2 "$@" \
			-device loader,addr=$((base + 0x100000)),data=$word,data-len=4
		;;
	esac
	: >"$out"
	qemu-system-riscv$xlen -machine virt -cpu "$cpu" -m 512M -nographic -net none \
		-icount shift=0,sleep=off -bios "$firmware" "$@" </dev/null >"$out" 2>&1 &
	pid=$!
	size=0 still=0
	while kill -0 $pid 2>/dev/null && [ $still -lt $((quiet * 5)) ]; do
		sleep 0.2
		now=$(wc -c <"$out")
		[ "$now" = $size ] && still=$((still + 1)) || still=0
		size=$now
	done
	kill -9 $pid 2>/dev/null
	wait $pid 2>/dev/null
	tr -d '\r' <"$out" | sed -n '/^TAP version/,$p' >"$out.tap"
	mv "$out.tap" "$out"
}

first=0 wall=0
: >"$log"
while :; do
	word=$(printf '0x%x' $((0x52530000 + wall + first)))
	boot "$@"
	# Only firmware that crashes may keep S-mode from finding out which memory it cannot read.
	if ! grep -q '^1\.\.' "$out"; then
		[ $wall = 0 ] || { echo "$firmware: the payload does not start"; tail -n 5 "$out"; exit 2; }
		wall=$((0x8000))
		continue
	fi
	if [ $first = 0 ]; then
		sed '/^1\.\./q' "$out" | grep -v '^# learning' >"$log"
	fi
	grep -E '^(not )?ok [0-9]+ - ' "$out" >>"$log"
	if grep -q '^# end' "$out"; then
		break
	fi
	asked=$(grep -E '^# [0-9]+ - ' "$out" | tail -n 1)
	first=$(echo "$asked" | sed 's/^# \([0-9]*\) .*/\1/')
	echo "not ok ${asked#\# }no answer" >>"$log"
done

failed=$(grep -c '^not ok' "$log")
grep "^not ok" "$log"
echo "$(grep -c '^ok' "$log") passed, $failed failed"
[ "$failed" = 0 ]
