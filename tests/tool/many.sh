#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Writes a tree in which so many units share a list of so many events: UNITS * EVENTS names.
#
#	many.sh UNITS EVENTS
awk -v units="$1" -v events="$2" 'BEGIN {
	print "/dts-v1/;\n/ {\n\tcompatible = \"ibm,opal-in-memory-counters\";\n\tL: list {"
	for (i = 0; i < events; i++)
		printf "\t\tevent@%x { event-name = \"E%d\"; reg = <%d 8>; };\n", 8 * i, i, 8 * i
	print "\t};"
	for (i = 0; i < units; i++)
		printf "\tu%d { compatible = \"ibm,imc-counters\"; events-prefix = \"P%d_\";" \
		       " reg = <0 8>; type = <0x10>; size = <0x40000>; offset = <0>; events = <&L>; };\n", i, i
	print "};"
}'
