#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: make hosts-trial HOSTS=FOLDER
#
# The real hosts: for each checkout that lies in FOLDER, apply.sh edits a copy, the host is built
# with it and as it is, and tests/hosts/trial/guest.c counts on it. Not a part of make ci.
. tests/check/lib.sh

folder=$1
trial=$PWD/$dir
export GIT_AUTHOR_NAME=Nobody GIT_AUTHOR_EMAIL=nobody@example.org
export GIT_COMMITTER_NAME=Nobody GIT_COMMITTER_EMAIL=nobody@example.org
unset CC CXX MAKEFLAGS
qemu="qemu-system-riscv64 -M virt -cpu rv64,sscofpmf=true -nographic -net none"
qemu="$qemu -icount shift=0,sleep=off"

# guest NAME MARCH MABI BASE [FLAG...]: NAME.elf and NAME.bin
guest() {
	name=$1 march=$2 mabi=$3 base=$4
	shift 4
	works "guest for $name" riscv64-unknown-elf-gcc -std=c11 $warnings -O2 -ffreestanding \
		-fno-pic -mcmodel=medany -fno-tree-loop-distribute-patterns -march=$march \
		-mabi=$mabi -DSUPERVISOR "$@" -I. -static -nostdlib -Wl,--build-id=none \
		-T examples/firmware/runtime/link.ld -Wl,--no-warn-rwx-segments \
		-Wl,--defsym=BASE=$base examples/firmware/runtime/start.S \
		tests/hosts/trial/guest.c -o "$dir/$name.elf"
	riscv64-unknown-elf-objcopy -O binary "$dir/$name.elf" "$dir/$name.bin"
}

# checkout NAME FOLDER: NAME and NAME-stock are copies, the first one edited; 1: there is none
checkout() {
	if [ ! -e "$folder/$2/.git" ]; then
		echo "SKIP $1: no checkout $folder/$2"
		return 1
	fi
	for copy in "$1" "$1-stock"; do
		works "$1: a copy" git clone -q "$folder/$2" "$dir/$copy"
		# What its submodules have, which are no part of a clone.
		for module in $(git -C "$folder/$2" config -f .gitmodules --get-regexp 'path$' |
			cut -d ' ' -f 2); do
			cp -R "$folder/$2/$module/." "$dir/$copy/$module/"
		done
	done
	works "$1: apply.sh" "hosts/$1/apply.sh" "$dir/$1"
}

# text FILE: its size
text() {
	size "$1" 2>/dev/null | awk 'END { print $1 }'
}

# figures NAME FILE: hosts/README.md has the lines that are put into files of the host, its text, and
# to within 1 % its text with them
figures() {
	lines=$(git -C "$dir/$1" diff --numstat --diff-filter=M HEAD~ | awk '{ n += $1 } END { print n }')
	before=$(text "$dir/$1-stock/$2")
	after=$(text "$dir/$1/$2")
	echo "$1: + $lines lines, text $before -> $after"
	grep "($1/README.md)" hosts/README.md | tr -d , | awk -F '|' -v lines="$lines" \
		-v before="$before" -v after="$after" '{
			split($3, l, /\+/)
			split($4, t, / -> /)
			good = l[2] + 0 == lines && t[1] + 0 == before && t[2] >= after * 0.99 && t[2] <= after * 1.01
		}
		END { exit !good }' && pass || fail "hosts/README.md: another row for $1"
}

# counted HOST SAMPLES: what its guest has said
counted() {
	log=$dir/$1.log
	tr -d '\r' <"$log" | sed 's/^\[guest0.uart0\] //' |
		sed -n '/^counters /,/^\(passed\|failed\) /p' | sed "s/^/$1: /" | tee "$dir/said"
	for line in "passed 0" "timers 3" "samples $2"; do
		grep -qx "$1: $line" "$dir/said" && pass || fail "$1: no line $line"
	done
	for name in instructions cycles programmable; do
		count=$(sed -n "s/^$1: $name //p" "$dir/said")
		[ "${count:-0}" -ge 200000 ] && [ "$count" -lt 100000000 ] && pass ||
			fail "$1: $name ${count:-none}"
	done
}

if checkout semu semu; then
	for copy in semu semu-stock; do
		works "$copy" make -C "$dir/$copy" ENABLE_SDL=0 ENABLE_VIRTIONET=0 \
			ENABLE_VIRTIOSND=0 ENABLE_EXTERNAL_ROOT=0 ENABLE_VIRTIOBLK=0 \
			ENABLE_VIRTIOFS=0 semu minimal.dtb
	done
	guest semu-guest rv32ima_zicsr_zifencei ilp32 0 -DUART=0xF4000000
	(cd "$dir/semu" && timeout 60 ./semu -k ../semu-guest.bin -b minimal.dtb -H) \
		</dev/null >"$dir/semu.log" 2>&1
	figures semu semu
	counted semu 10
fi

if checkout bbl riscv-pk; then
	guest bbl-guest rv64imac_zicsr_zifencei lp64 0x80200000
	for copy in bbl bbl-stock; do
		mkdir "$dir/$copy/build"
		works "$copy" sh -c "cd $dir/$copy/build && ../configure --host=riscv64-linux-gnu \
			--with-payload=$trial/bbl-guest.elf && make bbl"
	done
	timeout 60 $qemu -m 256M -bios none -kernel "$dir/bbl/build/bbl" </dev/null \
		>"$dir/bbl.log" 2>&1
	figures bbl build/bbl
	counted bbl 10
fi

if checkout xvisor xvisor; then
	guest xvisor-guest rv64imac_zicsr_zifencei lp64 0x80000000 -DUART=0x10000000
	for copy in xvisor xvisor-stock; do
		works "$copy" make -C "$dir/$copy" ARCH=riscv CROSS_COMPILE=riscv64-linux-gnu- \
			generic-64b-defconfig
		works "$copy" make -C "$dir/$copy" -j"$(nproc)" CROSS_COMPILE=riscv64-linux-gnu-
	done
	disk=$dir/disk
	mkdir -p "$disk/tmp"
	sed -e 's/start_pc = <0x00000000>/start_pc = <0x80000000>/' \
		-e 's/rv64imafdchv_sstc/rv64imafdc_sstc/' \
		"$dir/xvisor/tests/riscv/virt64/virt64-guest.dts" >"$dir/guest.dts"
	dtc -q -I dts -O dtb -o "$disk/guest.dtb" "$dir/guest.dts"
	cp "$dir/xvisor-guest.bin" "$disk/guest.bin"
	echo "0x80000000 ./guest.bin" >"$disk/list"
	cat >"$disk/boot" <<-END
		shmem create default 0x1000000 21
		vfs guest_fdt_load guest0 /guest.dtb 2 mem0,physical_size,physsize,0x10000000 net0,switch,string,br0 shmem0,shared_mem,string,default
		guest create guest0
		vfs guest_load_list guest0 /list
		guest kick guest0
		vserial bind guest0/uart0
	END
	(cd "$disk" && find . | cpio -o -H newc --quiet) >"$dir/disk.cpio"
	timeout 60 $qemu -m 512M -kernel "$dir/xvisor/build/vmm.bin" -initrd "$dir/disk.cpio" \
		-append 'vmm.bootcmd="vfs mount initrd /;vfs run /boot"' </dev/null \
		>"$dir/xvisor.log" 2>&1
	figures xvisor build/vmm.elf
	counted xvisor 0 # it does not hand the interrupt on
fi

if checkout bao bao-hypervisor; then
	guest bao-guest rv64imac_zicsr_zifencei lp64 0x90000000 -DUART=0x10000000
	mkdir -p "$dir/config/one"
	cat >"$dir/config/one/config.c" <<-END
		#include <config.h>
		VM_IMAGE(one, "$trial/bao-guest.bin")
		struct config config = {
			CONFIG_HEADER
			.vmlist_size = 1,
			.vmlist = (struct vm_config[]) { {
				.image = { .base_addr = 0x90000000, .load_addr = VM_IMAGE_OFFSET(one),
					   .size = VM_IMAGE_SIZE(one) },
				.entry = 0x90000000,
				.cpu_affinity = 1,
				.platform = {
					.cpu_num = 1,
					.region_num = 1,
					.regions = (struct vm_mem_region[]) {
						{ .base = 0x90000000, .size = 0x1000000 } },
					.dev_num = 1,
					.devs = (struct vm_dev_region[]) {
						{ .pa = 0x10000000, .va = 0x10000000, .size = 0x1000 } },
					.arch = { .irqc.aia = { .aplic.base = 0xd000000,
								.imsic.base = 0x28000000 } },
				},
			} },
		};
	END
	for copy in bao bao-stock; do
		works "$copy" make -C "$dir/$copy" PLATFORM=qemu-riscv64-virt CONFIG=one \
			CONFIG_REPO="$trial/config" CROSS_COMPILE=riscv64-unknown-elf- \
			platform-cppflags="-DIPIC=IPIC_SBI -DCPU_EXT_SSCOFPMF=1"
	done
	figures bao bin/qemu-riscv64-virt/one/bao.elf
	# It flushes caches by Zicbom, which QEMU has since 8.0, and its device memory is Svpbmt's.
	new=build/trixie-qemu
	[ -e $new ] || works "QEMU of Debian trixie" mmdebstrap --quiet --variant=extract \
		--include=qemu-system-riscv trixie $new "$(scripts/mirror.sh)"
	library=$new/usr/lib/$(gcc -print-multiarch)
	timeout 120 "$library"/ld-linux-*.so.* --library-path "$library" \
		$new/usr/bin/qemu-system-riscv64 -L $new/usr/share/qemu \
		-M virt,aia=aplic-imsic,aia-guests=1 -cpu rv64,sscofpmf=true,svpbmt=true -smp 4 -m 4G \
		-nographic -net none -icount shift=0,sleep=off \
		-bios $new/usr/share/qemu/opensbi-riscv64-generic-fw_dynamic.bin \
		-kernel "$dir/bao/bin/qemu-riscv64-virt/one/bao.bin" </dev/null >"$dir/bao.log" 2>&1
	counted bao 0 # it does not hand the interrupt on
fi
finish
