#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# many.sh units UNITS EVENTS: writes a tree in which so many units share a list of so many events:
# UNITS * EVENTS names.
#
# many.sh cpus CPUS RUN [WRONG]: writes a tree with so many CPUs, of which the first RUN of every
# TWICE as many have view 0, the others view 1. Where WRONG is given, their amu is no phandle of the
# tree.
case $1 in
units)
	awk -v units="$2" -v events="$3" 'BEGIN {
	print "/dts-v1/;\n/ {\n\tcompatible = \"ibm,opal-in-memory-counters\";\n\tL: list {"
	for (i = 0; i < events; i++)
		printf "\t\tevent@%x { event-name = \"E%d\"; reg = <%d 8>; };\n", 8 * i, i, 8 * i
	print "\t};"
	for (i = 0; i < units; i++)
		printf "\tu%d { compatible = \"ibm,imc-counters\"; events-prefix = \"P%d_\";" \
		       " reg = <0 8>; type = <0x10>; size = <0x40000>; offset = <0>; events = <&L>; };\n", i, i
	print "};"
}'
	;;
cpus)
	awk -v cpus="$2" -v run="$3" -v wrong="${4:-}" 'BEGIN {
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
	;;
esac
