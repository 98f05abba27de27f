#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: fuzz/min.sh BUILD HARNESS...
#
# Reduces BUILD/inputs/HARNESS, together with QUEUES/HARNESS, to few and small inputs with the same
# coverage. Hit counts matter only for harnesses of calls, where order counts. BUILD/afl has AFL++'s
# harnesses. Inputs with a name instead of a number stay: each of them has found a bug.
set -eu
build=$1
shift
. fuzz/env.sh
export AFL_ALLOW_TMP=1
max=${MAX:-4096}

for harness; do
	corpus=$build/inputs/$harness
	dir=$build/afl/min/$harness
	rm -rf "$dir"
	mkdir -p "$dir/all" "$dir/named"
	for folder in "$corpus" ${QUEUES:+"$QUEUES/$harness"}; do
		find "$folder" -type f -size -"$max"c -exec cp -n {} "$dir/all" \;
	done
	find "$corpus" -type f | grep -vE '/[0-9a-f]{10}$' | xargs -r cp -t "$dir/named"
	once=-e
	case $harness in calls | firmware) once= ;; esac
	afl-cmin $once -t 5000 -i "$dir/all" -o "$dir/min" -- "$build/afl/fuzz_$harness" >"$dir/log" 2>&1
	before=$(ls "$corpus" | wc -l)
	rm -f "$corpus"/*
	for file in "$dir"/min/*; do
		cp "$file" "$corpus/$(sha1sum <"$file" | cut -c1-10)"
	done
	[ -z "$(ls "$dir/named")" ] || cp "$dir"/named/* "$corpus"
	echo "$harness: $before inputs before, $(ls "$corpus" | wc -l) now," \
		"$(cat "$corpus"/* | wc -c) bytes"
done
