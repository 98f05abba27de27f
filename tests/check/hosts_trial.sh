#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: make hosts-trial HOSTS=FOLDER
#
# The real hosts. For each checkout in FOLDER, apply.sh edits a copy; the host is built with and
# without the edits, and tests/hosts/trial/guest.c counts on it. Hypervisors also run Debian's
# Linux; TF-A boots. Older revisions are only compiled. Not part of make ci.
. tests/check/lib.sh

folder=$1
trial=$PWD/$dir
export GIT_AUTHOR_NAME=Nobody GIT_AUTHOR_EMAIL=nobody@example.org
export GIT_COMMITTER_NAME=Nobody GIT_COMMITTER_EMAIL=nobody@example.org
unset CC CXX MAKEFLAGS
qemu="qemu-system-riscv64 -M virt -cpu rv64,sscofpmf=true -nographic -net none"
qemu="$qemu -icount shift=0,sleep=off"

# guest NAME MARCH MABI BASE [FLAG...]: builds NAME.elf and NAME.bin
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

# linux_image NAME BASE: builds NAME.bin, entered at BASE: Debian's kernel with the program of make
# linux as its initramfs
linux_image() {
	works "a kernel" scripts/fetch.sh deb riscv64 linux-image-riscv64 build/firmware/linux
	mkdir -p "$dir/init"
	works "its program" riscv64-linux-gnu-gcc -O2 $warnings -std=gnu11 -static \
		tests/linux/init.c -o "$dir/init/init"
	(cd "$dir/init" && find . | cpio -o -H newc --quiet) >"$dir/init.cpio"
	sed -e "s/@BASE/@${2#0x}/" -e "s/BASE/$2/" -e "s/INITRD_END/$(printf '0x%x' \
		$(($2 + 0x3200000 + $(wc -c <"$dir/init.cpio"))))/" \
		-e "s/INITRD/$(printf '0x%x' $(($2 + 0x3200000)))/" tests/hosts/trial/linux.dts |
		dtc -q -I dts -O dtb -o "$dir/$1.dtb"
	# The first instructions of an image with Linux, its tree and its initramfs.
	cat >"$dir/linux.S" <<-END
		.globl _start
		_start:
		li a0, 0
		li a1, $2 + 0x3000000
		li t0, $2 + 0x200000
		jr t0
	END
	works "its start" riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -nostdlib -static \
		-Wl,-Ttext=$2 "$dir/linux.S" -o "$dir/$1.elf"
	riscv64-unknown-elf-objcopy -O binary "$dir/$1.elf" "$dir/$1.bin"
	at() {
		dd of="$dir/$1.bin" if="$3" bs=1M seek=$(($2 >> 20)) conv=notrunc status=none
	}
	at "$1" 0x200000 "$(echo build/firmware/linux/boot/vmlinux-*)"
	at "$1" 0x3000000 "$dir/$1.dtb"
	at "$1" 0x3200000 "$dir/init.cpio"
}

# until_end LOG SECONDS COMMAND...: stops the hypervisor when Linux's program ends
until_end() {
	log=$dir/$1.log seconds=$2
	shift 2
	timeout "$seconds" "$@" </dev/null >"$log" 2>&1 &
	while kill -0 $! 2>/dev/null && ! grep -aq '=end' "$log"; do
		sleep 1
	done
	kill $! 2>/dev/null
	wait $! 2>/dev/null
}

# row LOG NAME LEAST MOST: checks Linux's count
row() {
	count=$(tr -d '\r' <"$dir/$1.log" | sed -n "s,^.*=$2 *\([0-9]*\) *0 .*,\1,p" | head -n 1)
	echo "$1: $2 ${count:-absent}"
	[ "${count:-0}" -ge "$3" ] && [ "${count:-0}" -le "$4" ] && pass ||
		fail "$1: $2 ${count:-absent}, not $3 to $4"
}

# linux_rows LOG [MOST]: the guest touches 65536 pages, 16384 of them from the kernel. MOST limits
# its instructions.
linux_rows() {
	row $1 dTLB-load-misses:u 65536 68000
	row $1 dTLB-load-misses:k 0 4096
	row $1 dTLB-store-misses:u 0 1024
	row $1 dTLB-store-misses:k 16384 20480
	row $1 group/dTLB-load-misses 65536 70000
	row $1 group/dTLB-store-misses 65536 70000
	row $1 cycles:u 196608 ${2:-100000000000}
	row $1 instructions:u 196608 ${2:-100000000000}
}

# checkout NAME FOLDER: copies it to NAME, edited, and NAME-stock. Returns 1 if it is missing.
checkout() {
	if [ ! -e "$folder/$2/.git" ]; then
		echo "SKIP $1: no checkout $folder/$2"
		return 1
	fi
	for copy in "$1" "$1-stock"; do
		works "$1: a copy" git clone -q "$folder/$2" "$dir/$copy"
		# A clone lacks the contents of submodules, so copy them.
		for module in $(git -C "$folder/$2" config -f .gitmodules --get-regexp 'path$' |
			cut -d ' ' -f 2); do
			cp -R "$folder/$2/$module/." "$dir/$copy/$module/"
		done
	done
	works "$1: apply.sh" "hosts/$1/apply.sh" "$dir/$1"
}

# text FILE: size of its code
text() {
	size "$1" 2>/dev/null | awk 'END { print $1 }'
}

# figures NAME FILE: hosts/README.md has the right number of lines added to the host's files, the
# right text size without them, and within 1 % with them
figures() {
	lines=$(git -C "$dir/$1" diff --numstat --diff-filter=M HEAD~ | awk '{ n += $1 } END { print n }')
	before=$(text "$dir/$1-stock/$2")
	after=$(text "$dir/$1/$2")
	echo "$1: + $lines lines, text $before -> $after"
	grep "($1/README.md)" hosts/README.md | tr -d , | awk -F '|' -v lines="$lines" \
		-v before="$before" -v after="$after" '
		NF > 5 { right = $5 + 0 == lines }
		NF == 5 {
			split($3, t, / -> /)
			good = right && t[1] + 0 == before && t[2] >= after * 0.99 && t[2] <= after * 1.01
		}
		END { exit !good }' && pass || fail "hosts/README.md: another row for $1"
}

# counted HOST SAMPLES: checks and prints its guest's output
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

# Versions that Debian lacks; make opensbi covers the others.
if [ -e "$folder/opensbi/.git" ]; then
	works "OpenSBI under attack" env OPENSBI="$folder/opensbi" tests/check/opensbi.sh v1.7 v1.8.1 HEAD
else
	echo "SKIP opensbi: no checkout $folder/opensbi"
fi

# The tool's model of RustSBI beside RustSBI's code.
if [ -e "$folder/rustsbi/.git" ] && command -v rustc >/dev/null; then
	works "RustSBI's PMU" tests/rustsbi/crates.sh "$folder/rustsbi" "$dir/rustsbi"
	works "its questions" gcc -O1 $warnings -std=gnu11 -I. -Itool -Itests/opensbi \
		tests/opensbi/models.c tests/rustsbi/machine.c build/command/firmware/*.o \
		build/command/source/*.o build/command/map/*.o build/command/text/*.o \
		$(grep -o -- '-l[a-z]*' build/pmumap.libs) -lfdt "$dir/rustsbi/liboracle.a" \
		-o "$dir/rustsbi/models"
	"$dir/rustsbi/models" rustsbi build/boards/*.dtb -- 6000 >"$dir/rustsbi.txt" ||
		fail "rustsbi: exit status $?"
	answers=$(awk '$1 == "answers" { n += $2 } END { print n + 0 }' "$dir/rustsbi.txt")
	echo "rustsbi: $answers answers"
	[ "$answers" -gt 1000000 ] && pass || fail "rustsbi: only $answers answers"
	nothing "rustsbi: another answer than its model's" \
		"$(grep -v '^answers' "$dir/rustsbi.txt" | head -n 5)"
else
	echo "SKIP rustsbi: no rustc, or no checkout $folder/rustsbi"
fi

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

if checkout rv32emu rv32emu; then
	for copy in rv32emu rv32emu-stock; do
		# Without a floating point unit, it needs no library. Its kconfig would come from the net.
		mkdir -p "$dir/$copy/tools/kconfig"
		touch "$dir/$copy/tools/kconfig/kconfiglib.py" "$dir/$copy/tools/kconfig/genconfig.py"
		for option in SYSTEM GOLDFISH_RTC RV32I EXT_M EXT_A Zicsr Zifencei MOP_FUSION \
			BLOCK_CHAINING INTERPRETER_ONLY; do
			echo "CONFIG_$option=y"
		done >"$dir/$copy/.config"
		works "$copy" make -C "$dir/$copy" CONFIG_OPTIMIZE_LEVEL=2
	done
	guest rv32emu-guest rv32ima_zicsr_zifencei ilp32 0 -DUART=0xF4000000
	timeout 60 "$dir/rv32emu/build/rv32emu" -k "$dir/rv32emu-guest.bin" \
		-i "$dir/rv32emu-guest.bin" </dev/null >"$dir/rv32emu.log" 2>&1
	figures rv32emu build/rv32emu
	counted rv32emu 0

	# The conformance suite. Its rule about overflow interrupts needs Sscofpmf.
	works "the suite" riscv64-unknown-elf-gcc -std=c11 $warnings -O2 -ffreestanding -fno-pic \
		-mcmodel=medany -fno-tree-loop-distribute-patterns -march=rv32ima_zicsr_zifencei \
		-mabi=ilp32 -DUART=0xF4000000 -static -nostdlib -T conformance/link.ld \
		-Wl,--defsym=BASE=0 -Wl,--build-id=none -Wl,--no-warn-rwx-segments \
		conformance/start.S conformance/main.c conformance/rules.c -o "$dir/rv32emu-rules.elf"
	riscv64-unknown-elf-objcopy -O binary "$dir/rv32emu-rules.elf" "$dir/rv32emu-rules.bin"
	timeout 120 "$dir/rv32emu/build/rv32emu" -k "$dir/rv32emu-rules.bin" \
		-i "$dir/rv32emu-rules.bin" </dev/null >"$dir/rv32emu-rules.log" 2>&1
	tap="$dir/rv32emu-rules.log"
	echo "rv32emu: $(grep -c '^ok [0-9]* .*SKIP' "$tap") of $(grep -c 'ok [0-9]* - ' "$tap")" \
		"rules do not apply, $(grep -c '^not ok' "$tap") differ"
	[ "$(grep -c '^ok [0-9]* - ' "$tap")" = 149 ] && [ "$(grep -c '^not ok 95 - interrupt' "$tap")" = 1 ] &&
		pass || fail "rv32emu: $(grep '^not ok' "$tap")"
fi

if checkout tfa arm-trusted-firmware; then
	works tfa make -C "$dir/tfa" PLAT=qemu CROSS_COMPILE=aarch64-linux-gnu- LOG_LEVEL=40 \
		ENABLE_FEAT_AMU=2 ENABLE_FEAT_AMUv1p1=2 ENABLE_AMU_AUXILIARY_COUNTERS=1 bl1 bl2 bl31
	works "tfa in QEMU" tests/hosts/tfa_boot.sh "$dir/tfa/build/qemu/release" "$dir/tfa-boot"
fi

# xvisor_disk IMAGE BYTES GUEST...: builds disk.cpio to start these guests and show the first
xvisor_disk() {
	disk=$dir/disk image=$1 bytes=$2 first=$3
	shift 2
	rm -rf "$disk"
	mkdir -p "$disk/tmp"
	sed -e 's/start_pc = <0x00000000>/start_pc = <0x80000000>/' \
		-e 's/rv64imafdchv_sstc/rv64imafdc_sstc/' \
		"$dir/xvisor/tests/riscv/virt64/virt64-guest.dts" >"$dir/guest.dts"
	dtc -q -I dts -O dtb -o "$disk/guest.dtb" "$dir/guest.dts"
	cp "$dir/$image" "$disk/guest.bin"
	echo "0x80000000 ./guest.bin" >"$disk/list"
	{
		echo "shmem create default 0x1000000 21"
		for name; do
			echo "vfs guest_fdt_load $name /guest.dtb 2 mem0,physical_size,physsize,$bytes net0,switch,string,br0 shmem0,shared_mem,string,default"
			echo "guest create $name"
			echo "vfs guest_load_list $name /list"
		done
		printf 'guest kick %s\n' "$@"
		echo "vserial bind $first/uart0"
	} >"$disk/boot"
	(cd "$disk" && find . | cpio -o -H newc --quiet) >"$dir/disk.cpio"
}

if checkout xvisor xvisor; then
	guest xvisor-guest rv64imac_zicsr_zifencei lp64 0x80000000 -DUART=0x10000000
	for copy in xvisor xvisor-stock; do
		works "$copy" make -C "$dir/$copy" ARCH=riscv CROSS_COMPILE=riscv64-linux-gnu- \
			generic-64b-defconfig
		works "$copy" make -C "$dir/$copy" -j"$(nproc)" CROSS_COMPILE=riscv64-linux-gnu-
	done
	figures xvisor build/vmm.elf

	boot="-kernel $dir/xvisor/build/vmm.bin -initrd $dir/disk.cpio -append"
	run='vmm.bootcmd="vfs mount initrd /;vfs run /boot"'
	xvisor_disk xvisor-guest.bin 0x10000000 guest0
	timeout 60 $qemu -m 512M $boot "$run" </dev/null >"$dir/xvisor.log" 2>&1
	counted xvisor 0 # Xvisor does not forward the interrupt

	# Linux alone, then two of them taking turns.
	get_new_qemu
	linux_image xvisor-linux 0x80000000
	xvisor_disk xvisor-linux.bin 0x20000000 guest0
	until_end xvisor-one 600 $new_qemu ${qemu#* } -m 2G $boot "$run"
	xvisor_disk xvisor-linux.bin 0x20000000 guest0 guest1
	until_end xvisor-two 600 $new_qemu ${qemu#* } -m 2G $boot "$run"
	for log in xvisor-one xvisor-two; do
		linux_rows $log 200000
		row $log five/instructions:u 9437184 9470000 # three per page
	done
fi

# bao_config NAME IMAGE BYTES: one guest with this image and memory size
bao_config() {
	mkdir -p "$dir/config/$1"
	cat >"$dir/config/$1/config.c" <<-END
		#include <config.h>
		VM_IMAGE(guest, "$trial/$2")
		struct config config = {
			CONFIG_HEADER
			.vmlist_size = 1,
			.vmlist = (struct vm_config[]) { {
				.image = { .base_addr = 0x90000000,
					   .load_addr = VM_IMAGE_OFFSET(guest),
					   .size = VM_IMAGE_SIZE(guest) },
				.entry = 0x90000000,
				.cpu_affinity = 1,
				.platform = {
					.cpu_num = 1,
					.region_num = 1,
					.regions = (struct vm_mem_region[]) {
						{ .base = 0x90000000, .size = $3 } },
					.dev_num = 1,
					.devs = (struct vm_dev_region[]) {
						{ .pa = 0x10000000, .va = 0x10000000, .size = 0x1000 } },
					.arch = { .irqc.aia = { .aplic.base = 0xd000000,
								.imsic.base = 0x28000000 } },
				},
			} },
		};
	END
}

# bao_make COPY CONFIG
bao_make() {
	works "$1, $2" make -C "$dir/$1" PLATFORM=qemu-riscv64-virt CONFIG=$2 \
		CONFIG_REPO="$trial/config" CROSS_COMPILE=riscv64-unknown-elf- \
		platform-cppflags="-DIPIC=IPIC_SBI -DCPU_EXT_SSCOFPMF=1"
}

if checkout bao bao-hypervisor; then
	guest bao-guest rv64imac_zicsr_zifencei lp64 0x90000000 -DUART=0x10000000
	linux_image bao-linux 0x90000000
	bao_config one bao-guest.bin 0x1000000
	bao_config linux bao-linux.bin 0x20000000
	bao_make bao one
	bao_make bao-stock one
	bao_make bao linux
	figures bao bin/qemu-riscv64-virt/one/bao.elf

	# It flushes caches with Zicbom (QEMU 8.0 and later) and maps devices with Svpbmt.
	get_new_qemu
	machine="$new_qemu -M virt,aia=aplic-imsic,aia-guests=1 -cpu rv64,sscofpmf=true,svpbmt=true
		-smp 4 -m 4G -nographic -net none"
	images=$dir/bao/bin/qemu-riscv64-virt
	timeout 120 $machine -icount shift=0,sleep=off -kernel "$images/one/bao.bin" \
		</dev/null >"$dir/bao.log" 2>&1
	counted bao 0 # Bao does not forward the interrupt

	# Without -icount, which is too slow for Linux; so instructions follow the host's clock.
	until_end bao-linux 600 $machine -kernel "$images/linux/bao.bin"
	linux_rows bao-linux
fi

# revision HOST FOLDER REVISION COMMAND...: apply.sh edits it, and COMMAND compiles it in $tree
revision() {
	host=$1 from=$folder/$2 revision=$3 tree=$trial/$1-$3
	shift 3
	if [ ! -e "$from/.git" ]; then
		echo "SKIP $host $revision: no checkout $from"
		return
	fi
	mkdir "$tree"
	works "$host $revision: a copy" sh -c "git -C '$from' archive $revision | tar -x -C '$tree'"
	[ $host != semu ] || cp -R "$from/mini-gdbstub/." "$tree/mini-gdbstub/"
	works "$host $revision: apply.sh" "hosts/$host/apply.sh" "$tree"
	works "$host $revision" sh -c "cd '$tree' && $*"
}

# 6.3 moved the catalog, 7.0 added POWER10, and QUIRK_BML came after 7.1.
for release in v6.0 v6.2.4 v6.3 v6.8.1 v7.0 v7.1 HEAD; do
	revision skiboot skiboot $release make SKIBOOT_VERSION=test CROSS=powerpc64-linux-gnu- \
		hw/imc.o hw/imc-catalog.o hw/homer.o core/device.o
done

# For other hosts, the oldest revision that their pages name, and releases of TF-A.
revision semu semu 3c2aaaa make ENABLE_SDL=0 ENABLE_VIRTIONET=0 ENABLE_VIRTIOSND=0 \
	ENABLE_EXTERNAL_ROOT=0 ENABLE_VIRTIOBLK=0 ENABLE_VIRTIOFS=0 semu_pmu.o main.o riscv.o
revision xvisor xvisor 57abfd81 "make ARCH=riscv CROSS_COMPILE=riscv64-linux-gnu- \
	generic-64b-defconfig && make CROSS_COMPILE=riscv64-linux-gnu- \
	\$PWD/build/arch/riscv/cpu/generic/cpu_vcpu_pmu.o"
mkdir -p "$dir/config/old"
[ ! -e "$dir/config/one" ] ||
	sed '/\.dev_num/,/imsic/d' "$dir/config/one/config.c" >"$dir/config/old/config.c"
revision bao bao-hypervisor v2.0-rc6 "make PLATFORM=qemu-riscv64-virt CONFIG=old \
	CONFIG_REPO='$trial/config' CROSS_COMPILE=riscv64-unknown-elf- \
	platform-cppflags=-DCPU_EXT_SSCOFPMF=1"
for release in v2.10.0 v2.11.0 v2.12.0 v2.13.0 v2.14.0 v2.15.0; do
	revision tfa arm-trusted-firmware $release make PLAT=qemu CROSS_COMPILE=aarch64-linux-gnu- \
		ENABLE_FEAT_AMU=2 ENABLE_FEAT_AMUv1p1=2 ENABLE_AMU_AUXILIARY_COUNTERS=1 bl31
done
finish
