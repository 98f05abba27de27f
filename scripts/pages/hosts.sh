#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Prints a table of the lines that each apply.sh adds to its host. The host's README.md says how many
# it inserts into the host's own files.
set -eu
echo "| host | files here | header | inserted | in all |"
echo "|---|--:|--:|--:|--:|"
for host in skiboot semu rv32emu xvisor bao tfa; do
	files=$(cat hosts/$host/*.[ch] | wc -l)
	header=$(hosts/header.sh $host | wc -l)
	inserted=$(tr '\n' ' ' <hosts/$host/README.md | sed -n 's/.* inserts \([0-9]*\) lines.*/\1/p')
	echo "| [$host]($host/README.md) | $files | $header | $inserted | $((files + header + inserted)) |"
done | sed 's/ \([0-9]\)\([0-9]\{3\}\) / \1,\2 /g'
