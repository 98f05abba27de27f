#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# matrix.sh [all]
#
# pmumap perf --live on Debian's kernels of trixie (6.12) and sid (7.2) under QEMU, on OpenSBI 1.6
# and newer, with boards' tables in the tree of QEMU's virt machine, with and without Sscofpmf. For
# each event (plain, :u, :k, by root and by an ordinary user, counted and sampled), kernel and model
# must agree. With all: every board.
. tests/check/lib.sh

boards="sophgo-sg2044 sifive-u74"
[ "${1:-}" != all ] || boards=$(cd build/boards && grep -l riscv,pmu -- *.dtb | sed 's/\.dtb$//')
opensbi=newer
NAMES=stock scripts/opensbi-build.sh $opensbi || { fail "OpenSBI does not build"; finish; }
model=opensbi-$(version_of $opensbi)

# ---- kernels

# A kernel that unpacks itself is meant for EFI; QEMU needs the image inside.
image() {
	python3 - "$1" "$2" <<'END'
import gzip, lzma, struct, sys
data = open(sys.argv[1], "rb").read()
if data[4:8] == b"zimg":
    start, size = struct.unpack_from("<II", data, 8)
    data = data[start:start + size]
if data[:2] == b"\x1f\x8b":
    data = gzip.decompress(data)
elif data[:4] == b"\x28\xb5\x2f\xfd":
    import subprocess
    data = subprocess.run(["zstd", "-dc"], input=data, stdout=subprocess.PIPE, check=True).stdout
elif data[:6] == b"\xfd7zXZ\0":
    data = lzma.decompress(data)
open(sys.argv[2], "wb").write(data)
END
}

for suite in trixie sid; do
	to=build/firmware/linux$([ $suite = trixie ] || echo -$suite)
	SUITE=$suite scripts/fetch.sh deb riscv64 linux-image-riscv64 $to || { fail "no kernel"; finish; }
	works "the kernel of $suite" image "$(find $to -name 'vmlinu[xz]*' -type f | head -n 1)" \
		"$dir/kernel-$suite"
done

guest_programs

# ---- trees

virt="qemu-system-riscv64 -m 256M -nographic -net none"

# node TREE: the path of its riscv,pmu node
node() {
	for path in /pmu /soc/pmu /soc/pmu@0 /soc/pmu0 /cpus/pmu; do
		fdtget "$1" $path compatible 2>/dev/null | grep -q 'riscv,pmu' && echo $path && return
	done
}

# graft BOARD CPU: the board's tables in virt's tree
graft() {
	cp "$dir/virt-$2.dtb" "$dir/root/$1-$2.dtb"
	to=$(node "$dir/virt-$2.dtb") from=$(node build/boards/$1.dtb)
	[ "$from" ] || { fail "$1 has no node"; return; }
	for property in riscv,event-to-mhpmevent riscv,event-to-mhpmcounters \
		riscv,raw-event-to-mhpmcounters; do
		if cells=$(fdtget -t x build/boards/$1.dtb $from $property 2>/dev/null); then
			works "$1" fdtput -t x "$dir/root/$1-$2.dtb" $to $property $cells
		else
			fdtput -d "$dir/root/$1-$2.dtb" $to $property 2>/dev/null || :
		fi
	done
}

for cpu in with without; do
	on=true
	[ $cpu = with ] || on=false
	works "virt's tree" $virt -cpu rv64,sscofpmf=$on -machine virt,dumpdtb="$dir/virt-$cpu.dtb"
	for board in $boards; do
		graft $board $cpu
	done
done

# ---- runs

names=$(build/pmumap perf --json --linux none "$dir/virt-with.dtb" |
	sed -nE 's/.*"name":"([^"]*)".*/\1/p')
names="$names r1 r2 r12 r10019 fw:0 fw:5"

# modes SUFFIX: all events with it
modes() {
	for name in $names; do
		printf '%s%s ' "$name" "$1"
	done
}

# boot BOARD CPU SUITE: its lines of JSON, behind "BOARD-CPU-SUITE USER"
boot() {
	name=$1-$2-$3 on=true
	[ $2 = with ] || on=false
	mkdir "$dir/$name"
	cp "$dir/root/init" "$dir/root/pmumap" "$dir/$name/"
	mkdir "$dir/$name/sys" "$dir/$name/proc"
	cp "$dir/root/$1-$2.dtb" "$dir/$name/board.dtb"
	chmod 644 "$dir/$name/board.dtb"
	for user in root user; do
		for suffix in "" :u :k; do
			echo "$user /pmumap perf --live --json --counters 3-18 --firmware $model /board.dtb $(modes "$suffix")"
		done
	done >"$dir/$name/commands"
	(cd "$dir/$name" && find . | cpio -o -H newc --quiet) >"$dir/$name.cpio"
	# With QEMU's own clock an overflow of cycles comes in time, whatever else the host does.
	scripts/limit.sh 400 $virt -icount shift=0,sleep=off -machine virt -cpu rv64,sscofpmf=$on -dtb "$dir/root/$1-$2.dtb" \
		-bios build/firmware/opensbi-stock-$opensbi.bin -kernel "$dir/kernel-$3" \
		-initrd "$dir/$name.cpio" -append "console=ttyS0 quiet panic=-1 -- commands" \
		</dev/null 2>&1 | head -c 1000000 | tr -d '\r' >"$dir/$name.log"
	rm -r "$dir/$name" "$dir/$name.cpio"
	grep -q '^=end' "$dir/$name.log" || { fail "$name: it does not end"; tail -n 10 "$dir/$name.log"; }
	sed "s/^/$name /" "$dir/$name.log" >>"$dir/answers"
}

for board in $boards; do
	for cpu in with without; do
		for suite in trixie sid; do
			boot $board $cpu $suite
		done
	done
done

# ---- comparison

python3 - "$dir/answers" >"$dir/differ" <<'END'
import collections, json, sys
verdicts, samples, differ, user = 0, 0, [], ""
kinds = collections.Counter()
for line in open(sys.argv[1], errors="replace"):
    where, _, text = line.strip().partition(" ")
    if text in ("#root", "#user"):
        user = text[1:]
    try:
        a = json.loads(text)
    except ValueError:
        continue
    if a["kind"] != "perf":
        continue
    verdicts += 1 + (a["live_samples"] is not None)
    model, kernel = a["answer"] != "no", a["live"] or a["kernel"] == "stays 0"
    kinds[a["answer"], user] += 1
    if model != kernel:
        differ.append(f"{where} {user} {a['name']}: {a['answer']}, the kernel: {a['kernel']}")
    samples += a["live_samples"] is True
    if a["live_samples"] not in (None, a["samples"]):
        differ.append(f"{where} {user} {a['name']}: samples {a['samples']}, the kernel not")
print(f"verdicts {verdicts} samples {samples}")
print(*(f"{user} {answer} {n}" for (answer, user), n in sorted(kinds.items())), sep="\n")
print(*(f"differs {d}" for d in differ), sep="\n")
END
grep -v '^differs' "$dir/differ"
nothing "kernel and model differ" "$(grep '^differs .' "$dir/differ" | head -n 20)"
for some in "root yes" "root no" "user yes" "user no"; do
	grep -q "^$some " "$dir/differ" && pass || fail "no answer: $some"
done
finish
