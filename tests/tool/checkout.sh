#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# checkout.sh DIR linux|u-boot    a source tree as the two have it: two boards share a part with a
#                                 finding, which needs a macro of dt-bindings; an overlay
set -eu

rm -rf "$1"
case $2 in
linux)
	boards=$1/arch/riscv/boot/dts/vendor bindings=$1/include/dt-bindings
	mkdir -p "$1/scripts/dtc/include-prefixes"
	ln -s ../../../include/dt-bindings "$1/scripts/dtc/include-prefixes/dt-bindings"
	;;
u-boot)
	boards=$1/arch/riscv/dts bindings=$1/dts/upstream/include/dt-bindings
	mkdir -p "$1/scripts/dtc" "$1/include"
	;;
esac
mkdir -p "$boards" "$bindings"
echo "#define PMU_COUNTERS 0x18" >"$bindings/pmu.h"
cat >"$boards/soc.dtsi" <<'END'
#include <dt-bindings/pmu.h>
/ {
	pmu {
		compatible = "riscv,pmu";
		riscv,event-to-mhpmcounters = <1 1 0x1>, <2 2 0x4>;
		riscv,raw-event-to-mhpmcounters =
			<0x0 0x2 0xffffffff 0xffffff00 PMU_COUNTERS>,
			<0x0 0x301 0xffffffff 0xfffffffe PMU_COUNTERS>;
	};
};

&uart0 {
	status = "okay";
};
END
for board in one two; do
	cat >"$boards/$board.dts" <<END
/dts-v1/;
/ {
	model = "$board";
	uart0: serial {
	};
};
#include "soc.dtsi"
END
done
printf '/dts-v1/;\n/ {\n};\n' >"$boards/none.dts"
cat >"$boards/more.dtso" <<'END'
/dts-v1/;
/plugin/;
&soc {
	pmu {
		compatible = "riscv,pmu";
		riscv,event-to-mhpmcounters = <1 1 0x1>, <2 2 0x4>, <5 3 0x18>;
	};
};
END
# Only a build of U-Boot makes config.h. Linux's own trees are in it, too.
if [ "$2" = u-boot ]; then
	printf '#include <config.h>\n&uart0 {\n\tload = <CONFIG_BASE>;\n};\n' >>"$boards/two.dts"
	mkdir -p "$1/include/dt-bindings" "$1/dts/upstream/src/riscv" "$1/dts/upstream/src/arm64"
	printf '/dts-v1/;\n#include <arm64/soc.dtsi>\n' >"$1/dts/upstream/src/riscv/three.dts"
	sed '/^&/,$d' "$boards/soc.dtsi" >"$1/dts/upstream/src/arm64/soc.dtsi"
fi
