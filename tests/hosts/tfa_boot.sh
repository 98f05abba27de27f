#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: tests/hosts/tfa_boot.sh FOLDER WORK
#
# Boots TF-A's bl1.bin, bl2.bin and bl31.bin of FOLDER in QEMU, whose tree gets activity
# monitors: whether BL31 says what they enable, and starts what comes after it. WORK is an empty
# folder, or not there yet.
set -eu
mkdir -p "$2"
cp "$1/bl1.bin" "$1/bl2.bin" "$1/bl31.bin" "$2/"
aarch64-linux-gnu-gcc -nostdlib -static -Wl,-N,--build-id=none,--no-warn-rwx-segments \
	tests/hosts/bl33.S -o "$2/bl33.elf"
aarch64-linux-gnu-objcopy -O binary "$2/bl33.elf" "$2/bl33.bin"

machine="qemu-system-aarch64 -cpu max -smp 4 -m 1G -nographic -net none"
$machine -machine virt,secure=on,dumpdtb="$2/virt.dtb" 2>/dev/null
# Monitors of QEMU's four CPUs, with a counter that there cannot be.
dtc -q -I dtb -O dts "$2/virt.dtb" | cat - /dev/fd/3 3<<'END' | dtc -q -I dts -O dtb -o "$2/tree.dtb"
/ {
	cpus {
		cpu@0 { amu = <&little>; };
		cpu@1 { amu = <&little>; };
		cpu@3 { amu = <&big>; };
		amus {
			little: amu-0 {
				#address-cells = <1>;
				#size-cells = <0>;
				counter@0 { reg = <0>; enable-at-el3; };
				counter@2 { reg = <2>; };
			};
			big: amu-1 {
				#address-cells = <1>;
				#size-cells = <0>;
				counter@1 { reg = <1>; enable-at-el3; };
				counter@16 { reg = <16>; enable-at-el3; };
			};
		};
	};
};
END

# The first stage loads the others by semihosting, from where QEMU is started.
limit=$PWD/scripts/limit.sh
cd "$2"
"$limit" 10 $machine -machine virt,secure=on -semihosting-config enable=on,target=native \
	-bios bl1.bin -dtb tree.dtb </dev/null 2>&1 | head -c 100000 | tr -d '\r' >log
while read -r line; do
	grep -qx "$line" log || { echo "no line $line"; grep -E 'BL31|AMU' log; exit 1; }
done <<'END'
NOTICE:  AMU: error counter-range, 0x10, node at 0x[0-9a-f]*
INFO:    AMU: core 0 enables 0x1 of 0x5
INFO:    AMU: core 1 enables 0x1 of 0x5
INFO:    AMU: core 2 enables 0x0 of 0x0
INFO:    AMU: core 3 enables 0x2 of 0x2
BL33 runs
END
