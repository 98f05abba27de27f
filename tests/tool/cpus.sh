#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Writes a tree with so many CPUs, of which the first RUN of every TWICE as many have view 0, the
# others view 1. Where WRONG is given, their amu is no phandle of the tree.
#
#	cpus.sh CPUS RUN [WRONG]
awk -v cpus="$1" -v run="$2" -v wrong="${3:-}" 'BEGIN {
	print "/dts-v1/;\n/ {\n\tcpus {\n\t\t#address-cells = <2>;\n\t\t#size-cells = <0>;\n\t\tamus {"
	for (view = 0; view < 2; view++)
		printf "\t\t\tV%d: amu-%d {\n\t\t\t\t#address-cells = <1>;\n\t\t\t\t#size-cells = <0>;\n" \
		       "\t\t\t\tcounter@%d { reg = <%d>; enable-at-el3; };\n\t\t\t};\n", view, view, view, view
	print "\t\t};"
	for (i = 0; i < cpus; i++)
		printf "\t\tcpu@ff00%06x { reg = <0xff 0x%x>; amu = <%s>; };\n", 256 * i, 256 * i,
		       wrong ? wrong : "&V" int(i / run) % 2
	print "\t};\n};"
}'
