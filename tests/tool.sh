#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Runs the commands of tests/tool/*.txt, and compares what they print and return with what stands
# there. A command is a line that begins with "$ "; below it are its output, errors included, and its
# exit status if that is not 0. Lines that begin with "# " are comments. How large a map is, is not the
# tool's business.
# After a change that is meant: cp build/tool/*.txt tests/tool/
. tests/lib.sh

for example in build_map from_fdt imc_names; do
	works $example ${CC:-gcc} -std=c11 $warnings -I. examples/$example.c -lfdt -o "$dir/$example"
done
mkdir "$dir/plain"
works "without liblzma" ${CC:-gcc} -std=c11 $warnings -I. examples/pmumap.c -lfdt \
	-o "$dir/plain/pmumap"

export PATH="$PWD/build:$PATH" LC_ALL=C

compare() {
	[ -n "$command" ] || return
	{
		printf '%s\n' "\$ $command"
		sh -c "$command" 2>&1 </dev/null
		status=$?
		[ $status = 0 ] || echo "[$status]"
	} | sed -E 's/(map of|the map:) [0-9]+ bytes/\1 N bytes/; s/"bytes":[0-9]+/"bytes":N/' >"$dir/got"
	cat "$dir/got" >>"$dir/$file"
	if cmp -s "$dir/want" "$dir/got"; then
		pass
	else
		fail "$command"
		diff -u "$dir/want" "$dir/got"
	fi
	command=
}

run() {
	file=$1
	command=
	while IFS= read -r line; do
		case $line in
		'$ '*)
			compare
			command=${line#??}
			printf '%s\n' "$line" >"$dir/want"
			;;
		'# '*)
			compare
			printf '%s\n' "$line" >>"$dir/$file"
			;;
		*)
			printf '%s\n' "$line" >>"$dir/want"
			;;
		esac
	done <"tests/tool/$file"
	compare
}

run cases.txt
run imc.txt
run amu.txt
if ! command -v xz >/dev/null || ! grep -q LZMA build/pmumap.libs; then
	echo "SKIP containers of catalogs (xz-utils or liblzma-dev is not installed)"
else
	run container.txt
fi
finish
